"""For any day: what was active, and what an agent would have read, by the log."""

import random
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from sqlmodel import select

from core.briefing.asked import Asked
from core.briefing.read import Briefing, LeftOut, agent_named, brief, issue
from core.effects.outcomes import report_outcome
from core.errors import BadInput, Refused
from core.governance.acts import Request
from core.governance.as_of import stood, up_to
from core.governance.audit import verify
from core.governance.days import end_of, moment_said, span_of_days
from core.governance.desk import decide, undo
from core.governance.drafts import LessonContent, NoteContent, ProcedureContent
from core.governance.lifecycle import possible
from core.governance.numbers import numbers_then
from core.governance.saving_numbers import save_numbers
from core.governance.versions import edit
from core.service.agents import agent_for, agent_record, save_agent
from core.settings import DEFAULTS
from core.store.clock import now
from core.store.database import Database
from core.store.records import Decision, Item
from core.transcripts import AgentDraft
from core.vocabulary import Action, Dimension, DismissReason, Kind, Outcome, RejectReason, Severity, Status
from tests.core.governed import team
from tests.desk import OPERATOR, act, agent, item, lesson, note, procedure, put, quote, request, session

both = pytest.mark.databases("sqlite", "postgresql")

ASKED = (
    Asked("Campus Desk", "student 1", "refunds", "A student wants a refund for a course or a book"),
    Asked("Campus Desk", None, None, "parking and rooms"),
    Asked("Campus Desk", "student 2", "certificates", ""),
)
THINGS = ("course", "book", "trip", "room", "meal", "parking", "locker", "exam", "hostel", "library")
VERBS = ("Check", "Quote", "Name", "Show", "Read", "Compare")


def told(database: Database, asked: Asked, as_of: datetime | None = None) -> Briefing:
    with database.reading() as db:
        return brief(db, agent_named(db, asked.agent), asked, DEFAULTS, as_of=as_of)


def said(briefing: Briefing) -> tuple[object, ...]:
    """All that a briefing is, without the remarks."""
    return briefing.blocks, briefing.item_ids, sorted(briefing.left)


