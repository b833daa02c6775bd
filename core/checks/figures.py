"""Figures in a text: amounts, percentages, durations, dates, times, codes, long numbers.

Part of the checks, second station of the flow. Promise: a figure's ``start`` and ``end`` are offsets into the verbatim
text, and its ``values`` compare equal however it was written: 1,250 and 1250.00, ₹1,20,000 and 1.2 lakh, 7% and 7 per
cent, 24 May and 2024-05-24, 3 pm and 15:00.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_NUMBER = r"\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_SCALE = r"(?:\s?(?:k|K|m|mn|million|lakhs?|lacs?|crores?|cr|thousand|bn|billion)\b)?"
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNT = rf"(?:{_NUMBER}|{'|'.join(_WORDS)})"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_UNIT = (
    r"(?:(?:business|working|calendar|trading)[\s-])?(?P<unit>days?|hours?|hrs?|minutes?|mins?|weeks?|months?|"
    r"years?|yrs?|km|points?|miles|credits?|nights?|instal?lments?|lessons?|modules?)"
)
_FIGURE = re.compile(
    r"(?:(?<![A-Za-z_])(?=\w)|(?=[#₹€£$])|(?<=\dT)(?=\d))(?:"  # most positions end here, which is what makes it quick
    r"(?P<iso>(?<![\w-])\d{4}-\d{2}-\d{2}(?!\d))"
    rf"|(?P<month_first>\b{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!:|,\d|\.\d)(?:,?\s+\d{{4}})?)"
    rf"|(?P<day_first>\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b(?:,?\s+\d{{4}})?)"
    r"|(?P<slashed>(?<![\w/])\d{1,2}/\d{1,2}/\d{2,4}(?![\w/]))"
    r"|(?P<time>(?:(?<=\dT)|(?<![\w:.]))\d{1,2}:\d{2}(?::\d{2})?(?:\s?(?:[ap]m\b|[ap]\.m\.))?(?!\w)|"
    r"(?<![\w:.,])\d{1,2}\s?(?:[ap]m\b|[ap]\.m\.|baje\b|बजे))"
    rf"|(?P<span>(?<![\w.,:$€£₹])(?:{_COUNT})(?:\s?(?:[–-]|to)\s?(?:{_COUNT}))?(?:[\s-]{_UNIT}|\s?(?P<data>[gmt]b|"
    rf"[mg]bps|kgs?))\b)"
    r"|(?P<code>(?<![\w#@./-])(?=[#\w-]{5,40}(?![\w-]))(?=[A-Za-z#_-]{0,20}\d)(?=[#\d_-]{0,30}[A-Za-z])"
    r"#?[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![\w@]|\.\w))"
    rf"|(?P<money>(?:₹|\bRs\.?|\bINR|€|£|\bUS\$|\$|\bUSD|\bEUR|\bGBP)\s?(?:{_NUMBER}){_SCALE}"
    rf"|(?<![\w.,])(?:{_NUMBER}){_SCALE}\s?(?:rupees|dollars?|euros?|pounds|USD|INR|EUR|€|₹)(?!\w))"
    rf"|(?P<percent>(?<![\w.,])(?:{_NUMBER})(?:\s?[–-]\s?(?:{_NUMBER}))?\s?(?:%|per\s?cent\b))"
    rf"|(?P<number>(?<![\w.,:/#@+-])(?:{_NUMBER})(?![\w/%@]|[,.-]\d)))",
    re.I,
)
_ANY_NUMBER = re.compile(rf"(?<![\w.])(?:{_NUMBER})")
_SCALES = {"k": 3, "thousand": 3, "lakh": 5, "lac": 5, "m": 6, "mn": 6, "million": 6, "cr": 7, "crore": 7}
_SCALES |= {"bn": 9, "billion": 9}
_UNITS = {"hr": "hour", "yr": "year", "min": "minute"}
_SHORT_CODE = 5
_TOO_LONG = Decimal(10**15)
"""Longer numbers are references that no arithmetic is done with."""


@dataclass(frozen=True)
class Figure:
    """One figure. ``kind`` is amount, percentage, duration, date, time, code or number."""

    kind: str
    start: int
    end: int
    values: tuple[Decimal, ...] = ()
    """Amounts and numbers as they are; a date as month × 100 + day; a time in minutes of the day."""
    unit: str = ""
    text: str = ""


@lru_cache(maxsize=4096)
def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text, in order."""
    return tuple(figure for match in _FIGURE.finditer(text) for figure in _read(match))


