"""Home: what waits by duty, what changed since somebody was here, what is wrong, and figures with what they rest on."""

from datetime import timedelta

import pytest
from sqlalchemy import event

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.effects.outcomes import report_outcome
from core.governance.assignments import assign
from core.governance.desk import decide, undo
from core.governance.desk_settings import DeskSettings, desk_settings
from core.governance.drafts import LessonContent
from core.governance.log import log
from core.governance.people import Person, duties_of, set_person
from core.governance.policy_adoption import adopt
from core.governance.tokens import make_token
from core.service.critic.settings import chosen_for, critic_settings
from core.service.desk_views import queue_counts
from core.service.home import home_view
from core.service.visits import note_visit
from core.store.critic_records import CriticRun, CriticSettingsVersion
from core.store.governance_records import DeskSettingsVersion
from core.store.oversight_records import Digest, NumbersVersion
from core.store.records import Import
from core.vocabulary import Action, Duty, Outcome, RejectReason, RunState, Scope, Severity, Verb
from tests.core.governed import team
from tests.desk import START, act, lesson, note, procedure, put, request, session
from tests.policies import folder, put_file

__all__ = ["folder"]

NOW = START + timedelta(days=20)
BOTH = pytest.mark.databases("sqlite", "postgresql")
OTHER = "Name the costs that are not given back, such as postage."
THIRD = "Ask for the serial number of a lamp that flickers."


def home(database, name, at=NOW):
    with database.reading() as db:
        person = duties_of(db, name)
    return home_view(database, person, queue_counts(database, person, at=at), at)


def said(facts):
    return [(fact.number.number, fact.fact) for fact in facts]


@BOTH
def test_an_empty_desk_has_nothing_to_say(database):
    team(database)
    found = home(database, "Ben")
    assert (found.waits, found.changed, found.wrong) == ((), (), ())
    assert [one.value for one in found.figures] == ["–", "–", "0"]


@BOTH
def test_what_waits_follows_the_duties_of_whoever_looks(database):
    team(database)
    first = lesson(database).item_id
    lesson(database, OTHER)
    note(database, session(database), severity=Severity.CRITICAL)
    assign(database, [first], "Ben", by="Ben")
    lead = home(database, "Ben").waits
    assert said(lead) == [(1, "given to you"), (2, "lessons, procedures and notes in all"), (2, "are overdue")]
    assert lead[0].query == (("whose", "mine"),)
    assert lead[0].detail.startswith("since 2 Nov: Check the refund policy")
    auditor = home(database, "Dora").waits
    assert said(auditor) == [(1, "critical note is open")]
    assert auditor[0].detail.startswith("1 overdue; since 2 Nov: ")


@BOTH
def test_an_item_that_needs_one_more_yes_is_told_to_the_other(database):
    team(database)
    one = put(database, LessonContent(text=THIRD, tags=("refund", "policy"), scope=Scope.AGENT), Severity.HIGH).item_id
    decide(database, request(database, one, Action.APPROVE, person="Ben"), at=START)
    assert (1, "item needs a second person") in said(home(database, "Cleo").waits)
    assert (1, "item needs a second person") not in said(home(database, "Ben").waits)


@BOTH
def test_what_changed_is_what_happened_since_the_last_visit_and_by_whom(database):
    team(database)
    first, second, third = (lesson(database, text).item_id for text in (THIRD, OTHER, "Look the refund rule up first."))
    with database.reading() as db:
        ben = duties_of(db, "Ben")
    decide(database, request(database, first, Action.APPROVE, person="Ben"), at=START)
    note_visit(database, ben, START + timedelta(hours=1))
    note_visit(database, ben, START + timedelta(days=2))
    later = START + timedelta(days=1)
    decide(database, request(database, second, Action.APPROVE, person="Cleo"), at=later)
    decide(database, request(database, third, Action.REJECT, person="Ben", reason=RejectReason.TOO_VAGUE), at=later)
    found = home(database, "Ben", at=START + timedelta(days=2))
    assert found.since == START + timedelta(hours=1)
    assert said(found.changed) == [(1, "lesson approved"), (1, "lesson rejected")]
    assert [fact.detail for fact in found.changed] == ["1 by Cleo", "1 by you"]
    assert found.changed[0].query == (("kind", "lesson"), ("did", "approve"))


@BOTH
def test_what_was_taken_back_is_no_change_since_the_last_visit(database):
    team(database)
    taken, stays = (lesson(database, text).item_id for text in (THIRD, OTHER))
    for one in (taken, stays):
        done = decide(database, request(database, one, Action.APPROVE, person="Ben"), at=NOW - timedelta(days=1))
        if one == taken:
            undo(database, decision_id=done.decision_id, person="Ben", at=NOW - timedelta(days=1))
    assert said(home(database, "Cleo").changed) == [(1, "lesson approved")]
    grave = note(database, session(database), severity=Severity.CRITICAL).item_id
    decide(database, request(database, grave, Action.RESOLVE, person="Dora", text="Called."), at=START)
    again = request(database, grave, Action.REOPEN, person="Dora", text="Again.")
    done = decide(database, again, at=NOW - timedelta(days=1))
    assert (1, "resolved case re-opened") in said(home(database, "Cleo").changed)
    undo(database, decision_id=done.decision_id, person="Dora", at=NOW - timedelta(days=1))
    assert not [fact for fact in home(database, "Cleo").changed if "re-opened" in fact.fact]


