"""Names that tell things apart, such as that of a user: kept without what must not be stored, and still told apart.

A name that is a card or identity number is masked like any text. Two such names would then be one, so each keeps the
beginning of a hash of what it was; whoever asks for one by its full name is led to the same.
"""

import hashlib

from core.screening.secrets import mask

KEPT = 6
"""Hexadecimal digits of the hash: too few to find a number by, enough to tell the users of one agent apart."""


def name_kept(name: str) -> str:
    """The name as it is stored; one without anything to mask is itself, also when it was masked before."""
    masked = mask(name)
    if not masked.removed:
        return name
    return f"{masked.text} {hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:KEPT]}"
