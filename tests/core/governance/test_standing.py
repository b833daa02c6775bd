"""Quotes follow their words into a corrected transcript, or say that they are stale and take their item out."""

import json

import pytest
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.errors import Refused
from core.evidence import Span, ground
from core.governance.bodies import quotes_of
from core.governance.drafts import LessonContent, NoteContent, Quoted, quoted
from core.governance.people import set_person
from core.governance.versions import AboutQuote, accept_gap, pick_place
from core.service.bring_in import bring_in, dry_run
from core.service.desk_views import card, history, session_id_of, session_view
from core.store.database import Database
from core.store.records import Correction, Decision, Evidence, Item, Refusal
from core.store.transcripts import transcript_of
from core.vocabulary import Action, Dimension, Duty, Role, Severity, Status, Verdict
from tests.desk import OPERATOR, act, item, put

pytestmark = pytest.mark.databases("sqlite", "postgresql")

SAID = (
    ("user", "Can I get my money back for order 4417?"),
    ("assistant", "Yes, the refund of 40 euros has been arranged for you."),
    ("user", "And the second one?"),
    ("assistant", "You are, as a student, not able to cancel it twice. Yes, the refund is on its way."),
)
FOUND = "the refund of 40 euros has been arranged"


def file_of(turns: tuple[tuple[str, str], ...] = SAID) -> bytes:
    messages = [{"role": role, "content": content} for role, content in turns]
    return json.dumps({"id": "CD-9", "user": "student 1", "agent": "Campus Desk", "messages": messages}).encode()


def changed(turn: int, content: str) -> bytes:
    turns = list(SAID)
    turns[turn] = (turns[turn][0], content)
    return file_of(tuple(turns))


@pytest.fixture
def known(database: Database) -> int:
    """The id of a session that is here."""
    bring_in(database, file_of(), "one.json")
    return session_id_of(database, "CD-9")


def proof(database: Database, session: int, words: str) -> Quoted:
    with database.reading() as db:
        transcript = transcript_of(db, session)
    found = ground(words, transcript, speaker=Role.ASSISTANT)
    return quoted(session, transcript, words, found, speaker=Role.ASSISTANT)


def note_on(database: Database, session: int, words: str = FOUND) -> int:
    content = NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=Severity.HIGH,
        observation="A refund was promised.",
        improvement="Look the rule up first.",
    )
    quotes = (proof(database, session, words),)
    made = put(database, content, Severity.HIGH, quotes=quotes, user="student 1", session_id=session, fault=words)
    return made.item_id


def lesson_on(database: Database, *quotes: Quoted) -> int:
    content = LessonContent(text="Check the refund policy before you promise a refund.", tags=("refund",))
    made = put(database, content, Severity.HIGH, quotes=quotes)
    act(database, made.item_id, Action.APPROVE)
    return made.item_id


def the_quote(database: Database, item_id: int) -> Quoted:
    with database.reading() as db:
        (only,) = quotes_of(db, item_id)
        return only


def evidence_of(database: Database, item_id: int) -> int:
    with database.reading() as db:
        return db.exec(select(Evidence.id).where(Evidence.item_id == item_id)).one() or 0


def read_by_the_agent(database: Database) -> list[str]:
    return [one.ref for one in issue(database, Asked("Campus Desk", "student 1", "refunds", "A refund")).items]


def correct(database: Database, data: bytes) -> str:
    (row,) = bring_in(database, data, "corrected.json", correct=True, by=OPERATOR).rows
    assert row.what == "corrected"
    return row.detail


def test_a_quote_follows_its_words_when_something_before_them_is_corrected(database: Database, known: int) -> None:
    note = note_on(database, known)
    detail = correct(database, changed(1, "Yes of course, the refund of 40 euros has been arranged for you."))
    moved = the_quote(database, note)
    assert (moved.grounding.verdict, moved.stale) == (Verdict.EXACT, None)
    (span,) = moved.grounding.spans
    view = session_view(database, known)
    assert view.transcript.messages[span.turn].content[span.start : span.end] == FOUND
    assert moved.anchors[0].span == span
    assert detail == "differs from turn 2; 1 quote moved with the words"
    assert (item(database, note).status, read_by_the_agent(database)) == (Status.OPEN, ["N-0001"])


