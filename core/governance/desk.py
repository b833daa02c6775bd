"""The desk: where people decide, and the only door to the writer of a status.

A decision is one conditional update plus one row in the log, in one transaction, and names the revision that was seen.
Whoever comes second is told who decided, when, why and what changed; the same person pressing twice decides once. No
status is written that the lifecycle table does not lead to.
"""

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound, Refused
from core.governance import approval, blind, cases, lifecycle
from core.governance.acts import DONE, Act, Decided, Request, in_words
from core.governance.allowed import Asked, allowed, is_a_person, states_confidence
from core.governance.approvers import effective, gravest, still_may
from core.governance.bodies import content_of
from core.governance.buffers import compact_when_over
from core.governance.desk_settings import settings_in_force
from core.governance.gate import carried, keep, source_of, with_carried
from core.governance.kept_words import forget
from core.governance.leases import give_back
from core.governance.looking import looked_ms, opened_by
from core.governance.never_in_bulk import refuse_in_bulk
from core.governance.on_screen import screen_hash
from core.governance.parents import TURNED_DOWN, set_aside
from core.governance.people import duties_of
from core.governance.policy_adoption import catch_up
from core.governance.policy_screens import changed_since, looked_at_again
from core.governance.references import item_of, reference
from core.governance.refusals import refusals_kept
from core.governance.sealing import not_said_otherwise, refusals_sealed, sealed_act
from core.governance.status_writer import change, moved_on, row_id, same_again, set_and_log, turn, write_down
from core.governance.stepping_aside import steps_aside, versions_beside
from core.governance.tokens import said_to_be
from core.governance.undoing import leads_back_to, may_come_back, may_undo
from core.screening.secrets import mask
from core.store.clock import now
from core.store.database import Database
from core.store.oversight_records import BlindVerdict
from core.store.records import Decision, Item
from core.vocabulary import Action, Status

READ = (Status.ACTIVE, Status.OPEN)
"""What an agent reads stands beside the versions of the policies under which somebody looked at it."""

SCREENED_AGAIN = ("conflict", "against_policy")
"""Refusals after which the card must show what the screens say now."""


def decide(database: Database, request: Request, *, at: datetime | None = None) -> Decided:
    """Carry out a decision, or raise ``Refused`` with the reason; a refused attempt is kept in the log of refusals.

    Where the table asks for two people, the first one's yes is kept and nothing else changes. About a blind item what
    the first says is kept under seal, and nothing else changes either. Raises ``NotFound`` for
    an unknown item and ``AlreadyDecided`` when somebody was first.
    """
    moment = at or now()
    catch_up(database)  # what an item is screened against is what is recorded, never a file that can still change
    with database.reading() as db:
        item, who = item_of(db, request.item_id), said_to_be(db, request.person)
        not_said_otherwise(db, item, request, who)
        ref, act = reference(item), sealed_act(db, item, request.action, who)
    kept = refusals_sealed(database, request.item_id, ref, act, who, moment)
    try:
        with kept, database.writing() as db:
            return _decide(db, request, who, moment)
    except Refused as refused:
        if refused.code in SCREENED_AGAIN:
            _remark_anew(database, request.item_id, moment)
        raise


def _remark_anew(database: Database, item_id: int, at: datetime) -> None:
    """Keep what the screens say now, so that the card shows both sides of a conflict that came later."""
    with database.writing() as db:
        item = item_of(db, item_id)
        answer = with_carried(approval.answer_now(db, item), carried(db, item, content_of(db, item)))
        keep(db, item, source_of(db, item), answer, at)


