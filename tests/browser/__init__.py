"""The desk in a real browser."""
