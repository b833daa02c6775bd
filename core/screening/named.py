"""Names that tell things apart, such as that of a user: kept without what must not be stored, and still told apart.

A name that is a card or identity number is masked like any text. Two such names would then be one, so each keeps a hash
of what it was; whoever asks for one by its full name is led to the same. There are few enough of such numbers to try
them all, so the hash is a slow one (RFC 7914).
"""

import hashlib
from functools import lru_cache

from core.screening.secrets import mask

KEPT = 8
"""Bytes of the hash: two of a hundred million names are alike with a chance of one in four thousand."""


def name_kept(name: str) -> str:
    """The name as it is stored; one without anything to mask is itself, also when it was masked before."""
    masked = mask(name)
    if not masked.removed:
        return name
    return f"{masked.text} {_hashed(name)}"


@lru_cache(maxsize=4096)
def _hashed(name: str) -> str:
    said = name.encode(errors="surrogatepass")
    return hashlib.scrypt(said, salt=b"a name that is kept", n=2**12, r=8, p=1, dklen=KEPT).hex()
