"""Where a text may be cut without tearing apart what a reader sees as one character.

Evidence, used wherever a span is cut. Covers combining marks, joiners, selectors, skin tones, flags, Hangul and CR LF
(the parts of Unicode Standard Annex 29 that occur in transcripts).
"""

import unicodedata

_JOINER = "\u200d"


def on_border(text: str, index: int) -> bool:
    """Whether ``text`` may be cut before ``index`` (code points)."""
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before.isascii() and after.isascii():
        return not (before == "\r" and after == "\n")
    if extends(after) or before == _JOINER:
        return False
    if is_flag_half(before) and is_flag_half(after):
        return _flag_halves_before(text, index) % 2 == 0
    return not _one_syllable(before, after)


def extends(character: str) -> bool:
    """Whether the character belongs to the one before it."""
    return (
        unicodedata.category(character)[0] == "M"
        or character in ("\u200c", _JOINER)
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
    )


def is_flag_half(character: str) -> bool:
    """Whether the character is one of the two letters of a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves_before(text: str, index: int) -> int:
    start = index
    while start > 0 and is_flag_half(text[start - 1]):
        start -= 1
    return index - start


def _one_syllable(before: str, after: str) -> bool:
    if "\u11a8" <= after <= "\u11ff":
        return "\u1160" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    if "\u1160" <= after <= "\u11a7":
        return "\u1100" <= before <= "\u11a7" or ("\uac00" <= before <= "\ud7a3" and (ord(before) - 0xAC00) % 28 == 0)
    return False