def undo(database: Database, *, decision_id: int, person: str, at: datetime | None = None) -> Decided:
    """Take a decision back with all that it brought about, as long as nothing has happened since."""
    moment = at or now()
    with database.reading() as db:
        known = db.get(Decision, decision_id)
        who = said_to_be(db, person)
        if known is None:
            raise NotFound("decision", decision_id)
    kept = refusals_kept(database, known.item_id, Action.UNDO, who, moment)
    with kept, database.writing() as db:
        decision = db.get_one(Decision, decision_id)
        # A case that re-opened stays open whatever becomes of the note that re-opened it: a person resolves it again.
        brought_about = (Decision.cause == decision_id, col(Decision.rule).is_distinct_from(cases.RULE))
        caused = db.exec(select(Decision).where(*brought_about)).all()
        author = duties_of(db, who)
        is_a_person(author)
        may_undo(db, decision, item_of(db, decision.item_id), author)
        put_back: list[tuple[Item, Decision]] = []
        for one in (decision, *caused):
            item = item_of(db, one.item_id)
            if item.revision != one.revision:
                raise moved_on(db, item)
            back = leads_back_to(one, item)
            if back in READ and item.status != back:
                _no_policy_changed(db, item)
            if back is Status.ACTIVE and item.status != Status.ACTIVE:
                _only_active(db, item)
                may_come_back(db, item, author)
            also = _unless_active(db, item, one)
            act = Act(Action.UNDO, back, who, moment, undoes=one.id, self_approved=author.single_operator, also=also)
            put_back.append((item, set_and_log(db, item, act)))
        item, row = put_back[0]
        how = "put back" if decision.before else "taken back"
        return Decided(row_id(row), reference(item), item.status, f"{reference(item)} v{item.version} {how} just now")


def notice(db: DatabaseSession, item: Item, row: Decision) -> None:
    """Link a critical note to the case of its breach, and re-open that case by the rule *recurrence*.

    ``row`` is the decision by which the note began, became critical or came up, which is what re-opens the case.
    """
    again = cases.recurrence(db, item, row)
    if again is not None:
        turn(
            db,
            again.case,
            Act(Action.REOPEN, Status.OPEN, row.by, row.at, rule=cases.RULE, text=again.text, cause=row.id),
        )


def _decide(db: DatabaseSession, request: Request, who: str, at: datetime) -> Decided:
    item, person = item_of(db, request.item_id), duties_of(db, who)
    is_a_person(person)
    if item.revision != request.revision_seen:
        return same_again(db, item, request, who)
    if request.action is Action.MERGE:
        raise Refused("merge_into", f"To merge {reference(item)}, it must be said into what, and in which words.")
    if request.batch is not None:
        refuse_in_bulk(db, item, request.action)
    opened = None if request.shown_at is None else len(opened_by(db, row_id(item), who))
    asked = Asked(request, item, person, at, settings_in_force(db), screen_hash(db, item), opened)
    if blind.is_asked(item, request.action, person):
        return _decide_blind(db, asked)
    found = allowed(db, asked)
    if found.first_of_two:
        row = _endorse(db, asked, found.move)
        text = f"{reference(item)} endorsed just now: to {in_words(request.action)} it, one more person must say so"
    else:
        row = _carry_out(db, asked, found.move)
        text = f"{reference(item)} {DONE[request.action]} just now"
    give_back(db, row_id(item), who)
    forget(db, row_id(item), who)
    return Decided(row_id(row), reference(item), item.status, text)


def _decide_blind(db: DatabaseSession, asked: Asked) -> Decided:
    """A verdict of one of two people about a blind item, or the decision of a third where the two differ."""
    item, who, action = asked.item, asked.person.name, asked.request.action
    ref, said = reference(item), blind.heard(db, item, asked.screen)
    blind.not_one_of_them(item, said, who)
    if said.of(who):
        return Decided(0, ref, item.status, f"You said so about {ref} already; one more person must say.", True)
    found = allowed(db, asked)
    if not said.differ:
        said = blind.still_heard(db, item, asked.screen, found.move, asked.at)
        blind.give(db, item, _as_asked(asked, found.move))
    half = said.same(action)
    counts = half is not None and bool(still_may(db, [half.by], found.move, gravest(db, item)))
    give_back(db, row_id(item), who)
    forget(db, row_id(item), who)
    if not said.differ and half is None:
        then = "one more person must say" if not said.verdicts else "the two differ, so a third person decides"
        return Decided(0, ref, item.status, f"You said to {in_words(action)} {ref}; {then}.")
    if half is not None and counts:
        _endorse_for(db, asked, found.move, half)
    elif found.first_of_two:
        row = _endorse(db, asked, found.move)
        return Decided(row_id(row), ref, item.status, f"{ref} endorsed just now: one more person must say so")
    row = _carry_out(db, asked, found.move)
    return Decided(row_id(row), ref, item.status, f"{ref} {DONE[action]} just now, as {half.by if half else who} said")


