"""What is said about agreement: only what was said blind counts between people; the critic and checks stand beside."""

from datetime import timedelta

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from core.governance.desk import decide, undo
from core.governance.desk_settings import save_desk_settings
from core.governance.drafts import NoteContent
from core.governance.looking import mark_opened
from core.governance.people import duties_of, take_duties
from core.service.agreement_views import agreement_report
from core.service.digest import as_text, digest_of
from core.service.home import home_view
from core.service.queue_counts import queue_counts
from core.service.signs_views import signs_shown
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticPrompt, Opinion
from core.store.database import Database
from core.store.records import Decision, Evidence, ReadMark
from core.vocabulary import Action, CallState, Dimension, DismissReason, RejectReason, Severity, Support, Writer
from tests.core.governance.at_the_desk import edited, for_every_task, team
from tests.desk import act, lesson, note, put, quote, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

CODES = {Action.REJECT: RejectReason.NOT_TRUE, Action.DISMISS: DismissReason.NOT_TRUE}


def all_blind(database: Database) -> None:
    team(database)
    save_desk_settings(database, {"blind_share": "1.00"}, by="dev1", reason="to see whether we agree")


def says(database: Database, found: int, person: str, action: Action):
    return act(database, found, action, person=person, reason=CODES.get(action), text="so it is")


def noted(database: Database, number: int, severity: Severity = Severity.HIGH) -> int:
    return note(database, session(database, f"S-{number}"), severity=severity, fault=f"f{number}").item_id


def test_two_blind_verdicts_are_one_round_and_what_was_not_blind_is_none(database: Database) -> None:
    team(database)
    open_to_all = for_every_task(database)
    says(database, open_to_all, "lead1", Action.APPROVE)
    says(database, open_to_all, "lead2", Action.APPROVE)
    assert agreement_report(database).rounds == ()
    save_desk_settings(database, {"blind_share": "1.00"}, by="dev1", reason="to see whether we agree")
    found = noted(database, 1)
    says(database, found, "lead1", Action.RESOLVE)
    report = agreement_report(database)
    assert (report.rounds, report.sealed) == ((), 1)
    says(database, found, "lead2", Action.RESOLVE)
    report = agreement_report(database)
    assert [(one.ref, one.dimension, one.same) for one in report.rounds] == [("N-0001", "compliance", True)]
    assert (report.sealed, report.differ) == (0, ())


def test_agreement_is_cut_by_dimension_severity_kind_agent_and_thirty_days(database: Database) -> None:
    all_blind(database)
    for number in range(12):
        found = noted(database, number, Severity.HIGH if number % 2 else Severity.LOW)
        says(database, found, "lead1", Action.RESOLVE if number % 3 else Action.DISMISS)
        says(database, found, "lead2", Action.RESOLVE if number % 4 else Action.DISMISS)
    report = agreement_report(database)
    # Both dismiss 0; lead1 alone 3, 6, 9; lead2 alone 4, 8; both resolve the other six: 7 of 12 the same.
    assert report.whole.items == 12
    assert report.whole.same == pytest.approx(7 / 12)
    (pair,) = report.pairs
    by_chance = (4 / 12) * (3 / 12) + (8 / 12) * (9 / 12)
    assert (pair.name, pair.found.kappa) == ("lead1 and lead2", pytest.approx((7 / 12 - by_chance) / (1 - by_chance)))
    assert [(one.by, one.name, one.found.items) for one in report.slices][:-1] == [
        ("dimension", "compliance", 12),
        ("severity", "high", 6),
        ("severity", "low", 6),
        ("kind", "note", 12),
        ("agent", "Campus Desk", 12),
    ]
    assert report.slices[-1].by == "30 days"
    assert len(report.differ) == 5
    later = agreement_report(database, at=now() + timedelta(days=45))
    assert later.slices[-1].found.items == 12