class Replay:
    """People who do whatever they may, day after day, on a clock of their own."""

    def __init__(self, database: Database, seed: int) -> None:
        self.database, self.dice = database, random.Random(seed)
        self.begun = now() + timedelta(days=1)
        self.session = session(database)
        self.receipts: list[str] = []
        team(database)

    def day(self, number: int) -> datetime:
        """Some acts of one day; the moment at which it ends."""
        at = self.begun + timedelta(days=number)
        for _ in range(self.dice.randint(3, 9)):
            at += timedelta(minutes=self.dice.randint(1, 90))
            with suppress(Refused, BadInput):
                self.dice.choice((self.propose, self.decide, self.decide, self.edit, self.undo, self.outcome))(at)
        return at

    def propose(self, at: datetime) -> None:
        what, verb = self.dice.choice(THINGS), self.dice.choice(VERBS)
        text = f"{verb} the {what} refund tariff before you answer."
        severity = self.dice.choice(list(Severity))
        kind = self.dice.choice(list(Kind))
        if kind is Kind.LESSON:
            put(self.database, LessonContent(text=text, tags=("refund", what)), Severity.HIGH, at=at)
        elif kind is Kind.PROCEDURE:
            confidence = Decimal(self.dice.randint(60, 85)) / 100
            content = ProcedureContent(
                title=what, trigger=f"When a {what} is meant", instruction=text, confidence=confidence
            )
            put(self.database, content, Severity.MEDIUM, at=at)
        else:
            words = NoteContent(
                dimension=Dimension.COMPLIANCE,
                severity=severity,
                observation=f"A refund of a {what} was promised.",
                improvement="Look it up first.",
            )
            found = self.dice.random() < 0.8
            put(
                self.database,
                words,
                severity,
                fault=f"{what} {found}",
                quotes=(quote(self.session, found=found),),
                user=self.dice.choice(("student 1", "student 2")),
                session_id=self.session,
                at=at,
            )

    def any_item(self) -> Item:
        with self.database.reading() as db:
            return self.dice.choice(list(db.exec(select(Item).order_by(Item.id)).all()) or [None])

    def decide(self, at: datetime) -> None:
        one = self.any_item()
        if one is None:
            return
        can = possible(Kind(one.kind), one.status)
        if not can:
            return
        into_force = Action.APPROVE in can and self.dice.random() < 0.6
        action = Action.APPROVE if into_force else self.dice.choice(can)
        person = self.dice.choice(("Ben", "Cleo", "Dora"))
        reason = {Action.REJECT: RejectReason.TOO_VAGUE, Action.DISMISS: DismissReason.NOT_TRUE}.get(action)
        stated = Decimal(self.dice.randint(40, 95)) / 100 if action is Action.REINSTATE else None
        asked: Request = request(
            self.database,
            one.id,
            action,
            person=person,
            reason=reason,
            text="So it is.",
            confidence=stated if one.kind == Kind.PROCEDURE else None,
        )
        decide(self.database, asked, at=at)

    def edit(self, at: datetime) -> None:
        one = self.any_item()
        if one is not None and one.kind == Kind.LESSON:
            what = self.dice.choice(THINGS)
            edit(
                self.database,
                item_id=one.id,
                person=self.dice.choice(("Ben", "Cleo")),
                revision_seen=one.revision,
                changes={"text": f"{self.dice.choice(VERBS)} the {what} fee before you promise."},
                at=at,
            )

    def undo(self, at: datetime) -> None:
        with self.database.reading() as db:
            last = db.exec(select(Decision).order_by(Decision.id.desc()).limit(3)).all()
        if last:
            one = self.dice.choice(last)
            undo(self.database, decision_id=one.id, person=one.by, at=at)

    def outcome(self, at: datetime) -> None:
        if self.receipts and self.dice.random() < 0.6:
            went = self.dice.choice(list(Outcome))
            report_outcome(self.database, self.dice.choice(self.receipts), went, at=at)
        else:
            self.receipts.append(issue(self.database, ASKED[0], at=at).receipt)


@both
@pytest.mark.parametrize("seed", [0, 1, 3])
def test_as_of_every_day_an_agent_would_have_read_what_the_briefing_said_that_day(
    database: Database, seed: int
) -> None:
    replay, kept = Replay(database, seed), []
    for number in range(30):
        at = replay.day(number)
        with database.reading() as db:
            statuses = {one.id: one.status for one in db.exec(select(Item)).all()}
        kept.append((at, [said(told(database, asked)) for asked in ASKED], statuses))
    assert len({str(briefings) for _, briefings, _ in kept}) > 6, "the days must differ"
    for at, briefings, statuses in kept:
        for asked, then in zip(ASKED, briefings, strict=True):
            again = told(database, asked, as_of=at)
            assert said(again) == then
            assert again.remarks == ()
        with database.reading() as db:
            assert {one.item: one.status for one in stood(db, up_to(db, at))} == statuses
    assert verify(database).breaks == ()


@both
def test_before_the_first_decision_nothing_was_active(database: Database) -> None:
    act(database, lesson(database).item_id, Action.APPROVE)
    early = datetime(2020, 1, 1, tzinfo=UTC)
    assert told(database, ASKED[0], as_of=early).item_ids == ()
    with database.reading() as db:
        assert list(stood(db, up_to(db, early))) == []


@both
def test_rejected_retired_and_waiting_items_are_not_read_as_of_any_moment(database: Database) -> None:
    ids = [lesson(database, f"Check the {what} refund tariff before you answer.").item_id for what in THINGS[:4]]
    for one in ids[:2]:
        act(database, one, Action.APPROVE)
    act(database, ids[1], Action.RETIRE, text="No longer so.")
    act(database, ids[2], Action.REJECT, reason=RejectReason.TOO_VAGUE)
    note(database, session(database), found=False)
    assert told(database, ASKED[0], as_of=now()).item_ids == (ids[0],)


