"""Exact twins: the same text after case and white space are folded.

Source: Using Feedback and Reflection in Agent Workflows, "Deduplication".
"""


def folded(text: str) -> str:
    """The text as twins are compared: lower case, single spaces, no spaces at the ends."""
    return " ".join(text.casefold().split())
