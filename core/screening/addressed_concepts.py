"""What a text says to a reviewer, by concepts that stand together: who is spoken to, what is asked, of which outcome.

Screening. The words of each concept, by language, stand in ``addressed_concepts.toml``; what several mean together
stands in ``addressed_rules``. Words first become concepts, neighbours then become one (“this” and “session” are this
session), and a rule holds where all its concepts stand in one sentence, near each other. Takes time in proportion to
the text.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from core.screening.addressed_rules import JOINED, RULES, Rule

_FILE = Path(__file__).parent / "addressed_concepts.toml"

_TOKEN = re.compile(
    r"(?P<cjk>[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)"
    r"|(?P<word>\b\d{1,3}/\d{1,3}\b|\ba\+|\b\d{1,3}%|\[\s?\]|\{\s?\}|[^\W_\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+(?:'[^\W_]{1,3}\b)?|@)"
    r"|(?P<pause>(?<=\S)[:,!：，、])"
    r"|(?P<end>[.!?;]+(?=[\s\"')\]]|$)|[。！？；]|\n|\\n|\",|…)"
)
_ORDERED = frozenset(("rates", "override", "reports", "replies", "store", "not", "praise", "reviews", "reads"))
"""What is no order where whoever speaks does it: “I would rate …”."""
_SELF = 3
"""Words between who does it and what is done."""


@dataclass(slots=True)
class _Mark:
    start: int
    end: int
    first: int
    word: int
    sentence: int
    concepts: frozenset[str]


def concept_passages(folded: str, rules: Iterable[Rule] = RULES) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, reason) where the concepts of a rule stand together. ``folded`` is what ``as_seen`` gives."""
    present = _present(folded)
    possible = [rule for rule in rules if rule.needs <= present]
    if possible:
        wanted = frozenset(("self", "mine")).union(*(_made_of(each) for rule in possible for each in rule.needs))
        marks, asked = _marks(folded, wanted)
        yield from _held(_joined(marks), possible, asked)


def _held(marks: list[_Mark], rules: list[Rule], asked: set[int]) -> Iterator[tuple[int, int, str]]:
    by_concept: dict[str, list[Rule]] = {}
    for rule in rules:
        for need in rule.needs:
            by_concept.setdefault(need, []).append(rule)
    last: dict[str, _Mark] = {}
    for mark in marks:
        fresh = [each for each in mark.concepts if each in by_concept]
        last.update(dict.fromkeys(mark.concepts, mark))
        for rule in {id(rule): rule for each in fresh for rule in by_concept[each]}.values():
            found = [last[need] for need in rule.needs if need in last]
            spoiling = last.get(rule.unless)
            if spoiling and found and spoiling.start >= min(each.start for each in found):
                continue
            if len(found) == len(rule.needs) and _near(found, mark, rule, asked):
                yield min(each.start for each in found), max(each.end for each in found), rule.why


def _near(found: list[_Mark], mark: _Mark, rule: Rule, asked: set[int]) -> bool:
    first = min(each.start for each in found)
    apart = mark.sentence - min(each.sentence for each in found)
    return mark.end - first <= rule.window and apart <= rule.across and (rule.asked or mark.sentence not in asked)


def _joined(marks: list[_Mark]) -> list[_Mark]:
    """The marks, and each two that are one thing together."""
    out: list[_Mark] = []
    last: dict[str, _Mark] = {}
    for mark in marks:
        speaker = last.get("self")
        if speaker and speaker.sentence == mark.sentence and 0 < mark.first - speaker.word <= _SELF:
            mark.concepts -= _ORDERED
        waiting = [mark]
        while waiting:
            here = waiting.pop()
            out.append(here)
            for first, second, gap, result in JOINED:
                before = last.get(first) if second in here.concepts else None
                if before and before.sentence == here.sentence and 0 < here.first - before.word <= gap:
                    made = frozenset((result,))
                    waiting.append(_Mark(before.start, here.end, before.first, here.word, here.sentence, made))
            for each in here.concepts:
                last[each] = here
    return out


