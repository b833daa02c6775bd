"""Personal data that a lesson never needs: phone numbers, mail addresses, payment handles, dates of birth.

Screening, secrets. They count in drafts; in a transcript they stay, under its retention rule.
"""

import re
from collections.abc import Iterator

_ALONE = r"(?<![A-Za-z0-9#_./:+-])(?<!\d[ ,])"
_OVER = r"(?![A-Za-z0-9_]|[-/]\w|[.,:]\d)"

_INTERNATIONAL = re.compile(r"(?<![\w+])(?:\+|00(?=[1-9]\d))\s?\d(?:[ ().-]{0,2}\d){7,14}(?!\w)")
_NORTH_AMERICA = re.compile(
    _ALONE + r"(?:1[ .-])?(?:\([2-9]\d{2}\)[ .-]?[2-9]\d{2}[ .-]\d{4}|[2-9]\d{2}([ .-])\d{3}\1\d{4})" + _OVER
)
_INDIA = re.compile(_ALONE + r"(?:0|91[ -]?)?[6-9]\d{4}[ -]\d{5}" + _OVER)
_BRITAIN = re.compile(
    _ALONE + r"(?:07\d{3} ?\d{3} ?\d{3}|0(?:2\d|1\d{2,3}|3\d{2}|1\d1)\)?[ -]\d{3,4} ?\d{3,4})" + _OVER
)
_BARE = re.compile(_ALONE + r"(?:\(0\)\d{2,4}[ /-]|\(?0?\d{2,5}\)?[ /.-]?)?\d(?:[ .-]?\d){5,11}" + _OVER)
_CALLED = re.compile(
    r"\b(?:phone|mobile|cell(?:phone)?|tel(?:ephone)?|whats ?app|sms|text(?:ed)?|call(?:ed|s|ing|back)?(?: me| them| "
    r"her| him| us)?"
    r"|reach(?:ed|able)?|contact|dial|ring|fax|handy|móvil|teléfono|téléphone|telefon|मोबाइल|फ़ोन|फोन|电话|手机|電話)\b"
    r"[^\d\n]{0,32}$",
    re.IGNORECASE,
)
_NOT_A_PHONE = re.compile(
    r"\b(?:order|ticket|case|invoice|id|reference|item|product|booking|error|code|sku|amount)\b[^\d]{0,12}$", re.I
)
_TOLL_FREE = re.compile(r"^\D{0,2}(?:1\D{0,2})?(?:1?800|888|877|866|855|844|833)\b|^\D?1800")

_DOMAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9-])")
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}$")
_URL_HEAD = re.compile(r"://[^\s/]*$")
_SPELT_MAIL = re.compile(
    r"[A-Za-z0-9._-]{1,40}(?: dot [A-Za-z0-9_-]{1,30}){0,3}\s?(?:\(at\)|\[at\]|\sat\s|@)\s?[A-Za-z0-9-]{2,40}"
    r"\s?(?:\(dot\)|\[dot\]|\sdot\s)\s?(?:com|org|net|in|co|io|de|uk|fr|edu|gov|es|ai|app|dev)\b",
    re.IGNORECASE,
)
_HANDLE = re.compile(
    r"(?<![\w.-])[A-Za-z0-9._-]{2,60}@(?:ok(?:hdfcbank|icici|sbi|axis)|ybl|ibl|axl|upi|paytm|apl|pt(?:yes|sbi|axis"
    r"|hdfc)|airtel"
    r"|jio|kotak|sbi|hdfcbank|icici|barodampay|freecharge|waicici|wahdfcbank)(?![\w.])",
    re.IGNORECASE,
)
_BIRTH_WORD = re.compile(r"b(?:orn|irth)|dob|d\.o\.b|geboren|née? le", re.IGNORECASE)
_BIRTH = re.compile(
    r"\b(?:dob|d\.o\.b\.|date of birth|birth ?date|birthday|born(?: on)?|geboren(?: am)?|née? le)\b[^\d\n]{0,16}"
    r"(\d{1,4}[ ./-](?:\d{1,2}|[A-Za-z]{3,9})[ ./,-]{1,2}\d{2,4}|(?:[A-Z][a-z]{2,8}) \d{1,2}(?:st|nd|rd|th)?,? \d{4})",
    re.IGNORECASE,
)


def contact_details(text: str, digits: int) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of contact details. ``text`` is plain and has so many digits."""
    if "@" in text:
        yield from _mail_addresses(text)
        yield from ((*match.span(), "payment_handle") for match in _HANDLE.finditer(text))
    if "dot" in text.casefold():
        yield from ((*match.span(), "mail_address") for match in _SPELT_MAIL.finditer(text))
    if digits >= 7:
        yield from _phones(text)
    if digits >= 4 and _BIRTH_WORD.search(text):
        yield from ((*match.span(1), "date_of_birth") for match in _BIRTH.finditer(text))


def _mail_addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Every @ is looked at once, to both sides, so the time stays linear."""
    place = text.find("@")
    while place >= 0:
        local = _LOCAL.search(text[max(0, place - 64) : place])
        domain = _DOMAIN.match(text, place + 1)
        if local and domain and not _URL_HEAD.search(text[max(0, place - 160) : place]):
            yield place - len(local[0]), domain.end(), "mail_address"
        place = text.find("@", place + 1)


def _phones(text: str) -> Iterator[tuple[int, int, str]]:
    for pattern in (_INTERNATIONAL, _NORTH_AMERICA, _INDIA, _BRITAIN):
        for match in pattern.finditer(text):
            if not _TOLL_FREE.search(match[0]) and not _NOT_A_PHONE.search(
                text[max(0, match.start() - 32) : match.start()]
            ):
                yield *match.span(), "phone_number"
    for match in _BARE.finditer(text):
        before = text[max(0, match.start() - 48) : match.start()]
        digits = sum(character.isdigit() for character in match[0])
        if (
            7 <= digits <= 13
            and _CALLED.search(before)
            and not _TOLL_FREE.search(match[0])
            and not _NOT_A_PHONE.search(before)
        ):
            yield *match.span(), "phone_number"