def test_a_round_after_the_first_is_not_blind_any_more_and_not_counted(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1", Action.APPROVE)
    done = says(database, found, "lead2", Action.APPROVE)
    undo(database, decision_id=done.decision_id, person="lead2")
    says(database, found, "lead1", Action.REJECT)
    says(database, found, "lead2", Action.REJECT)
    assert [one.first.action for one in agreement_report(database).rounds] == ["approve"]


def test_what_people_kept_of_what_a_check_proposed_is_counted(database: Database) -> None:
    team(database)
    for number, action in enumerate((Action.RESOLVE, Action.RESOLVE, Action.DISMISS)):
        says(database, noted(database, number), "lead1", action)
    (check,) = agreement_report(database).proposed
    assert (check.who, check.kept, check.refused) == ("check claimed_not_done", 2, 1)


def test_the_critics_second_opinion_stands_against_what_people_said_last(database: Database) -> None:
    team(database)
    call = _a_call(database)
    said = (Support.YES, Support.YES, Support.NO, Support.NO, Support.PARTLY, Support.UNREADABLE)
    people = (Action.RESOLVE, Action.DISMISS, Action.DISMISS, Action.DISMISS, Action.RESOLVE, Action.RESOLVE)
    for number in range(18):
        found = noted(database, number, Severity.HIGH if number % 6 < 2 else Severity.LOW)
        with database.writing() as db:
            proof = db.exec(select(Evidence.id).where(Evidence.item_id == found)).one()
            supports = said[number % 6]
            db.add(Opinion(item_id=found, evidence_id=proof or 0, call_id=call, supports=supports, at=now()))
        says(database, found, "lead1", people[number % 6])
    report = agreement_report(database)
    # yes-kept 3, yes-refused 3, no-refused 6: 9 of 12 the same; by chance 6/12 · 3/12 + 6/12 · 9/12 = 1/2.
    assert (report.opinions.items, report.partly) == (12, 3)
    assert (report.opinions.same, report.opinions.kappa) == (pytest.approx(0.75), pytest.approx(0.5))
    assert [(one.by, one.name, one.found.items, one.found.same) for one in report.opinion_parts] == [
        ("dimension", "compliance", 12, pytest.approx(0.75)),
        ("severity", "high", 6, pytest.approx(0.5)),
        ("severity", "low", 6, pytest.approx(1.0)),
    ]


def test_the_severity_that_the_critic_gave_stands_against_the_one_it_was_kept_with(database: Database) -> None:
    team(database)
    for number in range(12):
        severity = Severity.HIGH if number % 2 else Severity.LOW
        run, told = session(database, f"S-{number}"), f"A refund was promised ({number})."
        content = NoteContent(
            dimension=Dimension.COMPLIANCE, severity=severity, observation=told, improvement="Look the rule up first."
        )
        quotes = (quote(run),)
        made = put(database, content, severity, fault=told, proposer="critic", quotes=quotes, session_id=run).item_id
        kept = edited(database, made, "lead2", severity="low") if number == 1 else made
        says(database, kept, "lead1", Action.RESOLVE)
    report = agreement_report(database)
    # Low and low 6, high and high 5, high that became low 1; by chance 6/12 · 7/12 + 6/12 · 5/12 = 1/2.
    assert (report.severities.items, report.severities.same) == (12, pytest.approx(11 / 12))
    assert report.severities.kappa == pytest.approx(5 / 6)


def _a_call(database: Database) -> int:
    """A request to the critic for an opinion."""
    with database.writing() as db:
        db.add(CriticPrompt(sha256="0" * 64, writer=Writer.OPINION, text="What do you think?", at=now()))
        db.flush()
        call = CriticCall(writer=Writer.OPINION, key="0" * 64, prompt_sha256="0" * 64, state=CallState.ANSWERED)
        db.add(call)
        db.flush()
        return call.id or 0


def test_who_is_missing_is_said_of_every_blind_item_that_nobody_can_finish(database: Database) -> None:
    all_blind(database)
    lesson(database)
    assert agreement_report(database).stuck == ()
    for name in ("lead2", "lead3"):
        take_duties(database, name, by="admin1")
    (stuck,) = agreement_report(database).stuck
    assert (stuck.ref, stuck.why) == ("L-0001", "two people must say, and only lead1 may")
    assert "Somebody is missing for L-0001: two people must say, and only lead1 may." in as_text(digest_of(database))
    with database.reading() as db:
        me = duties_of(db, "admin1")
    told = home_view(database, me, queue_counts(database, me), now()).wrong
    assert [line.detail for line in told if line.page == "agreement"] == [f"{stuck.ref}: {stuck.why}"]


def test_a_decision_keeps_how_long_and_at_how_many_quotes_somebody_looked(database: Database) -> None:
    team(database)
    first, second = session(database), session(database, "CD-2")
    found = lesson(database, quotes=(quote(first), quote(second))).item_id
    with database.reading() as db:
        ids = db.exec(select(Evidence.id).where(Evidence.item_id == found)).all()
    mark_opened(database, found, "lead1", [ids[0], 4_711])
    with database.reading() as db:
        assert db.get_one(ReadMark, (found, "lead1")).opened == [ids[0]]
    moment = now()
    asked = request(database, found, Action.APPROVE, person="lead1")
    shown = type(asked)(**{**vars(asked), "shown_at": moment - timedelta(seconds=3)})
    decide(database, shown, at=moment)
    with database.reading() as db:
        row = db.exec(select(Decision).order_by(col(Decision.id).desc())).first()
    assert row
    assert (row.looked_ms, row.opened) == (3_000, 1)
    with database.reading() as db:
        me = duties_of(db, "auditor1")
    (signs,) = signs_shown(database, me).rows
    assert (signs.person, signs.quick.text, signs.unopened.text) == ("lead1", "100 % of 1", "0 % of 1")
    assert signs.partly_opened.text == "100 % of 1"


def test_who_decided_without_a_screen_is_in_no_sign_of_looking(database: Database) -> None:
    team(database)
    says(database, noted(database, 1), "lead1", Action.RESOLVE)
    with database.reading() as db:
        me = duties_of(db, "admin1")
    (signs,) = signs_shown(database, me).rows
    assert (signs.decisions, signs.quick.of, signs.unopened.of) == (1, 0, 0)


def test_an_approval_that_was_undone_or_suspended_by_somebody_counts_as_reversed(database: Database) -> None:
    team(database)
    texts = ("Name the building when a room is booked.", "Ask for the order number before you look an order up.")
    kept, undone, suspended = (lesson(database, text).item_id for text in (*texts, "Read the exam dates aloud."))
    says(database, kept, "lead1", Action.APPROVE)
    done = says(database, undone, "lead1", Action.APPROVE)
    undo(database, decision_id=done.decision_id, person="lead1")
    says(database, suspended, "lead1", Action.APPROVE)
    says(database, suspended, "lead2", Action.SUSPEND)
    with database.reading() as db:
        me = duties_of(db, "admin1")
    (signs,) = signs_shown(database, me).rows
    assert (signs.reversed.count, signs.reversed.of, signs.run) == (2, 3, 3)


def test_a_lead_sees_their_own_signs_and_the_teams_median_and_a_developer_none(database: Database) -> None:
    team(database)
    for number, name in enumerate(("lead1", "lead2", "lead3")):
        says(database, noted(database, number), name, Action.RESOLVE)
    with database.reading() as db:
        lead, developer, auditor = (duties_of(db, name) for name in ("lead1", "dev1", "auditor1"))
    own, none, everybody = (signs_shown(database, one) for one in (lead, developer, auditor))
    assert ([one.person for one in own.rows], own.medians["kept"]) == (["lead1"], 1.0)
    assert (none.rows, none.medians) == ((), {})
    assert [one.person for one in everybody.rows] == ["lead1", "lead2", "lead3"]


def test_the_decisions_are_asked_for_once_and_only_the_last_of_each_item_is_read(database: Database) -> None:
    team(database)
    for number in range(6):
        says(database, noted(database, number), "lead1", Action.RESOLVE)
        says(database, lesson(database, f"Look page {number} up first.").item_id, "lead1", Action.APPROVE)
    read: list[str] = []

    def count(*said: object) -> None:
        if "FROM decision JOIN item" in str(said[2]).replace("\n", ""):
            read.append(str(said[2]))

    event.listen(database.engine, "before_cursor_execute", count)
    report = agreement_report(database)
    event.remove(database.engine, "before_cursor_execute", count)
    assert [(one.who, one.kept) for one in report.proposed] == [("check claimed_not_done", 12)]
    assert len(read) == 1
    assert "max(decision.id)" in read[0]
