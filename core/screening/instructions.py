"""What a text tells an agent to do: its clauses, the verb of each, and how much of it is concrete.

Screening, vagueness. Works by word order and word lists, without a model. A clause is an instruction when it begins
with a verb in its base form, after openings such as “always” or “when a refund is asked for,”; or when it says what
must, may or need be. What counts as concrete is every word that is neither grammar nor a word of good will.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache

from core.screening.stems import is_irregular, stem, stems_of, words
from core.screening.word_lists import word_list


class Act(IntEnum):
    """How far a clause can be acted on."""

    NONE = 0
    WISH = 1
    """Good will only: “be more careful”."""
    THIN = 2
    """A verb that needs an object to mean anything: “ensure”, “provide”."""
    STEP = 3
    """A step that can be seen to be done or not done."""


@dataclass(frozen=True)
class Clause:
    """One clause: its words after the opening, what kind of act it is, and its concrete words.

    ``manner`` says that an adverb of good will (“properly”) stands for what is missing.
    """

    text: str
    act: Act
    concrete: tuple[str, ...]
    of_quality: bool
    """Whether the object begins with a word of good will: “accurate information”."""
    depends: bool
    manner: bool

    @property
    def weight(self) -> int:
        """How much is concrete: words, numbers twice."""
        return len(self.concrete) + sum(word[0].isdigit() for word in self.concrete)

    @property
    def placed(self) -> bool:
        """Whether it is narrowed to a condition or given its place: “call again only if …”, “put the answer first”."""
        return bool(_PLACED.search(self.text))

    @property
    def alone(self) -> bool:
        """Whether the verb means something without an object: “escalate”."""
        return bool(self.act is Act.STEP and _ALONE_VERBS.search(self.text))


_PLACED = re.compile(r"\bonly\W*$|\b(?:first|last)\b", re.IGNORECASE)
_BREAKS = re.compile(r"[.;:!?\n(),]+(?=\s|$)|\s[–—-]{1,2}\s|\s(?=(?:and|then|but|or|so)\s)|\s(?=by \w+ing\b)")
_DEPENDS = re.compile(
    r"\b(?:when(?:ever)?|if|while|before|after|unless|until|till|because|since|although|though|once|wherever"
    r"|so that"
    r"|in order to|as soon as|as long as|prior to|in case|except|upon|during|rather than|instead of|without)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"(?:next time|and|then|but|or|so|also|plus|always|never|please|first|firstly|second|next|finally|instead|only"
    r"|simply|just|again|immediately|kindly"
    r"|explicitly|carefully|clearly|politely|quickly|briefly|directly|proactively|manually|automatically|gently|once"
    r"|here|thus|therefore"
    r"|next time|in (?:the )?future(?: \w+)?|from now on|going forward|in (?:my|the) next (?:trial|attempt|try)|as a "
    r"rule|at all times|in general"
    r"|do not|don't|don’t|do|to|not|must|should|shall|will|can(?:not)?|may|could|would|won't|can't|shouldn't|mustn't"
    r"|need to|needs to|have to|has to|ought to"
    r"|am going to|'ll|(?:i|you|we|they|it)(?:'ll|’ll)?|(?:the |an? |every |all |any )?(?:agents?|assistants?|bots?"
    r"|models?|team|staff|representatives?|reps?|system)"
    r"|let's|let us|(?:lesson|note|tip|rule|reminder)(?=\s*:|\s+that\b|,)"
    r"|remember(?: to)?|don't forget to|forget to|fail to|make (?:it )?(?:a point|sure|certain)(?: to| that you| you)?"
    r"|be sure to|ensure (?:that )?(?:you|to)"
    r"|(?:try|strive|aim|seek|attempt|endeavou?r) (?:harder )?to|take (?:the )?(?:time|care) to|be careful (?:to|not "
    r"to)|it is (?:important|best|better|essential|necessary) to"
    r"|the (?:next|first|best) step is to|(?:my|the) plan (?:is|was) to)\b[\s,]*",
    re.IGNORECASE,
)
_ASSURED = re.compile(r"\b(?:sure|certain|ensure)\b", re.IGNORECASE)
_MUST = re.compile(
    r"\b(?:must|should|shall|need|needs|require|requires|required|cannot|can't|can only|may only|may not|has to|have "
    r"to"
    r"|is not|are not|isn't|aren't|is only|are only|counts? as|takes?|expires?|comes? with|belongs? to|goes? to"
    r"|works? only|only)\b",
    re.IGNORECASE,
)
_SHOULD_HAVE = re.compile(r"\b(?:should|could|ought to) (?:not )?have (\w+)", re.IGNORECASE)
_ALONE_VERBS = re.compile(
    r"^(?:apologi[sz]e|escalate|stop|retry|wait|transfer|abort|pause|hand over|hang up|roll back|log out|restart"
    r"|decline|refuse|re-?try)\b",
    re.I,
)
_DESCRIBED = re.compile(r"\b(?:what|which|whether|how|where|who|whose)\b [\w'’-]+", re.IGNORECASE)
"""An object that a clause of its own describes: “what the caller has refused”."""
_IDIOMS = re.compile(
    r"^(?:raise the bar|go (?:the extra mile|above and beyond)|put (?:yourself|oneself) in|step up|walk in|think twice"
    r"|(?:find|strike) (?:the|a) (?:right|good) balance|make (?:a|the) difference|think outside|do the right thing"
    r"|get it right|hit the mark|leave no stone|keep the big picture|bring your best|give (?:it )?your (?:best|all))\b",
    re.IGNORECASE,
)
"""Good will in fixed words."""
_PRAISE = word_list("quality_words") | word_list("empty_words") | frozenset(("clean", "nice", "calm", "warm"))
_LIGHT = re.compile(
    r"^(?:pay (?:\w+ ){0,2}(?:attention|heed|respect|regard|mind|care|interest)"
    r"|try (?!(?:the|an?|another|its|their)\b))",
    re.IGNORECASE,
)
"""Verbs that are a step with a thing (“pay the fee”, “try the other form”) and good will with these words."""
_STATES = word_list("quality_words") | word_list("states_of_mind")
_AFTER_A_VERB = word_list("after_a_verb")
_THIN = stems_of("thin_verbs")
_MANNER = word_list("manner_words")
_ALSO = re.compile(r"\bas well\b", re.IGNORECASE)
"""No manner, though “well” is one."""
_NUMBER_OR_NAME = re.compile(r"\d|[\"“`«]|\b[A-Z]{2,}\b|\b[a-z]+_[a-z_]+\b")


def clauses(text: str, *, reflection: bool = False) -> list[Clause]:
    """The clauses of a text in order. In a reflection “I should have …” is a step too."""
    found: list[Clause] = []
    for segment in _BREAKS.split(text):
        rest, assured = _opened(segment)
        found += [_clause(piece, depends, assured, reflection) for piece, depends in _parts(rest)]
    return found


def _parts(segment: str) -> list[tuple[str, bool]]:
    """A main clause and what depends on it: “Check X” and “before doing Y”."""
    match = _DEPENDS.search(segment)
    if match is None:
        return [(segment, False)] if segment.strip() else []
    return [
        (piece, depends)
        for piece, depends in ((segment[: match.start()], False), (segment[match.start() :], True))
        if piece.strip()
    ]


def _opened(segment: str) -> tuple[str, bool]:
    """The segment without the words that may stand before its verb, and whether one of them was “make sure”."""
    rest, assured = segment.strip(" \t\"'“”*-•,"), False
    while match := _OPENING.match(rest):
        assured = assured or bool(_ASSURED.search(match[0]))
        rest = rest[match.end() :].lstrip(" ,")
    return rest, assured


def _clause(piece: str, depends: bool, assured: bool, reflection: bool) -> Clause:
    tokens = words(piece)
    act = Act.NONE if depends else _act(piece, tokens, reflection)
    if assured and act is Act.NONE and not depends:
        act = Act.THIN
    concrete = tuple(token for token in tokens[_verb_length(act, tokens) :] if is_concrete(token))
    content = [token for token in tokens[1:] if token not in word_list("function_words")]
    extra = ("number",) if act is not Act.NONE and _NUMBER_OR_NAME.search(piece) and not concrete else ()
    of_quality = bool(content) and of_good_will(content[0])
    of_quality = of_quality and (not _counted(content[0]) if act is Act.STEP else _hollow(tokens))
    described = ("clause",) if act is Act.STEP and not concrete and _DESCRIBED.search(piece) else ()
    manner = not _MANNER.isdisjoint(words(_ALSO.sub(" ", piece)))
    return Clause(piece, act, concrete + extra + described, of_quality, depends, manner)


def _verb_length(act: Act, tokens: list[str]) -> int:
    return 1 if act in (Act.STEP, Act.THIN, Act.WISH) and tokens else 0


def is_concrete(token: str) -> bool:
    """Whether a word names something: no grammar, no good will, no word that fits every task."""
    if token[0].isdigit():
        return True
    known = token in word_list("function_words") or token in word_list("empty_words") or of_good_will(token)
    return not known and len(token) > 2 and stem(token) not in _empty() and not token.endswith("n't")


def _hollow(tokens: list[str]) -> bool:
    """Whether praise stands before nothing concrete: “a friendly tone with …”, and not “a polite refusal”."""
    start = next(place for place, token in enumerate(tokens[1:], 1) if of_good_will(token))
    behind = next((token for token in tokens[start:] if not of_good_will(token)), "")
    return not behind or not is_concrete(behind)


def _counted(token: str) -> bool:
    """Whether a word of good will is a thing that can be counted, such as “error”, and so an object of a step."""
    return token.endswith("s") or f"{token}s" in word_list("quality_words")


@lru_cache(maxsize=20_000)
def of_good_will(token: str) -> bool:
    """Whether a word praises or asks for more: “accurate”, and “clearer” as much as “clear”."""
    base = token.removesuffix("er")
    forms = (base, base + "e", base[:-1], base[:-1] + "y") if token.endswith("er") and len(base) > 2 else ()
    return token in word_list("quality_words") or any(form in _PRAISE for form in forms)


@cache
def _empty() -> frozenset[str]:
    """Adverbs count only as they stand: “totally” must not take “total” along."""
    adverbs = frozenset(word for word in word_list("empty_words") if word.endswith("ly"))
    return frozenset(map(stem, word_list("empty_words") - adverbs)) | stems_of("empty_verbs")


def _act(piece: str, tokens: list[str], reflection: bool) -> Act:
    if not tokens:
        return Act.NONE
    if reflection and _SHOULD_HAVE.search(piece):
        return Act.STEP
    first = tokens[0]
    if first == "by" and len(tokens) > 1:
        first, tokens = tokens[1], tokens[1:]
    verb = stem(first)
    if _IDIOMS.match(piece) or (first in ("stay", "remain", "keep") and tokens[1:2] and tokens[1] in _STATES):
        return Act.WISH
    if verb == "be":
        return _act_of_be(tokens)
    if verb in _THIN and _base_form(first):
        return Act.THIN
    if first in ("pay", "try") and not _LIGHT.match(piece):
        return Act.STEP
    if first in word_list("empty_verbs") or (first.endswith("ing") and verb in stems_of("empty_verbs")):
        return Act.WISH
    if first in word_list("verbs") or (
        first.endswith("ing") and verb in stems_of("verbs") and piece.lower().startswith("by ")
    ):
        return Act.STEP
    return _other_act(piece, tokens)


def _base_form(word: str) -> bool:
    return (not word.endswith(("ed", "s")) and not is_irregular(word)) or word in (
        "address",
        "process",
        "access",
        "need",
    )


def _other_act(piece: str, tokens: list[str]) -> Act:
    """A verb that no list knows, told by what follows it; or a sentence that says what must be."""
    first, second = tokens[0], tokens[1] if len(tokens) > 1 else ""
    bare = (
        first.isalpha()
        and not first.endswith(("s", "ed", "ing", "ly", "tion", "day"))
        and stem(first) in (first, _cut(first))
    )
    bare = bare and first not in word_list("function_words") | word_list("empty_words")
    if (
        bare
        and second in _AFTER_A_VERB - {"of", "in", "to", "is", "for", "from", "with", "at", "on", "by"}
        and not piece.istitle()
    ):
        return Act.STEP
    return Act.THIN if _MUST.search(piece) and sum(map(is_concrete, tokens)) >= 2 else Act.NONE


def _cut(word: str) -> str:
    """The stem of a base form; a past tense such as “gave” has another one."""
    return stem(word + "s") if word.isalpha() else word


def _act_of_be(tokens: list[str]) -> Act:
    """“be checked against …” is a step, “be careful” is a wish; “is” and “are” only tell how things stand."""
    if tokens[0] not in ("be", "being"):
        return Act.NONE
    second = tokens[1] if len(tokens) > 1 else ""
    passive = second.endswith(("ed", "en", "ade", "ent", "old")) and is_concrete(second)
    return Act.STEP if passive else Act.WISH
