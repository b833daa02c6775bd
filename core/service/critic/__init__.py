"""Debriefs by the critic, in the order in which they happen.

``runs`` are queued; ``work`` says what is due by ``plan``, from the ``material`` of a session; ``calls`` ask it within
``caps``, and ``answers`` are kept; ``replies`` become ``drafts``, ``writing`` brings them through the gates, and
``ending`` says where the run stands; ``views`` and ``progress`` show all of it.
``comparison`` asks two ``sides`` about the same sessions, and ``compared`` reports on those that both reviewed.
"""