@BOTH
def test_the_policies_that_a_desk_came_with_are_recorded_and_only_later_ones_are_changed(database, folder):
    team(database)
    put_file(folder)
    put_file(folder, policy="lamps", name="lamps.yaml")
    adopt(database, at=NOW - timedelta(days=2))
    assert said(home(database, "Ben").changed) == [(2, "policies recorded")]
    put_file(folder, 2)
    adopt(database, at=NOW - timedelta(days=1))
    assert said(home(database, "Ben").changed) == [(1, "policy changed")]


@BOTH
def test_a_procedure_without_an_outcome_is_not_said_to_be_about_to_leave(database):
    team(database)
    one = procedure(database, confidence="0.60").item_id
    decide(database, request(database, one, Action.APPROVE, person="Ben"), at=START)
    assert home(database, "Ben").wrong == ()


@BOTH
def test_a_case_that_was_reopened_is_told_first(database):
    team(database)
    grave = note(database, session(database), severity=Severity.CRITICAL).item_id
    decide(database, request(database, grave, Action.RESOLVE, person="Dora", text="The student was called."), at=START)
    decide(database, request(database, grave, Action.REOPEN, person="Dora", text="Again."), at=NOW - timedelta(days=1))
    told = home(database, "Dora").changed[0]
    assert (told.number.number, told.fact, told.query) == (1, "resolved case re-opened", (("note", "N-0001"),))


@BOTH
def test_a_procedure_that_fell_out_of_the_briefing_is_told_and_one_that_is_about_to(database):
    team(database)
    one = procedure(database, confidence="0.70").item_id
    decide(database, request(database, one, Action.APPROVE, person="Ben"), at=START)
    fails = START + timedelta(days=15)
    for day in (0, 1):
        issued = issue(
            database, Asked("Campus Desk", "student 1", "refunds", "a refund"), at=fails + day * timedelta(1)
        )
        if day == 0:
            report_outcome(database, issued.receipt, Outcome.FAILURE, at=fails)
            assert [fact.fact for fact in home(database, "Ben", at=fails).wrong] == [
                "procedure is one failure away from leaving"
            ]
        else:
            report_outcome(database, issued.receipt, Outcome.FAILURE, at=fails + day * timedelta(1))
    told = next(fact for fact in home(database, "Ben").changed if "briefing" in fact.fact)
    assert (told.number.number, told.fact) == (1, "procedure fell out of the briefing")
    assert "0.70 → 0.40" in told.detail


@BOTH
def test_what_is_wrong_is_told_to_whoever_mends_it(database):
    team(database)
    at = session(database)
    with database.writing() as db:
        db.add(
            Import(at=NOW, file_name="nov.jsonl", format="x", sha256="1" * 64, report={"errors": ["line 118: no role"]})
        )
        for state, reason in (
            (RunState.FAILED, "timeout"),
            (RunState.STOPPED, "spending_cap"),
            (RunState.QUEUED, None),
        ):
            over = state is not RunState.QUEUED
            db.add(
                CriticRun(
                    session_id=at,
                    transcript_sha256="0" * 64,
                    recipe=state * 2,
                    server="s",
                    state=state,
                    reason=reason,
                    by="Ada",
                    queued_at=NOW,
                    ended_at=NOW if over else None,
                )
            )
        db.add(Digest(day="2026-11-22", at=NOW, way="webhook", problem="The webhook answered 500."))
    make_token(
        database,
        name="t",
        agent="Campus Desk",
        verbs=[Verb.BRIEFING],
        by="Ada",
        expires_at=NOW + timedelta(days=3),
        at=NOW,
    )
    found = home(database, "Ada").wrong
    assert said(found) == [
        (1, "debrief waits and no worker lives"),
        (1, "debrief failed"),
        (1, "debrief stopped by the spending cap"),
        (1, "import with errors"),
        (1, "token expires within 7 days"),
        (1, "digest was not sent"),
    ]
    assert "nov.jsonl: line 118" in found[3].detail
    assert home(database, "Ben").wrong == ()


