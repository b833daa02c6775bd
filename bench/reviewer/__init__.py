"""A reviewer at the desk, in a real browser: how long each step takes, and that nothing is lost or done twice."""
