"""Card, account and identity numbers, each with its check digits.

Screening, secrets. A number counts when its shape and its check digits are right; where a shape is common among order
numbers, the words in front of it must name it too.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.screening import checksums
from core.screening.digit_runs import DigitRun
from core.screening.word_lists import pairs

_ALONE = r"(?<![A-Za-z0-9#_./-])(?<!\d[ ,])"
_OVER = r"(?![A-Za-z0-9_]|[-/]\w|[.,]\d)"
_BEFORE = 48

_ORDER_LIKE = re.compile(
    r"(?:order|tracking|reference|ref|invoice|ticket|item|product|sku|transaction|parcel|shipment|isbn|ean|upc|barcode"
    r"|serial"
    r"|imei|job|build|request|trace|session|case|booking|reservation|confirmation|message|tweet|post|row|id|timestamp"
    r"|hash"
    r"|number of \w+|waybill|awb|consignment|batch|asset|model|part)s?(?:[ _](?:number|no\.?|id|code)s?)?(?: (?:is|was"
    r"|are))?\W{0,6}$",
    re.IGNORECASE,
)
_CARD_WORDS = re.compile(r"card|visa|master|amex|rupay|maestro|diners|discover|debit|credit|pan\b", re.IGNORECASE)

_CARD = re.compile(
    _ALONE
    + r"(?:\d{4}(?:[ ./-]{1,3}\n?|\n)\d{4}(?:[ ./-]{1,3}\n?|\n)\d{4}(?:[ ./-]{1,3}\n?|\n)\d{4}(?:[ .-]{1,3}\d{3})?"
    + r"|3[47]\d{2}[ .-]{1,3}\d{6}[ .-]{1,3}\d{5}|3[068]\d{2}[ .-]{1,3}\d{6}[ .-]{1,3}\d{4}"
    + r"|\d{8}[ -]\d{8}|\d(?: \d){12,18}|\d{13,19})"
    + r"(?![\w]|[-./]\d)"
)
_BETWEEN = re.compile(r"\D+")
_ISSUERS = re.compile(r"4|5[0-8]|6[0-9]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[04-9]|8[12]|9792|508")
_PERSON = re.compile(
    r"person|\bp-?nr\b|\brrn\b|ssn|social|identi|national|resident|citizen|\bborn\b|birth|född|swed|korea"
    r"|patient|customer|\bkund|주민"
)
"""Says that a number is one of a person."""
_GIVEN = re.compile(r"\w[\"'\]]{0,2}\s?={1,3}\s?[\"']?$")
"""A name that is given the value behind it."""
_POINT_IN_TIME = re.compile(r"(?:20)?(?:[0-2]\d|3[0-5])\d{4}-(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$")
"""Day and time in one, as runs, copies and builds are named."""
_FEWEST_ON_A_CARD = 13
_CARD_LENGTHS = {
    "4": (13, 16, 19),
    "5": (16,),
    "2": (16,),
    "3": (14, 15, 16),
    "6": (16, 17, 18, 19),
    "8": (16,),
    "9": (16,),
}

_IBAN_START = re.compile(r"\d\d(?<=(?<![A-Za-z0-9])[A-Za-z]{2}\d\d)(?=[ .\n-]{0,2}[A-Za-z0-9]{4})")
"""The check digits, which a country's letters precede; digits are found much faster than letters."""
_IBAN_LENGTHS = {country: int(length) for country, length in pairs("iban_lengths")}


@dataclass(frozen=True)
class Number:
    """One kind of identity number.

    ``valid`` decides on the number without spaces, dots and hyphens. ``named`` are words that must stand in front;
    empty where shape and check digits suffice.
    """

    code: str
    pattern: re.Pattern[str]
    valid: Callable[[str], bool] = lambda _: True
    named: str = ""
    dated: bool = False
    """Whether it reads like a date with a number behind it."""
    digits: int = 6
    """Digits of it that stand together at least; where fewer do, it is not looked for."""


