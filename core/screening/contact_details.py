"""Personal data that a lesson never needs: phone numbers, mail addresses, payment handles, dates of birth.

Screening, secrets. They count in drafts; in a transcript they stay, under its retention rule.
"""

import re
from collections.abc import Iterator

from core.screening.birth_dates import birth_dates
from core.screening.phone_numbers import phone_numbers

_DOMAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9-])")
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$")
_URL_HEAD = re.compile(r"://[^\s/]*$")
_REMOTE_PATH = re.compile(r":(?=[\w~./-]*/)[\w~./-]")
"""Behind a host that files are copied to or from, as in ``user@host:path/file``."""
_SPELT_MAIL = re.compile(
    r"[A-Za-z0-9._-]{1,40}\s?(?:\(at\)|\[at\])\s?[A-Za-z0-9-]{2,40}\.[A-Za-z]{2,12}\b"
    r"|[A-Za-z0-9._-]{1,40}(?: dot [A-Za-z0-9_-]{1,30}){0,3}\s?(?:\(at\)|\[at\]|\sat\s|@)\s?[A-Za-z0-9-]{2,40}"
    r"\s?(?:\(dot\)|\[dot\]|\sdot\s)\s?(?:com|org|net|in|co|io|de|uk|fr|edu|gov|es|ai|app|dev)\b",
    re.IGNORECASE,
)
_HANDLE = re.compile(
    r"(?<![\w.-])[A-Za-z0-9._-]{2,60}@(?:ok(?:hdfcbank|icici|sbi|axis)|ybl|ibl|axl|upi|paytm|apl|pt(?:yes|sbi|axis"
    r"|hdfc)|airtel"
    r"|jio|kotak|sbi|hdfcbank|icici|barodampay|freecharge|waicici|wahdfcbank)(?![\w.])",
    re.IGNORECASE,
)


def contact_details(text: str, digits: int) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of contact details. ``text`` is plain and has so many digits."""
    if "@" in text:
        yield from _mail_addresses(text)
        yield from ((*match.span(), "payment_handle") for match in _HANDLE.finditer(text))
    if "dot" in text.casefold() or "(at)" in text or "[at]" in text:
        yield from ((*match.span(), "mail_address") for match in _SPELT_MAIL.finditer(text))
    if digits >= 7:
        yield from phone_numbers(text)
    if digits >= 4:
        yield from birth_dates(text)


def _mail_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Every @ is looked at once, to both sides, so the time stays linear."""
    place = text.find("@")
    while place >= 0:
        local = _LOCAL.search(text[max(0, place - 64) : place])
        domain = _DOMAIN.match(text, place + 1)
        if (
            local
            and domain
            and not _REMOTE_PATH.match(text, domain.end())
            and not _URL_HEAD.search(text[max(0, place - 160) : place])
        ):
            yield place - len(local[0]), domain.end(), "mail_address"
        place = text.find("@", place + 1)
