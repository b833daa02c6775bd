"""Card, account and identity numbers, each with its check digits.

Screening, secrets. A number counts when its shape and its check digits are right; where a shape is common among order
numbers, the words in front of it must name it too.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.screening import checksums
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
_CARD_LENGTHS = {
    "4": (13, 16, 19),
    "5": (16,),
    "2": (16,),
    "3": (14, 15, 16),
    "6": (16, 17, 18, 19),
    "8": (16,),
    "9": (16,),
}

_IBAN_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ .\n-]{0,2}[A-Za-z0-9]{4})")
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
    digits: int = 6
    """Digits that it has at least; a text with fewer is not searched."""


def _number(
    code: str, pattern: str, valid: Callable[[str], bool] = lambda _: True, named: str = "", digits: int = 6
) -> Number:
    return Number(code, re.compile(_ALONE + pattern + _OVER), valid, named, digits)


def _date(text: str) -> bool:
    """Whether four digits can be a month and a day."""
    return 1 <= int(text[:2]) % 20 <= 12 and 1 <= int(text[2:4]) <= 31


NUMBERS: tuple[Number, ...] = (
    _number("pan_india", r"[A-Z]{3}[ABCFGHJLPTK][A-Z]\d{4}[A-Z]", digits=4),
    _number("pan_india", r"[A-Za-z]{3}[ABCFGHJLPTKabcfghjlptk][A-Za-z]\d{4}[A-Za-z]", named="pan", digits=4),
    _number("gstin", r"\d{2}[A-Z]{5}\d{4}[A-Z][A-Z1-9]Z[A-Z0-9]", checksums.gstin),
    _number("aadhaar", r"[2-9]\d{3}([ -]?)\d{4}\1\d{4}", checksums.verhoeff),
    _number("ssn", r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}"),
    _number("ssn", r"(?!000|666|9)\d{3} ?(?!00)\d{2} ?(?!0000)\d{4}", named=r"ssn|social security|social"),
    _number("itin", r"9\d{2}-(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}"),
    _number(
        "nino",
        r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]",
    ),
    _number("nhs_number", r"\d{3}[ -]?\d{3}[ -]?\d{4}", checksums.nhs, named="nhs"),
    _number("dni_spain", r"(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]", checksums.dni),
    _number("nir_france", r"[12] ?\d{2} ?\d{2} ?\d{2} ?\d{3} ?\d{3} ?\d{2}", checksums.nir),
    _number(
        "tax_id_germany", r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}", checksums.tax_id_germany, named="steuer|tax id|idnr|tin"
    ),
    _number("codice_fiscale", r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]", checksums.codice_fiscale),
    _number("cpf_brazil", r"\d{3}\.\d{3}\.\d{3}-\d{2}", checksums.cpf),
    _number("cpf_brazil", r"\d{11}", checksums.cpf, named="cpf"),
    _number("bsn_netherlands", r"\d{9}", checksums.bsn, named="bsn|burgerservice|citizen service"),
    _number("pesel", r"\d{11}", checksums.pesel, named="pesel"),
    _number(
        "chinese_id",
        r"[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]",
        lambda text: checksums.chinese_id(text.upper()),
    ),
    _number("sin_canada", r"\d{3}[ -]?\d{3}[ -]?\d{3}", checksums.luhn, named=r"\bsin\b|social insurance"),
    _number("tax_file_number", r"\d{3} ?\d{3} ?\d{3}", checksums.tax_file_number, named=r"tfn|tax file"),
    _number("nric_singapore", r"[STFGM]\d{7}[A-Z]", checksums.nric),
    _number(
        "personnummer", r"(?:19|20)?\d{6}[-+]\d{4}", lambda text: _date(text[-8:-4]) and checksums.luhn(text[-10:])
    ),
    _number("resident_number_korea", r"\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}"),
    _number("turkish_id", r"[1-9]\d{10}", checksums.turkish_id, named=r"kimlik|t\.?c\.?|turkish"),
    _number("curp_mexico", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d"),
    _number("my_number_japan", r"\d{4}[ -]?\d{4}[ -]?\d{4}", named="my number|マイナンバー|個人番号"),
    _number("passport", r"[A-Z]{1,2} ?\d{6,8}|\d{9}", named="passport"),
    _number(
        "driving_licence",
        r"[A-Z]{1,2}\d{2}[ -]?(?:19|20)\d{9}|[A-Z9]{5}\d{6}[A-Z9]{2}\d[A-Z]{2}|[A-Z]\d{7,14}",
        named=r"driv\w*|licen[cs]e",
    ),
    _number("voter_id", r"[A-Z]{3}\d{7}", named="voter|epic"),
    _number(
        "bank_account",
        r"\d{8,18}",
        named=r"bank a\w+|savings account|current account|sort code|ifsc|routing|iban|bank details",
    ),
)


_DIGIT = re.compile(r"\d")


def digits_in(text: str) -> int:
    """How many digits a text has."""
    return len(_DIGIT.findall(text))


def cards(text: str) -> Iterator[tuple[int, int, str]]:
    """Places of payment card numbers: an issuer's first digits, a card's length, the Luhn digit right."""
    for match in _CARD.finditer(text):
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
        length = _IBAN_LENGTHS.get(match[0][:2].upper(), 0)
        end = _after(text, match.start(), length) if length else None
        if end is None or text[end : end + 1].isalnum():
            continue
        compact = re.sub(r"[ .\n-]", "", text[match.start() : end]).upper()
        if compact.isascii() and compact.isalnum() and checksums.iban(compact):
            yield match.start(), end, "iban"


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


def identity_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Places of identity numbers of persons."""
    lower = text.casefold()
    digits = digits_in(text)
    for number in NUMBERS:
        if digits < number.digits or (number.named and not re.search(number.named, lower)):
            continue
        for match in number.pattern.finditer(text):
            if _counts(text, number, match):
                yield *match.span(), number.code


def _counts(text: str, number: Number, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _BEFORE) : match.start()].casefold()
    if number.named and not re.search(number.named, before):
        return False
    if not number.named and match[0].isdigit() and _ORDER_LIKE.search(before):
        return False
    return number.valid(re.sub(r"[ .+-]", "", match[0]))
