"""Drafts against what is already in force: lessons that say the contrary, and policies that a draft would loosen.

Screening, the fifth screen. Both sentences are shown side by side; a person chooses. A policy outranks every lesson,
so a draft against one is held; a draft against a lesson is flagged, and one of the two must give way before it is
approved.
"""

import re
from collections.abc import Iterable, Iterator

from core.screening.amounts import Amount
from core.screening.comparison import Comparison, Relation, compare
from core.screening.contract import Beside, Follows, KnownText, Place, PolicyText, Screen, ScreenFinding
from core.screening.meaning import Saying, sayings
from core.screening.opposites import canonical, opposites_of
from core.screening.permissions import Widening, widenings
from core.screening.reserved import taken
from core.vocabulary import Severity

VERSION = 3

_BY = {
    "number": "another number for the same limit",
    "negation": "one forbids what the other asks for",
    "opposite": "opposite words on the same object",
    "order": "the steps in the opposite order",
    "contrast": "one asks for what the other rules out",
}
_CHOOSE = "Keep one of the two: supersede the other, or change this draft."
_CHANGE = "Change the draft so that it stays inside the policy, or have the policy changed by its owner."
_POLICY_SENTENCE = re.compile(r"[^.;!?\n]+[.;!?]?")
_RESTRICTS = re.compile(
    r"\b(?:only|must|not|no|never|before|within|while|at most|until|unless|need|needs|require[sd]?|notice|limit|less "
    r"than|more than|cannot|may be|registered|passes)\b|\d",
    re.IGNORECASE,
)


_CEILING = re.compile(r"\b(?:maximum|at most|limit|cap|no more than|not exceed|up to|ceiling)\b", re.IGNORECASE)
_SWITCHED_OFF = frozenset(canonical(word) for word in ("disable", "suspend", "halt"))
"""Verbs that end what a policy asks for."""


def conflicts_with_lessons(text: str, active: Iterable[KnownText]) -> tuple[ScreenFinding, ...]:
    """One finding for every known text that says the contrary. ``text`` is plain."""
    found = ((known, compare(text, known.text)) for known in active)
    return tuple(_with_lesson(text, known, how) for known, how in found if how.relation is Relation.CONFLICT)


def conflicts_with_policies(text: str, policies: Iterable[PolicyText]) -> tuple[ScreenFinding, ...]:
    """At most one finding a policy: its words, its sentences turned round, or its object without its limits."""
    loose = widenings(text)
    return tuple(finding for policy in policies if (finding := _with_policy(text, loose, policy)))


def _with_lesson(text: str, known: KnownText, how: Comparison) -> ScreenFinding:
    shown = " / ".join(word for word in (how.one, how.other) if word)
    return ScreenFinding(
        Screen.CONFLICT,
        f"conflict:{how.by}",
        Severity.HIGH,
        how.one or how.other,
        Place(0, len(text)),
        f"It contradicts {known.reference}: {_BY[how.by]}{f' ({shown})' if shown else ''}.",
        _CHOOSE,
        Follows.FLAG,
        Beside(known.reference, known.text),
    )


def _with_policy(text: str, loose: tuple[Widening, ...], policy: PolicyText) -> ScreenFinding | None:
    word = next((found for found in _policy_words(text, policy)), None)
    if word:
        place, why = Place(*word), f"“{policy.title}” rules out the words “{text[slice(*word)]}”"
        return _policy_finding(text, policy, "policy_words", place, why, policy.text)
    for sentence in policy_sentences(policy):
        code, words = _against(text, loose, sentence)
        if code:
            why = f"“{policy.title}” (version {policy.version}) says otherwise: {words}"
            return _policy_finding(text, policy, code, Place(0, len(text)), why, sentence)
    return None


def _policy_finding(text: str, policy: PolicyText, code: str, place: Place, why: str, sentence: str) -> ScreenFinding:
    return ScreenFinding(
        Screen.CONFLICT,
        f"against_policy:{code}",
        Severity.CRITICAL,
        text[place.start : place.end],
        place,
        f"{why}.",
        _CHANGE,
        Follows.HOLD,
        Beside(f"{policy.id} v{policy.version}", sentence),
    )


def policy_sentences(policy: PolicyText) -> list[str]:
    """The sentences of a policy, as they are shown."""
    return [found for match in _POLICY_SENTENCE.finditer(policy.text) if (found := " ".join(match[0].split()))]


