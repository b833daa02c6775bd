"""Measurements that anyone can run again; each prints ratios inside one run."""
