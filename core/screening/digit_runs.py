"""Where digits stand together, found once for all searches that look for numbers.

Screening, secrets.
"""

import re
from typing import NamedTuple

FEWEST = 4
"""No card, account or identity number has fewer digits."""
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


def digits_in(text: str) -> int:
    """How many digits a text has."""
    return len(_DIGIT.findall(text))


def digit_runs(text: str) -> list[DigitRun]:
    """Every run of a text with at least ``FEWEST`` digits."""
    spans = [match.span() for match in _RUN.finditer(text)]
    runs = (
        DigitRun(digits_in(text[start:end]), max(0, start - _BESIDE), end + _BESIDE)
        for start, end in spans
        if end - start >= FEWEST
    )
    return [run for run in runs if run.digits >= FEWEST]
