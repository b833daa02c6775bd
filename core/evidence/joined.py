"""Many texts as one string of bytes, for what must be done to every character of a transcript.

Evidence. One pass over bytes costs a tenth of one over characters, and a seam that no text can hold keeps the texts
apart, so nothing need be done message by message.
"""

from collections.abc import Sequence
from functools import cached_property

SEAM = b"\xff"
"""Stands between two texts; no byte of UTF-8."""

_ASCII_AND_SEAM = bytes(range(128)) + SEAM


class Joined:
    """``texts``, encoded and joined with a seam between each."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.raw = SEAM.join([encoded(text) for text in texts])

    @cached_property
    def foreign(self) -> frozenset[str]:
        """The characters beyond ASCII; there are few kinds of them in most transcripts."""
        return frozenset() if all(map(str.isascii, self.texts)) else _foreign(self.raw)

    def __contains__(self, text: str) -> bool:
        """Whether any of the texts holds ``text``."""
        wanted = encoded(text)
        return wanted[:1] in self.raw and wanted in self.raw


def encoded(text: str) -> bytes:
    """The text in UTF-8; half a character of UTF-16 is encoded too."""
    return text.encode("utf-8", "surrogatepass")


def foreign_characters(text: str) -> frozenset[str]:
    """The characters of one text beyond ASCII."""
    return frozenset() if text.isascii() else _foreign(encoded(text))


def _foreign(raw: bytes) -> frozenset[str]:
    return frozenset(raw.translate(None, _ASCII_AND_SEAM).decode("utf-8", "surrogatepass"))
