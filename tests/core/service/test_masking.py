"""Credentials, card, account and identity numbers never reach the store in clear, through whatever door they come."""

import json
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.errors import Refused
from core.governance.drafts import NoteContent
from core.governance.versions import edit
from core.service.agents import AgentRecord, add_fact, save_agent, user_facts
from core.service.bring_in import bring_in, dry_run
from core.service.desk_views import session_id_of, session_view
from core.service.feedback import mark_wrong
from core.service.masking import mask_stored
from core.store.database import Database
from core.store.records import Decision, Evidence, Item, Receipt, SessionMessage
from core.store.transcripts import transcript_of
from core.vocabulary import Action, Dimension, RejectReason, Severity
from tests.core.governance.test_standing import note_on, the_quote
from tests.desk import OPERATOR, act, item, lesson, put

CARD = " ".join(("4111", "1111", "1111", "1111"))
KEY = "sk-" + "proj-" + "Zx81Kd02Lm93Qp74" + "Rt65Yw16Ub27Vc38"
TURNS = (
    {"role": "user", "content": f"My card is {CARD}, please use it for the fee of 40 euros."},
    {
        "role": "assistant",
        "content": "I have charged the fee of 40 euros to your card.",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "pay", "arguments": json.dumps({"card": int(CARD.replace(" ", "")), "sum": 40})},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": f'{{"paid": true, "token": "{KEY}"}}'},
)


def file_of(*turns: dict[str, object]) -> bytes:
    record = {"id": "PD-1", "agent": "Pay Desk", "user": "student 1", "task": f"Pay with {CARD}"}
    return json.dumps({**record, "messages": list(turns or TURNS)}).encode()


def stored_bytes(database: Database) -> bytes:
    """Every byte of the database's files."""
    path = Path(database.url.removeprefix("sqlite:///"))
    return b"".join(one.read_bytes() for one in path.parent.glob(path.name + "*"))


def holds_a_secret(database: Database) -> bool:
    data = stored_bytes(database)
    return any(secret.encode() in data for secret in (CARD, CARD.replace(" ", ""), KEY))


def test_an_import_masks_words_and_arguments_and_says_what_it_took(database: Database) -> None:
    bring_in(database, file_of(), "pay.json")
    view = session_view(database, session_id_of(database, "PD-1"))
    said = [message.content for message in view.transcript.messages]
    assert said[0] == "My card is [card number removed], please use it for the fee of 40 euros."
    arguments = json.loads(view.transcript.messages[1].tool_calls[0].arguments)
    assert arguments == {"card": "[card number removed]", "sum": 40}
    assert KEY not in said[2]
    assert view.sha256 == view.transcript.sha256
    assert not holds_a_secret(database)


def test_the_same_file_again_is_known_by_its_masked_words(database: Database) -> None:
    bring_in(database, file_of(), "pay.json")
    assert dry_run(database, file_of(), "pay.json").known == 1
    assert bring_in(database, file_of(), "pay.json").known == 1


def test_a_lesson_with_a_key_is_refused_and_nothing_of_it_is_anywhere(database: Database, caplog) -> None:
    with pytest.raises(Refused) as told:
        lesson(database, f"Use key {KEY} when the gateway of the refund tool fails.")
    assert told.value.code == "contains_secret"
    assert KEY not in str(told.value)
    assert "without the value" in str(told.value)
    with database.reading() as db:
        assert db.exec(select(Item)).all() == []
    assert not holds_a_secret(database)
    assert KEY not in caplog.text


def test_a_quote_is_masked_and_found_in_the_masked_words(database: Database) -> None:
    bring_in(database, file_of(), "pay.json")
    made = note_on(database, session_id_of(database, "PD-1"), f"My card is {CARD}, please use it")
    quote = the_quote(database, made)
    assert quote.quote == "My card is [card number removed], please use it"
    assert not holds_a_secret(database)


