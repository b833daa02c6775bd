"""Ways in which an honest quote differs from its source: the true classes."""

import html
import json
import random
import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise

from bench.evidence.samples import NEGATIONS, RESTRICTIONS, Labelled, Passage, negates, stands_elsewhere

_PHRASE = 16
"""Characters behind a gap in which a restricting phrase that begins in it may end: “rather | than”."""

Noise = Callable[[Passage, random.Random], Labelled | None]

_MARKUP = re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)")


def retyped(change: Callable[[str], str]) -> Noise:
    """The quote is typed otherwise than the source."""

    def made(found: Passage, _: random.Random) -> Labelled | None:
        return Labelled(change(found.text), found.transcript, (found.span,))

    return made


def written(change: Callable[[str], str]) -> Noise:
    """The source is written otherwise than the quote."""

    def made(found: Passage, _: random.Random) -> Labelled | None:
        if any(mark in found.text for mark in "\\&<>[]") or stands_elsewhere(found):
            return None
        changed = found.with_source(change(found.text))
        return Labelled(found.text, changed.transcript, (changed.span,))

    return made


def _elided(dots: str, pieces: int = 2) -> Noise:
    """Words are left out, and dots say so; nothing that negates is left out."""

    def made(found: Passage, chance: random.Random) -> Labelled | None:
        words = list(re.finditer(r"\S+", found.text))
        size = len(words) // (2 * pieces - 1)
        if size < 4:
            return None
        kept = []
        for number in range(pieces):
            run = words[2 * number * size : (2 * number + 1) * size]
            part = _cleanly(found, run[0].start(), run[-1].end())
            if part is None:
                return None
            kept.append(part)
        gaps = [found.content[a.end : b.start] for a, b in pairwise(kept)]
        follow = [found.content[a.end : b.start + _PHRASE] for a, b in pairwise(kept)]
        if any(map(RESTRICTIONS.search, follow)):
            return None
        if any(negates(gap) or not gap.isascii() or "..." in gap for gap in gaps):
            return None
        if any(stands_elsewhere(part) for part in kept):
            return None
        if any("..." in part.text or "…" in part.text for part in kept):
            return None
        return Labelled(dots.join(part.text for part in kept), found.transcript, tuple(part.span for part in kept))

    return made


def _cleanly(found: Passage, start: int, end: int) -> Passage | None:
    text = found.text
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    plain = re.fullmatch(r"[A-Za-z](?:.*[A-Za-z])?", text[start:end], re.DOTALL)
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    enough = len(re.findall(r"(?<!\S)[A-Za-z]+(?!\S)", text[start:end])) >= 3
    return found.part(start, end) if plain and enough and not re.search(r"[-’'.\w@/\\*_`]", around) else None


def _words_parted_by(space: str) -> Callable[[str], str]:
    return lambda text: re.sub(r"\s+", space, text)


def _within_words(mark: str) -> Callable[[str], str]:
    return lambda text: re.sub(r"(?<=[a-zA-Z]{3})(?=[a-zA-Z]{3})", mark, text)


def _full_width(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if letter.isascii() and letter.isalnum() else letter for letter in text)


def _upper(text: str) -> str:
    return text.upper()


def _emphasised(text: str) -> str:
    words = text.split(" ")
    return " ".join(f"**{word}**" if number % 3 == 1 and word.isalpha() else word for number, word in enumerate(words))


def _coded(text: str) -> str:
    words = text.split(" ")
    return " ".join(f"`{word}`" if number % 4 == 1 and word.isalpha() else word for number, word in enumerate(words))


def _linked(text: str) -> str:
    return re.sub(r"(?<= )([A-Za-z]{4,})(?= )", r"[\1](https://example.org/a_(b)?q=1)", text, count=2)


def _escaped(text: str) -> str:
    return json.dumps(text)[1:-1]


def _ligatures(text: str) -> str:
    return text.replace("ffi", "ﬃ").replace("fi", "ﬁ").replace("fl", "ﬂ")


def _curly(text: str) -> str:
    return re.sub(r'"([^"]*)"', "“\\1”", text).replace("'", "’")


def _straight(text: str) -> str:
    return re.sub("[“”]", '"', re.sub("[‘’]", "'", text))