def test_a_note_whose_words_are_gone_is_held_and_leaves_the_briefing(database: Database, known: int) -> None:
    note = note_on(database, known)
    assert read_by_the_agent(database) == ["N-0001"]
    detail = correct(database, changed(1, "Yes, the refund of 50 euros has been arranged for you."))
    lost = the_quote(database, note)
    assert lost.stale == f"The words “{FOUND}” no longer stand in the transcript."
    assert (lost.grounding.verdict, lost.grounding.spans) == (Verdict.ALTERED, ())
    assert lost.anchors[0].exact == FOUND, "the anchor still says what stood there"
    assert detail == "differs from turn 2; 1 quote lost; N-0001 left the briefing"
    assert (item(database, note).status, item(database, note).not_found) == (Status.HELD, 1)
    assert read_by_the_agent(database) == []
    with database.reading() as db:
        last = db.exec(select(Decision).where(Decision.item_id == note).order_by(col(Decision.id).desc())).first()
        assert last is not None
        assert (last.action, last.after, last.rule, last.by) == ("suspend", "held", "stale source", OPERATOR)


def test_words_that_are_put_back_are_found_again_and_a_person_releases_the_note(database: Database, known: int) -> None:
    note = note_on(database, known)
    correct(database, changed(1, "Nothing was arranged."))
    correct(database, file_of())
    assert (the_quote(database, note).found, item(database, note).not_found) == (True, 0)
    assert item(database, note).status == Status.HELD
    act(database, note, Action.RELEASE, text="the words are back")
    assert read_by_the_agent(database) == ["N-0001"]


def test_a_negation_that_is_put_before_the_words_makes_them_stale(database: Database, known: int) -> None:
    note = note_on(database, known, "has been arranged for you")
    correct(database, changed(1, "Yes, the refund of 40 euros never has been arranged for you."))
    assert the_quote(database, note).stale == "A negation now stands beside the words “has been arranged for you”."
    assert item(database, note).status == Status.HELD


def test_a_lesson_stays_while_any_of_its_quotes_stands_and_is_suspended_with_the_last(
    database: Database, known: int
) -> None:
    other = json.loads(file_of())
    bring_in(database, json.dumps({**other, "id": "CD-10"}).encode(), "two.json")
    second = session_id_of(database, "CD-10")
    lesson = lesson_on(database, proof(database, known, FOUND), proof(database, second, FOUND))
    correct(database, changed(1, "Nothing was arranged."))
    assert (item(database, lesson).status, item(database, lesson).not_found) == (Status.ACTIVE, 1)
    gone = {**json.loads(changed(1, "Nothing was arranged.")), "id": "CD-10"}
    detail = correct(database, json.dumps(gone).encode())
    assert item(database, lesson).status == Status.SUSPENDED
    assert detail.endswith("L-0001 left the briefing")
    assert read_by_the_agent(database) == []


def test_a_quote_that_was_not_found_is_looked_for_in_the_corrected_words(database: Database, known: int) -> None:
    note = note_on(database, known, "the refund of 50 euros has been arranged")
    assert item(database, note).status == Status.HELD
    detail = correct(database, changed(1, "Yes, the refund of 50 euros has been arranged for you."))
    assert the_quote(database, note).grounding.verdict is Verdict.EXACT
    assert item(database, note).not_found == 0
    assert "1 quote found now" in detail


