"""The whole job in a browser: a file comes in, findings are decided by key, the agent reads them, and it is learned."""

import time
from pathlib import Path
from typing import Any

import pytest

from core.briefing.asked import Asked
from core.briefing.read import Issued, issue
from core.effects.outcomes import report_outcome
from core.service.desk_views import procedures, review_queue, waiting_count
from core.store.database import Database
from core.vocabulary import Kind, Outcome
from tests.browser.conftest import settled, words
from tests.core.service.test_debrief import sessions
from tests.desk import OPERATOR

pytestmark = pytest.mark.browser


@pytest.fixture
def file(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A real τ² result file where there is a corpus, else invented sessions with one fault."""
    try:
        corpus: Path = request.getfixturevalue("corpus")
    except pytest.skip.Exception:
        path = tmp_path / "contracts.jsonl"
        path.write_bytes(sessions(4))
        return path
    return corpus / "data/tau2-bench/toolorchestra_airline_gpt-5_1trial.json"


def eventually(claim: Any, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.2)


def briefing(database: Database) -> Issued:
    row = review_or_active(database)
    return issue(database, Asked(row[0], None, row[1], row[2]))


def review_or_active(database: Database) -> tuple[str, str, str]:
    """Agent, task class, and a task in the words of a lesson that waits or is active."""
    from sqlmodel import select

    from core.store.records import Agent, Item

    with database.reading() as db:
        found = db.exec(select(Item, Agent).join(Agent).where(Item.kind == Kind.LESSON).order_by(Item.weight)).first()
        assert found is not None
        return found[1].name, found[0].task_class, found[0].headline


def test_the_whole_story_from_a_file_to_a_moved_plot(serve: Any, page: Any, file: Path) -> None:
    desk = serve(samples=False)
    page.goto(f"{desk.address}/bring_in")
    settled(page)
    page.set_input_files('input[type="file"]', str(file))
    settled(page)
    page.get_by_role("button", name="Bring in").click()
    eventually(lambda: waiting_count(desk.database) > 0)
    eventually(lambda: any(row.kind is Kind.PROCEDURE for row in review_queue(desk.database, person=OPERATOR).rows))
    settled(page)

    page.goto(f"{desk.address}/review")
    settled(page)
    page.wait_for_selector("mark")
    assert page.locator("mark").first.inner_text().strip()
    assert "quote found" in words(page)
    before = briefing(desk.database)
    assert before.items == ()

    waiting = waiting_count(desk.database)
    for left in range(waiting - 1, -1, -1):
        page.wait_for_timeout(900)  # a key that comes sooner than a person can read is answered, not obeyed
        page.keyboard.press("a")
        eventually(lambda left=left: waiting_count(desk.database) == left, 20)
        settled(page)
    assert "Nothing waits for a decision." in words(page)

    after = briefing(desk.database)
    assert {item.kind for item in after.items} == {Kind.LESSON, Kind.PROCEDURE}
    assert any("LEARNED OPERATIONAL PROCEDURES" in message["content"] for message in after.messages)

    page.goto(f"{desk.address}/procedures")
    settled(page)
    page.wait_for_selector(".js-plotly-plot")
    assert "0.60" in words(page)
    report_outcome(desk.database, after.receipt, Outcome.SUCCESS)
    page.reload()
    settled(page)
    page.wait_for_selector(".js-plotly-plot")
    assert "0.68" in words(page)
    assert {str(row.confidence) for row in procedures(desk.database).rows} == {"0.68"}
