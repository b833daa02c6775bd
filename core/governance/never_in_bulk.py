"""What is never decided together with others, and why: each of these needs a person who looks at that one item.

Asked by the page that lists what could be decided together, by the preview, and by the desk in the transaction of the
decision. Source: the design, "The rules of each memory" and "Governance".
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance.approvers import OF_POLICY
from core.governance.beside import InForce, beside_each
from core.governance.gate import FINDINGS
from core.governance.numbers import numbers_in_force
from core.governance.references import reference, version_reference
from core.governance.verdicts import LETS_IN
from core.screening.comparison import Relation, compare
from core.screening.contract import KnownText, Screen, ScreenFinding
from core.screening.known import KnownTexts
from core.screening.likeness import Alike
from core.store.records import Item, LessonBody, Screening
from core.vocabulary import Action, Cause, Kind, Scope, Severity, Source, Status

LOOKED_AT_ALONE = {Source.USER: "a user's words", Source.TOOL: "a tool's words", Source.EVALUATOR: "an evaluator's"}
"""Sources from which nothing is activated without a person looking at that one item."""

TOGETHER: dict[Action, tuple[Kind, ...]] = {
    Action.APPROVE: (Kind.LESSON, Kind.PROCEDURE, Kind.BELIEF),
    Action.REJECT: (Kind.LESSON, Kind.PROCEDURE, Kind.BELIEF),
    Action.RETIRE: (Kind.LESSON, Kind.PROCEDURE, Kind.BELIEF),
    Action.REINSTATE: (Kind.LESSON,),
    Action.RELEASE: (Kind.NOTE,),
    Action.DISMISS: (Kind.NOTE,),
    Action.RESOLVE: (Kind.NOTE,),
}
"""What can be done to several at once, and to which kinds. A procedure comes back at a confidence of its own."""


@dataclass(frozen=True)
class NotInBulk:
    """Why an item is decided alone; ``code`` is stable and machine-readable."""

    code: str
    why: str


def refuse_in_bulk(db: DatabaseSession, item: Item, action: Action) -> None:
    """Refuse to decide this item together with others. Raises ``Refused``."""
    found = never_in_bulk(db, [item], action).get(item.id or 0)
    if found is not None:
        raise Refused("not_in_bulk", f"{reference(item)} is decided alone: {found.why}. Nothing was decided.")


def never_in_bulk(db: DatabaseSession, items: Sequence[Item], action: Action) -> dict[int, NotInBulk]:
    """Those of the items that are decided alone, by id, each with the first reason.

    A handful of statements however many items there are; some more for each agent.
    """
    known = _known(db, items)
    found = ((item.id or 0, _first(item, action, known)) for item in items)
    alone = {item_id: why for item_id, why in found if why is not None}
    others = [item for item in items if item.id not in alone and action in LETS_IN[Kind(item.kind)]]
    return {**_beside_each_other(others, Alike.by(numbers_in_force(db))), **alone}


def _beside_each_other(items: Sequence[Item], alike: Alike) -> dict[int, NotInBulk]:
    """What contradicts another of the same list, or says nearly the same: which of them stays is for a person to say.

    The order of a list must not decide it.
    """
    groups: dict[tuple[int, str, str], dict[str, Item]] = {}
    for item in items:
        if item.kind != Kind.NOTE:
            groups.setdefault((item.agent_id, item.kind, item.task_class), {})[version_reference(item)] = item
    found: dict[int, NotInBulk] = {}
    for by_ref in groups.values():
        known = KnownTexts(KnownText(ref, item.headline, kind=Kind(item.kind)) for ref, item in by_ref.items())
        for ref, item in by_ref.items():
            near = [other for other in known.candidates(item.headline) if other != ref]
            against = ((other, compare(item.headline, by_ref[other].headline, alike=alike)) for other in near)
            why = next((said for other, how in against if (said := _of_the_pair(other, how.relation))), None)
            if why is not None:
                found[item.id or 0] = why
    return found


def _of_the_pair(other: str, relation: Relation) -> NotInBulk | None:
    if relation is Relation.CONFLICT:
        return NotInBulk("conflict", f"it contradicts {other}, which stands in this list, too")
    if relation in (Relation.SAME, Relation.TWIN):
        return NotInBulk("twin", f"it says nearly the same as {other}, which stands in this list, too")
    return None


@dataclass(frozen=True)
class _Known:
    """What is stored about the items, by id."""

    remarks: dict[int, tuple[ScreenFinding, ...]]
    sources: dict[int, str]
    scopes: dict[int, str]
    once_critical: frozenset[tuple[str, int]]
    beside: dict[int, tuple[InForce, ...]]


def _known(db: DatabaseSession, items: Sequence[Item]) -> _Known:
    ids = [item.id or 0 for item in items]
    stored = select(col(Item.id), Screening.source, Screening.findings, LessonBody.scope)
    stored = stored.outerjoin(Screening, col(Screening.item_id) == Item.id)
    stored = stored.outerjoin(LessonBody, col(LessonBody.item_id) == Item.id)
    rows = db.exec(stored.where(col(Item.id).in_(ids))).all()
    by_id = {item or 0: scope for item, _, _, scope in rows if scope is not None}
    return _Known(
        remarks={item or 0: FINDINGS.validate_python(found or ()) for item, _, found, _ in rows},
        sources={item or 0: source for item, source, _, _ in rows if source is not None},
        scopes=by_id,
        once_critical=_once_critical(db, items),
        beside=beside_each(db, items, by_id),
    )


def _once_critical(db: DatabaseSession, items: Sequence[Item]) -> frozenset[tuple[str, int]]:
    """The notes of which a version was critical, by kind and number."""
    numbers = {item.number for item in items if item.kind == Kind.NOTE}
    grave = select(Item.kind, Item.number).where(Item.kind == Kind.NOTE, Item.severity == Severity.CRITICAL)
    return frozenset((kind, number) for kind, number in db.exec(grave.where(col(Item.number).in_(numbers))).all())


def _first(item: Item, action: Action, known: _Known) -> NotInBulk | None:
    reasons = (_of_the_act(item, action), _of_the_item(item, known), _of_letting_in(item, action, known))
    return next((one for one in reasons if one is not None), None)


def _of_the_act(item: Item, action: Action) -> NotInBulk | None:
    """Acts that are a case of their own, whatever the item is."""
    if Kind(item.kind) not in TOGETHER.get(action, ()):
        said = f"to {action.replace('_', ' ')} a {item.kind} is no act for several at once"
        return NotInBulk("act", said)
    if item.status == Status.APPEALED:
        return NotInBulk("appeal", "somebody appealed about it")
    if action is Action.REINSTATE and item.cause != Cause.POLICY:
        return NotInBulk("act", "only what a change of a policy suspended is reinstated with others")
    if action is Action.DISMISS and item.status != Status.HELD:
        return NotInBulk("act", "an open note is dismissed by itself")
    return None


def _of_the_item(item: Item, known: _Known) -> NotInBulk | None:
    """What an item is or may be, whatever is done to it."""
    remarks = known.remarks.get(item.id or 0, ())
    plant = next((one for one in remarks if one.kind is Screen.PLANT), None)
    if plant is not None:
        return NotInBulk("plant", f"it may be planted: {_clause(plant.text)}")
    if item.blind:
        return NotInBulk("blind", "two people decide about it, and neither sees what the other said")
    if item.severity == Severity.CRITICAL or (item.kind, item.number) in known.once_critical:
        return NotInBulk("critical", "it is critical")
    if any(one.code.startswith(OF_POLICY) for one in remarks):
        return NotInBulk("two_people", "it touches a policy, which needs two people")
    if known.scopes.get(item.id or 0) == Scope.AGENT:
        return NotInBulk("two_people", "it holds for every task of the agent, which needs two people")
    against = [one for one in known.beside.get(item.id or 0, ()) if one.contrary]
    if against:
        return NotInBulk("conflict", f"it contradicts {_refs(against)}")
    return None


def _of_letting_in(item: Item, action: Action, known: _Known) -> NotInBulk | None:
    """What an agent is not given to read before somebody has looked at that one item."""
    if action not in LETS_IN[Kind(item.kind)]:
        return None
    twins = known.beside.get(item.id or 0, ())
    if twins:
        return NotInBulk("twin", f"it says nearly the same as {_refs(twins)}")
    if item.not_found:
        return NotInBulk("quote_not_found", f"{item.not_found} of {item.quotes} quotes not found")
    source = known.sources.get(item.id or 0)
    if source in set(LOOKED_AT_ALONE):
        return NotInBulk("source", f"it was made from {LOOKED_AT_ALONE[Source(source)]}")
    return None


def _refs(found: Collection[InForce]) -> str:
    return " and ".join(dict.fromkeys(one.ref for one in found))


def _clause(text: str) -> str:
    """A sentence as a part of another one."""
    return text[:1].lower() + text[1:].rstrip(".")
