"""Credentials that a table, a list of values or a tag gives away: the heading names them, the cells hold them.

Screening, secrets. A cell counts when it looks made: letters and digits mixed, or a number under a code's heading.
"""

import re
from collections.abc import Iterator

from core.screening.glances import holds, lowered

_HEADING = re.compile(
    r"(?:[\w-]+ )?(?:pass(?:word|code|phrase|wort)?|passwd|pwd|pw|kennwort|contraseña|mot de passe|senha|wachtwoord"
    r"|(?:api|access|secret) ?key|secret|token|pin)s?",
    re.IGNORECASE,
)
_HEADING_WORDS = (
    *("pass", "pwd", "pw", "kennwort", "contraseña", "senha", "wachtwoord"),
    *("key", "secret", "token", "pin"),
)
_TAGGED = re.compile(
    r"<(pass(?:word|code|phrase)?|passwd|pwd|secret|token|api-?key|client-?secret)\b[^<>]{0,60}>\s?([^<>\s]{4,120})\s?</\1>",
    re.IGNORECASE,
)
_CELL = re.compile(r"[`\"']?(?=[^\s|]*\d)(?:(?=[^\s|]*[^\W\d_])[^\s|`\"']{4,80}|\d{4,8})[`\"']?$")
_PLAIN_CELL = re.compile(r"\d+[- ]?[a-z]{1,9}$|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$|https?:")
_SEPARATORS = ("|", "\t", ";", ",")


def tabled_credentials(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of credentials in the columns of a table. ``text`` is plain."""
    if "</" in text:
        yield from ((*match.span(2), "password") for match in _TAGGED.finditer(text))
    if "\n" not in text or not holds(lowered(text), _HEADING_WORDS):
        return
    columns: frozenset[int] = frozenset()
    separator, place = "", 0
    for line in text.split("\n"):
        heading, by = _headed(line)
        if heading:
            columns, separator = heading, by
        elif columns and separator in line:
            yield from _cells(line, place, columns, separator)
        else:
            columns = frozenset()
        place += len(line) + 1


def _headed(line: str) -> tuple[frozenset[int], str]:
    """Which columns of a heading name a credential, and what separates them; a sentence is no heading."""
    for separator in _SEPARATORS:
        if separator not in line:
            continue
        names = [name.strip(" *`\"'") for name in line.split(separator)]
        short = all(len(name.split()) <= 3 for name in names)
        if short and (found := frozenset(place for place, name in enumerate(names) if _HEADING.fullmatch(name))):
            return found, separator
    return frozenset(), ""


def _cells(line: str, place: int, columns: frozenset[int], separator: str) -> Iterator[tuple[int, int, str]]:
    for number, cell in enumerate(line.split(separator)):
        value = cell.strip()
        start = place + len(cell) - len(cell.lstrip())
        if number in columns and _CELL.match(value) and not _PLAIN_CELL.match(value.strip("`\"'")):
            yield start, start + len(value), "password"
        place += len(cell) + len(separator)
