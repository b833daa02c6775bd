"""Forms by which a text speaks to whoever reviews a session, from ``addressed.toml``: marks of turns and ends, and
phrases that mean one thing only.

Screening. One is enough. What words mean together stands in ``addressed_concepts``.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "addressed.toml"


@dataclass(frozen=True)
class Sign:
    """A pattern, and words of which at least one stands in every text that it is seen in: most texts have none."""

    any: tuple[str, ...]
    seen: re.Pattern[str]

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it is seen."""
        if any(word in text for word in self.any):
            yield from (match.span() for match in self.seen.finditer(text))


@cache
def signs(section: str) -> dict[str, tuple[Sign, ...]]:
    """The signs of a section of the file, by reason or kind."""
    words = tomllib.loads(_FILE.read_text("utf-8"))
    return {key: tuple(_sign(each, words["names"]) for each in listed) for key, listed in words[section].items()}


def spelt_apart(letters: str) -> bool:
    """Whether letters with nothing between them spell such an order."""
    return any(pattern.search(letters) for pattern in _squeezed())


@cache
def _squeezed() -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, tomllib.loads(_FILE.read_text("utf-8"))["squeezed"]["words"]))


def _sign(written: dict[str, str], names: dict[str, str]) -> Sign:
    pattern = written["seen"]
    for name in reversed(names):
        pattern = pattern.replace(f"<{name}>", names[name])
    return Sign(tuple(written["any"].split(", ")), re.compile(pattern))
