"""Text that hides inside text: runs of Base64 that decode to words.

Screening. Tokens, hashes and pictures decode to bytes that are no words and are left alone.
"""

import base64
import binascii
import re
from collections.abc import Iterator

_RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_WORDS = re.compile(r"[^\W\d_]{2,}")


def decoded_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end) of Base64 that reads as words, with what it says."""
    for match in _RUN.finditer(text):
        behind_equals = match.start() > 0 and text[match.start() - 1] == "="
        words = None if behind_equals else _decoded(match[0])
        if words:
            yield *match.span(), words


def _decoded(run: str) -> str | None:
    run = run.rstrip("=")
    padded = run.replace("-", "+").replace("_", "/") + "=" * (-len(run) % 4)
    try:
        words = base64.b64decode(padded, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None
    return words if words.isprintable() and _reads(words) else None


def _reads(words: str) -> bool:
    """Whether decoded text was written by somebody: mostly letters and digits, a word among them, and a separator as
    ``user:secret`` has it.
    """
    written = sum(character.isalnum() for character in words)
    return written >= 0.6 * len(words) and bool(_WORDS.search(words)) and any(mark in words for mark in " :=")
