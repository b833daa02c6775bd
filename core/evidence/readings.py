"""A text as it stands, and as it reads once markup and escapes are resolved.

Evidence. A model quotes what it read: the label of a link and not its target, ``&`` and not ``&amp;``, a line break and
not ``\\n``. A reading is such a text together with the way back: every place in it maps to a place in the original.
"""

import html
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from core.evidence.joined import Joined, foreign_characters
from core.evidence.line_marks import list_marks

JSON_ESCAPES, ENTITIES, MARKDOWN, HTML_TAGS, LETTER_FORMS = (
    "json escapes",
    "html entities",
    "markdown",
    "html tags",
    "letter forms",
)

_ESCAPE = re.compile(
    r"\\(?<!\\\\)\\*+(?:u[dD][89abAB][0-9a-fA-F]{2}\\+u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[nrtbf\"'/]|(?=[^\w\s\\]|_))"
)
_DOUBLED = re.compile(r"(?<!\\)\\{2,}(?=[^\W_])")
_ENTITY = re.compile(r"&(?:amp;)*(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_LINK_TARGET = re.compile(
    r"\]\([ \t]?(?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]?\)"
)
_LINK_LABEL = re.compile(r"\[(?=[^\[\]\n]{0,300}\]\()")
_DEFINITION = re.compile(r"(?:^|\n)[ \t]{0,3}\[([^\[\]\n]{1,100})\]:[ \t]*\S")
_REFERENCE = re.compile(
    r"(?<![\w\]])\[(?P<label>[^\[\]\n^][^\[\]\n]{0,300})\]\[(?P<target>[^\[\]\n]{1,100})\](?![\w\[(:])"
    r"|\[(?P<note>\^[^\[\]\n]{1,100})\](?!:)"
)
_SOURCE_NUMBER = re.compile("[0-9]{1,2}")
_WORDED = re.compile(r"[^\W\d_]{3}")
_AUTOLINK = re.compile(r"<(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:|[^\s<>@:]{1,64}@)[^\s<>]{1,2000}>")
_TICKED = re.compile(r"\n[ \t]*(?:[-*+•]|[0-9]{1,3}[.)])[ \t]+(\[[xX]\][ \t]+)")
_NAMED_FENCE = re.compile(r"\n[ \t]*(?:`{3,}|~{3,})([ \t]*[a-zA-Z][\w+#.-]*)[ \t\r]*(?=\n)")
_TAG = re.compile(
    r"</?(?:b|i|em|strong|u|s|br|p|span|code|pre|a|div|ul|ol|li|h[1-6]|table|tr|td|th|small|mark|font)"
    r"(?:[ \t][^<>\n]{0,300})?/?>",
    re.IGNORECASE,
)
_BREAKING_TAG = re.compile(r"</?(?:br|p|div|ul|ol|li|h|t)", re.IGNORECASE)


