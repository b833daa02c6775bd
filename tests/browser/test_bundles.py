"""A bundle opened from a disk in a real browser, without any network: it checks itself, and nothing in it can run."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from core.evidence.contract import Span
from core.governance.audit import verify
from core.governance.desk_settings import save_desk_settings
from core.governance.drafts import NoteContent, found_at
from core.service.bundle import bundle, check_bundle
from core.service.bundle.document import SCRIPT
from core.store.database import Database
from core.store.records import AgentSession, Import, SessionMessage
from core.store.transcripts import as_rows
from core.transcripts import Message, Transcript
from core.transcripts.message import ToolCall
from core.vocabulary import Dimension, Severity
from tests.browser.conftest import settled
from tests.core.governance.test_cases import breach
from tests.core.service.test_bundles import AT, ONLY_FROM_OUTSIDE, SEEN_OTHERWISE, TAMPERED, a_case
from tests.desk import OPERATOR, START, agent, item, put

pytestmark = pytest.mark.browser

HOSTILE = (
    "</script><script>document.title='run'</script>",
    "<img src=x onerror=\"document.title='run'\"><svg onload=\"document.title='run'\">",
    "</main></div><main>Another page</main><!-- <p data-said='turn:0:0'>",
    "first\r\nsecond\rthird\n\n  indented\ttab",
    "a sign that is none: \0, and \x0b \x1f \x7f \x85 \u2028 \ufeff \u200b",
    "\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "👩‍👩‍👧‍👦 paid ₹20,000 🇮🇳 e\u0301 İß 日本語 🂡",
    "&amp; &#13; &lt;b&gt; &#x27; &nope; ]]> -->",
    "\nbegins with a line break",
    "",
)


@pytest.fixture(name="offline")
def _offline(browser: Any) -> Iterator[Any]:
    """A window without a network; whatever it asks for beyond the file fails its test."""
    context = browser.new_context(offline=True, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert [url for url in asked if not url.startswith("file:")] == []


def hostile(database: Database) -> int:
    """A note about a transcript of hostile texts, with a quote in each of them."""
    calls = (ToolCall(name="</script>", arguments='{"a": "<b>"}', id="c1"),)
    messages = tuple(Message(role="assistant", content=text, tool_calls=calls) for text in HOSTILE)
    transcript = Transcript(messages=messages)
    agent_id = agent(database, "<i>Desk</i>")
    with database.writing() as db:
        file = Import(at=START, file_name="made.json", format="openai-chat", sha256="0" * 64)
        db.add(file)
        db.flush()
        row = AgentSession(
            ref="X-1",
            external_id="X-1",
            agent_id=agent_id,
            import_id=file.id or 0,
            user="<script>user</script>",
            task_class="refunds",
            task="</title><script>document.title='run'</script>",
            started_at=START,
            turns=len(HOSTILE),
            sha256=transcript.sha256,
            remarks=[],
        )
        db.add(row)
        db.flush()
        db.connection().execute(insert(SessionMessage), as_rows(row.id or 0, transcript))
        session = row.id or 0
    spans = [Span(turn, 0, len(text)) for turn, text in enumerate(HOSTILE) if text]
    spans += [Span(6, text_start(6, "paid"), text_start(6, "🇮🇳"))]
    content = NoteContent(
        dimension=Dimension.COMPLIANCE,
        severity=Severity.CRITICAL,
        observation="</script><b>bold</b> ${'a'} was said.",
        improvement="Say <less>.",
    )
    quotes = tuple(found_at(session, transcript, span) for span in spans)
    return put(database, content, Severity.CRITICAL, quotes=quotes, user="<u>", session_id=session, fault="x").item_id


def text_start(turn: int, words: str) -> int:
    return HOSTILE[turn].index(words)


def opened(page: Any, folder: Path, text: str | bytes) -> str:
    """What the file says of itself."""
    file = folder / "bundle.html"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    page.goto(file.as_uri())
    page.wait_for_selector("#checked.fits, #checked.broken")
    return str(page.locator("#checked").inner_text())


def test_a_bundle_checks_itself_offline_and_shows_its_words(offline: Any, database: Database, tmp_path: Path) -> None:
    text = bundle(database, a_case(database), by=OPERATOR, at=AT).decode()
    said = opened(offline, tmp_path, text)
    assert said == "Checked in this browser: 1 transcript, 1 quote, 6 rows fit their hashes."
    assert offline.locator("mark").all_inner_texts() == ["the refund has been arranged"]
    assert offline.locator(".turn.lit .ring").all_inner_texts() == ["1"]


def test_hostile_transcripts_are_shown_as_they_are_and_nothing_runs(
    offline: Any, database: Database, tmp_path: Path
) -> None:
    errors: list[str] = []
    offline.on("pageerror", lambda error: errors.append(str(error)))
    text = bundle(database, hostile(database), by=OPERATOR, at=AT).decode()
    assert check_bundle(text).broken is None
    said = opened(offline, tmp_path, text)
    assert said == "Checked in this browser: 1 transcript, 10 quotes, 1 row fit their hashes."
    assert (offline.title(), errors) == ("Evidence: N-0001", [])
    assert offline.locator("main").count() == 1
    assert offline.locator("script").count() == 2
    assert offline.locator("main img, main svg, main script, main i, main u").count() == 0
    shown = offline.locator(".speech").evaluate_all("nodes => nodes.map(node => node.textContent)")
    assert shown == [one.replace("\0", "\u2400") for one in HOSTILE]


@pytest.mark.parametrize("part", TAMPERED)
def test_whatever_was_changed_is_named_in_the_browser_too(
    offline: Any, database: Database, tmp_path: Path, part: str
) -> None:
    tamper, named = TAMPERED[part]
    said = opened(offline, tmp_path, tamper(bundle(database, a_case(database), by=OPERATOR, at=AT).decode()))
    if part == "the data is no bundle's":
        assert said.startswith("The data of this bundle cannot be read any more")
    else:
        assert said == f"Does not fit: {named}."


def test_whatever_a_reader_would_see_otherwise_is_named_in_the_browser_too(
    offline: Any, database: Database, tmp_path: Path
) -> None:
    text = bundle(database, a_case(database), by=OPERATOR, at=AT).decode()
    told = {part: opened(offline, tmp_path, tamper(text)) for part, (tamper, _) in SEEN_OTHERWISE.items()}
    assert told == {part: f"Does not fit: {named}." for part, (_, named) in SEEN_OTHERWISE.items()}


def test_another_style_or_script_does_not_pass_for_that_of_the_page(
    offline: Any, database: Database, tmp_path: Path
) -> None:
    text = bundle(database, a_case(database), by=OPERATOR, at=AT).decode()
    loose = ONLY_FROM_OUTSIDE["the style is another one, under the same policy"][0](text)
    loose = re.sub(r"style-src [^;]*;", "style-src &#x27;unsafe-inline&#x27;;", loose, count=1)
    said = opened(offline, tmp_path, loose)
    assert said == "Does not fit: the content policy of the file is another one than it was made with."
    (tmp_path / "other.html").write_text(ONLY_FROM_OUTSIDE["the script is another one, under the same policy"][0](text))
    offline.goto((tmp_path / "other.html").as_uri())
    assert offline.locator("#checked").inner_text().startswith("Not checked: this needs the script of this page.")


def test_the_hash_of_the_page_is_sha_256(offline: Any, tmp_path: Path) -> None:
    texts = ["", "abc", "é日👩‍👩‍👧‍👦\0", *("a" * length for length in (55, 56, 57, 63, 64, 65, 119, 120, 1_000_000))]
    function = SCRIPT[: SCRIPT.index("const LONE")]
    (tmp_path / "empty.html").write_text("<!doctype html><title>t</title>", encoding="utf-8")
    offline.goto((tmp_path / "empty.html").as_uri())
    told = offline.evaluate(f"texts => {{ {function} return texts.map(sha256); }}", texts)
    assert told == [hashlib.sha256(one.encode()).hexdigest() for one in texts]


def test_without_a_script_the_page_says_how_to_check_it(browser: Any, database: Database, tmp_path: Path) -> None:
    file = tmp_path / "bundle.html"
    file.write_bytes(bundle(database, a_case(database), by=OPERATOR, at=AT))
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("#checked").inner_text().startswith("Not checked: this needs the script of this page.")
    assert "sha256sum FILE" in page.locator("main").inner_text()
    assert page.locator("mark").inner_text() == "the refund has been arranged"
    context.close()


@pytest.mark.parametrize(("scheme", "lit"), [("light", "rgb(255, 233, 166)"), ("dark", "rgb(87, 67, 15)")])
def test_light_and_dark_have_the_amber_of_the_desk_and_nothing_runs_off_the_page(
    offline: Any, database: Database, tmp_path: Path, scheme: str, lit: str
) -> None:
    offline.emulate_media(color_scheme=scheme)
    opened(offline, tmp_path, bundle(database, hostile(database), by=OPERATOR, at=AT))
    colour = "node => getComputedStyle(node).backgroundColor"
    assert offline.locator("mark").first.evaluate(colour) == lit
    for width in (1440, 390):
        offline.set_viewport_size({"width": width, "height": 900})
        wide = offline.evaluate("document.documentElement.scrollWidth")
        assert wide <= width


def test_a_case_is_resolved_with_its_recurrence_by_key_and_its_bundle_comes_along(
    serve: Any, page: Any, tmp_path: Path
) -> None:
    desk = serve(samples=False)
    save_desk_settings(desk.database, {"decide_after": "0"}, by=OPERATOR, reason="pressed at once")
    first, again = breach(desk.database, "CD-1"), breach(desk.database, "CD-2")
    page.goto(f"{desk.address}/critical_notes?note={first.ref}")
    settled(page)
    page.get_by_text(f"Resolve {again.ref} too").click()
    settled(page)
    field = page.locator('[class*="st-key-draft-words"] textarea')
    field.click()
    page.keyboard.type("Both were called.")
    page.keyboard.press("Tab")
    settled(page)
    page.keyboard.press("Control+Enter")
    page.get_by_text("No critical note is open").wait_for()
    assert [item(desk.database, one.item_id).status for one in (first, again)] == ["resolved", "resolved"]
    page.goto(f"{desk.address}/critical_notes?note={again.ref}&state=all")
    settled(page)
    with page.expect_download() as told:
        page.locator(f'[class*="st-key-bundle-{again.item_id}"] button').click()
    told.value.save_as(tmp_path / "along.html")
    assert told.value.suggested_filename == f"{again.ref}.html"
    found = check_bundle((tmp_path / "along.html").read_bytes().decode())
    assert found.text == "1 transcript, 1 quote, 4 rows fit their hashes"
    assert verify(desk.database).whole
