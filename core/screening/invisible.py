"""Characters of a draft that a reviewer would not see, or would take for others.

Screening, the second screen. Promise: what a person approves is what is stored, so whatever is hidden is named and made
visible before anyone decides.
"""

import unicodedata

from core.screening.contract import Follows, Place, Screen, ScreenFinding
from core.screening.plain import invisible_runs, look_alike_words, plain, shown
from core.vocabulary import Severity

VERSION = 1

BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs of Unicode that show nothing."""

__all__ = ["find_invisible", "says_nothing", "shown"]


def find_invisible(text: str, part: str = "text") -> tuple[ScreenFinding, ...]:
    """One finding for every run of hidden characters and every word that mixes in look-alikes."""
    hidden = (_finding("hidden_characters", text, place, part) for place in invisible_runs(text))
    alike = (_finding("look_alikes", text, place, part) for place in look_alike_words(text))
    return tuple(sorted((*hidden, *alike), key=lambda finding: finding.place.start))


def says_nothing(text: str) -> bool:
    """Whether a reader would see nothing: no sign at all, or only such as are blank or invisible."""
    return not any(unicodedata.category(sign)[0] in "LNPS" and sign not in BLANK_LETTERS for sign in text)


def _finding(code: str, text: str, place: tuple[int, int], part: str) -> ScreenFinding:
    words = shown(text[slice(*place)])
    why = (
        f"Characters are hidden here: {words}."
        if code == "hidden_characters"
        else f"“{words}” reads “{plain(words).text}” but is written with letters of another script."
    )
    return ScreenFinding(
        Screen.INVISIBLE,
        code,
        Severity.HIGH,
        words,
        Place(*place, part),
        why,
        "Write it again with plain letters.",
        Follows.HOLD,
    )
