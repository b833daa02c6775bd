"""Several people at a desk, and what it means that a refused act changed nothing."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlmodel import col, select

from core.errors import Refused
from core.governance.approval import answer_now
from core.governance.bodies import add_quotes
from core.governance.drafts import LessonContent
from core.governance.gate import FINDINGS, keep, source_of
from core.governance.people import set_person
from core.governance.versions import edit
from core.screening.contract import Follows, Place, Screen, ScreenFinding
from core.service.agents import AgentRecord, save_agent
from core.store.database import Database
from core.store.records import Decision, Evidence, Item, Refusal, Screening
from core.vocabulary import Action, Duty, Scope, Severity
from tests.desk import act, agent, lesson, put, quote, session

TEAM = {
    "lead1": {Duty.LEAD},
    "lead2": {Duty.LEAD},
    "lead3": {Duty.LEAD},
    "auditor1": {Duty.AUDITOR},
    "auditor2": {Duty.AUDITOR},
    "dev1": {Duty.DEVELOPER},
    "admin1": {Duty.ADMIN},
}

FOR_ALL = "Check the refund policy before you promise a refund."
LATE = "Promise a refund within 30 days of the purchase."
"""Breaks the policy ``campus-refund-window`` once an agent has it."""


def team(database: Database) -> None:
    """Three leads, two auditors, a developer and an admin."""
    for name, duties in TEAM.items():
        set_person(database, name, duties)


def decided(database: Database, item_id: int) -> list[tuple[str, str]]:
    """Every act about an item, and by whom, in the order of the log."""
    with database.reading() as db:
        rows = db.exec(select(Decision).where(Decision.item_id == item_id).order_by(col(Decision.id))).all()
        return [(row.action, row.by) for row in rows]


def refusals(database: Database) -> list[tuple[str, str]]:
    """Every refusal, by whom, in the order of the log."""
    with database.reading() as db:
        return [(row.code, row.by) for row in db.exec(select(Refusal).order_by(col(Refusal.id))).all()]


def everything(database: Database) -> list[object]:
    """Items, decisions, quotes and remarks as they stand."""
    with database.reading() as db:
        tables = (Item, Decision, Evidence)
        rows = [row.model_dump() for table in tables for row in db.exec(select(table).order_by(col(table.id))).all()]
        return [*rows, *(row.follows for row in db.exec(select(Screening).order_by(col(Screening.item_id))).all())]


@contextmanager
def refused(database: Database, code: str) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """The act is refused with this code, changes nothing, and stands in the log of refusals."""
    before, known = everything(database), len(refusals(database))
    with pytest.raises(Refused) as told:
        yield told
    assert told.value.code == code
    assert everything(database) == before
    assert [one for one, _ in refusals(database)[known:]] == [code]


def for_every_task(database: Database, text: str = FOR_ALL, proposer: str = "check claimed_not_done") -> int:
    """A proposed lesson of scope agent, which two people must approve."""
    return put(database, LessonContent(text=text, scope=Scope.AGENT), Severity.HIGH, proposer=proposer).item_id


def policy_arrives(database: Database) -> None:
    """From now on the agent has a policy that ``LATE`` breaks."""
    agent(database)
    save_agent(database, AgentRecord("Campus Desk", "", ("campus-refund-window",), {}, None, ""))


def against_policy(database: Database) -> int:
    """A lesson that breaks a policy, released by ``lead3`` and proposed."""
    policy_arrives(database)
    made = lesson(database, LATE).item_id
    act(database, made, Action.RELEASE, person="lead3", text="seen")
    return made


def edited(database: Database, item_id: int, person: str, **changes: object) -> int:
    """The next version of an item, made by somebody who has just looked."""
    with database.reading() as db:
        seen = db.get_one(Item, item_id).revision
    return edit(database, item_id=item_id, person=person, revision_seen=seen, changes=dict(changes)).item_id


def remark(database: Database, item_id: int, *codes: str, follows: Follows = Follows.FLAG) -> None:
    """Screens have remarked this about an item, whatever they would say now."""
    found = tuple(
        ScreenFinding(Screen.PLANT, code, Severity.HIGH, "", Place(0, 0), "Remarked.", "Look.", follows)
        for code in codes
    )
    with database.writing() as db:
        db.get_one(Screening, item_id).findings = list(FINDINGS.dump_python(found, mode="json"))


def screened_again(database: Database, item_id: int) -> None:
    """The card shows what the screens say by now."""
    with database.writing() as db:
        row = db.get_one(Item, item_id)
        keep(db, row, source_of(db, row), answer_now(db, row), row.created_at)


def further_proof(database: Database, item_id: int) -> None:
    """A quote of one more session."""
    proof = quote(session(database, "CD-9"))
    with database.writing() as db:
        add_quotes(db, db.get_one(Item, item_id), [proof])