@both
def test_a_clock_that_went_back_is_read_by_sequence_and_said(database: Database) -> None:
    first, second = lesson(database).item_id, procedure(database).item_id
    noon = now() + timedelta(days=3)
    decide(database, request(database, first, Action.APPROVE), at=noon + timedelta(hours=2))
    decide(database, request(database, second, Action.APPROVE), at=noon)
    then = told(database, ASKED[0], as_of=noon + timedelta(minutes=1))
    assert sorted(then.item_ids) == [first, second]
    (remark,) = then.remarks
    assert remark.startswith("A clock went back: 1 decision bears a later time than")
    assert told(database, ASKED[0], as_of=noon - timedelta(minutes=1)).item_ids == ()


@both
def test_a_base_prompt_that_was_changed_since_is_left_out_and_said(database: Database) -> None:
    agent(database)
    before = now()
    record = agent_record(database, "Campus Desk")
    save_agent(database, type(record)(**{**record.__dict__, "base_prompt": "You are another desk."}))
    act(database, procedure(database).item_id, Action.APPROVE)
    then = told(database, ASKED[0], as_of=before)
    assert "another desk" not in str(then.blocks)
    assert any("its base prompt of then is not known" in one for one in then.remarks)
    assert "another desk" in str(told(database, ASKED[0], as_of=now()).blocks)


@both
@pytest.mark.parametrize(
    "said", [AgentDraft("You are another desk."), AgentDraft(policies=("refunds",))], ids=["base prompt", "policies"]
)
def test_what_a_file_fills_into_an_agent_is_a_change_since_and_a_file_that_says_nothing_new_is_none(
    database: Database, said: AgentDraft
) -> None:
    agent(database, base_prompt="")
    before = now()
    with database.writing() as db:
        changed = agent_for(db, "Campus Desk", said).updated_at
    assert changed >= before
    then = told(database, ASKED[0], as_of=before)
    assert "another desk" not in str(then.messages)
    assert any("its base prompt of then is not known" in one for one in then.remarks)
    after = now()
    for again in (said, AgentDraft()):
        with database.writing() as db:
            assert agent_for(db, "Campus Desk", again).updated_at == changed
    assert told(database, ASKED[0], as_of=after).remarks == ()


@both
def test_a_briefing_as_of_then_is_by_the_numbers_of_then(database: Database) -> None:
    act(database, procedure(database).item_id, Action.APPROVE)
    issue(database, ASKED[0])
    before = now()
    save_numbers(database, {"procedure_threshold": "0.65"}, by=OPERATOR, reason="only what is sure")
    with database.reading() as db:
        agent_now = agent_named(db, ASKED[0].agent)
        then, today = (brief(db, agent_now, ASKED[0], as_of=moment) for moment in (before, now()))
        assert numbers_then(db, before) == DEFAULTS
        assert brief(db, agent_now, ASKED[0]).item_ids == ()
    assert (len(then.item_ids), then.remarks) == (1, ())
    assert (today.item_ids, today.left) == ((), (LeftOut("P-0001", "0.60, below 0.65", near=True),))


@both
def test_words_that_were_masked_since_are_said(database: Database) -> None:
    from core.store.records import LessonBody

    found = lesson(database).item_id
    act(database, found, Action.APPROVE)
    with database.writing() as db:
        db.get_one(LessonBody, found).text = "Check the refund policy with [openai key removed] first."
    (remark,) = told(database, ASKED[0], as_of=now()).remarks
    assert remark == "L-0001: its words were masked or changed since; those of then are not known."


