"""A quote taken apart: its words, and its pieces where it was shortened.

Evidence. The whole quote is always tried before its pieces, since the source itself may hold an ellipsis.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from core.evidence.readings import Reading, decoded, may_be_encoded
from core.evidence.skeletons import narrow, wide
from core.evidence.tokens import Token, tokens, words_weighed

FEWEST_WORDS = 3
"""Words that a piece needs to prove anything. Source: Self-reflection memory, "Grounding"."""

_TELLING = 5
"""ASCII letters that a quote of mixed scripts needs to be looked for by them alone."""

_DOTS = r"(?:\.[ \t\u00a0]?\.[ \t\u00a0]?\.(?:[ \t\u00a0]?\.)*|[…⋯]+)"
_ELLIPSIS = re.compile(rf"[\[(<{{]\s*{_DOTS}\s*[\])>}}]|{_DOTS}")

_PLAIN_EDGES = re.compile(r"[A-Za-z0-9](?:.*[A-Za-z0-9])?[.,;!?]?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Edge:
    """What stands at one end of a piece before its first letter that a skeleton keeps."""

    tokens: int
    characters: int


@dataclass(frozen=True)
class Piece:
    """Quoted words that must stand together in the source."""

    text: str
    resolved: frozenset[str] = frozenset()
    """The kinds of escapes that were resolved to read the quote like this."""

    @cached_property
    def tokens(self) -> list[Token]:
        return tokens(self.text)

    @cached_property
    def keys(self) -> list[str]:
        return [token.key for token in self.tokens]

    @cached_property
    def weight(self) -> float:
        """In words; see ``tokens.words_weighed``."""
        return words_weighed(self.tokens, self.text)

    @cached_property
    def long_enough(self) -> bool:
        plain_words = filter(str.isascii, filter(str.isalpha, self.text.split()))
        return len(list(islice(plain_words, FEWEST_WORDS))) == FEWEST_WORDS or self.weight >= FEWEST_WORDS

    @cached_property
    def stripped(self) -> str:
        return self.text.strip()

    @cached_property
    def has_plain_edges(self) -> bool:
        """Whether the piece begins with an ASCII letter or digit and ends with one, a stop or comma apart."""
        return not self.resolved and bool(_PLAIN_EDGES.fullmatch(self.stripped))

    @cached_property
    def narrow(self) -> str:
        return narrow(self.text)

    @cached_property
    def wide(self) -> str:
        return wide(self.text)

    @cached_property
    def prefers_narrow(self) -> bool:
        """Whether the ASCII letters say enough to look for the piece by them alone."""
        if self.text.isascii() or len(self.narrow) == len(self.wide):
            return True
        return len(self.narrow) >= _TELLING and 2 * len(self.narrow) >= len(self.wide)

    @cached_property
    def bones(self) -> str:
        """The skeleton to look for; nothing where no word has any."""
        if not self.has_plain_edges and not any(self._has_bones(token.key) for token in self.tokens):
            return ""
        return self.narrow if self.prefers_narrow else self.wide

    @cached_property
    def margin(self) -> int:
        """White space at the head, in characters."""
        return len(self.text) - len(self.text.lstrip())

    @cached_property
    def boneless_edges(self) -> tuple[Edge, Edge]:
        """What the skeleton does not know of the head and of the tail."""
        first = next(place for place, token in enumerate(self.tokens) if self._has_bones(token.key))
        last = next(place for place, token in enumerate(reversed(self.tokens)) if self._has_bones(token.key))
        return (
            Edge(first, self.tokens[first].end),
            Edge(last, len(self.text) - self.tokens[-1 - last].start),
        )

    def _has_bones(self, key: str) -> bool:
        return any(letter.isalnum() and (letter.isascii() or not self.prefers_narrow) for letter in key)


@dataclass(frozen=True)
class Quote:
    """Evidence as a critic wrote it, in the ways it can be read: as it stands, and with its escapes resolved."""

    text: str

    @cached_property
    def plain(self) -> Piece:
        """The quote as it stands."""
        return Piece(self.text)

    @property
    def states(self) -> bool:
        """Whether the quote closes as a statement, with a full stop or an exclamation mark."""
        return self.text.rstrip('"”’)*_ \n').endswith((".", "!", "。", "！")) and not self.text.rstrip().endswith("..")

    @cached_property
    def decoded(self) -> Piece | None:
        """The quote with its escapes resolved, where there are any."""
        if not may_be_encoded(self.text):
            return None
        reading = decoded(self.text)
        return Piece(reading.text, _kinds(reading)) if reading.resolved else None

    @property
    def readings(self) -> Iterator[Piece]:
        """The ways in which the quote can be read; the second is made only when it is asked for."""
        yield self.plain
        if self.decoded is not None:
            yield self.decoded

    @cached_property
    def shortened(self) -> list[list[Piece]]:
        """For each reading, its pieces around every ellipsis; nothing where there are not at least two."""
        split = [
            [Piece(part, whole.resolved) for part in _ELLIPSIS.split(whole.text)]
            for whole in self.readings
            if _may_be_shortened(whole.text)
        ]
        worded = [[piece for piece in pieces if piece.tokens] for pieces in split if len(pieces) > 1]
        return [pieces for pieces in worded if len(pieces) > 1]


def _may_be_shortened(text: str) -> bool:
    """A quick look; where it says no, the text holds no ellipsis."""
    return text.count(".") >= 3 or "…" in text or "⋯" in text


def _kinds(reading: Reading) -> frozenset[str]:
    return frozenset(piece.kind for piece in reading.resolved)