def _entities(text: str) -> str:
    return html.escape(text).replace("’", "&rsquo;").replace("—", "&mdash;").replace(",", "&#44;")


def _without_commas(text: str) -> str:
    return re.sub(r"(?<=[a-z]{3}), (?=[a-z]{3})", _comma_dropped, text)


def _comma_dropped(match: re.Match[str]) -> str:
    words = re.findall(r"[\w’']+", match.string[max(0, match.start() - 16) : match.end() + 16])
    return ", " if any(NEGATIONS.fullmatch(word) for word in words) else " "


def _compatible(found: Passage, _: random.Random) -> Labelled | None:
    """NFKC, where it does not flatten an exponent into a number."""
    if any(unicodedata.category(letter) == "No" for letter in found.text):
        return None
    return Labelled(unicodedata.normalize("NFKC", found.text), found.transcript, (found.span,))


RETYPED: dict[str, Noise] = {
    "verbatim": retyped(str),
    "upper case": retyped(_upper),
    "lower case": retyped(str.lower),
    "title case": retyped(lambda text: re.sub(r"\b[a-z]", lambda m: m.group().upper(), text)),
    "curly quotes": retyped(_curly),
    "straight quotes": retyped(_straight),
    "guillemets around": retyped(lambda text: f"« {text} »"),
    "quotation marks around": retyped(lambda text: f"“{text}.”"),
    "non-breaking hyphens": retyped(lambda text: text.replace("-", "‑")),
    "dashes retyped": retyped(lambda text: text.replace("—", "--").replace("–", "-")),
    "non-breaking spaces": retyped(_words_parted_by("\u00a0")),
    "thin spaces": retyped(_words_parted_by("\u2009")),
    "white space collapsed": retyped(_words_parted_by(" ")),
    "doubled spaces": retyped(lambda text: text.replace(" ", "  ")),
    "wrapped lines": retyped(lambda text: re.sub(r"(\S+ \S+ \S+) ", r"\1\n", text)),
    "CR LF": retyped(lambda text: text.replace("\n", "\r\n")),
    "zero-width spaces": retyped(_within_words("\u200b")),
    "soft hyphens": retyped(_within_words("\u00ad")),
    "byte order mark": retyped(lambda text: "\ufeff" + text),
    "NFKC": _compatible,
    "NFC": retyped(lambda text: unicodedata.normalize("NFC", text)),
    "NFD": retyped(lambda text: unicodedata.normalize("NFD", text)),
    "full width": retyped(_full_width),
    "ligatures": retyped(_ligatures),
    "emphasis added": retyped(_emphasised),
    "code marks added": retyped(_coded),
    "emphasis dropped": retyped(lambda text: _MARKUP.sub("", text)),
    "as a list item": retyped(lambda text: f"- {text}"),
    "as a quotation": retyped(lambda text: f"> {text}"),
    "HTML entities": retyped(_entities),
    "JSON escapes": retyped(_escaped),
    "JSON escapes twice": retyped(lambda text: _escaped(_escaped(text))),
    "full stop added": retyped(lambda text: f"{text}."),
    "dots at the end": retyped(lambda text: f"{text}..."),
    "dots at both ends": retyped(lambda text: f"…{text} […]"),
    "commas dropped": retyped(_without_commas),
    "source emphasised": written(_emphasised),
    "source with code marks": written(_coded),
    "source with links": written(_linked),
    "source NFD": written(lambda text: unicodedata.normalize("NFD", text)),
    "source JSON-escaped": written(_escaped),
    "source JSON-escaped twice": written(lambda text: _escaped(_escaped(text))),
    "source with entities": written(_entities),
    "source with soft hyphens": written(_within_words("\u00ad")),
    "source with ligatures": written(_ligatures),
    "source full width": written(_full_width),
    "source with CR LF": written(lambda text: re.sub(r"(\S+\s+\S+\s+\S+)\s+", r"\1\r\n", text)),
    "elided ...": _elided(" ... "),
    "elided …": _elided("… "),
    "elided [...]": _elided(" [...] "),
    "elided (…)": _elided(" (…) "),
    "elided . . .": _elided(" . . . "),
    "elided, three pieces": _elided(" ... ", 3),
}
