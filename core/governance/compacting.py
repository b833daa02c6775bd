"""A merged reflection as a proposal: through every gate, with the proof of all that went into it, which stays in force.

Beside merging, for many at once and by no person. Approved, its parents give way to it by the rule *compaction*, and an
undo puts all of them back; rejected, nothing else has changed. Source: Reflexion buffer, "Compaction".
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance.bodies import content_of
from core.governance.drafts import Draft, LessonContent
from core.governance.gate import Text, carried, passed, remarked, source_of, twin_of, with_carried
from core.governance.merging import LEAST_TRUSTED, of_policy, proof_of
from core.governance.numbers import numbers_in_force
from core.governance.parents import COMPACTION, add_parents
from core.governance.proposals import Proposed, Proposing, write_new
from core.governance.references import reference, version_reference
from core.governance.reflections import of_its_form
from core.screening.contract import Follows, Screen
from core.store.oversight_records import Parent
from core.store.records import Item
from core.vocabulary import Severity, Status

WAITS = (Status.PROPOSED, Status.HELD, Status.APPEALED)


def propose_merged(db: DatabaseSession, parents: Sequence[Item], content: LessonContent, *, at: datetime) -> Proposed:
    """Propose one reflection in the place of several of the same task class and for the same people, the newest first.

    Raises ``Refused`` for words that a gate keeps out, for what was turned down or waits already, and where one of the
    parents is not in force any more; nothing is stored then.
    """
    _all_in_force(parents)
    _not_before(db, parents)
    newest, numbers = parents[0], numbers_in_force(db)
    if long := content.too_long(numbers.lesson_characters):
        raise Refused("too_long", f"{long} Nothing was stored.")
    quotes = tuple(proof_of(db, parents))
    source = min((source_of(db, one) for one in parents), key=LEAST_TRUSTED.index)
    instead_of = frozenset(version_reference(one) for one in parents)
    placed = (newest.agent_id, newest.task_class)
    answer = passed(db, Text(content, *placed, source, quotes, instead_of=instead_of, user=newest.user))
    answer = with_carried(answer, of_its_form(db, content, *placed, by_rule=True))
    for one in parents:
        answer = with_carried(answer, carried(db, one, content))
    answer = with_carried(answer, of_policy(db, parents))
    twin = twin_of(db, answer)
    if twin is not None:
        raise Refused("twin", f"{reference(twin)} says the same and is {twin.status}; nothing was stored.")
    draft = Draft(
        content=content,
        severity=min((Severity(one.severity) for one in parents), key=lambda each: each.rank),
        agent_id=newest.agent_id,
        task_class=newest.task_class,
        user=newest.user,
        session_id=newest.session_id,
        origin=COMPACTION,
        proposer=COMPACTION,
        source=source,
        quotes=quotes,
    )
    made = write_new(db, draft, answer, Proposing(at, COMPACTION, numbers))
    add_parents(db, db.get_one(Item, made.item_id), parents)
    return made


def may_be_gathered(db: DatabaseSession, item: Item) -> str | None:
    """Why a reflection goes into no merged one now; None where it may.

    What may be planted is decided alone, and what waits to give way to one merged text goes into no second.
    """
    if any(one.kind is Screen.PLANT and one.follows is not Follows.PASS for one in remarked(db, item.id or 0)):
        return f"{reference(item)} may be planted, or gives more leave; it goes into no other one."
    waiting = next((one for one in _mergers_of(db, [item]) if one.status in WAITS), None)
    return None if waiting is None else f"{reference(item)} went into {reference(waiting)}, which waits for a person."


def decided_before(db: DatabaseSession, parents: Sequence[Item]) -> Item | None:
    """A merged reflection into which all of these went already, whatever became of it; None where there is none."""
    ids = {one.id for one in parents}
    for merger in _mergers_of(db, parents):
        into = set(db.exec(select(Parent.parent_id).where(Parent.item_id == merger.id)).all())
        if ids <= into and merger.status != Status.SUPERSEDED:
            return merger
    return None


def merged_content(db: DatabaseSession, newest: Item, text: str, tags: Sequence[str]) -> LessonContent:
    """The content of a merged reflection, for whom the newest of its parents holds."""
    known = content_of(db, newest)
    if not isinstance(known, LessonContent):
        raise ValueError("only lessons are merged by a compaction")
    return known.with_changes({"text": text, "tags": tuple(tags)})


def _all_in_force(parents: Sequence[Item]) -> None:
    gone = next((one for one in parents if one.status != Status.ACTIVE), None)
    if len(parents) < 2 or gone is not None:
        which = f"{reference(gone)} is {gone.status}" if gone is not None else "there is nothing to merge it with"
        raise Refused("not_in_force", f"A merged reflection stands for several in force, and {which}.")


def _not_before(db: DatabaseSession, parents: Sequence[Item]) -> None:
    before = decided_before(db, parents)
    if before is not None:
        text = f"{reference(before)} was proposed for the same reflections and is {before.status}."
        raise Refused("proposed_before", f"{text} It can be reopened, or they can be merged by a person.")
    for one in parents:
        if why := may_be_gathered(db, one):
            raise Refused("not_gathered", why)


def _mergers_of(db: DatabaseSession, parents: Sequence[Item]) -> Sequence[Item]:
    into = select(Item).join(Parent, col(Parent.item_id) == Item.id).where(Item.origin == COMPACTION)
    of_these = into.where(col(Parent.parent_id).in_([one.id for one in parents]))
    return db.exec(of_these.distinct().order_by(col(Item.id))).all()