def _number(
    code: str,
    pattern: str,
    valid: Callable[[str], bool] = lambda _: True,
    named: str = "",
    dated: bool = False,
    digits: int = 6,
) -> Number:
    return Number(code, re.compile(_ALONE + pattern + _OVER), valid, named, dated, digits)


def _date(text: str) -> bool:
    """Whether four digits can be a month and a day."""
    return 1 <= int(text[:2]) % 20 <= 12 and 1 <= int(text[2:4]) <= 31


NUMBERS: tuple[Number, ...] = (
    _number("pan_india", r"[A-Z]{3}[ABCFGHJLPTK][A-Z]\d{4}[A-Z]", digits=4),
    _number("pan_india", r"[A-Za-z]{3}[ABCFGHJLPTKabcfghjlptk][A-Za-z]\d{4}[A-Za-z]", named="pan", digits=4),
    _number("gstin", r"\d{2}[A-Z]{5}\d{4}[A-Z][A-Z1-9]Z[A-Z0-9]", checksums.gstin, digits=4),
    _number("aadhaar", r"[2-9]\d{3}([ -]?)\d{4}\1\d{4}", checksums.verhoeff, digits=12),
    _number("ssn", r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}", digits=9),
    _number("ssn", r"(?!000|666|9)\d{3} ?(?!00)\d{2} ?(?!0000)\d{4}", named=r"ssn|social security|social", digits=9),
    _number("itin", r"9\d{2}-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}", digits=9),
    _number(
        "nino",
        r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]",
    ),
    _number("nhs_number", r"\d{3}[ -]?\d{3}[ -]?\d{4}", checksums.nhs, named="nhs", digits=10),
    _number("dni_spain", r"(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]", checksums.dni, digits=7),
    _number("nir_france", r"[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2}", checksums.nir, digits=15),
    _number(
        "tax_id_germany",
        r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}",
        checksums.tax_id_germany,
        named="steuer|tax id|idnr|tin",
        digits=11,
    ),
    _number("codice_fiscale", r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]", checksums.codice_fiscale, digits=7),
    _number("cpf_brazil", r"\d{3}\.\d{3}\.\d{3}-\d{2}", checksums.cpf, digits=11),
    _number("cpf_brazil", r"\d{11}", checksums.cpf, named="cpf", digits=11),
    _number("bsn_netherlands", r"\d{9}", checksums.bsn, named="bsn|burgerservice|citizen service", digits=9),
    _number("pesel", r"\d{11}", checksums.pesel, named="pesel", digits=11),
    _number(
        "chinese_id",
        r"[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]",
        lambda text: checksums.chinese_id(text.upper()),
        digits=17,
    ),
    _number("sin_canada", r"\d{3}[ -]?\d{3}[ -]?\d{3}", checksums.luhn, named=r"\bsin\b|social insurance", digits=9),
    _number("tax_file_number", r"\d{3} ?\d{3} ?\d{3}", checksums.tax_file_number, named=r"tfn|tax file", digits=9),
    _number("nric_singapore", r"[STFGM]\d{7}[A-Z]", checksums.nric, digits=7),
    _number(
        "personnummer",
        r"(?:19|20)?\d{6}[-+]\d{4}",
        lambda text: _date(text[-8:-4]) and checksums.luhn(text[-10:]),
        dated=True,
        digits=10,
    ),
    _number(
        "resident_number_korea",
        r"\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}",
        dated=True,
        digits=13,
    ),
    _number("turkish_id", r"[1-9]\d{10}", checksums.turkish_id, named=r"kimlik|t\.?c\.?|turkish", digits=11),
    _number("curp_mexico", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d"),
    _number("my_number_japan", r"\d{4}[ -]?\d{4}[ -]?\d{4}", named="my number|マイナンバー|個人番号", digits=12),
    _number("passport", r"[A-Z]{1,2} ?\d{6,8}|\d{9}", named="passport"),
    _number(
        "driving_licence",
        r"[A-Z]{1,2}\d{2}[ -]?(?:19|20)\d{9}|[A-Z9]{5}\d{6}[A-Z9]{2}\d[A-Z]{2}|[A-Z]\d{7,14}",
        named=r"driv\w*|licen[cs]e",
        digits=7,
    ),
    _number("voter_id", r"[A-Z]{3}\d{7}", named="voter|epic", digits=7),
    _number(
        "bank_account",
        r"\d{8,18}",
        named=r"bank a\w+|savings account|current account|sort code|ifsc|routing|iban|bank details",
        digits=8,
    ),
)


