"""What a lesson says, taken apart far enough that two lessons can be compared.

Screening, twins and conflicts. A text becomes sayings, one a sentence or half-sentence: which way it points, what
comes first and what after, its numbers with their units, and the stems of all its words that carry meaning. Synonyms
of support work count as one word. Works by word lists, without a model.
"""

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache

from core.screening.stems import stem, stems_of, words
from core.screening.word_lists import pairs, word_list

_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"\b(?:under no circumstances?|at no time|in no case|on no account|no longer)\b", " never "),
        (r"\b(?:never|don't|do not|not) (?:forget|fail|neglect|omit) to\b", " "),
        (r"\b(?:make (?:sure|certain)|be sure|remember|ensure|take care)(?: to| that| you)?\b", " "),
        (r"\bnot only\b|\bnot just\b", " "),
        (
            r"\b(?:no|not) (?:more|later|longer|higher|greater) than\b|\bat (?:the )?most\b|\bup to\b|\ba maximum of\b",
            " atmost ",
        ),
        (r"\b(?:no|not) (?:fewer|less|earlier) than\b|\bat least\b|\ba minimum of\b|\bor more\b", " atleast "),
        (r"\b(?:within|under|below|(?:less|fewer) than|by) (?=[₹$€£]?\d)", " atmost "),
        (
            r"\b(?:over|above|(?:more|longer|later) than|beyond|after|exceeding|outside)(?: the)? (?=[₹$€£]?\d)",
            " atleast ",
        ),
        (
            r"\b(?:is|are)(?: not|n't) (?:allowed|permitted)\b|\b(?:must|may|shall|should|can|could|do|does|did|is|are"
            r"|will|would)(?: not|n't|n’t)\b|\bcannot\b|\bno need to\b",
            " not ",
        ),
        (r"\bprior to\b|\bahead of\b|\bin advance of\b", " before "),
        (r"\b(?:as soon as|once|only after|following)\b", " after "),
        (
            r"\b(?:instead of|rather than|in place of)\b|,? (?:and |but )?not (?=(?:in|by|to|with|from|as|the|a|an"
            r"|their|your)\b)",
            " insteadof ",
        ),
        (r"\bhow (?:much|many|long)\b", " howmuch "),
        (r"\blook(?:ing|ed|s)? up\b", " check "),
        (r"\blook(?:ing|ed|s)? (?:at|into)\b", " check "),
        (r"\b(?:find|finding) out\b", " check "),
        (r"\bread(?:ing)? (?:out|back)\b", " tell "),
        (r"\b(?:hand|pass|handing|passing)(?:ing)?(?: \w+){0,2}? (?:over|on|off)\b", " transfer "),
        (r"\b(?:let|letting) (?:(?:the|a) )?(\w+) know\b", r" tell \1 "),
        (r"\b(?:pay|give|paying|giving)(?: \w+){0,2} back\b|\bmoney back\b", " refund "),
        (r"\b(?:turn|turning)(?: \w+){0,2} down\b", " refuse "),
        (r"\b(?:leave|leaving)(?: \w+){0,2} out\b", " omit "),
    )
)
_CURLY = str.maketrans("’‘", "''")
_SENTENCES = re.compile(
    r"[.;!?:\n]+(?=\s|$)|,?\s(?:and|but)\s(?=(?:never|don't|do not|always|only)\b|\w+ (?:neither|no)\b)", re.IGNORECASE
)
_FORBIDDING_HALF = re.compile(r",\s(?:and\s|but\s)?(?=(?:never|don't|do not|not)\b)", re.IGNORECASE)
_SEGMENTS = re.compile(
    r"\b(before|after|until|till|unless|without|insteadof|when(?:ever)?|if|while|where|for|in|on|at|with|from|during"
    r"|within|via|except|only|outside|under|over"
    r"|above|below|because|since|so that|by|than|against|regardless)\b|,",
    re.IGNORECASE,
)
_NEGATIONS = word_list("negations")
_AVOIDING = stems_of("avoiding_verbs")
_SCOPED = word_list("scope_words")
_LIMITS = word_list("limit_words")
_IN_MAIN = frozenset(("", ",", "by", "so that", "only", "for", "in", "on", "at", "with", "from", "via", "during"))
"""Openers after which the main clause may go on: “costs for late parcels are not refunded”."""
_REPORTED = re.compile(r"\b(?:that|who|which|whose)\b")
_BOUNDS = frozenset(("atmost", "atleast"))
_WEIGHTLESS = word_list("weightless_words")
MINOR = stems_of("minor_words")
"""Stems that make two texts neither different nor contrary when only one of them has them."""
_UNITS = re.compile(r"(%|percent|per cent)|([₹$€£])")
_NUMBER = re.compile(r"[₹$€£]?\s?(?:rs\.? ?)?(\d+(?:[.,]\d+)*)\s?(%|-)?\s?([a-z]+)?", re.IGNORECASE)
_SPELT = {row[0]: row[1] for row in pairs("numerals")}
_SPELT_WORD = re.compile(rf"\b(?:{'|'.join(_SPELT)})\b(?!-)", re.IGNORECASE)
_UNIT_WORDS = word_list("unit_words")


@dataclass(frozen=True)
class Amount:
    """A number as a lesson gives it: its value as text, the stem of its unit or of the word it counts, and its own
    words.
    """

    value: str
    unit: str
    said: str = field(default="", compare=False)


