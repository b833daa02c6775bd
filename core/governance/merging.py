"""Merging: two that say nearly the same become one text that cites both, and waits for a decision like any other.

The merged text is a version of the one that is kept. It is never active by itself: until somebody else approves it, an
active parent stays in force, and the waiting one stands aside. Turned down, undone or replaced, it gives the waiting
one back by the rule *the merge was turned down*. Source: Reflexion buffer, "Near-duplicates"; a person merges.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance import lifecycle
from core.governance.acts import Act, Decided, Request
from core.governance.allowed import has_a_duty, is_a_person, no_such_move
from core.governance.approvers import OF_POLICY, gravest
from core.governance.blind import is_asked
from core.governance.bodies import content_of, from_row
from core.governance.drafts import BeliefContent, Quoted
from core.governance.for_whom import item_for
from core.governance.gate import remarked, source_of
from core.governance.kept_words import forget
from core.governance.leases import free_for
from core.governance.next_version import Merged, next_version
from core.governance.numbers import numbers_in_force
from core.governance.people import duties_of
from core.governance.queueing import scope_of
from core.governance.references import item_of, reference, version_reference
from core.governance.sources import deep_enough
from core.governance.status_writer import same_again
from core.governance.versions import Asked, asked_for, changed, editable
from core.screening.contract import Follows, Screen, ScreenFinding
from core.store.clock import now
from core.store.database import Database
from core.store.records import Decision, Evidence, Item
from core.vocabulary import Action, Kind, Scope, Severity, Source, Status

INTO = (Status.ACTIVE, Status.PROPOSED)
"""The statuses of what another item can be merged into."""

LEAST_TRUSTED = (Source.USER, Source.TOOL, Source.CRITIC, Source.EVALUATOR, Source.PERSON, Source.CHECK)


@dataclass(frozen=True)
class Merging:
    """What is merged into what, as it stood on the screen; ``into_revision`` is None where that was not shown."""

    item_id: int
    into: int
    revision_seen: int
    into_revision: int | None = None


def merge(
    database: Database, what: Merging, *, person: str, changes: dict[str, Any], at: datetime | None = None
) -> Decided:
    """Merge a waiting item into another one: a version of that one, with the proof of both. Pressed once more by the
    same person it answers with the version that was made.

    ``changes`` are the fields of the merged content that differ from those of the other one. Raises ``NotFound`` for
    unknown ids, ``Refused`` for what cannot be merged and for whoever may not, ``AlreadyDecided`` when one of the two
    has moved on, and ``BadInput`` for words that cannot be stored.
    """
    with database.reading() as db:
        item_of(db, what.item_id)
    asked = Asked(what.item_id, person, what.revision_seen, at or now())
    with asked_for(database, asked, Action.MERGE) as (db, asked):
        item = db.get_one(Item, what.item_id)
        is_a_person(duties_of(db, asked.person))
        if item.revision != what.revision_seen:
            return _merged_before(db, item, asked)
        _may_be_merged(db, item, asked)
        other = _into(db, item, what, asked)
        return _merged(db, item, other, changes, asked)


def _merged_before(db: DatabaseSession, item: Item, asked: Asked) -> Decided:
    """The answer to a second press: the version that the first one made. Raises ``AlreadyDecided`` for any other."""
    again = Request(item.id or 0, Action.MERGE, asked.person, asked.revision_seen, "")
    told = same_again(db, item, again, asked.person)
    made_by = db.get_one(Decision, db.get_one(Decision, told.decision_id).cause)
    made = db.get_one(Item, made_by.item_id)
    said = f"{told.text}, into {version_reference(made)}"
    return Decided(made_by.id or 0, reference(made), made.status, said, already=True, item_id=made.id or 0)


def _may_be_merged(db: DatabaseSession, item: Item, asked: Asked) -> None:
    """Whether this person may set the item aside. Raises ``Refused``."""
    row = lifecycle.move(Kind(item.kind), item.status, Action.MERGE)
    if isinstance(row, lifecycle.Forbidden) or not row.who:
        possible = lifecycle.possible(Kind(item.kind), item.status)
        raise no_such_move(item, Action.MERGE, lifecycle.Forbidden(possible))
    needed = row.duties(gravest(db, item))
    has_a_duty(db, item, duties_of(db, asked.person), needed, Action.MERGE)
    free_for(db, item, reference(item), asked.person, needed, asked.at)
    if is_asked(item, Action.APPROVE, duties_of(db, asked.person)):
        two = "Two people decide about it, and neither sees what the other said"
        raise Refused("blind", f"{two}; {reference(item)} is merged with nothing until then.")
    active = (Item.kind == item.kind, Item.number == item.number, Item.status == Status.ACTIVE)
    in_force = db.exec(select(Item).where(*active)).first()
    if in_force is not None:
        text = f"v{in_force.version} of {reference(item)} is in force; the other one can be merged into it."
        raise Refused("in_force", text)
    _no_plant(db, item)


def _into(db: DatabaseSession, item: Item, what: Merging, asked: Asked) -> Item:
    """What the item is merged into. Raises ``Refused`` where the two are not of one kind, agent and task."""
    other = item_of(db, what.into)
    if (other.kind, other.agent_id) != (item.kind, item.agent_id) or other.number == item.number:
        text = f"{version_reference(item)} can be merged into another {item.kind} of its agent, which "
        raise Refused("not_alike", text + f"{version_reference(other)} is not.")
    if other.status not in INTO:
        text = f"{reference(other)} is {other.status}; {reference(item)} can be merged into what is active or proposed."
        raise Refused("no_such_move", text)
    if item.task_class != other.task_class and scope_of(db, other) is not Scope.AGENT:
        text = f"{reference(item)} is about {item.task_class} and {reference(other)} about {other.task_class}; "
        raise Refused("not_alike", text + "they can be decided apart.")
    if item_for(item, scope_of(db, item)) != item_for(other, scope_of(db, other)):
        text = f"{reference(item)} and {reference(other)} are not of the same user; what is of one user stays there. "
        raise Refused("not_alike", text + "They can be decided apart.")
    _no_plant(db, other)
    seen = other.revision if what.into_revision is None else what.into_revision
    return editable(db, replace(asked, item_id=what.into, revision_seen=seen))


def _no_plant(db: DatabaseSession, item: Item) -> None:
    """A text that may be planted is looked at by itself, and never goes into another one. Raises ``Refused``."""
    if any(one.kind is Screen.PLANT for one in remarked(db, item.id or 0)):
        text = f"{reference(item)} may be planted, or gives more leave; it is decided alone and merged with nothing."
        raise Refused("plant", text)


def _merged(db: DatabaseSession, item: Item, other: Item, changes: dict[str, Any], asked: Asked) -> Decided:
    content = changed(content_of(db, other), changes, numbers_in_force(db).lesson_characters)
    mine = content_of(db, item)
    if isinstance(content, BeliefContent) and isinstance(mine, BeliefContent):
        cites = {*content.cites, *mine.cites}
        content = content.with_changes({"cites": tuple(cites), "depth": deep_enough(db, cites)})
    both = f"merges {version_reference(other)} and {version_reference(item)}"
    act = Act(Action.EDIT, Status.PROPOSED, asked.person, asked.at, text=both)
    source = min((source_of(db, one) for one in (item, other)), key=LEAST_TRUSTED.index)
    graver = min((Severity(one.severity) for one in (item, other)), key=lambda each: each.rank)
    merged = Merged(item, source, graver, of_policy(db, (other, item)))
    made = next_version(db, other, content, proof_of(db, (other, item)), act, merged)
    forget(db, item.id or 0, asked.person)
    return replace(made, text=f"{made.text}; it {both}")


def of_policy(db: DatabaseSession, items: Sequence[Item]) -> tuple[ScreenFinding, ...]:
    """What was remarked about a policy: it goes along, so that a merge never takes an item from the second person."""
    said = (one for item in items for one in remarked(db, item.id or 0) if one.code.startswith(OF_POLICY))
    return tuple(replace(one, follows=Follows.FLAG) for one in said)


def proof_of(db: DatabaseSession, items: Sequence[Item]) -> list[Quoted]:
    """The quotes of the items, in this order, each once."""
    found: dict[tuple[int, str], Quoted] = {}
    for item in items:
        rows = db.exec(select(Evidence).where(Evidence.item_id == item.id).order_by(col(Evidence.id))).all()
        for row in rows:
            found.setdefault((row.session_id, row.quote), from_row(row))
    return list(found.values())