_MOST = max(number.digits for number in NUMBERS)
_BY_DIGITS = [tuple(number for number in NUMBERS if number.digits <= digits) for digits in range(_MOST + 1)]
"""The numbers that so many digits can be."""


def cards(text: str, runs: list[DigitRun]) -> Iterator[tuple[int, int, str]]:
    """Places of payment card numbers: an issuer's first digits, a card's length, the Luhn digit right."""
    long = (run for run in runs if run.digits >= _FEWEST_ON_A_CARD)
    for match in (match for run in long for match in _CARD.finditer(text, run.start, run.end)):
        digits = re.sub(r"\D", "", match[0])
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        if not _is_card_number(digits) or len(set(digits)) == 1:
            continue
        spoken_of = bool(_CARD_WORDS.search(before))
        shown_as_card = len(digits) in (15, 16) if match[0].isdigit() else _in_groups(match[0])
        if spoken_of or (shown_as_card and not _ORDER_LIKE.search(before)):
            yield *match.span(), "card_number"


def _in_groups(number: str) -> bool:
    """Whether a card number is written as cards show it: with one kind of separator, of which one may be a new line."""
    between = _BETWEEN.findall(number)
    plain = {mark for mark in between if "\n" not in mark}
    broken = sum("\n" in mark for mark in between)
    return len(between) in (2, 3, 4) and len(plain) == 1 and broken <= 1


def _is_card_number(digits: str) -> bool:
    lengths = _CARD_LENGTHS.get(digits[0], ())
    return len(digits) in lengths and bool(_ISSUERS.match(digits)) and checksums.luhn(digits)


def ibans(text: str) -> Iterator[tuple[int, int, str]]:
    """Places of bank accounts: a country's length, the remainder by 97 right."""
    for match in _IBAN_START.finditer(text):
        start = match.start() - 2
        length = _IBAN_LENGTHS.get(text[start : start + 2].upper(), 0)
        end = _after(text, start, length) if length else None
        if end is None or text[end : end + 1].isalnum():
            continue
        compact = re.sub(r"[ .\n-]", "", text[start:end]).upper()
        if compact.isascii() and compact.isalnum() and checksums.iban(compact):
            yield start, end, "iban"


def _after(text: str, start: int, length: int) -> int | None:
    """Where ``length`` letters and digits end, with spaces, hyphens, dots or new lines between them; None where they
    do not.
    """
    place, counted = start, 0
    while counted < length and place < len(text):
        if text[place].isalnum():
            counted += 1
        elif text[place] not in " -.\n" or not (text[place - 1].isalnum() or text[place] == "\n"):
            return None
        place += 1
    return place if counted == length else None


def identity_numbers(text: str, runs: list[DigitRun]) -> Iterator[tuple[int, int, str]]:
    """Places of identity numbers of persons."""
    for run in runs:
        for number in _BY_DIGITS[min(run.digits, _MOST)]:
            for match in number.pattern.finditer(text, run.start, run.end):
                if _counts(text, number, match):
                    yield *match.span(), number.code


def _counts(text: str, number: Number, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _BEFORE) : match.start()].casefold()
    if number.named and not re.search(number.named, before):
        return False
    if not number.named and match[0].isdigit() and _ORDER_LIKE.search(before):
        return False
    if number.dated and not _PERSON.search(before) and (_GIVEN.search(before) or _POINT_IN_TIME.match(match[0])):
        return False
    return number.valid(re.sub(r"[ .+-]", "", match[0]))
