"""What is in force beside an item as of now: active texts of its agent that say nearly the same, or the contrary.

Between the screens and the desk. The card shows it, the hash of the card covers it, and the desk asks it when somebody
approves: all three by the functions here, so that they agree. What came into force after an item was proposed is there,
and what was retired since is not.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession

from core.governance.gate import beside_in_force
from core.governance.known_texts import Own
from core.governance.queueing import scope_of
from core.governance.references import reference, version_named
from core.screening.contract import Screen, ScreenFinding
from core.store.records import Item
from core.vocabulary import Kind, Status

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
    undecided = item.status in UNDECIDED or (item.status == Status.SUPERSEDED and item.active_at is not None)
    if item.kind == Kind.NOTE or not undecided:
        return ()
    own = Own(Kind(item.kind), item.task_class, scope_of(db, item), item.number)
    return named_by(db, beside_in_force(db, item.agent_id, own, item.headline))


def named_by(db: DatabaseSession, findings: Iterable[ScreenFinding]) -> tuple[InForce, ...]:
    """Those of the findings that name an active item, each with it."""
    named = [(one, version_named(db, one.beside.reference)) for one in findings if one.beside and names_an_item(one)]
    return tuple(InForce(other, one) for one, other in named if other is not None and other.status == Status.ACTIVE)


def names_an_item(finding: ScreenFinding) -> bool:
    """Whether what a text is compared with is an item, not a policy."""
    return finding.code.startswith(("conflict:", "twin:"))
