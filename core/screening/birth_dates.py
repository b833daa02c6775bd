"""Dates of birth: a date behind a word for birth, in the languages that support desks meet.

Screening, secrets.
"""

import re
from collections.abc import Iterator

_WORDS = (
    r"dob|d\.o\.b\.|date of birth|birth ?date|birthday|born|geb\.|geboren|geburts(?:datum|tag)|née? le"
    r"|date de naissance|fecha de nacimiento|nacid[oa]|data di nascita|nat[oa] il|data de nascimento|nascid[oa]"
    r"|geboorte(?:datum|dag)|data urodzenia|urodzon[ya]|född|födelsedatum|født|fødselsdato|doğum tarihi"
    r"|дата рождения|родил(?:ся|ась)|生年月日|出生日期|생년월일|जन्म ?तिथि|تاريخ الميلاد"
)
_DATED = re.compile(r"(?:19|20)\d\d|[./-]\d\d(?!\d)")
"""Every date has a year; most texts with digits have none and are done with."""
_BIRTH_WORD = re.compile(_WORDS, re.IGNORECASE)
_DATE = (
    r"\d{1,2}(?:st|nd|rd|th|\.|º)?[ ./-]{1,2}(?:(?:de|of|di)\s)?(?:\d{1,2}|[^\W\d_]{3,12})\.?[ ./,-]{1,2}"
    r"(?:(?:de|del|of)\s)?\d{2,4}(?!\d)"
    r"|\d{4}(?:[ ./-]\d{1,2}[ ./-]\d{1,2}|年\d{1,2}月\d{1,2}日)"
    r"|[^\W\d_]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}"
)
_BIRTH = re.compile(
    rf"(?<![^\W_])(?:{_WORDS})(?:\s?(?:on|am|le|el|il|em|op|den|dnia)\b)?[^\w\n]{{0,8}}"
    rf"(?:(?:is|the|ist|est|es|è|é)\s){{0,2}}({_DATE})",
    re.IGNORECASE,
)


def birth_dates(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of dates of birth. ``text`` is plain."""
    if _DATED.search(text) and _BIRTH_WORD.search(text):
        yield from ((*match.span(1), "date_of_birth") for match in _BIRTH.finditer(text))