def _endorse_for(db: DatabaseSession, asked: Asked, move: lifecycle.Move, half: BlindVerdict) -> Decision:
    """Log what somebody said under seal as the first of two yeses, now that it is one."""
    act = replace(
        _as_asked(asked, move),
        action=Action.ENDORSE,
        after=Status(asked.item.status),
        toward=asked.request.action,
        by=half.by,
        reason=half.reason,
        text=half.text,
        screen=half.screen_hash,
        looked_ms=half.looked_ms,
        opened=half.opened,
    )
    return set_and_log(db, asked.item, act)


def _endorse(db: DatabaseSession, asked: Asked, move: lifecycle.Move) -> Decision:
    """Log the first of two yeses; the item stays where it is, under a new revision."""
    stays, action = Status(asked.item.status), asked.request.action
    return set_and_log(
        db, asked.item, replace(_as_asked(asked, move), action=Action.ENDORSE, after=stays, toward=action)
    )


def _carry_out(db: DatabaseSession, asked: Asked, move: lifecycle.Move) -> Decision:
    item, act = asked.item, _as_asked(asked, move)
    aside: list[tuple[Item, str, Act]] = []
    if move.after is Status.ACTIVE:
        act = replace(act, also=_when_active(item, act))
        aside = [(other, other.status, goes) for other, goes in steps_aside(db, item, asked.request, act)]
    # The database holds one active version: what gives way goes first, and is logged after what it gave way to.
    for other, _, goes in aside:
        change(db, other, goes)
    row = turn(db, item, act)
    for other, was, goes in aside:
        write_down(db, other, goes, before=was, cause=row.id)
    if row.before in cases.NOT_YET and row.after == Status.OPEN:
        notice(db, item, row)
    if move.after is Status.REJECTED:
        bring_back(db, item, row)
    if move.after in READ:
        looked_at_again(db, item)
    if move.after is Status.ACTIVE:
        compact_when_over(db, item, by=act.by, at=act.at)
    return row


def bring_back(db: DatabaseSession, item: Item, cause: Decision) -> None:
    """Let what was merged into a version wait again, as old as it is, because that version is turned down."""
    for one in set_aside(db, item):
        act = Act(Action.REOPEN, Status.PROPOSED, cause.by, cause.at, rule=TURNED_DOWN, cause=cause.id)
        turn(db, one, replace(act, waits_since=one.created_at))


def _as_asked(asked: Asked, move: lifecycle.Move) -> Act:
    """The act that a request asks for, with what was said and seen."""
    request, alone = asked.request, asked.person.single_operator
    return Act(
        request.action,
        move.after,
        asked.person.name,
        asked.at,
        reason=request.reason if move.reason else None,
        text=mask(request.text.strip()).text,
        self_approved=alone,
        confidence=request.confidence if states_confidence(asked.item, request.action) else None,
        screen=asked.screen,
        looked_ms=looked_ms(request.shown_at, asked.at),
        opened=asked.opened,
        batch=request.batch,
    )


def _no_policy_changed(db: DatabaseSession, item: Item) -> None:
    """Refuse to put back in passing what has to be looked at under another version of a policy."""
    changed = [one for one in changed_since(db, item) if one[1] is not None]
    if changed:
        which = " and ".join(f"{policy} is v{now_so}" for policy, _, now_so in changed)
        text = f"{which} by now, and {reference(item)} was not looked at under it; an act of its own can bring it back."
        raise Refused("policy_changed", text)


def _only_active(db: DatabaseSession, item: Item) -> None:
    """Refuse to bring a version back beside another that is in force."""
    for other in versions_beside(db, item, (Status.ACTIVE,)):
        raise moved_on(db, other)


def _when_active(item: Item, act: Act) -> dict[str, object]:
    return {} if item.active_at is not None else {"active_at": act.at, "owner": item.owner or act.by}


def _unless_active(db: DatabaseSession, item: Item, decision: Decision) -> dict[str, object]:
    """An approval that is taken back leaves nothing behind, unless the version was in force before it, too."""
    others = (row for row in effective(db, item) if row.id != decision.id)
    if decision.after != Status.ACTIVE or any(row.after == Status.ACTIVE for row in others):
        return {}
    return {"active_at": None}