class Resolved(NamedTuple):
    """One stretch of markup and what it reads as: ``reading[at : at + size]`` stands for ``original[start:end]``."""

    at: int
    size: int
    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Reading:
    """A text and, in order, what was resolved in it. Without any, text and original are the same."""

    text: str
    resolved: tuple[Resolved, ...] = ()

    @cached_property
    def _places(self) -> list[int]:
        return [piece.at for piece in self.resolved]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original behind ``text[start:end]``; what is resolved is lit as a whole."""
        return self._origin(start, False), self._origin(end, True)

    def _origin(self, index: int, is_end: bool) -> int:
        place = bisect_right(self._places, index - 1 if is_end else index) - 1
        if place < 0:
            return index
        piece = self.resolved[place]
        if index >= piece.at + piece.size:
            return piece.end + index - piece.at - piece.size
        return piece.end if is_end else piece.start

    def kinds(self, start: int, end: int) -> set[str]:
        """What was resolved strictly inside ``text[start:end]``."""
        if not self.resolved:
            return set()
        before = self._places[max(0, bisect_right(self._places, start) - 1)]
        near = self.resolved[bisect_left(self._places, before) : bisect_left(self._places, end)]
        return {piece.kind for piece in near if start < piece.at + piece.size}

    def resolving(self, pattern: re.Pattern[str], kind: str, reads_as: Callable[[str], str]) -> "Reading":
        """This reading with every match of ``pattern`` replaced, and the way back kept."""
        matches = pattern.finditer(self.text)
        return self.replacing(((*match.span(), reads_as(match.group())) for match in matches), kind)

    def replacing(self, stretches: Iterable[tuple[int, int, str]], kind: str) -> "Reading":
        """This reading with stretches (start, end, what each reads as), in order, replaced, and the way back kept."""
        parts: list[str] = []
        made: list[Resolved] = []
        done = shift = 0
        for start, end, replacement in stretches:
            if replacement == self.text[start:end]:
                continue
            parts += (self.text[done:start], replacement)
            made.append(Resolved(start + shift, len(replacement), start, end, kind))
            shift += len(replacement) - (end - start)
            done = end
        return self._joined("".join((*parts, self.text[done:])), made) if made else self

    def _joined(self, text: str, made: list[Resolved]) -> "Reading":
        """Compose the new replacements with those that were made before."""
        if not self.resolved:
            return Reading(text, tuple(made))
        new = [Resolved(p.at, p.size, *self.origin(p.start, p.end), p.kind) for p in made]
        kept, shift, following = [], 0, iter([*made, None])
        upcoming = next(following)
        for old in self.resolved:
            while upcoming is not None and upcoming.end <= old.at:
                shift += upcoming.size - (upcoming.end - upcoming.start)
                upcoming = next(following)
            after = old.at + old.size
            if upcoming is None or after <= upcoming.start:
                kept.append(Resolved(old.at + shift, old.size, old.start, old.end, old.kind))
                continue
            if old.at < upcoming.start:  # the end was taken: what is left of it still leads back
                kept.append(Resolved(old.at + shift, upcoming.start - old.at, old.start, old.end, old.kind))
            if upcoming.end < after:  # the beginning was taken
                kept.append(Resolved(upcoming.at + upcoming.size, after - upcoming.end, old.start, old.end, old.kind))
        return Reading(text, tuple(sorted([*new, *kept], key=lambda piece: (piece.at, piece.start))))


def may_be_encoded(text: str) -> bool:
    """A quick look; where this says no, ``decoded`` changes nothing in the text."""
    return "\\" in text or "&" in text or not text.isascii()


def marks_of_encoding(texts: Joined) -> list[str]:
    """What stands in the texts that ``decoded`` may change; it changes no text that holds none of it."""
    return [mark for mark in ("\\", "&") if mark in texts] + [mark for mark in texts.foreign if _is_composite(mark)]


def marks_of_markup(texts: Joined) -> list[str]:
    """What stands in the texts that ``rendered`` may change; it changes no text that holds none of it."""
    return [mark for mark in ("](", "<", "][", "[^") if mark in texts]


def marks_of_lists(texts: Joined) -> list[str]:
    """What stands in the texts that ``unnumbered`` may change; it changes no text that holds none of it."""
    return [mark for mark in (".", ")", "+") if mark in texts]


def marks_of_labels(texts: Joined) -> list[str]:
    """What stands in the texts that ``unlabelled`` may change; it changes no text that holds none of it."""
    return [label for label in ("[x]", "[X]", "```", "~~~") if label in texts]


def decoded(text: str) -> Reading:
    """The text with JSON escapes (once or twice), HTML entities and composite characters (½, ℃) resolved."""
    reading = Reading(text)
    if not may_be_encoded(text):
        return reading
    if "\\" in text:
        reading = reading.resolving(_ESCAPE, JSON_ESCAPES, _unescaped)
        reading = reading.resolving(_DOUBLED, JSON_ESCAPES, lambda _: "\\")
    if "&" in reading.text:
        reading = reading.resolving(_ENTITY, ENTITIES, _entity)
    if any(map(_is_composite, foreign_characters(reading.text))):
        reading = reading.resolving(_composite(), LETTER_FORMS, _spelled_out)
    return reading


def rendered(reading: Reading) -> Reading:
    """The reading without link targets, references to where they are defined, and the tags of simple HTML."""
    if "](" in reading.text:
        reading = reading.resolving(_LINK_LABEL, MARKDOWN, lambda _: "")
        reading = reading.resolving(_LINK_TARGET, MARKDOWN, lambda _: "")
    if "][" in reading.text or "[^" in reading.text:
        reading = reading.replacing(_referring(reading.text), MARKDOWN)
    if "<" in reading.text:
        reading = reading.resolving(_AUTOLINK, MARKDOWN, lambda link: link[1:-1])
        reading = reading.resolving(_TAG, HTML_TAGS, lambda tag: "\n" if _BREAKING_TAG.match(tag) else "")
    return reading


def _referring(text: str) -> Iterator[tuple[int, int, str]]:
    """The marks around the label of a link by reference, and those of a footnote that the text defines."""
    defined = {name.casefold() for name in _DEFINITION.findall(text)}
    for match in _REFERENCE.finditer(text):
        label, target = match.group("label", "target")
        if label is None:
            if match.group("note").casefold() in defined:
                yield *match.span(), ""
        elif target.casefold() in defined or (_SOURCE_NUMBER.fullmatch(target) and _WORDED.search(label)):
            yield match.start(), match.start("label"), ""
            yield match.end("label"), match.end(), ""


def unlabelled(reading: Reading) -> Reading:
    """The reading without the ticks of things done, and without the languages that fences of code name."""
    for pattern in (_TICKED, _NAMED_FENCE):
        matches = pattern.finditer("\n" + reading.text)
        reading = reading.replacing(((match.start(1) - 1, match.end(1) - 1, "") for match in matches), MARKDOWN)
    return reading


def unnumbered(reading: Reading) -> Reading:
    """The reading with bullets for the numbers of list items. A quote keeps its own numbers, so none can be changed."""
    marks = list_marks(reading.text)
    return reading.replacing(((start, end, "\n• " if start else "") for start, end in marks), MARKDOWN)


def _unescaped(escape: str) -> str:
    code = escape.lstrip("\\")
    if code.startswith("u"):
        units = [int(part[-4:], 16) for part in re.findall(r"u[0-9a-fA-F]{4}", code)]
        return b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be", "replace")
    return {"n": "\n", "r": "\r", "t": "\t", "b": " ", "f": " "}.get(code, code)


def _entity(entity: str) -> str:
    plain = html.unescape(entity)
    return html.unescape(plain) if plain.endswith(";") else plain


@cache
def _composite() -> re.Pattern[str]:
    wanted = [chr(code) for code in range(0xA0, 0x3400) if _is_composite(chr(code))]
    return re.compile("[" + re.escape("".join(wanted)) + "]")


@cache
def _is_composite(character: str) -> bool:
    category = unicodedata.category(character)
    form = unicodedata.decomposition(character)
    if category == "No":
        return form.startswith(("<fraction>", "<circle>", "<compat>"))
    return category == "Nl" or (category == "So" and len(unicodedata.normalize("NFKC", character)) > 1)


def _spelled_out(character: str) -> str:
    """A fraction stands apart from the number before it, so that 1½ never reads as 11/2."""
    plain = unicodedata.normalize("NFKC", character).replace("⁄", "/")
    return f" {plain}" if unicodedata.category(character) == "No" else plain
