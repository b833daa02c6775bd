"""Numbers that are more than one token and yet one quantity: 三百五十, 15.5万, "5 million", "5 percent".

Evidence, part of the strict check: a quote may not begin or end inside one.
"""

import re

_SCALES = """dozens? hundred thousand millions? billions? trillions? lakhs? crores? percent per_cent
hundert tausend million(?:en)? milliarden? prozent duizend miljoen miljard procent tusen miljon(?:er)? miljard(?:er)?
mille milliards? pour_cent mil millón millones por_ciento milhão milhões bilhão bilhões por_cento mila milioni?
miliardi? per_cento mie mii milioane miliarde la_sută tysiąc tysiące tysięcy milion(?:y|ów)? miliard(?:y|ów)? tisíc
milionů bin milyon milyar ribu juta miliar persen nghìn ngàn triệu tỷ тыс тысяч[аи]? тисяч[аі]? млн млрд
миллион(?:а|ов)? миллиард(?:а|ов)? мільйон(?:и|ів)? мільярд(?:и|ів)? процент(?:а|ов)?
ألف آلاف مليون مليار אלף מיליון हज़ार हजार लाख करोड़
प्रतिशत 만 억 천 퍼센트"""
"""Words that, after a number and a space, make another number of it; patterns, with ``_`` for a space."""

_DIGITS = "〇零○一二三四五六七八九两兩壹贰貳叁參肆伍陆陸柒捌玖"
_UNITS = "十百千万萬亿億兆廿卅拾佰仟"
_PART = rf"(?:[0-9０-９]+(?:[.,．，][0-9０-９]+)*(?:[ \u00a0]?[{_UNITS}]+)?|[{_DIGITS}{_UNITS}]+)"
_OF_A_WORD = rf"[万萬]?一[{_DIGITS}]"
"""Where 一 may belong to a word before another numeral: 统一三天, 万一三天."""

_WORDS = "|".join(_SCALES.split()).replace("_", "[ \u00a0]")
_SCALED = re.compile(rf"[0-9][ \u00a0](?:{_WORDS})(?![^\W_])", re.IGNORECASE)
_NUMERAL = re.compile(
    r"[0-9]+[ \u00a0]?(?:ล้าน|แสน|หมื่น|พัน|ร้อย)"
    rf"|(?:[第负負几幾数數]|零下|マイナス)?(?!(?:(?<=[统統唯万萬])|(?=[万萬])){_OF_A_WORD})"
    rf"{_PART}+(?:[点點・]{_PART}+)?(?:分之{_PART}+)?"
)
_REACH = 32


def cuts_numeral(text: str, place: int) -> bool:
    """Whether ``place`` stands inside such a number, or in the white space within it."""
    if not 0 < place < len(text):
        return False
    start = max(0, place - _REACH)
    if any(character.isdigit() for character in text[max(0, place - 2) : place]):
        scaled = _SCALED.search(text, max(0, place - 2), place + _REACH)
        if scaled is not None and scaled.start() < place < scaled.end():
            return True
    if text.isascii():
        return False
    found = _NUMERAL.finditer(text, start, place + _REACH)
    return any(match.start() < place < match.end() and not match.group().isascii() for match in found)