def test_saved_settings_that_are_not_known_here_are_told_and_stop_nothing(database):
    team(database)
    one = lesson(database).item_id
    before = len(home(database, "Ada").wrong)
    with database.writing() as db:
        log(db, NumbersVersion(chosen={"tomorrow": 1}, by="Ada", reason="r", at=START))
        log(db, DeskSettingsVersion(chosen={"lease_minutes": 9_000, "digest_hour": 9}, by="Ada", reason="r", at=START))
        critic = {"model": "small", "temperature": "cold", "moods": 3}
        db.add(CriticSettingsVersion(chosen=critic, by="Ada", reason="r", at=START))
    told = home(database, "Ada").wrong
    assert len(told) == before + 1
    fact = next(one for one in told if "not in force" in one.fact)
    assert (fact.number.number, fact.fact, fact.page) == (4, "saved settings are not in force", "thresholds")
    assert fact.detail == "“tomorrow” is not known here"
    assert not [one for one in home(database, "Ben").wrong if "not in force" in one.fact]
    settings, _ = desk_settings(database)
    assert (settings.lease_minutes, settings.digest_hour) == (DeskSettings().lease_minutes, 9)
    assert critic_settings(database).model == "small"
    assert chosen_for(database) == {"model": "small", "temperature": "cold"}
    decide(database, request(database, one, Action.APPROVE, person="Ben"), at=START)
    assert issue(database, Asked("Campus Desk", "student 1", "refunds", "a refund")).receipt


def test_a_guard_that_is_gone_and_a_policy_file_that_does_not_fit_are_told_to_everybody(
    database, monkeypatch, tmp_path
):
    team(database)
    (tmp_path / "refunds.yaml").write_text("id: [", encoding="utf-8")
    monkeypatch.setenv("TUTELAGE_POLICIES", str(tmp_path))
    with database.writing() as db:
        db.connection().exec_driver_sql("DROP TRIGGER decision_no_delete")
    assert said(home(database, "Ben").wrong) == [
        (1, "table of the log is unguarded"),
        (1, "policy file does not fit"),
    ]


@BOTH
def test_figures_are_of_people_in_thirty_days_and_leave_out_what_was_taken_back(database):
    team(database)
    days = [1, 3, 40]
    for number, day in enumerate(days):
        one = lesson(database, (THIRD, OTHER, "Look the refund rule up first.")[number]).item_id
        said_no = {"reason": RejectReason.TOO_VAGUE} if number == 1 else {}
        action = Action.REJECT if number == 1 else Action.APPROVE
        decide(database, request(database, one, action, person="Ben", **said_no), at=START + timedelta(days=day))
    four = lesson(database, "Say which counter takes the parcel back before it is sent.").item_id
    done = decide(database, request(database, four, Action.APPROVE, person="Ben"), at=START + timedelta(days=41))
    undo(database, decision_id=done.decision_id, person="Ben", at=START + timedelta(days=41))
    approved, time, _ = home(database, "Ben", at=START + timedelta(days=42)).figures
    assert (approved.value, approved.basis) == ("100 %", "of 1 decided in 30 days")
    assert approved.before == "50 % of 2 in the 30 days before"
    assert (time.value, time.basis, time.before) == (
        "40 d",
        "median of 1; 90 % within 40 d",
        "24 h in the 30 days before",
    )


@BOTH
def test_a_note_that_was_resolved_counts_as_kept_and_once_though_it_was_released(database):
    team(database)
    only = note(database, session(database, "CD-2"), fault="b").item_id
    decide(database, request(database, only, Action.RESOLVE, person="Ben", text="So it is."), at=START)
    one = note(database, session(database)).item_id
    for day, action in ((1, Action.SUSPEND), (2, Action.RELEASE), (3, Action.RESOLVE)):
        decide(database, request(database, one, action, person="Ben", text="So it is."), at=START + timedelta(days=day))
    approved, *_ = home(database, "Ben", at=START + timedelta(days=4)).figures
    assert (approved.value, approved.basis) == ("100 %", "of 2 decided in 30 days")


@BOTH
def test_what_was_reopened_had_waited_since_then(database):
    team(database)
    one = lesson(database).item_id
    reject = request(database, one, Action.REJECT, person="Ben", reason=RejectReason.TOO_VAGUE)
    decide(database, reject, at=START + timedelta(days=1))
    reopen = request(database, one, Action.REOPEN, person="Ben", text="It names a step")
    decide(database, reopen, at=START + timedelta(days=60))
    decide(database, request(database, one, Action.APPROVE, person="Ben"), at=START + timedelta(days=61))
    assert home(database, "Ben", at=START + timedelta(days=62)).figures[1].value == "24 h"


def test_home_asks_a_bounded_number_of_questions(database):
    set_person(database, "Ada", set(Duty))
    for number, text in enumerate((THIRD, OTHER)):
        act(database, lesson(database, text).item_id, Action.APPROVE, person="Ada") if number else lesson(
            database, text
        )
    act(database, procedure(database).item_id, Action.APPROVE, person="Ada")
    person = Person("Ada", frozenset(Duty))
    counts = queue_counts(database, person)
    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *said: asked.append(said[2]))
    home_view(database, person, counts, NOW)
    assert len([one for one in asked if one.lstrip().upper().startswith("SELECT")]) <= 38
