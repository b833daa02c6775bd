"""Codes that open something, told in a sentence: “the code for the gate is …”, “enter … as the door code”.

Screening, secrets. A number is such a code when the words around it open a thing that is locked; codes of errors,
forms and countries are none.
"""

import re
from collections.abc import Iterator

from core.screening.glances import matches_at, starts

_LOCKED = (
    r"(?:door|gate|garage|safe|alarm|lock(?:er|box)?|key ?(?:pad|box|safe)|entrance|entry|lift|elevator|building|house"
    r"|flat|office|room|barrier|intercom|vault|gym|storage|panel|phone|voicemail|sim|tür|tor|porte|puerta|porta)"
)
_DIGITS = r"[#*]?(\d{4,8}|\d{2,3}(?:[- ]\d{2,3}){1,3})(?![\w.,]?\d)#?"
_NUMBER = re.compile(r"\d{4}|\d\d[- ]\d\d")
"""Every code has such a piece."""
_FORMS = tuple(
    (words, re.compile(pattern))
    for words, pattern in (
        (
            (("code", 0),),
            rf"\bcodes? (?:for|of|to|at|on) (?:the |my |our |your |their )?(?:\w+ )?{_LOCKED}\b[^\d.;\n]{{0,20}}?"
            rf"(?: is| was|:| =) {_DIGITS}",
        ),
        (
            tuple((digit, 1) for digit in "0123456789"),
            rf"(?<!\w){_DIGITS} (?:as|is) (?:the |my |our |your |their )?(?:\w+ )?(?:{_LOCKED} (?:code|pin)|pass ?code"
            r"|otp|one-time code|verification code)\b",
        ),
        (
            tuple((verb, 0) for verb in ("type", "enter", "press", "punch", "key", "dial", "use")),
            rf"\b(?:type|enter|press|punch|key|dial|use)(?: in)? {_DIGITS} (?:at|on|into|in|to open|for) (?:the |a )?"
            rf"(?:\w+ )?{_LOCKED}\b",
        ),
        ((("open", 26), ("unlock", 26)), rf"\b{_LOCKED}\b[^\d.;\n]{{0,16}}\b(?:opens?|unlocks?) (?:with|by) {_DIGITS}"),
        (
            (("code", 8),),
            rf"\b(?:your|my|his|her|their|sms|text|e?mail(?:ed)?) code (?:is |was |: ?)?{_DIGITS}"
            r"(?! ?(?:lines|words|files))",
        ),
        (
            (("code lautet", 60), ("le code", 0), ("mon code", 0), ("notre code", 0)),
            rf"\b(?:der|unser|mein) (?:\w+-?)?code lautet {_DIGITS}"
            rf"|\b(?:le|mon|notre) code (?:de \w+ )?est {_DIGITS}",
        ),
        (
            (("código", 3), ("codice", 7)),
            rf"\b(?:el|mi) código es {_DIGITS}|\bil (?:mio )?codice è {_DIGITS}|\bo código é {_DIGITS}",
        ),
    )
)
"""Forms of sentences, each with what it has at most so many characters behind its start."""
_WORD = re.compile(r"c[oó]d|pin|opens?|unlock|type|enter|press|punch|dial|otp")


def access_codes(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of codes that open something. ``text`` is plain and has digits."""
    if not _NUMBER.search(text):
        return
    lower = text.lower()
    seen = lower if len(lower) == len(text) else text
    if not _WORD.search(seen):
        return
    for words, form in _FORMS:
        for match in matches_at(form, seen, starts(seen, words)):
            number = next(place for place in range(1, form.groups + 1) if match[place])
            yield *match.span(number), "access_code"