def _marks(folded: str, wanted: frozenset[str]) -> tuple[list[_Mark], set[int]]:
    """Every word or phrase that stands for a concept, in order, and the sentences that ask."""
    marks: list[_Mark] = [_Mark(0, 0, 0, 0, 0, _START)]
    asked: set[int] = set()
    lexicon, sentence, word = _lexicon(), 0, 0
    before: list[tuple[str, int]] = []
    for match in _TOKEN.finditer(folded):
        if match.lastgroup == "end":
            if "?" in match[0] or "？" in match[0]:
                asked.add(sentence)
            sentence += 1
            before.clear()
            marks.append(_Mark(match.end(), match.end(), word, word, sentence, _START))
        elif match.lastgroup == "pause":
            word += 1
            marks.append(_Mark(*match.span(), word, word, sentence, _PAUSE))
        elif match.lastgroup == "cjk":
            word += 1
            for found in lexicon.inside.finditer(match[0]):
                word += 1
                concepts = lexicon.exact[found[0]] & wanted
                if concepts:
                    start = match.start() + found.start()
                    marks.append(_Mark(start, start + len(found[0]), word, word, sentence, concepts))
        else:
            word += 1
            before.append((match[0], match.start()))
            if len(before) > _LONGEST:
                del before[0]
            concepts = _concepts(match[0]) & wanted
            if concepts:
                marks.append(_Mark(match.start(), match.end(), word, word, sentence, concepts))
            for length in range(2, len(before) + 1 if match[0] in lexicon.endings else 0):
                phrase = " ".join(each for each, _ in before[-length:])
                concepts = lexicon.phrases.get(phrase, _NONE) & wanted
                if concepts:
                    marks.append(_Mark(before[-length][1], match.end(), word - length + 1, word, sentence, concepts))
    return marks, asked


_PAUSE = frozenset(("pause",))
_START = frozenset(("start",))
_NONE: frozenset[str] = frozenset()
_LONGEST = 5
"""Words in the longest phrase."""


def _present(folded: str) -> frozenset[str]:
    """The concepts that a text may hold: words are looked up, phrases count with their last word."""
    found: set[str] = set()
    lexicon = _lexicon()
    for token in set(_WORDS.findall(folded)):
        found |= _may_be(token)
    if not folded.isascii():
        for token in set(lexicon.inside.findall(folded)):
            found |= lexicon.exact[token]
    found |= _PAUSE | _START
    for _ in range(4):
        found |= {result for first, second, _, result in JOINED if first in found and second in found}
    return frozenset(found)


_WORDS = re.compile(r"\d{1,3}/\d{1,3}|a\+|\d{1,3}%|\[\s?\]|\{\s?\}|[^\W_]+(?:'[^\W_]{1,3}\b)?|@")


@cache
def _made_of(concept: str) -> frozenset[str]:
    made = {concept}
    for first, second, _, result in reversed(JOINED):
        if result in made:
            made |= {first, second}
    return frozenset(made)


@dataclass(frozen=True)
class _Lexicon:
    exact: dict[str, frozenset[str]]
    prefixes: dict[str, frozenset[str]]
    phrases: dict[str, frozenset[str]]
    endings: dict[str, frozenset[str]]
    """Of every phrase the last word."""
    inside: re.Pattern[str]


@lru_cache(maxsize=1 << 16)
def _concepts(word: str) -> frozenset[str]:
    lexicon = _lexicon()
    word = word.removesuffix("'s")
    found = lexicon.exact.get(word, frozenset())
    for length in range(3, len(word) + 1):
        found |= lexicon.prefixes.get(word[:length], frozenset())
    return found


@lru_cache(maxsize=1 << 16)
def _may_be(word: str) -> frozenset[str]:
    return _concepts(word) | _lexicon().endings.get(word, frozenset())


def concept_names() -> frozenset[str]:
    """The concepts that have words of their own."""
    return frozenset(tomllib.loads(_FILE.read_text("utf-8")))


@cache
def _lexicon() -> _Lexicon:
    exact: dict[str, set[str]] = {}
    prefixes: dict[str, set[str]] = {}
    phrases: dict[str, set[str]] = {}
    endings: dict[str, set[str]] = {}
    for concept, by_language in tomllib.loads(_FILE.read_text("utf-8")).items():
        for entry in (each.strip() for listed in by_language.values() for each in listed.split(",")):
            if " " in entry:
                phrases.setdefault(entry, set()).add(concept)
                endings.setdefault(entry.rsplit(" ", 1)[1], set()).add(concept)
            elif entry.endswith("*"):
                prefixes.setdefault(entry[:-1], set()).add(concept)
            else:
                exact.setdefault(entry, set()).add(concept)
    within = sorted((each for each in exact if _CJK.match(each)), key=len, reverse=True)
    inside = re.compile("|".join(map(re.escape, within)))
    return _Lexicon(_frozen(exact), _frozen(prefixes), _frozen(phrases), _frozen(endings), inside)


_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def _frozen(words: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {word: frozenset(concepts) for word, concepts in words.items()}
