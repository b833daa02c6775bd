"""A log with everything in it, and hands that reach behind the desk's back."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal

from sqlalchemy import Connection, text

from core.errors import Refused
from core.governance.desk import decide, undo
from core.governance.desk_settings import save_desk_settings
from core.governance.log import log
from core.governance.people import set_person
from core.governance.versions import edit
from core.settings import DEFAULTS
from core.store.append_only import TABLES, guard, unguard
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Episode, EpisodeDecision
from core.store.oversight_records import (
    Assignment,
    BlindVerdict,
    NumbersVersion,
    PolicyDraft,
    PolicyTurnedDown,
    PolicyVersion,
)
from core.vocabulary import Action, Duty, RejectReason, Severity
from tests.desk import act, item, lesson, note, procedure, request, session


def team(database: Database) -> None:
    """Two leads, an auditor and somebody who keeps the settings and the people."""
    for name, duties in (
        ("Ada", {Duty.ADMIN, Duty.DEVELOPER}),
        ("Ben", {Duty.LEAD}),
        ("Cleo", {Duty.LEAD}),
        ("Dora", {Duty.AUDITOR}),
    ):
        set_person(database, name, duties)


def filled(database: Database) -> None:
    """Proposals, approvals, refusals, versions, undone and reopened decisions, people and settings."""
    team(database)
    first = lesson(database).item_id
    act(database, first, Action.APPROVE, person="Ben")
    second = lesson(database, "Ask for the order number before you look it up.", proposer="Cleo").item_id
    try:
        act(database, second, Action.APPROVE, person="Cleo")
    except Refused:
        act(database, second, Action.REJECT, person="Ben", reason=RejectReason.TOO_VAGUE)
    made = edit(
        database, item_id=first, person="Ben", revision_seen=2, changes={"text": "Look the refund rule up first."}
    )
    act(database, made.item_id, Action.APPROVE, person="Cleo")
    third = procedure(database).item_id
    act(database, third, Action.APPROVE, person="Cleo")
    act(database, third, Action.REINSTATE, person="Ben", text="It works", confidence=Decimal("0.80"))
    done = act(database, third, Action.SUSPEND, person="Cleo", text="Not now")
    undo(database, decision_id=done.decision_id, person="Cleo")
    grave = note(database, session(database), severity=Severity.CRITICAL).item_id
    decide(database, request(database, grave, Action.RESOLVE, person="Dora", text="The student was called."))
    act(database, grave, Action.REOPEN, person="Dora", text="It happened again.")
    save_desk_settings(database, {"decide_after": "0.5"}, by="Ada", reason="We read fast")
    assert item(database, made.item_id).status == "active"


def filled_with_oversight(database: Database) -> None:
    """The same, and a row in each of the tables of oversight that the log holds."""
    filled(database)
    at, item_id = now(), 1
    said = {"title": "Refunds", "owner": "Ada", "date": "2026-11-01", "text": "Refunds take 14 days."}
    draft = PolicyDraft(policy="refunds", base=0, body={**said}, by="Ada", reason="It was never written down", at=at)
    version = {"version": 1, "severity": Severity.HIGH, "sha256": "0" * 64, "origin": "page", "by": "Ada", "at": at}
    with database.writing() as db:
        log(db, NumbersVersion(chosen=DEFAULTS.model_dump(mode="json"), by="Ada", reason="As before", at=at))
        log(db, draft)
        log(db, PolicyVersion(policy="refunds", **said, **version, second="Ben", draft_id=draft.id))
        log(db, PolicyTurnedDown(draft_id=draft.id or 0, by="Ben", reason="Twice", at=at))
        log(db, Assignment(item_id=item_id, person="Ben", by="Ada", at=at))
        verdict = {"action": Action.APPROVE, "screen_hash": "0" * 64}
        log(db, BlindVerdict(item_id=item_id, revision=9, by="Ben", at=at, **verdict))
        happened = Episode(agent_id=1, text="The client asked about fees.", true_from=at, at=at)
        db.add(happened)
        db.flush()
        log(db, EpisodeDecision(episode_id=happened.id or 0, action="withdraw", text="Another client", by="Ben", at=at))


@contextmanager
def behind_the_back(database: Database) -> Iterator[Connection]:
    """The database without its guards, as for somebody who owns it; they are put up again at the end."""
    with database.writing() as db:
        connection = db.connection()
        unguard(connection, TABLES)
        yield connection
        guard(connection, TABLES)


def run(database: Database, *statements: str) -> None:
    """Change what stands in the database behind the desk's back."""
    with behind_the_back(database) as connection:
        for one in statements:
            connection.execute(text(one))