@lru_cache(maxsize=4096)
def numbers(text: str) -> frozenset[Decimal]:
    """Every number of a text whatever it counts, number words from one to twelve included."""
    found = {decimal(match.group()) for match in _ANY_NUMBER.finditer(text)}
    found.update(
        value
        for figure in figures(text)
        if figure.kind in ("amount", "percentage", "duration")
        for value in figure.values
    )
    found.update(
        Decimal(_WORDS.index(word.lower()) + 1) for word in re.findall(rf"\b(?:{'|'.join(_WORDS)})\b", text, re.I)
    )
    return frozenset(value for value in found if value < _TOO_LONG)


def decimal(written: str) -> Decimal:
    """A number as written, without the marks that group its digits."""
    return Decimal(written.replace(",", "")).normalize()


def _read(match: re.Match[str]) -> Iterator[Figure]:
    name = next(name for name in _READERS if match[name])
    kind, values = _READERS[name](match.group())
    if values is not None and all(value < _TOO_LONG for value in values):
        unit = (match["unit"] or match["data"] or "").lower().rstrip("s")
        unit = _UNITS.get(unit, unit)
        yield Figure(kind, match.start(), match.end(), values, unit, match.group())


_Reading = tuple[str, tuple[Decimal, ...] | None]


def _amount(written: str) -> _Reading:
    number = re.search(_NUMBER, written)
    scale = re.search(r"\d\s?([a-z]+)\b", written, re.I)
    power = _SCALES.get(scale.group(1).lower().rstrip("s"), 0) if scale else 0
    return "amount", ((decimal(number.group()) * 10**power).normalize(),) if number else None


def _percentage(written: str) -> _Reading:
    return "percentage", tuple(decimal(part) for part in re.findall(_NUMBER, written))


def _duration(written: str) -> _Reading:
    parts = re.findall(rf"(?:{_NUMBER})|\b(?:{'|'.join(_WORDS)})\b", written, re.I)
    return "duration", tuple(_counted(part) for part in parts)


def _counted(part: str) -> Decimal:
    return Decimal(_WORDS.index(part.lower()) + 1) if part.lower() in _WORDS else decimal(part)


def _date(month: int, day: int) -> _Reading:
    return "date", (Decimal(month * 100 + day),) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _iso(written: str) -> _Reading:
    return _date(int(written[5:7]), int(written[8:10]))


def _named_date(written: str) -> _Reading:
    name = re.search(_MONTH, written, re.I)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", written)
    if name is None or day is None:
        return "date", None
    return _date(_MONTHS.index(name.group().lower()[:3]) + 1, int(day.group()))


def _slashed(written: str) -> _Reading:
    first, second = (int(part) for part in written.split("/")[:2])
    both = [value for month, day in ((first, second), (second, first)) for value in _date(month, day)[1] or ()]
    return "date", tuple(both) or None


def _time(written: str) -> _Reading:
    parts = re.findall(r"\d+", written)
    hour, minute = int(parts[0]), int(parts[1]) if len(parts) > 1 else 0
    half = re.search(r"[ap](?=\.?m)", written, re.I)
    if hour > 24 or minute > 59:
        return "time", None
    if half:
        hour = hour % 12 + (12 if half.group().lower() == "p" else 0)
    return "time", (Decimal(hour * 60 + minute),)


def _code(written: str) -> _Reading:
    """A code has three digits, or digits between capitals: ``HAT039``, ``K1NW8N``; not ``COVID-19``, ``iPhone15``."""
    parts = written.split("_")
    if len(parts) > 1 and (len(parts) > 3 or not parts[-1].isdigit()):
        return "code", None
    marked = len(parts) > 1 or "#" in written
    capital = written == written.upper()
    digits = sum(character.isdigit() for character in written)
    distinct = digits >= 3 or re.search(r"[A-Z]\d+[A-Z]", written)
    return "code", () if len(written) >= _SHORT_CODE and distinct and (marked or capital) else None


def _number(written: str) -> _Reading:
    return "number", (decimal(written),)


_READERS = {
    "iso": _iso,
    "month_first": _named_date,
    "day_first": _named_date,
    "slashed": _slashed,
    "time": _time,
    "code": _code,
    "money": _amount,
    "percent": _percentage,
    "span": _duration,
    "number": _number,
}
