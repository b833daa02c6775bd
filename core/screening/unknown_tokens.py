"""Runs of letters and digits that look drawn by chance, whoever made them.

Screening, secrets. No draft needs one. Hashes, which are written in hexadecimal, checksums with their name in front,
data of pictures, parts of addresses, and names with a word in front (``call_…``), as ids have it, are left alone.
"""

import re
from collections.abc import Iterator

from core.screening.spoken_credentials import entropy

_RUN = re.compile(r"(?<![\w/+=.:#-])[A-Za-z0-9][A-Za-z0-9+/_]{29,}={0,2}(?![\w/+-])")
_NO_SECRET = re.compile(
    r"(?:sha\d{3}|md5|base64|integrity|checksum|digest|etag|hash|https?://\S*)[\W_]{0,4}$", re.IGNORECASE
)
_WORD = re.compile(r"^[a-z]{2,12}_|[a-z]{7}|[A-Z]{7}|(?:[A-Z]?[a-z]{3,}[A-Z_/]){3}")
_ENTROPY = 4.0
"""Bits a character; 32 letters and digits drawn by chance have about 4.5, names in code less."""


def unknown_tokens(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of runs of 30 characters and more that mix digits with letters of both cases."""
    for match in _RUN.finditer(text):
        if _drawn(match[0]) and not _NO_SECRET.search(text[max(0, match.start() - 160) : match.start()]):
            yield *match.span(), "unknown_token"


def _drawn(run: str) -> bool:
    digits = sum(character.isdigit() for character in run)
    cases = any(character.islower() for character in run) and any(character.isupper() for character in run)
    return digits >= 2 and cases and not _WORD.search(run) and entropy(run) >= _ENTROPY
