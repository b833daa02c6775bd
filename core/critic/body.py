"""The body of a response, read up to a limit, and unpacked up to the same limit.

Critic. A few kilobytes can unpack to gigabytes, so no more is unpacked than is kept.
"""

import zlib
from collections.abc import Iterable

LARGEST = 10_000_000
"""Bytes of a body that are read, and that are kept of what it unpacks to: no model replies so much."""

CODINGS = "gzip, deflate"
"""What a server may pack a body with."""


class NotPacked(ValueError):
    """A body is not packed as it says."""


def read_body(pieces: Iterable[bytes], codings: str) -> tuple[bytes, bool]:
    """A body as it was before the codings that its header names, and whether it is cut for its size.

    A coding that was not asked for is left as it is. Raises ``NotPacked``.
    """
    body, cut = _beginning(pieces)
    for coding in reversed([each.strip().lower() for each in codings.split(",")]):
        if coding in ("gzip", "x-gzip", "deflate"):
            body, more = _unpacked(body)
            cut = cut or more
    return body, cut


def _beginning(pieces: Iterable[bytes]) -> tuple[bytes, bool]:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > LARGEST:
            return bytes(body[:LARGEST]), True
    return bytes(body), False


def _unpacked(body: bytes) -> tuple[bytes, bool]:
    """With the header of gzip or zlib, or with none, which some servers call deflate."""
    for form in (47, -15):
        try:
            unpacked = zlib.decompressobj(form).decompress(body, LARGEST + 1)
        except zlib.error:
            continue
        return unpacked[:LARGEST], len(unpacked) > LARGEST
    raise NotPacked("the reply is not packed as its header says")
