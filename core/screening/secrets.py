"""Credentials, card and identity numbers, and personal data: found in drafts, masked in transcripts.

Screening, the first screen. Promise: nothing that is found here is ever repeated; a finding says the kind and the
place, and no ``repr`` holds the words. What is missed and what is not looked for stands in docs/screening.md.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from core.screening.access_codes import access_codes
from core.screening.contact_details import contact_details
from core.screening.contract import Follows, Place, Screen, ScreenFinding
from core.screening.credential_shapes import SHORTEST, credentials_by_shape
from core.screening.digit_runs import FEWEST, digit_runs, digits_in
from core.screening.glances import long_words
from core.screening.hidden_text import decoded_runs
from core.screening.identity_numbers import cards, ibans, identity_numbers
from core.screening.plain import plain
from core.screening.spoken_credentials import spoken_credentials
from core.screening.tabled_credentials import tabled_credentials
from core.screening.told_logins import told_logins
from core.screening.unknown_tokens import unknown_tokens
from core.vocabulary import Severity

VERSION = 3

_POSSIBLE = "Say it in general, without the value; the draft can be proposed again at once."


@dataclass(frozen=True)
class Secret:
    """Where something secret stands, code points, half-open, and what kind it is; never what it says."""

    start: int
    end: int
    code: str


@dataclass(frozen=True)
class Masked:
    """A text without its secrets.

    ``removed`` are the secrets by their place in the original, in order and without overlap. ``moved`` leads from an
    offset of the original to one of ``text``.
    """

    text: str = field(repr=False)
    removed: tuple[Secret, ...]

    def moved(self, offset: int) -> int:
        """The offset in the masked text; inside a secret, the start of what stands for it."""
        shift = 0
        for secret in self.removed[: bisect_right(self.removed, offset, key=lambda each: each.start)]:
            if offset < secret.end:
                return secret.start + shift
            shift += len(stand_in(secret.code)) - (secret.end - secret.start)
        return offset + shift

    def moved_span(self, start: int, end: int) -> tuple[int, int] | None:
        """A span in the masked text, or None where a secret was inside it or cut by it: its words are no longer
        these.
        """
        if any(secret.start < end and start < secret.end for secret in self.removed):
            return None
        return self.moved(start), self.moved(end)


def stand_in(code: str) -> str:
    """What a mask writes in the place of a secret."""
    return f"[{code.replace('_', ' ')} removed]"


def find_secrets(text: str, *, personal: bool) -> tuple[Secret, ...]:
    """Every secret of a text, in order, overlapping ones joined.

    ``personal`` adds contact details, dates of birth and tokens of unknown makers, which no draft may hold. Without it
    only credentials, card, account and identity numbers count, as for a transcript on its way in. Linear in the length
    of the text.
    """
    seen = plain(text)
    long = long_words(seen.text, SHORTEST)
    found = [Secret(*seen.place(start, end), code) for start, end, code in _all(seen.text, long, personal)]
    if long:
        found += [Secret(start, end, code) for start, end, code in _encoded(text, personal)]
    return _joined(found)


def mask(text: str) -> Masked:
    """The text with every credential, card, account and identity number replaced by the name of its kind."""
    removed = find_secrets(text, personal=False)
    pieces: list[str] = []
    last = 0
    for secret in removed:
        pieces += [text[last : secret.start], stand_in(secret.code)]
        last = secret.end
    return Masked("".join([*pieces, text[last:]]), removed)


def secret_findings(text: str, part: str = "text", *, personal: bool = True) -> tuple[ScreenFinding, ...]:
    """The findings on a part of a draft: kind and place, never the words. ``personal`` as in ``find_secrets``."""
    return tuple(
        ScreenFinding(
            kind=Screen.SECRET,
            code=f"contains_secret:{secret.code}",
            severity=Severity.CRITICAL,
            words="",
            place=Place(secret.start, secret.end, part),
            text=f"The {part} holds a {secret.code.replace('_', ' ')} at characters {secret.start} to {secret.end}.",
            possible=_POSSIBLE,
            follows=Follows.REFUSE,
        )
        for secret in find_secrets(text, personal=personal)
    )


def _all(text: str, long: str, personal: bool) -> Iterable[tuple[int, int, str]]:
    found: list[Iterator[tuple[int, int, str]]] = [
        credentials_by_shape(text, long),
        spoken_credentials(text),
        told_logins(text),
        tabled_credentials(text),
    ]
    digits = digits_in(text)
    if digits >= FEWEST:
        runs = digit_runs(text)
        found += [cards(text, runs), ibans(text), identity_numbers(text, runs), access_codes(text)]
    if personal:
        found += [contact_details(text, digits), unknown_tokens(text)]
    return chain.from_iterable(found)


def _encoded(text: str, personal: bool) -> Iterator[tuple[int, int, str]]:
    """Base64 runs that decode to a text with a secret count from end to end."""
    for start, end, words in decoded_runs(text):
        inside = next(iter(_all(words, long_words(words, SHORTEST), personal)), None)
        if inside:
            yield start, end, inside[2]


def _joined(found: list[Secret]) -> tuple[Secret, ...]:
    """In order; where two overlap, one from the first start to the last end, named by the one that starts first."""
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda each: (each.start, -each.end)):
        if kept and secret.start < kept[-1].end:
            kept[-1] = Secret(kept[-1].start, max(kept[-1].end, secret.end), kept[-1].code)
        else:
            kept.append(secret)
    return tuple(kept)
