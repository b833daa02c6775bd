"""Self-review inside a task, in the order in which it happens.

What an agent sends in is ``asked``; ``reviewing`` lets checks and model look at it, round by round (``rounds``), beside
the ``material`` that came along and the words in it that are ``addressed`` to a reviewer; ``views`` and ``lists`` show
it, and ``escalations`` are what a person answers.
"""

from core.service.self_review.reviewing import review

__all__ = ["review"]
