"""The word lists of the screens, read once from ``core/screening/words``.

Screening. Lists are data: a word can be added without touching a rule.
"""

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"


@cache
def word_list(name: str) -> frozenset[str]:
    """The words of one list; lower case, as they stand in the file."""
    return frozenset((_FOLDER / f"{name}.txt").read_text(encoding="utf-8").split())


@cache
def pairs(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a list whose lines belong together."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(tuple(line.split()) for line in lines if line.strip())
