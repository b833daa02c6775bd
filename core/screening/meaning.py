"""What a lesson says, taken apart far enough that two lessons can be compared.

Screening, twins and conflicts. A text becomes sayings, one a sentence or half-sentence: which way it points, what
comes first and what after, its numbers with their units, and the stems of all its words that carry meaning. Synonyms
of support work count as one word. Works by word lists, without a model.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from core.screening.amounts import UNIT_STEMS, Amount, amounts_of
from core.screening.fixed_phrases import levelled
from core.screening.numbered_things import numbered_things
from core.screening.opposites import canonical
from core.screening.reach import ANY_KIND, reach_of
from core.screening.stems import stem, stems_of, words
from core.screening.word_lists import word_list

_SENTENCES = re.compile(
    r"[.;!?:\n]+(?=\s|$)|,?\s(?:and|but)\s+(?=(?:never|don't|do not|not|always|only|omit|avoid|skip|refuse)\b"
    r"|\w+ (?:neither|no)\b)",
    re.IGNORECASE,
)
_FORBIDDING_HALF = re.compile(r",\s+(?:and\s+|but\s+)?(?=(?:never|don't|do not|not)\b)", re.IGNORECASE)
_SEGMENTS = re.compile(
    r"\b(before|after|until|till|unless|without|insteadof|when(?:ever)?|if|while|where|for|in|on|at|with|from|during"
    r"|within|via|except|only|outside|under|over"
    r"|above|below|because|since|so that|by|than|against|regardless|then)\b|,",
    re.IGNORECASE,
)
_NEGATIONS = word_list("negations")
_AVOIDING = stems_of("avoiding_verbs")
_SCOPED = word_list("scope_words")
_IN_MAIN = frozenset(
    ("", ",", "by", "so that", "only", "for", "in", "on", "at", "with", "from", "via", "during", "then")
)
"""Openers after which the main clause may go on: “costs for late parcels are not refunded”."""
_GUARDS = ("before", "until", "till", "unless", "without")
"""Openers after which a ban names what lifts it: “never … before …”."""
_DROPPING = frozenset(("skip", "omit", "bypass", "ignore", "neglect", "forgo", "stop"))
"""Words that forbid a step and leave what follows it as it is: “skip the check before calling”."""
_CASES = ("when", "whenever", "if", "while", "where", "for")
_EXCEPTIONS = ("unless", "except", "outside")
_ROUTE = re.compile(rf"\b(from|to|into)\b|{_SEGMENTS.pattern}|\band\b", re.IGNORECASE)
_TURNING = word_list("turning_words")
_DETERMINERS = frozenset(
    [
        "the",
        "a",
        "an",
        "this",
        "that",
        "these",
        "those",
        "my",
        "your",
        "our",
        "their",
        "his",
        "her",
        "its",
        "each",
        "every",
        "any",
    ]
)
"""Words behind which “decline” or “stop” is a noun."""
_REPORTED = re.compile(r"\b(?:that|who|which|whose)\b")
_BOUNDS = frozenset(("atmost", "atleast"))
_WEIGHTLESS = word_list("weightless_words")
MINOR = stems_of("minor_words")
"""Stems that make two texts neither different nor contrary when only one of them has them."""


@dataclass(frozen=True)
class Saying:
    """One sentence or half-sentence; its words as stems."""

    text: str
    """What it stands for, with fixed expressions in one form."""
    positive: bool
    """False where it forbids."""
    all: frozenset[str]
    first: frozenset[str]
    """What is due first; empty where no order is given, as ``then``."""
    then: frozenset[str]
    scope: frozenset[str]
    """Those that say where or when it holds."""
    instead: frozenset[str]
    """What it is contrasted with."""
    amounts: frozenset[Amount]
    bounds: frozenset[str]
    """Whether the amounts are upper or lower ones."""
    without: frozenset[str]
    """What is to be left undone."""
    limited: bool
    turned_by: str = ""
    """The word by which it forbids."""
    begins: str = ""
    """Its first stem, mostly the verb."""
    case: frozenset[str] = frozenset()
    """Those of the cases that it is for."""
    moment: frozenset[str] = frozenset()
    """At what it is done: a place or a moment."""
    excepted: frozenset[str] = frozenset()
    """What it does not hold for."""
    reach: frozenset[str] = frozenset()
    """How far it reaches, see ``reach_of``."""
    source: frozenset[str] = frozenset()
    """What it leads from."""
    goal: frozenset[str] = frozenset()
    """What it leads to."""
    turning: frozenset[str] = frozenset()
    """Its small words on which the sense turns."""
    any: frozenset[str] = frozenset()
    """What it forbids as a whole class."""


@lru_cache(maxsize=20_000)
def sayings(text: str) -> tuple[Saying, ...]:
    """What a text says, sentence by sentence; half-sentences without a word that carries meaning are left out."""
    found = (_saying(half) for sentence in _SENTENCES.split(levelled(text)) for half in _halves(sentence))
    return tuple(saying for saying in found if saying.all or saying.amounts)


def _halves(sentence: str) -> list[str]:
    """“Check X, do not guess” is two sayings; “For gold members, do not charge” is one."""
    opener = _SEGMENTS.match(sentence.lstrip())
    return [sentence] if opener else _FORBIDDING_HALF.split(sentence)


def _saying(sentence: str) -> Saying:
    segments = _segmented(sentence)
    main = {each for word, each in segments if word in ("", ",") for each in _content(each)}
    negated, by = _negated([piece for word, piece in segments if word in _IN_MAIN])
    befores, afters = _of(segments, *_GUARDS), _of(segments, "after")
    guarded = negated and bool(befores) and by not in _DROPPING
    first, then = (befores, frozenset(main)) if guarded else _ordered(frozenset(main), befores, afters, segments)
    amounts, limited = amounts_of(sentence)
    everything = frozenset(stemmed for word, piece in segments if word != "insteadof" for stemmed in _content(piece))
    return Saying(
        text=sentence.strip(),
        positive=not negated or guarded,
        all=everything,
        first=first,
        then=then,
        scope=_of(segments, *_SCOPED),
        instead=_of(segments, "insteadof"),
        amounts=amounts,
        bounds=_BOUNDS & set(words(sentence)),
        without=frozenset() if guarded else _of(segments, "without"),
        limited=limited,
        turned_by=by,
        begins=next((stemmed for stemmed in _content(sentence) if stemmed != "first"), ""),
        moment=_of(segments, "at", "on"),
        case=_of(segments, *_CASES),
        excepted=frozenset() if guarded else _of(segments, *_EXCEPTIONS),
        reach=reach_of(sentence),
        source=_led(sentence, "from"),
        goal=_led(sentence, "to", "into"),
        turning=_turning(sentence, narrowed=_narrowed(sentence, segments))
        | _denied([piece for word, piece in segments if word not in _IN_MAIN | {"insteadof", "without"}]),
        any=_any(sentence) if negated else frozenset(),
    )


def _turning(sentence: str, *, narrowed: bool) -> frozenset[str]:
    """The small words on which the sense turns; “only” in front of a verb that nothing narrows says nothing more."""
    found = words(sentence)
    return _TURNING & set(found if narrowed or found[:1] != ["only"] else found[1:])


def _narrowed(sentence: str, segments: list[tuple[str, str]]) -> bool:
    return bool(_of(segments, *_SCOPED - {"only"}, *_GUARDS, "after") or _REPORTED.search(sentence))


def _denied(conditions: list[str]) -> frozenset[str]:
    """“not” where a condition or a reason has a negation: “if the caller has no reference”."""
    return frozenset(("not",) if any(_NEGATIONS & set(words(piece)) for piece in conditions) else ())


def _led(sentence: str, *openers: str) -> frozenset[str]:
    """The stems right behind “from”, or behind “to” and “into”."""
    pieces = _ROUTE.split(sentence)
    return frozenset(
        stemmed
        for opener, piece in zip(pieces[1::3], pieces[3::3], strict=True)
        if (opener or "").lower() in openers
        for stemmed in _content(piece)
    )


def _any(sentence: str) -> frozenset[str]:
    """What is forbidden as a whole class: “do not suggest any medicine”."""
    return frozenset(stemmed for match in ANY_KIND.finditer(sentence) for stemmed in _content(match[1]))


def _segmented(sentence: str) -> list[tuple[str, str]]:
    """Pairs of the word that opens a segment, empty for the main one, and the segment without it."""
    pieces = _SEGMENTS.split(sentence)
    segments = [("", pieces[0])]
    for word, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        opener, last = (word or ",").lower(), segments[-1]
        contrasted = last[0] in ("insteadof", "without", "except", "unless") and not last[1].strip()
        segments.append((last[0] if contrasted else opener, piece))
    return segments


def _ordered(
    main: frozenset[str], befores: frozenset[str], afters: frozenset[str], segments: list[tuple[str, str]]
) -> tuple[frozenset[str], frozenset[str]]:
    """What is due first and what follows. Only a real “before” or “after” orders; “without” alone does not."""
    if afters:
        return afters, main
    if befores and any(word in ("before", "until", "till") for word, _ in segments):
        return main, befores
    if main and (following := _of(segments, "then")):
        return main - following, following
    return frozenset(), frozenset()


def _of(segments: list[tuple[str, str]], *openers: str) -> frozenset[str]:
    return frozenset(stemmed for word, piece in segments if word in openers for stemmed in _content(piece))


def _negated(main: list[str]) -> tuple[bool, str]:
    """Whether the main clause forbids, and by which word; two negations in one piece lift each other.

    The first piece with a negation decides; what follows “that” is reported, not asked for.
    """
    for piece in main:
        tokens = words(_REPORTED.split(piece)[0])
        turning = [token for token in tokens if token in _NEGATIONS]
        turning += [
            token
            for before, token in zip(["", *tokens], tokens[:4], strict=False)
            if stem(token) in _AVOIDING
            and before not in _DETERMINERS
            and not (turning and stem(token) in ("stop", "ceas"))
        ]
        if turning:
            return len(turning) % 2 == 1, turning[0]
    return False, ""


def _content(piece: str) -> list[str]:
    tokens = words(piece)
    carried = [
        canonical(token) for before, token in zip(["", *tokens], tokens, strict=False) if _carries(before, token)
    ]
    return [*carried, *(thing.name for thing in numbered_things(piece))]


def _carries(before: str, token: str) -> bool:
    if token in _WEIGHTLESS or token in _NEGATIONS or token in _BOUNDS or token[0].isdigit():
        return False
    counted = before[:1].isdigit() and stem(token) in UNIT_STEMS
    known = token in word_list("function_words") and token not in ("always", "most", "more", "less", "up", "down")
    return not counted and not known and stem(token) not in _AVOIDING
