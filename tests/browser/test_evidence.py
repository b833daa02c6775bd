"""A doubt about a quote is settled on the page: which place is meant, whether a gap keeps the meaning, other words."""

import json
from typing import Any

import pytest
from sqlmodel import col, select

from core.evidence import ground
from core.governance.bodies import quotes_of
from core.governance.drafts import Draft, LessonContent, NoteContent, Quoted, quoted
from core.governance.proposals import propose
from core.service.bring_in import bring_in
from core.service.desk_views import session_id_of
from core.store.clock import now
from core.store.database import Database
from core.store.records import Decision, Item
from core.store.transcripts import transcript_of
from core.vocabulary import Dimension, Role, Severity, Source, Verdict
from tests.browser.conftest import settled, words
from tests.browser.test_story import eventually
from tests.desk import OPERATOR

pytestmark = pytest.mark.browser
TURNS = (
    ("user", "Do I get the deposit of 40 euros back?"),
    ("assistant", "The deposit is paid back within five days. You are, as a guest, not able to keep the key."),
    ("user", "Sure?"),
    ("assistant", "Yes: the deposit is paid back within five days, and it costs you 12 euros."),
)


def file_of(turns: tuple[tuple[str, str], ...] = TURNS) -> bytes:
    messages = [{"role": role, "content": content} for role, content in turns]
    return json.dumps({"id": "KD-1", "agent": "Key Desk", "user": "guest 1", "messages": messages}).encode()


def proposed(database: Database, words: str, *, as_note: bool = False) -> int:
    """An item with one quote of the agent, on the one session of this desk."""
    bring_in(database, file_of(), "keys.json")
    session = session_id_of(database, "KD-1")
    with database.writing() as db:
        transcript = transcript_of(db, session)
        found = ground(words, transcript, speaker=Role.ASSISTANT)
        proof = quoted(session, transcript, words, found, speaker=Role.ASSISTANT)
        note = NoteContent(
            dimension=Dimension.COMPLIANCE,
            severity=Severity.CRITICAL,
            observation="A deposit was promised.",
            improvement="Read the rule of the house first.",
        )
        lesson = LessonContent(text="Read the rule of the house before you promise a deposit.", tags=("deposit",))
        draft = Draft(
            content=note if as_note else lesson,
            severity=Severity.CRITICAL,
            agent_id=1,
            task_class="general",
            session_id=session if as_note else None,
            user="guest 1" if as_note else None,
            origin="invented for a test",
            proposer="check claimed_not_done",
            source=Source.CHECK,
            quotes=(proof,),
        )
        return propose(db, draft, at=now()).item_id


def newest(database: Database) -> tuple[Item, Quoted]:
    with database.reading() as db:
        item = db.exec(select(Item).order_by(col(Item.id).desc())).first()
        assert item is not None
        return item, quotes_of(db, item.id or 0)[0]


def open_item(page: Any, address: str) -> None:
    page.goto(address)
    settled(page)
    page.wait_for_selector("mark")


def test_one_of_two_places_is_picked_with_a_click_and_the_pick_is_a_decision(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    proposed(desk.database, "the deposit is paid back within five days")
    open_item(page, f"{desk.address}/review")
    page.wait_for_selector("text=quote found · folded: case · stands in 2 places")
    page.click("text=It is this one, turn 4")
    eventually(lambda: newest(desk.database)[0].version == 2)
    item, quote = newest(desk.database)
    assert (quote.grounding.verdict, quote.grounding.spans[0].turn) == (Verdict.EXACT, 3)
    settled(page)
    page.wait_for_selector("text=L-0001 is now v2 and waits for a decision")
    assert "stands in 2 places" not in words(page)
    with desk.database.reading() as db:
        said = db.exec(select(Decision.text).where(Decision.item_id == item.id)).one()
    assert "turn 4" in said


def test_words_that_a_gap_hides_are_read_and_accepted(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    proposed(desk.database, "You are, as a guest ... able to keep the key", as_note=True)
    open_item(page, f"{desk.address}/critical_notes")
    page.wait_for_selector("text=shortened, hides a negation")
    assert "the words left out hold a negation: “not”" in words(page)
    page.click("text=The words left out keep the meaning")
    eventually(lambda: newest(desk.database)[1].grounding.verdict is Verdict.ELIDED)
    assert newest(desk.database)[0].status == "open"


def test_an_altered_quote_shows_what_differs_and_is_corrected_from_the_note(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    proposed(desk.database, "and it costs you 21 euros", as_note=True)
    open_item(page, f"{desk.address}/critical_notes")
    page.wait_for_selector("text=altered: a number differs")
    assert page.locator("del.decisive").inner_text() == "12"
    assert page.locator("ins.decisive").inner_text() == "21"
    page.keyboard.press("e")
    field = page.get_by_label("Quote 1, looked for again")
    field.wait_for()
    field.fill("and it costs you 12 euros")
    page.keyboard.press("Control+Enter")
    eventually(lambda: newest(desk.database)[1].found)
    assert newest(desk.database)[0].version == 2


def test_a_note_whose_words_were_corrected_away_says_so_and_shows_what_stands_there_now(serve: Any, page: Any) -> None:
    desk = serve(samples=False)
    proposed(desk.database, "and it costs you 12 euros", as_note=True)
    turns = (*TURNS[:3], ("assistant", "Yes: the deposit is paid back within five days, and it costs you 15 euros."))
    bring_in(desk.database, file_of(turns), "keys.json", correct=True, by=OPERATOR)
    open_item(page, f"{desk.address}/critical_notes")
    page.wait_for_selector("text=the transcript has changed since")
    shown = words(page)
    assert "The words “and it costs you 12 euros” no longer stand in the transcript." in shown
    assert page.locator("del.decisive").inner_text() == "15"
    assert page.locator("mark.exact").count() == 0
    open_item(page, f"{desk.address}/sessions?session=KD-1")
    assert "Corrected from turn 4 on" in words(page)