def test_a_note_keeps_names_and_addresses_of_its_session_and_no_number_of_a_card(database: Database) -> None:
    said = f"The agent said that it wrote to ann.lee@example.org and charged {CARD}."
    content = NoteContent(
        dimension=Dimension.COMPLIANCE, severity=Severity.HIGH, observation=said, improvement="Ask the user first."
    )
    made = put(database, content, Severity.HIGH, user="student 1")
    kept = item(database, made.item_id).headline
    assert kept == "The agent said that it wrote to ann.lee@example.org and charged [card number removed]."
    assert not holds_a_secret(database)


def test_reasons_marks_facts_and_tasks_are_masked(database: Database) -> None:
    bring_in(database, file_of(), "pay.json")
    made = lesson(database)
    act(database, made.item_id, Action.REJECT, reason=RejectReason.NOT_TRUE, text=f"see {KEY}")
    mark_wrong(database, session_id_of(database, "PD-1"), person=OPERATOR, reason=f"The card {CARD} was charged twice.")
    add_fact(database, "Pay Desk", "student 1", f"Pays with {CARD}", "a form")
    issue(database, Asked("Pay Desk", "student 1", "general", f"Pay with {CARD}"))
    with database.reading() as db:
        assert "removed]" in db.exec(select(Decision.text).where(Decision.action == Action.REJECT)).one()
        assert db.exec(select(Receipt.task)).one() == "Pay with [card number removed]"
    assert user_facts(database, "Pay Desk")[0].text == "Pays with [card number removed]"
    assert not holds_a_secret(database)


def test_an_edit_that_brings_a_secret_is_refused_and_the_refusal_does_not_repeat_it(database: Database) -> None:
    made = lesson(database)
    with pytest.raises(Refused) as told:
        edit(
            database,
            item_id=made.item_id,
            person=OPERATOR,
            revision_seen=1,
            changes={"text": f"Check the refund policy with key {KEY} first."},
        )
    assert told.value.code == "contains_secret"
    assert item(database, made.item_id).status == "proposed"
    assert not holds_a_secret(database)


def test_what_was_stored_before_is_masked_with_its_quotes(database: Database) -> None:
    bring_in(database, file_of(), "pay.json")
    session = session_id_of(database, "PD-1")
    near = note_on(database, session, "please use it for the fee of 40 euros")
    of_turn = (col(SessionMessage.session_id) == session, col(SessionMessage.turn) == 0)
    with database.writing() as db:
        db.connection().execute(update(SessionMessage).where(*of_turn).values(content=TURNS[0]["content"]))
        row = db.exec(select(Evidence).where(Evidence.item_id == near)).one()
        row.anchors = [{**row.anchors[0], "prefix": f"is {CARD}, "}] if row.anchors else []
        db.add(row)
    assert holds_a_secret(database)
    assert mask_stored(database) == 1
    assert not holds_a_secret(database)
    with database.reading() as db:
        assert "[card number removed]" in transcript_of(db, session).messages[0].content
    assert mask_stored(database) == 0


def test_ordinary_numbers_stay(database: Database) -> None:
    words = "Order 20884417 of 3 March, tracking 1Z999AA10123456784, costs $25.40; call 2026-03-04T10:00:00Z."
    bring_in(database, file_of({"role": "user", "content": words}), "pay.json")
    assert session_view(database, session_id_of(database, "PD-1")).transcript.messages[0].content == words


def test_no_name_that_comes_with_a_session_carries_a_secret_in(database: Database) -> None:
    record = {
        "id": f"S {KEY}",
        "agent": f"Desk {CARD}",
        "user": f"u {CARD}",
        "task_class": f"pay {CARD}",
        "task": f"Pay with {KEY}",
        "messages": [
            {"role": f"tool {KEY}", "name": f"n {CARD}", "content": "Paid.", "tool_call_id": f"c {KEY}"},
            {"role": "assistant", "content": "Done."},
        ],
    }
    bring_in(database, json.dumps(record).encode(), f"{CARD}.json")
    assert not holds_a_secret(database)


def test_a_base_prompt_and_a_briefing_keep_no_secret(database: Database) -> None:
    save_agent(database, AgentRecord("Pay Desk", f"You pay with {KEY}.", (), {}, None, ""))
    issued = issue(database, Asked("Pay Desk", f"user {CARD}", f"class {CARD}", "A fee"))
    assert KEY not in issued.messages[0]["content"]
    assert not holds_a_secret(database)
