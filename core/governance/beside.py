"""What is in force beside an item as of now: active texts of its agent that say nearly the same, or the contrary.

Between the screens and the desk. The card shows it, the hash of the card covers it, and the desk asks it when somebody
approves: all three by the functions here, so that they agree. What came into force after an item was proposed is there,
and what was retired since is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession

from core.governance.for_whom import item_for
from core.governance.gate import beside_in_force
from core.governance.known_texts import Own
from core.governance.queueing import scope_of
from core.governance.references import reference, versions_named
from core.screening.contract import Screen, ScreenFinding
from core.store.asked_once import once, told_for_each
from core.store.records import Item
from core.vocabulary import Kind, Scope, Status

UNDECIDED = frozenset({Status.PROPOSED, Status.HELD, Status.APPEALED, Status.SUSPENDED})
"""The statuses from which an item may come into force, so that it matters what is in force beside it."""


@dataclass(frozen=True)
class InForce:
    """One active item beside another, and what the screens say of the two."""

    item: Item
    finding: ScreenFinding

    @property
    def contrary(self) -> bool:
        """Whether it says the contrary; else it is a twin."""
        return self.finding.kind is Screen.CONFLICT

    @property
    def ref(self) -> str:
        """How people name it."""
        return reference(self.item)


def beside_now(db: DatabaseSession, item: Item) -> tuple[InForce, ...]:
    """The twins and contraries of an item among what its agent reads now; nothing for one that is decided, or a note.

    Some five statements, whatever waits or is in force.
    """
    if not may_come_into_force(item):
        return ()
    return once(db, ("beside", item.id or 0), lambda: _beside_now(db, item))


def _beside_now(db: DatabaseSession, item: Item) -> tuple[InForce, ...]:
    (found,) = beside_in_force(db, item.agent_id, [_text(item, scope_of(db, item))])
    return named_by(db, found) if found else ()


def beside_each(
    db: DatabaseSession, items: Sequence[Item], scopes: Mapping[int, str]
) -> dict[int, tuple[InForce, ...]]:
    """The same for several items by id, in a few statements for each agent; ``scopes`` are those of lessons, by id."""
    of_agent: dict[int, list[Item]] = {}
    for item in items:
        if may_come_into_force(item):
            of_agent.setdefault(item.agent_id, []).append(item)
    findings: dict[int, tuple[ScreenFinding, ...]] = {}
    for agent_id, its in of_agent.items():
        texts = [_text(item, Scope(scopes.get(item.id or 0, Scope.TASK_CLASS))) for item in its]
        found = beside_in_force(db, agent_id, texts)
        findings |= {item.id or 0: said for item, said in zip(its, found, strict=True)}
    named = versions_named(db, {name for said in findings.values() for name in _names(said)})
    beside = {item: _in_force(said, named) for item, said in findings.items()}
    told_for_each(db, "beside", beside)
    return beside


def may_come_into_force(item: Item) -> bool:
    """Whether it matters what is in force beside an item: it is undecided, or a version that was in force once."""
    undecided = item.status in UNDECIDED or (item.status == Status.SUPERSEDED and item.active_at is not None)
    return item.kind != Kind.NOTE and undecided


def _text(item: Item, scope: Scope) -> tuple[Own, str]:
    scope = Scope.USER if item.kind == Kind.BELIEF else scope
    return Own(Kind(item.kind), item.task_class, scope, item.number, item_for(item, scope)), item.headline


def named_by(db: DatabaseSession, findings: Iterable[ScreenFinding]) -> tuple[InForce, ...]:
    """Those of the findings that name an active item, each with it."""
    kept = tuple(findings)
    names = _names(kept)
    return _in_force(kept, versions_named(db, names)) if names else ()


def _names(findings: Iterable[ScreenFinding]) -> list[str]:
    return [one.beside.reference for one in findings if one.beside and names_an_item(one)]


def _in_force(findings: Iterable[ScreenFinding], named: Mapping[str, Item]) -> tuple[InForce, ...]:
    both = [(named.get(one.beside.reference), one) for one in findings if one.beside and names_an_item(one)]
    return tuple(InForce(item, one) for item, one in both if item is not None and item.status == Status.ACTIVE)


def names_an_item(finding: ScreenFinding) -> bool:
    """Whether what a text is compared with is an item, not a policy."""
    return finding.code.startswith(("conflict:", "twin:"))
