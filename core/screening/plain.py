"""A text as a reader takes it in: without the characters that nobody sees, look-alikes turned into what they look like.

Screening. What hides from the eye must not hide from a screen, so secrets, twins and the other screens read the plain
text; ``Plain.place`` leads back to the characters of the original.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from core.evidence.characters import is_invisible

LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХЗаеѕіјкорсухһԁԛԝүґ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυχκ" + "ıɑɡʟոօսԼ",
    "ABESIJKMHOPCTYX3aesijkopcyxhdqwyr" + "ABEZHIKMNOPTYXaivopuxk" + "iagLnouL",
)
"""Cyrillic, Greek, Armenian and phonetic letters that look like Latin ones."""

_ALIKE = frozenset(map(chr, LOOK_ALIKES))
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"\w+")
_LATIN = re.compile(r"[A-Za-z]")
_JOINERS = frozenset("\u200c\u200d")
_JOINED_SCRIPTS = re.compile(r"[\u0590-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u1800-\u18af]")


@dataclass(frozen=True)
class Plain:
    """``text`` with, for every character, where the original has it; ``starts`` is None where nothing changed."""

    text: str
    starts: tuple[int, ...] | None = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of the original behind a range of ``text``."""
        if self.starts is None or end <= start:
            return start, end
        return self.starts[start], self.starts[end - 1] + 1


@lru_cache(maxsize=4096)
def _seen(character: str) -> str:
    if is_invisible(character) and character not in "™®©℠":
        return ""
    if unicodedata.category(character) in ("Zs", "Zl", "Zp"):
        return " "
    if character.isdigit() and unicodedata.category(character) == "Nd":
        return str(unicodedata.digit(character))
    wide = unicodedata.normalize("NFKC", character)
    return wide if "\uff00" <= character <= "\uffef" or "\U0001d400" <= character <= "\U0001d7ff" else character


def plain(text: str) -> Plain:
    """The text as it is seen, with the way back to the original."""
    if text.isascii():
        return Plain(text)
    others = sorted(set(_NOT_ASCII.findall(text)))
    changed = {character: seen for character in others if (seen := _seen(character)) != character}
    starts = _starts(text, changed) if any(len(seen) != 1 for seen in changed.values()) else None
    for character, seen in changed.items():
        text = text.replace(character, seen)
    return Plain(_without_look_alikes(text), starts)


def _starts(text: str, changed: dict[str, str]) -> tuple[int, ...]:
    """Where the original has each character of a text in which some become none or several."""
    starts: list[int] = []
    last = 0
    for match in re.finditer(f"[{''.join(map(re.escape, changed))}]", text):
        starts += range(last, match.start())
        starts += [match.start()] * len(changed[match[0]])
        last = match.end()
    starts += range(last, len(text))
    return tuple(starts)


def _without_look_alikes(text: str) -> str:
    """Look-alikes become Latin in words that also hold Latin letters, or that look Latin from end to end."""
    others = set(_NOT_ASCII.findall(text))
    if others & _ALIKE:
        text = _WORD.sub(_latin, text)
    for mark in others & _PUNCTUATION.keys():
        text = text.replace(mark, _PUNCTUATION[mark])
    return text


def _latin(match: re.Match[str]) -> str:
    word = match[0]
    if word.isascii():
        return word
    changed = word.translate(LOOK_ALIKES)
    return changed if _LATIN.search(word) and changed.isascii() else word


_PUNCTUATION = dict(zip("–—−‐‑‒’‘“”", "------''\"\"", strict=True))


def invisible_runs(text: str) -> list[tuple[int, int]]:
    """Where characters stand that leave no mark of their own and that the script around them does not need."""
    if text.isascii() and text.isprintable():
        return []
    runs: list[tuple[int, int]] = []
    for place, character in enumerate(text):
        if not _draws_nothing(character) or _belongs(text, place):
            continue
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def _draws_nothing(character: str) -> bool:
    """Zero-width and steering characters, and an empty Braille cell; line breaks and tabs are seen."""
    control = unicodedata.category(character) == "Cc" and character not in "\n\r\t"
    return control or character == "\u2800" or (not character.isascii() and is_invisible(character))


def _belongs(text: str, place: int) -> bool:
    """Joiners inside emoji and in scripts that are written with them, emoji selectors, and trade marks."""
    character = text[place]
    around = text[place - 1 : place] + text[place + 1 : place + 2]
    if character in "™®©℠":
        return True
    if character in _JOINERS:
        return bool(_JOINED_SCRIPTS.search(around)) or any(ord(other) > 0x2190 for other in around)
    return (
        character in "\ufe0e\ufe0f"
        and place > 0
        and (ord(text[place - 1]) > 0x2000 or text[place - 1] in "#*0123456789")
    )


def look_alike_words(text: str) -> list[tuple[int, int]]:
    """Where words stand that mix Latin letters with look-alikes of another script."""
    if text.isascii():
        return []
    words = ((match[0], match.span()) for match in _WORD.finditer(text))
    return [span for word, span in words if not word.isascii() and _latin_mixed(word)]


def _latin_mixed(word: str) -> bool:
    return bool(_LATIN.search(word)) and any(character.translate(LOOK_ALIKES) != character for character in word)


def shown(text: str) -> str:
    """The text with every hidden character written out by name, for the card on which a person decides."""
    pieces: list[str] = []
    last = 0
    for start, end in invisible_runs(text):
        names = ", ".join(unicodedata.name(each, f"U+{ord(each):04X}") for each in text[start:end][:3])
        pieces += [text[last:start], f"⟨{names}{' …' if end - start > 3 else ''}⟩"]
        last = end
    return "".join([*pieces, text[last:]])
