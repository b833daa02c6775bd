"""The critic: a model that reviews a finished session.

The station beside the checks. ``llm`` is the only door to a model; ``parsing`` makes drafts of what it replies.
Promise: whatever a server or a model does, it ends as a status, as an error that says what to do, or as drafts with all
that was wrong beside them, and never as "nothing found" that nobody said.
"""
