"""Measures the critic: its requests, its work, its pages."""