@dataclass(frozen=True)
class Saying:
    """One sentence or half-sentence.

    ``all`` are its stems; ``first`` and ``then`` those of what is due first and what after it, empty where no order is
    given; ``scope`` those that say where or when it holds; ``instead`` what it is contrasted with; ``amounts`` its
    numbers and ``bounds`` whether they are upper or lower ones; ``without`` what is to be left undone; ``positive`` is
    False where it forbids. ``text`` is what it stands for.
    """

    text: str
    positive: bool
    all: frozenset[str]
    first: frozenset[str]
    then: frozenset[str]
    scope: frozenset[str]
    instead: frozenset[str]
    amounts: frozenset[Amount]
    bounds: frozenset[str]
    without: frozenset[str]
    limited: bool
    turned_by: str = ""


@cache
def _synonyms() -> dict[str, str]:
    """From a stem to the stem of the first word in its row; a word in several rows keeps the first."""
    table: dict[str, str] = {}
    for row in pairs("synonyms"):
        for word in row:
            table.setdefault(stem(word), stem(row[0]))
    return table


@cache
def _listed_opposites() -> dict[str, frozenset[str]]:
    """From a canonical stem to those that turn a sentence round against it."""
    rows = [(canonical(first), canonical(second)) for first, second in pairs("opposites")]
    table: dict[str, set[str]] = {}
    for first, second in rows:
        table.setdefault(first, set()).add(second)
        table.setdefault(second, set()).add(first)
    return {word: frozenset(others) for word, others in table.items()}


def canonical(word: str) -> str:
    """The stem that stands for a word and its synonyms."""
    stemmed = stem(word)
    return _synonyms().get(stemmed, stemmed)


_TURNING_PREFIXES = ("un", "in", "im", "non", "non-", "dis", "ir", "il", "de")


@lru_cache(maxsize=20_000)
def opposites_of(word: str) -> frozenset[str]:
    """Canonical stems that mean the contrary: the listed ones, and the word with or without un-, in-, non-, dis- …"""
    made = {prefix + word for prefix in _TURNING_PREFIXES} if len(word) > 3 else set()
    cut = {word.removeprefix(prefix) for prefix in _TURNING_PREFIXES if word.startswith(prefix)}
    return _listed_opposites().get(word, frozenset()) | made | {rest for rest in cut if len(rest) > 3}


@lru_cache(maxsize=20_000)
def sayings(text: str) -> tuple[Saying, ...]:
    """What a text says, sentence by sentence; half-sentences without a word that carries meaning are left out."""
    plain = text.translate(_CURLY)
    for pattern, instead in _PHRASES:
        plain = pattern.sub(instead, plain)
    plain = _SPELT_WORD.sub(lambda match: _SPELT[match[0].lower()], plain)
    found = (_saying(half) for sentence in _SENTENCES.split(plain) for half in _halves(sentence))
    return tuple(saying for saying in found if saying.all or saying.amounts)


def _halves(sentence: str) -> list[str]:
    """“Check X, do not guess” is two sayings; “For gold members, do not charge” is one."""
    opener = _SEGMENTS.match(sentence.lstrip())
    return [sentence] if opener else _FORBIDDING_HALF.split(sentence)


def _saying(sentence: str) -> Saying:
    segments = _segmented(sentence)
    main = {each for word, each in segments if word in ("", ",") for each in _content(each)}
    negated, by = _negated([piece for word, piece in segments if word in _IN_MAIN])
    befores = _of(segments, "before", "until", "till", "unless", "without")
    afters = _of(segments, "after")
    guarded = negated and any(word in ("before", "until", "till", "unless", "without") for word, _ in segments)
    first, then = (befores, frozenset(main)) if guarded else _ordered(frozenset(main), befores, afters, segments)
    amounts, limited = _amounts(sentence)
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
    )


def _segmented(sentence: str) -> list[tuple[str, str]]:
    """Pairs of the word that opens a segment, empty for the main one, and the segment without it."""
    pieces = _SEGMENTS.split(sentence)
    segments = [("", pieces[0])]
    for word, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        opener, last = (word or ",").lower(), segments[-1]
        contrasted = last[0] in ("insteadof", "without") and not last[1].strip()
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
            for token in tokens[:4]
            if stem(token) in _AVOIDING and not (turning and stem(token) in ("stop", "ceas"))
        ]
        if turning:
            return len(turning) % 2 == 1, turning[0]
    return False, ""


def _content(piece: str) -> list[str]:
    tokens = words(piece)
    return [canonical(token) for before, token in zip(["", *tokens], tokens, strict=False) if _carries(before, token)]


def _carries(before: str, token: str) -> bool:
    if token in _WEIGHTLESS or token in _NEGATIONS or token in _BOUNDS or token[0].isdigit():
        return False
    counted = before[:1].isdigit() and stem(token) in _UNIT_STEMS
    known = token in word_list("function_words") and token not in ("always", "most", "more", "less", "up", "down")
    return not counted and not known and stem(token) not in _AVOIDING


_UNIT_STEMS = frozenset(
    stem(word)
    for word in _UNIT_WORDS
    - {"item", "option", "step", "page", "point", "word", "letter", "token", "retry", "sentence"}
)


def _amounts(sentence: str) -> tuple[frozenset[Amount], bool]:
    """The numbers of a sentence with their units, and whether one of its words makes them limits."""
    found = set()
    for match in _NUMBER.finditer(sentence):
        unit = "%" if match[2] == "%" or (match[3] or "").lower() == "percent" else stem((match[3] or "").lower())
        unit = "" if (match[3] or "").lower() in word_list("function_words") else unit
        money = bool(_UNITS.search(match[0])) and not match[2]
        found.add(Amount(match[1].replace(",", ""), "money" if money else unit, match[0].strip()))
    limited = any(word in _LIMITS for word in words(sentence)) or any(
        amount.unit in _UNIT_STEMS | {"%", "money"} for amount in found
    )
    return frozenset(found), limited
