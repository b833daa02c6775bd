"""Measures the screens beside other ways of doing the same. Run it with ``python -m bench.screening``."""
