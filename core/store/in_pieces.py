"""Long lists of ids in pieces: a statement binds so many values at most, on SQLite 32,766 and on PostgreSQL 65,535."""

from collections.abc import Iterable, Iterator

AT_ONCE = 5_000
"""Ids that one statement names at most."""


def in_pieces(ids: Iterable[int]) -> Iterator[list[int]]:
    """The ids, each once and in order, in lists of at most ``AT_ONCE``; none for no ids."""
    every = sorted(set(ids))
    return (every[at : at + AT_ONCE] for at in range(0, len(every), AT_ONCE))
