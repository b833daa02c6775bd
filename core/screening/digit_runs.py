"""Where digits stand together, found once for all searches that look for numbers.

Screening, secrets.
"""

import re
from typing import NamedTuple

_RUN = re.compile(r"\d+(?:\D{1,4}\d+)*")
"""Groups of digits with so little between them can be one number."""
_DIGIT = re.compile(r"\d")
_BESIDE = 10
"""Characters around a run in which a number with letters beside the digits begins and is over."""


class DigitRun(NamedTuple):
    """Digits that stand together: how many, and the range of the text in which a number made of them lies."""

    digits: int
    start: int
    end: int


def digit_runs(text: str) -> list[DigitRun]:
    """Every digit of a text is in one run."""
    return [
        DigitRun(len(_DIGIT.findall(match[0])), max(0, match.start() - _BESIDE), match.end() + _BESIDE)
        for match in _RUN.finditer(text)
    ]