@both
def test_a_note_whose_transcript_was_corrected_since_is_read_as_of_then_and_said(database: Database) -> None:
    import json

    from core.service.bring_in import bring_in
    from core.service.session_views import session_id_of
    from core.store.records import AgentSession

    def file_of(answer: str) -> bytes:
        messages = [{"role": "user", "content": "Can I get my money back?"}, {"role": "assistant", "content": answer}]
        return json.dumps({"id": "CD-7", "agent": "Campus Desk", "user": "student 1", "messages": messages}).encode()

    bring_in(database, file_of("Yes, the refund has been arranged for you."), "a.json")
    own = session_id_of(database, "CD-7")
    with database.reading() as db:
        sha256 = db.get_one(AgentSession, own).sha256
    words = quote(own).model_copy(update={"sha256": sha256})
    content = NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=Severity.HIGH,
        observation="A refund was promised.",
        improvement="Look it up first.",
    )
    made = put(database, content, Severity.HIGH, fault="f", quotes=(words,), user="student 1", session_id=own)
    before = now()
    assert told(database, ASKED[0], as_of=before).item_ids == (made.item_id,)
    bring_in(database, file_of("Yes, a voucher is on its way to you."), "b.json", correct=True, by=OPERATOR)
    assert item(database, made.item_id).status == Status.HELD
    then = told(database, ASKED[0], as_of=before)
    assert then.item_ids == (made.item_id,)
    assert any("N-0001: how its quote stood is not known, CD-7 was corrected on" in one for one in then.remarks)
    assert told(database, ASKED[0], as_of=now()).item_ids == ()


KOLKATA = (
    "Asia/Kolkata",
    ["2026-06-23T18:29:59.999Z", "2026-06-23T18:30:00Z", "2026-06-24T18:29:59.999500Z", "2026-06-24T18:30:00Z"],
)


def test_a_day_is_half_open_from_its_midnight_to_the_next() -> None:
    zone, times = KOLKATA
    span = span_of_days(date(2026, 6, 24), date(2026, 6, 24), zone)
    assert span.start is not None
    assert span.end is not None
    inside = [span.start <= datetime.fromisoformat(one) < span.end for one in times]
    assert inside == [False, True, True, False]


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("America/New_York", date(2026, 11, 1), 25),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
        ("America/Havana", date(2026, 11, 1), 25),
        ("Africa/Cairo", date(2026, 4, 24), 23),
        ("Pacific/Apia", date(2011, 12, 30), 0),
        ("UTC", date(2026, 10, 25), 24),
    ],
)
def test_a_day_has_the_hours_that_its_zone_gives_it(zone: str, day: date, hours: float) -> None:
    span = span_of_days(day, day, zone)
    assert span.start is not None
    assert span.end is not None
    assert span.end - span.start == timedelta(hours=hours)
    assert end_of(day, zone) == span.end - timedelta(microseconds=1)
    before = span_of_days(day - timedelta(days=1), day - timedelta(days=1), zone)
    assert before.end == span.start, "no moment is lost between two days"


def test_days_without_an_end_and_the_first_and_the_last_day_of_all() -> None:
    assert span_of_days(None, None, "UTC") == type(span_of_days(None, None, "UTC"))()
    assert span_of_days(None, date.max, "UTC").end is None
    assert span_of_days(date.min, date.max, "Asia/Tokyo") == span_of_days(None, None, "UTC")
    assert span_of_days(date.min, date.min, "Asia/Tokyo").end is not None
    with pytest.raises(BadInput, match="the first day cannot come after the last"):
        span_of_days(date(2026, 2, 2), date(2026, 2, 1), "UTC")


def test_a_moment_is_a_day_a_clock_in_the_zone_or_a_time_with_its_offset() -> None:
    utc = datetime(2026, 11, 24, 13, 0, tzinfo=UTC)
    assert moment_said("2026-11-24T14:00", "Europe/Berlin") == utc
    assert moment_said("2026-11-24T14:00+01:00", "Asia/Kolkata") == utc
    assert moment_said("2026-11-24", "Europe/Berlin") == datetime(2026, 11, 24, 22, 59, 59, 999_999, tzinfo=UTC)
    for wrong in ("24.11.2026", "yesterday", "2026-13-01", ""):
        with pytest.raises(BadInput, match="is no day or time"):
            moment_said(wrong, "UTC")
    with pytest.raises(BadInput, match="no time zone"):
        moment_said("2026-11-24", "Mars/Olympus")