def test_a_correction_is_kept_with_both_hashes_and_asks_for_a_new_debrief(database: Database, known: int) -> None:
    note_on(database, known)
    before = session_view(database, known).sha256
    correct(database, changed(1, "Nothing was arranged."))
    view = session_view(database, known)
    with database.reading() as db:
        kept = db.exec(select(Correction)).one()
    assert (kept.before_sha256, kept.after_sha256, kept.by) == (before, view.sha256, OPERATOR)
    assert (kept.turn, kept.lost, kept.followed) == (1, 1, 0)


def test_without_being_asked_no_word_is_replaced(database: Database, known: int) -> None:
    report = bring_in(database, changed(1, "Nothing was arranged."), "two.json")
    assert report.errors == (
        "record 1: CD-9 is here already and differs from turn 2; it was left as it is, and can be corrected",
    )
    foreseen = dry_run(database, changed(1, "Nothing was arranged."), "two.json", correct=True)
    assert foreseen.summary.startswith("0 would come in, 1 would be corrected")
    assert session_view(database, known).transcript.messages[1].content == SAID[1][1]


def test_which_of_several_places_is_meant_survives_a_correction(database: Database, known: int) -> None:
    turns = (*SAID, ("assistant", f"As I said, {FOUND} for you."))
    bring_in(database, file_of(turns), "longer.json")
    note = note_on(database, known)
    several = the_quote(database, note).grounding
    assert several.verdict is Verdict.AMBIGUOUS
    last = several.places[-1][0]
    made = pick_place(database, AboutQuote(evidence_of(database, note), OPERATOR, 1), last).item_id
    correct(database, file_of((("user", "Hello."), *turns)))
    kept = the_quote(database, made)
    assert (kept.grounding.verdict, kept.stale) == (Verdict.EXACT, None)
    assert kept.grounding.spans[0].turn == last.turn + 1


def test_a_place_of_a_shortened_quote_is_picked_with_all_its_pieces(database: Database, known: int) -> None:
    twice = "You may return it. That costs little. It takes seven days. You may return it. Truly. It takes seven days."
    correct(database, changed(3, twice))
    note = note_on(database, known, "You may return it ... It takes seven days")
    several = the_quote(database, note).grounding
    assert (several.verdict, len(several.places), several.pieces) == (Verdict.AMBIGUOUS, 2, 2)
    second = several.places[1]
    made = pick_place(database, AboutQuote(evidence_of(database, note), OPERATOR, 1), second[0]).item_id
    picked = the_quote(database, made).grounding
    assert (picked.verdict, picked.spans) == (Verdict.ELIDED, second)
    (gap,) = picked.gaps
    assert twice[gap.start : gap.end] == "Truly"


def test_a_gap_that_hides_a_negation_counts_once_a_person_has_read_it(database: Database, known: int) -> None:
    note = note_on(database, known, "as a student ... able to cancel it twice")
    assert (item(database, note).status, item(database, note).not_found) == (Status.HELD, 1)
    made = accept_gap(database, AboutQuote(evidence_of(database, note), OPERATOR, 1))
    read = the_quote(database, made.item_id)
    assert (read.grounding.verdict, made.status) == (Verdict.ELIDED, Status.OPEN)
    with database.reading() as db:
        said = db.exec(select(Decision.text).where(Decision.item_id == made.item_id)).one()
        assert "keep the meaning: not" in said
        assert db.get_one(Item, note).status == Status.SUPERSEDED
    with pytest.raises(Refused):
        accept_gap(database, AboutQuote(evidence_of(database, made.item_id), OPERATOR, 1))


def test_a_short_piece_of_a_shortened_quote_counts_once_a_person_has_read_what_is_left_out(
    database: Database, known: int
) -> None:
    note = note_on(database, known, "the refund ... has been arranged for you")
    assert the_quote(database, note).grounding.verdict is Verdict.TOO_SHORT
    made = accept_gap(database, AboutQuote(evidence_of(database, note), OPERATOR, 1))
    assert (the_quote(database, made.item_id).grounding.verdict, made.status) == (Verdict.ELIDED, Status.OPEN)


