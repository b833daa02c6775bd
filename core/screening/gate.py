"""One gate for every text that wants to become memory: all screens in order, and what follows.

Screening, its door. Secrets are looked for first, and a draft that holds one is refused with nothing else said about
it, so that its words go no further. What refuses is told apart from what a person must look at (hold) and what is only
shown (flag).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.screening import conflicts, invisible, plants, secrets, vagueness
from core.screening import twins as twin_index
from core.screening.comparison import Comparison, Relation, compare
from core.screening.conflicts import conflicts_with_policies
from core.screening.contract import (
    Beside,
    Follows,
    KnownText,
    Place,
    PolicyText,
    Screen,
    ScreenDraft,
    Screened,
    ScreenFinding,
)
from core.screening.generosity import generous_findings
from core.screening.invisible import find_invisible
from core.screening.known import KnownTexts
from core.screening.plain import plain
from core.screening.plants import encoded_findings, find_plants, widening_findings
from core.screening.secrets import secret_findings
from core.screening.vagueness import find_empty_belief, find_vagueness
from core.vocabulary import Kind, Reliability, Severity, Status

VERSIONS: dict[str, int] = {
    Screen.SECRET.value: secrets.VERSION,
    Screen.INVISIBLE.value: invisible.VERSION,
    Screen.VAGUE.value: vagueness.VERSION,
    Screen.TWIN.value: twin_index.VERSION,
    Screen.CONFLICT.value: conflicts.VERSION,
    Screen.PLANT.value: plants.VERSION,
}
"""Version of each screen; stored with the item, so that a later version can ask again."""

_REJECTED = frozenset({Status.REJECTED, Status.APPEALED})
_IN_FORCE = frozenset({Status.ACTIVE, Status.PROPOSED, Status.HELD, Status.OPEN, Status.SUSPENDED})


def screen(
    draft: ScreenDraft,
    known: KnownTexts,
    policies: Sequence[PolicyText] = (),
    *,
    beside: Callable[[str], bool] = lambda _: True,
) -> Screened:
    """All screens on one draft.

    A note is about one session, so it is screened for secrets, hidden characters and plants only. The other texts of a
    draft, such as the title of a procedure, must not widen a permission or break a policy either. ``known`` are the
    texts of the same agent, of which those count whose reference ``beside`` accepts; ``policies`` are those in force.
    Nothing is raised: whatever is wrong stands in the findings.
    """
    parts = {"text": draft.text, **draft.parts}
    personal = draft.kind is not Kind.NOTE  # a note speaks of one session, and names whom it speaks of
    secret = [finding for part, text in parts.items() for finding in secret_findings(text, part, personal=personal)]
    if secret:
        return Screened(tuple(secret), Follows.REFUSE, dict(VERSIONS))
    findings = [finding for part, text in parts.items() for finding in find_invisible(text, part)]
    if draft.kind is not Kind.NOTE:
        against = conflicts_with_policies(plain(draft.text).text, policies)
        findings += _vagueness(draft, concrete=bool(against))
        findings += [*beside_known(draft, known, beside), *against]
        findings += [one for part, text in draft.parts.items() for one in _against_policies(part, text, policies)]
    if draft.kind is not Kind.NOTE or draft.source.reliability != "high":
        findings += find_plants(draft)
        for part, text in draft.parts.items():
            findings += [*widening_findings(text, part), *encoded_findings(text, part)]
    if draft.kind is Kind.NOTE and draft.source.reliability == Reliability.VARIABLE:
        findings += [one for part, text in draft.parts.items() for one in generous_findings(text, part)]
    follows = min((finding.follows for finding in findings), key=lambda each: each.rank, default=Follows.PASS)
    return Screened(tuple(findings), follows, dict(VERSIONS))


def _against_policies(part: str, text: str, policies: Sequence[PolicyText]) -> list[ScreenFinding]:
    found = conflicts_with_policies(plain(text).text, policies)
    return [replace(finding, place=replace(finding.place, part=part)) for finding in found]


def _vagueness(draft: ScreenDraft, *, concrete: bool) -> list[ScreenFinding]:
    """What breaks a policy is concrete enough to be judged: then a missing object does not count."""
    text = plain(draft.text).text
    is_belief = draft.kind is Kind.BELIEF
    found = find_empty_belief(text) if is_belief else find_vagueness(text, form=draft.form, scope=draft.scope)
    kept = [finding for finding in found if not (concrete and finding.code == "vague:no_object")]
    return kept if draft.source in plants.TRUSTED else [_held_where_unread(finding) for finding in kept]


def _held_where_unread(finding: ScreenFinding) -> ScreenFinding:
    """What no screen can read is held, unless a code check or a person at the desk wrote it."""
    return replace(finding, follows=Follows.HOLD) if finding.code == "not_judged" else finding


def beside_known(draft: ScreenDraft, known: KnownTexts, beside: Callable[[str], bool]) -> list[ScreenFinding]:
    """What is known and says nearly the same as a draft, or the contrary: twins first, then conflicts.

    A text that was rejected before is only ever a twin. A lesson and a procedure may say the same, since one fault
    brings both.
    """
    compared = [
        (known[reference], compare(draft.text, known[reference].text, cosine=cosine, alike=known.alike))
        for reference, cosine in known.candidates(draft.text).items()
        if beside(reference)
    ]
    alike = (Relation.SAME, Relation.TWIN)
    twins = [_twin(draft, other, how) for other, how in compared if how.relation in alike and other.kind is draft.kind]
    against = [other for other, how in compared if how.relation is Relation.CONFLICT and other.status in _IN_FORCE]
    return sorted(twins, key=lambda finding: finding.follows.rank) + list(
        conflicts.conflicts_with_lessons(plain(draft.text).text, against)
    )


def _twin(draft: ScreenDraft, other: KnownText, how: Comparison) -> ScreenFinding:
    same, rejected = how.relation is Relation.SAME, other.status in _REJECTED
    if rejected:
        why = f"{other.reference} said {'the same' if same else 'nearly the same'} and was rejected."
        possible = f"{other.reference} can be reopened, with a reason."
    elif same:
        why, possible = (
            f"{other.reference} says the same and is {other.status.value}.",
            f"Its evidence can be added to {other.reference}.",
        )
    else:
        differs = f" The difference: {how.one or how.other}." if how.one or how.other else ""
        why = f"{other.reference} says nearly the same and is {other.status.value}.{differs}"
        possible = "Both can stay; or one is edited or rejected."
    return ScreenFinding(
        Screen.TWIN,
        "twin:rejected_before" if rejected else "twin:same" if same else "twin:near",
        Severity.MEDIUM,
        how.one,
        Place(0, len(draft.text)),
        why,
        possible,
        Follows.REFUSE if same or rejected else Follows.FLAG,
        Beside(other.reference, other.text),
    )