def _policy_words(text: str, policy: PolicyText) -> Iterator[tuple[int, int]]:
    """Places of a policy's forbidden words where the draft does not forbid them too."""
    for word in policy.words:
        for match in re.finditer(rf"(?<!\w){re.escape(word.replace('’', chr(39)))}(?!\w)", text, re.IGNORECASE):
            sentence = re.split(r"[.;!?\n]", text[: match.start()])[-1]
            if not re.search(
                r"\b(?:never|not|no|don't|avoid|cannot|without|instead of|rather than|refuse|nor|stop)\b",
                sentence,
                re.IGNORECASE,
            ):
                yield match.span()


def _against(text: str, loose: tuple[Widening, ...], sentence: str) -> tuple[str, str]:
    """How a draft stands against one sentence of a policy: a code and the deciding words, or two empty texts."""
    rules = sayings(sentence)
    for said in sayings(text):
        for rule in rules:
            shared = said.all & rule.all
            if _turned_round(said, rule, shared):
                return "opposite", f"it turns round “{', '.join(sorted(shared))}”"
            if left := _left_out(said, rule, shared):
                return "negation", f"it leaves out “{left}”"
            if number := _other_number(said, rule, shared, ceiling=bool(_CEILING.search(sentence))):
                return "number", number
            if loose and shared and _RESTRICTS.search(sentence) and _touches(text, loose, shared):
                widest = loose[0]
                return "loosened", f"“{text[widest.start : widest.end]}” leaves its limits out"
    if words := taken(text, sentence):
        return "taken_over", f"“{words}” takes over or puts off what it leaves to somebody"
    how = compare(text, sentence)
    return (how.by, _BY[how.by]) if how.relation is Relation.CONFLICT and how.by != "number" else ("", "")


def _turned_round(said: Saying, rule: Saying, shared: frozenset[str]) -> bool:
    """A permission where the policy forbids, or a ban where it asks: most of the shorter one's words in common.

    “No refund after 7 days” beside “a refund within 7 days” says the same; so other bounds turn nothing round, and
    neither does an opposite beside a ban: “opened” is refused, “unopened” is taken.
    """
    asks = said.positive is not bool(said.all & _SWITCHED_OFF - rule.all)
    if asks is rule.positive or len(shared) < 2 or said.bounds != rule.bounds or said.instead & rule.all:
        return False
    if any(opposites_of(word) & (rule.all - said.all) for word in said.all - rule.all - _SWITCHED_OFF):
        return False
    act = shared - said.case - (said.then if said.positive else frozenset())
    if len(act) < 2 or not (asks or {said.begins} & (shared | _SWITCHED_OFF)):
        return False
    return len(shared) >= (0.5 if asks else 0.65) * min(len(said.all), len(rule.all))


def _left_out(said: Saying, rule: Saying, shared: frozenset[str]) -> str:
    """What the policy asks for and the draft does without, on the policy's own object: “let visitors in without …”."""
    left = (said.without | said.excepted) & (rule.all - rule.without - rule.excepted)
    return " ".join(sorted(left)) if rule.positive and said.positive and left and shared - left else ""


def _other_number(said: Saying, rule: Saying, shared: frozenset[str], *, ceiling: bool) -> str:
    """A number with a unit that the policy gives for the same thing, but another one.

    Below a ceiling every number is free. A count that is no limit (“with one director”) is against the policy where
    it is smaller and most else is the policy's own.
    """
    for mine in said.amounts:
        same_unit = [amount for amount in rule.amounts if amount.unit == mine.unit and mine.unit]
        if not shared or not same_unit or mine in rule.amounts:
            continue
        smaller = all(_value(mine) < _value(amount) for amount in same_unit)
        if (said.limited and not (ceiling and smaller)) or (not said.limited and smaller and len(shared) >= 2):
            return f"{mine.said} where it says {' and '.join(sorted(amount.said for amount in same_unit))}"
    return ""


def _value(amount: Amount) -> float:
    try:
        return float(amount.value)
    except ValueError:
        return 0.0


def _touches(text: str, loose: tuple[Widening, ...], shared: frozenset[str]) -> bool:
    """Whether the loosened clause speaks of the policy's object."""
    return any(
        shared & saying.all for found in loose for saying in sayings(text[max(0, found.start - 40) : found.end + 60])
    )