def test_a_doubt_that_is_refused_is_kept_among_the_refusals(database: Database, known: int) -> None:
    note = note_on(database, known)
    with pytest.raises(Refused):
        pick_place(database, AboutQuote(evidence_of(database, note), OPERATOR, 1), Span(0, 0, 3))
    with database.reading() as db:
        assert db.exec(select(Refusal.code)).all() == ["no_such_place"]


def test_a_note_about_the_agent_that_quotes_only_the_user_is_held(database: Database, known: int) -> None:
    with database.reading() as db:
        transcript = transcript_of(db, known)
    words = "Can I get my money back for order 4417"
    of_the_user = quoted(known, transcript, words, ground(words, transcript, speaker=Role.USER), speaker=Role.USER)
    held, missed = (
        put(
            database,
            NoteContent(dimension=dimension, severity=Severity.HIGH, observation="It went by.", improvement="Ask."),
            Severity.HIGH,
            quotes=(of_the_user,),
            user="student 1",
            session_id=known,
            fault=dimension,
        ).item_id
        for dimension in (Dimension.COMPLIANCE, Dimension.MISSED_SIGNAL)
    )
    assert (item(database, held).status, item(database, missed).status) == (Status.HELD, Status.OPEN)
    said = "No quote is of the assistant, whom the note is about."
    assert card(database, held, person=OPERATOR).warnings == (said,)
    assert card(database, missed, person=OPERATOR).warnings == ()


def test_who_has_no_duty_corrects_nothing(database: Database, known: int) -> None:
    set_person(database, "auditor1", {Duty.AUDITOR})
    with pytest.raises(Refused) as told:
        bring_in(database, changed(1, "Nothing was arranged."), "two.json", correct=True, by="auditor1")
    assert told.value.code == "role"
    assert session_view(database, known).transcript.messages[1].content == SAID[1][1]


def test_the_history_keeps_what_was_and_says_what_is_today(database: Database, known: int) -> None:
    note = note_on(database, known)
    correct(database, changed(1, "Nothing was arranged."))
    told = [(row.what, row.who) for row in history(database, note)]
    assert sorted(told[:-1]) == [
        ("CD-9 corrected", OPERATOR),
        ("v1 proposed: open", "check claimed_not_done"),
        ("v1 suspended: held", f"the rule “stale source”, after {OPERATOR}"),
    ]
    assert told[-1] == ("today: the transcript has changed since in CD-9", "desk")


def test_words_do_not_move_to_another_turn_amid_other_words(database: Database, known: int) -> None:
    turns = (("user", "Both?"), ("assistant", f"For order A: {FOUND}."), ("assistant", f"For order B: {FOUND}."))
    bring_in(database, json.dumps({**json.loads(file_of(turns)), "id": "CD-11"}).encode(), "three.json")
    session = session_id_of(database, "CD-11")
    note = note_on(database, session)
    first = the_quote(database, note).grounding.places[0][0]
    made = pick_place(database, AboutQuote(evidence_of(database, note), OPERATOR, 1), first).item_id
    other = (turns[0], ("assistant", "For order A we cannot pay anything back."), turns[2])
    correct(database, json.dumps({**json.loads(file_of(other)), "id": "CD-11"}).encode())
    assert the_quote(database, made).stale == f"The words “{FOUND}” stand only in turn 3 now, amid other words."
    assert item(database, made).status == Status.HELD


def test_the_last_turns_of_a_session_can_be_corrected_away(database: Database, known: int) -> None:
    note = note_on(database, known, "the refund is on its way")
    assert correct(database, file_of(SAID[:3])).startswith("1 turn fewer")
    assert (len(session_view(database, known).transcript.messages), item(database, note).status) == (3, Status.HELD)


def test_what_was_not_found_is_looked_for_in_the_turns_that_came_later(database: Database, known: int) -> None:
    note = note_on(database, known, "the refund has now been paid in full")
    bring_in(database, file_of((*SAID, ("assistant", "Now the refund has now been paid in full."))), "longer.json")
    assert the_quote(database, note).found
