"""From finished sessions to what people decide about."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from sqlmodel import select

from core.errors import BadInput, NotFound, Refused
from core.service.agents import AgentRecord, add_agent, agent_record, save_agent
from core.service.bring_in import bring_in
from core.service.card_views import card
from core.service.debrief import debrief
from core.service.feedback import mark_wrong
from core.service.review_views import review_queue, waiting_count
from core.service.session_views import notes, session_id_of, session_view
from core.service.views import NotesAsked
from core.store.database import Database
from core.store.records import Item, ProcedureBody
from core.vocabulary import Action, Kind, RejectReason, Reliability, Source, Status
from tests.desk import OPERATOR, act, item

CLAIM = "I have cancelled the contract for you."


def sessions(count: int, *, claim: str = CLAIM, start: int = 0) -> bytes:
    """Sessions in which the agent says that it cancelled something, and no tool did."""
    lines = []
    for number in range(start, start + count):
        call = {"id": "c1", "function": {"name": "find_contract", "arguments": "{}"}}
        messages = [
            {"role": "user", "content": f"Cancel contract K{number}, please."},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": '{"contract": "found"}'},
            {"role": "assistant", "content": claim},
        ]
        own = {"id": f"K-{number}", "agent": "Line Desk", "user": f"household {number}", "task_class": "contracts"}
        lines.append(json.dumps({**own, "messages": messages}))
    return "\n".join(lines).encode()


def debriefed(database: Database, count: int) -> None:
    bring_in(database, sessions(count), "k.jsonl")
    debrief(database)


def items(database: Database, kind: Kind) -> list[Item]:
    with database.reading() as db:
        return list(db.exec(select(Item).where(Item.kind == kind).order_by(Item.number)).all())


def test_the_same_fault_in_fifty_sessions_is_one_proposal_with_fifty_quotes(database: Database) -> None:
    debriefed(database, 50)
    (lesson,) = items(database, Kind.LESSON)
    assert (lesson.quotes, lesson.sessions, lesson.not_found) == (50, 50, 0)
    assert len(items(database, Kind.NOTE)) == 50
    assert waiting_count(database) == 2


def test_a_procedure_is_proposed_at_sixty_hundredths_once_three_sessions_show_the_fault(database: Database) -> None:
    debriefed(database, 2)
    assert items(database, Kind.PROCEDURE) == []
    bring_in(database, sessions(1, start=2), "k.jsonl")
    debrief(database)
    (procedure,) = items(database, Kind.PROCEDURE)
    assert procedure.sessions == 3
    with database.reading() as db:
        assert db.get_one(ProcedureBody, procedure.id).confidence == Decimal("0.60")


def test_debriefing_twice_changes_nothing(database: Database) -> None:
    debriefed(database, 3)
    before = [items(database, kind) for kind in Kind]
    assert debrief(database).sessions == 0
    again = debrief(database, ["K-0", "K-1", "K-2"])
    assert again.items == {"note known": 3, "lesson known": 3, "procedure known": 3}
    assert [items(database, kind) for kind in Kind] == before


def test_every_quote_is_the_agents_words_in_its_place(database: Database) -> None:
    debriefed(database, 1)
    view = session_view(database, session_id_of(database, "K-0"))
    for _, quote in view.quotes:
        (span,) = quote.grounding.spans
        assert view.transcript.messages[span.turn].content[span.start : span.end] == quote.text == CLAIM


def test_what_a_person_rejected_does_not_come_back_with_the_next_session(database: Database) -> None:
    debriefed(database, 1)
    (lesson,) = items(database, Kind.LESSON)
    act(database, lesson.id or 0, Action.REJECT, reason=RejectReason.NOT_TRUE)
    bring_in(database, sessions(1, start=1), "k.jsonl")
    debrief(database)
    (after,) = items(database, Kind.LESSON)
    assert (after.status, after.returns) == (Status.REJECTED, 1)
    assert waiting_count(database) == 0


def test_a_task_that_never_comes_back_gets_notes_and_no_lesson(database: Database) -> None:
    bring_in(database, sessions(1), "k.jsonl")
    save_agent(database, AgentRecord("Line Desk", "", (), {"contracts": False}, None, ""))
    report = debrief(database)
    assert report.items["lesson one-shot"] == 1
    assert (len(items(database, Kind.NOTE)), items(database, Kind.LESSON)) == (1, [])


def test_a_session_that_broke_outside_the_agent_teaches_nothing(database: Database) -> None:
    broken = {**json.loads(sessions(1)), "external_failure": "upstream 500"}
    bring_in(database, json.dumps(broken).encode(), "k.json")
    report = debrief(database)
    assert report.skipped == (("K-0", "it failed outside the agent: upstream 500"),)
    assert not any(items(database, kind) for kind in Kind)


def test_an_unknown_session_is_named_before_anything_is_written(database: Database) -> None:
    bring_in(database, sessions(1), "k.jsonl")
    with pytest.raises(NotFound):
        debrief(database, ["K-0", "K-77"])
    assert notes(database, NotesAsked(state="all")).total == 0


def test_a_card_shows_the_signal_the_quote_and_what_the_agent_would_read(database: Database) -> None:
    debriefed(database, 1)
    row = next(row for row in review_queue(database, person=OPERATOR).rows if row.kind is Kind.LESSON)
    shown = card(database, row.id, person=OPERATOR)
    assert (shown.signals[0].source, shown.signals[0].reliability) == (Source.CHECK, Reliability.HIGH)
    assert shown.quotes[0].text == CLAIM
    assert shown.why_off is None
    assert shown.reads


def test_marking_an_answer_as_wrong_is_feedback_and_proposes_what_to_do_next_time(database: Database) -> None:
    bring_in(database, sessions(1, claim="Your contract ends in June."), "k.jsonl")
    session_id = session_id_of(database, "K-0")
    said = {"reason": "It ends in July.", "next_time": "Read the end date out of the contract before you name it."}
    marked = mark_wrong(database, session_id, person=OPERATOR, turn=3, tags=("contract",), **said)
    assert marked.lesson is not None
    assert item(database, marked.lesson.item_id).proposer == OPERATOR
    view = session_view(database, session_id)
    assert [(one.source, one.reliability, one.text) for one in view.signals] == [
        (Source.PERSON, Reliability.HIGH, "It ends in July.")
    ]
    assert view.quotes[0][1].text == "Your contract ends in June."


@pytest.mark.parametrize(("reason", "turn"), [("", 3), ("It is wrong.", 0), ("It is wrong.", 99)])
def test_a_mark_without_a_reason_or_on_no_answer_stores_nothing(database: Database, reason: str, turn: int) -> None:
    bring_in(database, sessions(1), "k.jsonl")
    session_id = session_id_of(database, "K-0")
    with pytest.raises(BadInput, match="Nothing was stored"):
        mark_wrong(database, session_id, person=OPERATOR, reason=reason, next_time="Ask first.", turn=turn)
    assert session_view(database, session_id).signals == ()


def test_somebody_without_a_duty_cannot_mark_an_answer(database: Database) -> None:
    bring_in(database, sessions(1), "k.jsonl")
    with pytest.raises(Refused):
        mark_wrong(database, 1, person="a stranger", reason="It is wrong.")


def test_the_queue_asks_the_same_number_of_questions_whatever_its_length(database: Database) -> None:
    from sqlalchemy import event

    asked: list[str] = []
    event.listen(database.engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    lengths = []
    for start in range(0, 60, 30):
        lines = b"\n".join(
            sessions(1, start=start + n).replace(b'"contracts"', f'"class {start + n}"'.encode()) for n in range(30)
        )
        bring_in(database, lines, "k.jsonl")
        debrief(database)
        asked.clear()
        shown = review_queue(database, person=OPERATOR, size=25)
        lengths.append((len(asked), len(shown.rows), shown.total))
    assert [length[1:] for length in lengths] == [(25, 30), (25, 60)]
    assert lengths[0][0] == lengths[1][0] <= 12


@pytest.mark.corpus
def test_the_real_airline_sessions_give_findings_whose_quotes_all_stand(database: Database, corpus: Path) -> None:
    path = corpus / "data/tau2-bench/toolorchestra_airline_gpt-5_1trial.json"
    bring_in(database, path.read_bytes(), path.name)
    report = debrief(database)
    assert report.sessions == 50
    assert sum(report.findings.values()) >= 20
    with database.reading() as db:
        ids = list(db.exec(select(Item.session_id).where(Item.kind == Kind.NOTE).distinct()).all())
    for session_id in ids:
        view = session_view(database, session_id or 0)
        for _, quote in view.quotes:
            for span in quote.grounding.spans:
                assert view.transcript.messages[span.turn].content[span.start : span.end] == quote.text


def test_an_import_that_comes_while_checks_run_is_not_overwritten(database: Database) -> None:
    bring_in(database, sessions(2), "k.jsonl")
    longer = json.loads(sessions(2).splitlines()[1])
    longer["messages"].append({"role": "user", "content": "Thanks."})
    data = json.dumps(longer).encode()
    debrief(database, progress=lambda done, of: done == 1 and bring_in(database, data, "k.jsonl"))
    assert session_view(database, session_id_of(database, "K-1")).row.turns == 5
    assert debrief(database).sessions == 0, "the checks read the longer one"


def test_a_fault_that_goes_on_after_its_lesson_was_approved_still_earns_a_procedure(database: Database) -> None:
    debriefed(database, 1)
    act(database, items(database, Kind.LESSON)[0].id or 0, Action.APPROVE)
    bring_in(database, sessions(3, start=1), "k.jsonl")
    debrief(database)
    (procedure,) = items(database, Kind.PROCEDURE)
    assert procedure.sessions == 4


def test_a_next_time_that_is_too_long_is_named_and_stores_nothing(database: Database) -> None:
    bring_in(database, sessions(1), "k.jsonl")
    with pytest.raises(BadInput, match="cannot be stored"):
        mark_wrong(database, 1, person=OPERATOR, reason="Wrong.", next_time="x" * 700, turn=3)
    assert session_view(database, 1).signals == ()


def test_an_agent_that_exists_is_not_added_again(database: Database) -> None:
    save_agent(database, AgentRecord("Line Desk", "Be brief.", (), {}, None, "Meera"))
    with pytest.raises(Refused):
        add_agent(database, "Line Desk")
    assert agent_record(database, "Line Desk").base_prompt == "Be brief."
