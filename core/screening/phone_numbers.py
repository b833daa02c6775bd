"""Telephone numbers: international and national forms, and any run of digits that a sentence calls one.

Screening, secrets. National forms that look like nothing else count alone; the others need a word for calling in
front. What counts something (“ohms”) or names an order is no telephone number.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

_ALONE = r"(?<![A-Za-z0-9#_./:+-])(?<!\d[ ,])"
_OVER = r"(?![A-Za-z0-9_]|[-/]\w|[.,:]\d)"

_PLUS = re.compile(r"(?<![\w+])\+\s?\d(?:[ ().\n-]{0,2}\d){7,14}(?!\w)")
_DOUBLE_ZERO = re.compile(r"(?<![\w+])00(?=[1-9]\d)\s?\d(?:[ ().-]{0,2}\d){7,14}(?!\w)")
_NORTH_AMERICA = re.compile(
    _ALONE + r"(?:1[ .-])?(?:\([2-9]\d{2}\)[ .-]?[2-9]\d{2}[ .-]\d{4}|[2-9]\d{2}([ .-])\d{3}\1\d{4})" + _OVER
)
_INDIA = re.compile(_ALONE + r"(?:0|91[ -]?)?[6-9]\d{4}[ -]\d{5}" + _OVER)
_BRITAIN = re.compile(
    _ALONE + r"(?:07\d{3}[ .]?\d{3}[ .]?\d{3}|0(?:2\d|1\d{2,3}|3\d{2}|1\d1)\)?[ -]\d{3,4} ?\d{3,4})" + _OVER
)
_FRANCE = re.compile(_ALONE + r"0[1-9](?:([ .-])\d{2})(?:\1\d{2}){3}" + _OVER)
_BARE = re.compile(
    _ALONE + r"(?:8[ -]?(?=\())?(?:\(0\)\d{2,4}[ /-]|\(?0?\d{2,5}\)?(?: ?/ ?|[ .-])?)?\d(?:[ .-]?\d){5,11}" + _OVER,
    re.ASCII,
)
_CALLED = re.compile(
    r"(?:\b(?:phone|mobile|cell(?:phone)?|tel(?:ephone)?|whats ?app|sms|text(?:ed)?|call(?:ed|s|ing|back)?"
    r"(?: me| them| her| him| us)?|reach(?:ed|able)?|contact|dial|ring|fax|handy|anrufen|ruf(?:e|t|en)?|móvil|llam\w+"
    r"|marque|teléfono|téléphone|appel\w*|joindre|chiam\w+|telefon\w*|cellulare|bel(?:len)?|lig(?:ue|ar|uem)|celular"
    r"|(?:za)?dzwoń|komórka|ringa?|позвон\w+|звон\w+|телефон\w*|मोबाइल|फ़ोन|फोन|اتصل|هاتف)\b"
    r"|电话|手机|電話|拨打|致电|携帯|전화)[^\d\n]{0,32}$",
    re.IGNORECASE,
)
_NOT_A_PHONE = re.compile(
    r"\b(?:order|ticket|case|invoice|id|reference|item|product|booking|error|code|sku|amount|model|part|article|version"
    r"|batch|serial|tracking|ratio|total|sum)\b[^\d]{0,12}$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"\s?(?:[kMmµ]?(?:ohms?|Ω|Hz|Wh?|V|A|m|g|l|Pa|bit|byte)s?|mm|cm|km|kg|rpm|tons?|tonnes?|rows?|records?|bytes?"
    r"|people|inhabitants|hours?|euros?|dollars?|yen|pieces?|units?)\b"
)
_TOLL_FREE = re.compile(r"^\D{0,2}(?:1\D{0,2})?(?:1?800|888|877|866|855|844|833)\b|^\D?1800")


def phone_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of telephone numbers. ``text`` is plain."""
    yield from ((*match.span(), "phone_number") for match in _PLUS.finditer(text) if not _TOLL_FREE.search(match[0]))
    for pattern in (_DOUBLE_ZERO, _NORTH_AMERICA, _INDIA, _BRITAIN, _FRANCE):
        for match in pattern.finditer(text):
            if _may_be_called(text, match) and not _counts_up(match[0]):
                yield *match.span(), "phone_number"
    for match in _BARE.finditer(text):
        digits = sum(character.isdigit() for character in match[0])
        called = _CALLED.search(text[max(0, match.start() - 48) : match.start()])
        if 7 <= digits <= 13 and called and _may_be_called(text, match):
            yield *match.span(), "phone_number"


def _may_be_called(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 48) : match.start()]
    counted = _MEASURED.match(text, match.end())
    return not (counted or _TOLL_FREE.search(match[0]) or _NOT_A_PHONE.search(before))


def _counts_up(number: str) -> bool:
    """Whether the groups of a number follow one another: “01 02 03 04 05”."""
    groups = [int(group) for group in re.findall(r"\d+", number)]
    return len(groups) > 2 and all(later - earlier == 1 for earlier, later in pairwise(groups))
