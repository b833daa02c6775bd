"""The writer of every status: a conditional update and a row in the log, in the transaction of whoever asks.

The desk's own hand. It writes no move that the lifecycle table does not lead to, an undo and the first of two yeses
apart, and tells whoever saw an earlier revision who decided, when, why and what changed.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import AlreadyDecided, Refused
from core.governance import blind, lifecycle
from core.governance.acts import Act, Decided, Request, done
from core.governance.allowed import no_such_move
from core.governance.desk_settings import why, words_of_reasons
from core.governance.in_force import stand_in_force
from core.governance.log import log
from core.governance.note_episodes import episodes_of_note
from core.governance.numbers import numbers_in_force
from core.governance.references import placed, reference, version_reference
from core.governance.stale import RULE as STALE
from core.governance.stale import Walk, places_of, resting_on
from core.governance.waiting import stand_in_queue
from core.store.clock import time_in_words
from core.store.records import Decision, Item
from core.vocabulary import Action, Cause, Kind, Status


def begin(db: DatabaseSession, item: Item, act: Act) -> Decision:
    """Put a new version into the store with the decision that made it. ``item`` is not yet in the database."""
    if act.after not in lifecycle.BEGINS[Kind(item.kind)]:
        raise Refused("no_such_start", f"A {item.kind} cannot begin as {act.after}.")
    item.status, item.revision = act.after, 1
    if item.version == 1:
        item.blind = blind.begins_blind(db, item)
    stand_in_queue(db, item, act)
    db.add(item)
    db.flush()
    return write_down(db, item, act, before="")


def turn(db: DatabaseSession, item: Item, act: Act) -> Decision:
    """Change a status as the table says if the item still is as it was read, and log it.

    Raises ``AlreadyDecided`` for an item that has moved on, and ``Refused`` for a move that the table does not have.
    """
    before = item.status
    change(db, item, act)
    return write_down(db, item, act, before=before)


def change(db: DatabaseSession, item: Item, act: Act) -> None:
    """The conditional update of a move that stands in the table."""
    row = lifecycle.move(Kind(item.kind), item.status, act.action)
    if isinstance(row, lifecycle.Forbidden):
        raise no_such_move(item, act.action, row)
    who_acts = row.by_rule if act.rule is not None else bool(row.who)
    if row.after is not act.after or not who_acts:
        raise Refused("no_such_move", f"“{act.action}” of {reference(item)} does not lead to {act.after}.")
    _set(db, item, act)


def set_and_log(db: DatabaseSession, item: Item, act: Act) -> Decision:
    """For what has no row of its own in the table: an undo, and the first half of a row that needs two people."""
    before = item.status
    _set(db, item, act)
    return write_down(db, item, act, before=before)


def _set(db: DatabaseSession, item: Item, act: Act) -> None:
    unchanged = (col(Item.id) == item.id, col(Item.revision) == item.revision, col(Item.status) == item.status)
    change = {"status": act.after.value, "revision": item.revision + 1, **act.also}
    if db.connection().execute(update(Item).where(*unchanged).values(**change)).rowcount != 1:
        raise moved_on(db, item)
    db.refresh(item)
    stand_in_queue(db, item, act)
    stand_in_force(db, item, act.action)
    db.add(item)
    db.flush()


def write_down(db: DatabaseSession, item: Item, act: Act, *, before: str, cause: int | None = None) -> Decision:
    """The row of the log for an act, after the item has its new status."""
    row = Decision(
        at=act.at,
        item_id=row_id(item),
        action=act.action,
        before=before,
        after=act.after,
        revision=item.revision,
        by=act.by,
        rule=act.rule,
        reason=act.reason,
        text=act.text,
        content_hash=item.content_hash,
        self_approved=act.self_approved,
        confidence=act.confidence,
        cause=cause or act.cause,
        undoes=act.undoes,
        screen_hash=act.screen,
        severity=item.severity,
        toward=act.toward,
        hash_before=act.hash_before,
        placed=placed(item),
        looked_ms=act.looked_ms,
        opened=act.opened,
        batch=act.batch,
    )
    log(db, row)
    if act.rule != STALE:
        _sources_follow(db, item, row)
    return row


def take_out_what_rests_on(
    db: DatabaseSession, gone: Mapping[int, str], *, by: str, at: datetime, cause: int | None = None
) -> Walk:
    """Take out the beliefs that rest on episodes that stand no longer, along as many steps as the settings say.

    What is in force is suspended, what is proposed is held, until a person has looked. What lies beyond the steps is
    named in the log and in the answer. ``gone`` says in words what became of each episode.
    """
    walk = resting_on(db, gone, numbers_in_force(db).stale_walk)
    for place, one in enumerate(walk.reached, 1):
        move = lifecycle.move(Kind(one.item.kind), one.item.status, Action.SUSPEND)
        if isinstance(move, lifecycle.Move):
            last = f". {walk.beyond_text}." if place == len(walk.reached) and walk.beyond else "."
            act = Act(Action.SUSPEND, move.after, by, at, rule=STALE, text=f"{one.because}{last}", cause=cause)
            turn(db, one.item, replace(act, suspended_for=Cause.STALE_SOURCE))
    return walk


def _sources_follow(db: DatabaseSession, item: Item, row: Decision) -> None:
    """Let the episodes that rest on an item follow it: those of a dismissed note, a belief that left its force."""
    gone: dict[int, str] = {}
    if item.kind == Kind.NOTE and row.before != row.after:
        gone = episodes_of_note(db, item, row)
    elif item.kind == Kind.BELIEF and row.before == Status.ACTIVE != row.after:
        said = f"{version_reference(item)} was {done(row.action)}"
        gone = dict.fromkeys(places_of(db, row_id(item)), said)
    if gone:
        take_out_what_rests_on(db, gone, by=row.by, at=row.at, cause=row.id)


def same_again(db: DatabaseSession, item: Item, request: Request, who: str) -> Decided:
    """The answer to the same press by the same person once more. Raises ``AlreadyDecided`` for any other."""
    last = _last(db, item)
    same = request.action in (last.action, last.toward)
    if last.by == who and same and last.revision == request.revision_seen + 1:
        said = f"{reference(item)} was already {done(last.action)} by you"
        return Decided(row_id(last), reference(item), item.status, said, True)
    raise moved_on(db, item)


def moved_on(db: DatabaseSession, item: Item) -> AlreadyDecided:
    """The refusal for whoever saw an earlier revision: who decided, when, why, and what changed."""
    last = _last(db, item)
    reason = why(words_of_reasons(db), last)
    what = done(last.action) + (f" ({reason})" if reason else "")
    changed = f"it went from {last.before} to {last.after}" if last.before and last.before != last.after else ""
    newer = db.exec(
        select(Item).where(Item.kind == item.kind, Item.number == item.number, Item.version > item.version)
    ).first()
    if newer is not None:
        changed = "; ".join(part for part in (changed, f"v{newer.version} of it is {newer.status} now") if part)
    return AlreadyDecided(reference(item), last.by, time_in_words(last.at), what, changed)


def _last(db: DatabaseSession, item: Item) -> Decision:
    newest = select(Decision).where(Decision.item_id == item.id).order_by(col(Decision.id).desc()).limit(1)
    return db.exec(newest).one()


def row_id(row: Item | Decision) -> int:
    """The id of a row that was written. Raises ``ValueError`` for one that was not."""
    if row.id is None:
        raise ValueError("the row has not been written yet")
    return row.id
