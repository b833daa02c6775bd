"""Words by which a text speaks to whoever reviews a session, in nine languages, from ``addressed.toml``.

Screening. One of ``alone`` is enough; of ``together`` two that belong to each other, as ``PAIRS`` says.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

_FILE = Path(__file__).parent / "addressed.toml"

PAIRS: dict[frozenset[str], str] = {
    frozenset(("reviewer", "rates")): "dictates_rating",
    frozenset(("reviewer", "empties")): "dictates_reply",
    frozenset(("reviewer", "machinery")): "speaks_to_reviewer",
    frozenset(("reviewer", "override")): "speaks_to_reviewer",
    frozenset(("session", "rates")): "dictates_rating",
    frozenset(("session", "override")): "ignores_instructions",
    frozenset(("machinery", "rates")): "dictates_rating",
    frozenset(("machinery", "empties")): "dictates_reply",
    frozenset(("machinery", "override")): "speaks_to_reviewer",
    frozenset(("rates", "empties")): "dictates_reply",
}
"""Which two kinds belong together, and the reason that they are."""

Patterns = dict[str, tuple[re.Pattern[str], ...]]


@cache
def patterns(section: str) -> Patterns:
    """The patterns of a section of the file, by reason or kind."""
    words = tomllib.loads(_FILE.read_text("utf-8"))
    return {key: tuple(_compiled(each, words["names"]) for each in listed) for key, listed in words[section].items()}


def _compiled(pattern: str, names: dict[str, str]) -> re.Pattern[str]:
    for name in reversed(names):
        pattern = pattern.replace(f"<{name}>", names[name])
    return re.compile(pattern)
