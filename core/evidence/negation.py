"""Which words turn a sentence round.

Evidence. A negation is never folded away, never guessed, and never hidden by an ellipsis without a person being told.
The lists (``turning_words.toml``) hold the everyday negations of the languages that support transcripts are written in,
and the words that restrict, except or refuse. Accents count: the Vietnamese “nó” is not the English “no”.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from core.evidence.characters import LETTERS, folded
from core.evidence.joined import foreign_characters
from core.evidence.languages import language_data, likely_languages, listed

Phrase = tuple[str, ...]
_LETTERS_WITH_POINTS = re.compile("[\u0590-\u08ff]")


def _plain(key: str) -> str:
    """A folded word as the lists hold it: composed, and without the vowel points of Hebrew and Arabic."""
    if key.isascii():
        return key
    if _LETTERS_WITH_POINTS.match(key):
        key = "".join(part for part in key if unicodedata.category(part) != "Mn" or part in "\u0653\u0654\u0655")
    return unicodedata.normalize("NFC", key)


def _entries(kind: str) -> Iterator[tuple[str, Phrase]]:
    """Every entry of the lists of one kind, with its language, as plain words."""
    for language in language_data():
        for entry in listed(language, kind):
            yield language, tuple(_plain(folded(word.rstrip("*"))) + "*" * word.endswith("*") for word in entry.split())


def _words(kind: str) -> frozenset[str]:
    return frozenset(words[0] for _, words in _entries(kind) if len(words) == 1)


def _by_first_word(entries: Iterable[tuple[str, Phrase]]) -> dict[str, list[Phrase]]:
    found: dict[str, list[Phrase]] = {}
    for _, words in entries:
        found.setdefault(words[0], []).append(words)
    return found


def _patterns(kind: str) -> dict[str, re.Pattern[str]]:
    return {
        language: re.compile(lists[kind], re.VERBOSE) for language, lists in language_data().items() if kind in lists
    }


def _by_language(kind: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {language: set() for language in language_data()}
    for language, words in _entries(kind):
        found[language].add(words[0])
    return {language: frozenset(words) for language, words in found.items()}


def _whole(patterns: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern.pattern})" for pattern in patterns), re.VERBOSE)


_EVERYWHERE = _words("negations")
_OWN = _by_language("own")
_ANY_OWN = _words("own")
_ONLY_OWN = _ANY_OWN - _EVERYWHERE
_RARE_ELSEWHERE = _ANY_OWN - _words("telling")
_TURNING = _by_first_word(_entries("turning"))
_FORMS = _patterns("forms")
_ANY_FORM = _whole(_FORMS.values())
_HARMLESS = _words("harmless")
_INSIDE = _whole(_patterns("inside").values())
_USES = {kind: _by_language(kind) for kind in ("light", "answers", "joining", "parting", "lifting")}

_ALONE = _EVERYWHERE | _ANY_OWN
_WORD = re.compile(r"[^\W_]+")


def _by_longest_word() -> dict[str, list[frozenset[str]]]:
    """The whole words of every phrase, by the longest of its words, which is the rarest."""
    found: dict[str, list[frozenset[str]]] = {}
    for _, words in _entries("turning"):
        found.setdefault(max(words, key=len), []).append(frozenset(filter(_WORD.fullmatch, words)))
    return found


_TOGETHER = _by_longest_word()


def is_negation(key: str) -> bool:
    """Whether a folded word (see ``characters.folded``) negates, and is no everyday word of another language."""
    word = _plain(key)
    if word in _EVERYWHERE or word in _RARE_ELSEWHERE or word.endswith("n't"):
        return True
    return not word.isascii() and bool(_INSIDE.search(word))


def negation_in(text: Callable[[], str]) -> Callable[[str], bool]:
    """``is_negation`` for the words of a text, which is asked for where its language decides ("it makes sense, …")."""
    turning = Turning(text)
    return lambda key: is_negation(key) and (_plain(key) not in _ONLY_OWN or turning.owns(key))


def holds_negation(key: str) -> bool:
    """Whether folded text of a script without spaces, or of one that glues endings on, holds a negation."""
    return bool(_INSIDE.search(unicodedata.normalize("NFC", key)))


def may_turn(text: str) -> bool:
    """A quick look; where it says no, no word of the text turns anything."""
    plain = unicodedata.normalize("NFC", folded(text))
    if "n'" in plain or _has_foreign_letters(text) or _has_foreign_letters(plain):
        return True
    words = set(_WORD.findall(plain))
    if not _ALONE.isdisjoint(words) or any(map(_ANY_FORM.fullmatch, words)):
        return True
    return any(phrase <= words for word in words & _TOGETHER.keys() for phrase in _TOGETHER[word])


def _has_foreign_letters(text: str) -> bool:
    return not text.isascii() and any(LETTERS[ord(character)] for character in foreign_characters(text))


class Turning:
    """The words that turn the meaning of what stands beside them, in a text that tells its language when asked."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages that the text may be written in."""
        return likely_languages(self._text())

    def uses(self, word: str, *kinds: str) -> bool:
        """Whether a folded word is on the list of one of these kinds (``light``, ``joining`` …) in the language."""
        return any(_plain(word) in _USES[kind][language] for kind in kinds for language in self.languages)

    def owns(self, word: str) -> bool:
        """Whether a folded word negates only in some languages, and in one that the text may be written in."""
        return any(_plain(word) in _OWN[language] for language in self.languages)

    def places(self, keys: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The first and the last word of everything in a run of folded words that turns the meaning."""
        words = [_plain(key) for key in keys]
        for first, word in enumerate(words):
            if self._negates(word):
                yield first, first
            for phrase in _TURNING.get(word, ()):
                if _stands(phrase, words[first : first + len(phrase)]):
                    yield first, first + len(phrase) - 1

    def _negates(self, word: str) -> bool:
        plain = word.rpartition("'")[2]
        if word in _EVERYWHERE or plain in _EVERYWHERE or word.endswith("n't"):
            return True
        if not word.isascii() and _INSIDE.search(word):
            return True
        if word in _ANY_OWN and self.owns(word):
            return True
        return bool(_ANY_FORM.fullmatch(word)) and word not in _HARMLESS and self._is_form(word)

    def _is_form(self, word: str) -> bool:
        return any(language in self.languages and form.fullmatch(word) for language, form in _FORMS.items())


def _stands(phrase: Phrase, words: Sequence[str]) -> bool:
    if len(phrase) != len(words):
        return False
    *exact, last = phrase
    if list(words[:-1]) != exact:
        return False
    return words[-1].startswith(last[:-1]) if last.endswith("*") else words[-1] == last
