"""Numbers in Chinese characters, or with a unit of counting that no space parts, are one quantity: 三百五十, 15.5万.

Evidence, part of the strict check: a quote may not begin or end inside one.
"""

import re

_DIGITS = "〇零○一二三四五六七八九两兩壹贰貳叁參肆伍陆陸柒捌玖"
_UNITS = "十百千万萬亿億兆廿卅拾佰仟"
_PART = rf"(?:[0-9０-９]+(?:[.,．，][0-9０-９]+)*(?:[ \u00a0]?[{_UNITS}]+)?|[{_DIGITS}{_UNITS}]+)"
_OF_A_WORD = rf"[万萬]?一[{_DIGITS}]"
"""Where 一 may belong to a word before another numeral: 统一三天, 万一三天."""

_NUMERAL = re.compile(
    r"[0-9]+[ \u00a0]?(?:ล้าน|แสน|หมื่น|พัน|ร้อย)"
    rf"|(?:[第负負几幾数數]|零下|マイナス)?(?!(?:(?<=[统統唯万萬])|(?=[万萬])){_OF_A_WORD})"
    rf"{_PART}+(?:[点點・]{_PART}+)?(?:分之{_PART}+)?"
)
_REACH = 32


def cuts_numeral(text: str, place: int) -> bool:
    """Whether ``place`` stands inside such a number, white space before its unit included."""
    if text.isascii() or not 0 < place < len(text):
        return False
    start = max(0, place - _REACH)
    found = _NUMERAL.finditer(text, start, place + _REACH)
    return any(match.start() < place < match.end() and not match.group().isascii() for match in found)
