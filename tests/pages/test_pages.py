"""Each page alone, opened by its own address: with rows, empty, and for somebody without a duty."""

import ast

import pytest

from core.governance.people import current_person, set_person
from core.service import desk_views
from core.service.agents import agent_record
from core.service.views import NotesAsked
from core.vocabulary import Duty, Outcome
from tests.pages.conftest import PAGES
from tests.pages.reading import aim, all_words, button, drawn, words
from tests.pages.stock import AGENT, sessions_file
from ui.tree import elements, text_of

NAMES = sorted(path.stem for path in PAGES.glob("*.py"))


def me(db):
    return current_person(db).name


@pytest.mark.parametrize("name", NAMES)
def test_a_page_opens_by_its_own_address(name, db, open_page):
    assert all_words(open_page(name))


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_desk_says_what_to_do_next(name, empty_db, open_page):
    assert all_words(open_page(name))


@pytest.mark.parametrize("name", NAMES)
def test_the_first_act_of_a_page_is_to_open_the_frame(name):
    text = (PAGES / f"{name}.py").read_text(encoding="utf-8")
    words_apart, *acts = ast.parse(text).body
    assert isinstance(words_apart, ast.Expr)
    first = next(one for one in acts if not isinstance(one, ast.Import | ast.ImportFrom))
    assert ast.unparse(first).startswith("desk = open_page(")
    assert len(text.splitlines()) <= 80


@pytest.mark.parametrize("name", NAMES)
def test_single_operator_mode_is_said_on_every_page(name, db, open_page):
    assert "Single operator" in words(open_page(name), "who-line")


def test_a_critical_note_is_resolved_with_a_reason_and_the_next_critical_one_comes_up(db, open_page):
    page = open_page("critical_notes")
    listed = [text_of(row[2]) for row in elements(drawn(page, "notes-table"), "row")]
    open_ones = [row for row in desk_views.notes(db, NotesAsked("critical")).rows if row.status == "open"]
    first = open_ones[0].ref
    page = open_page("critical_notes", note=first)
    field = next(one for one in page.text_area if str(one.key).startswith(f"draft-words-{first}"))
    field.set_value("Called the client and gave the money back.").run()
    button(page, f"resolve-{first}").click().run()
    row = desk_views.decisions(db).rows[0]
    assert (row.ref, row.action, row.reason) == (first, "resolve", "Called the client and gave the money back.")
    assert page.query_params["note"] in [ref for ref in listed if ref != first]


def test_a_critical_note_is_not_closed_without_a_reason(db, open_page):
    first = next(row.ref for row in desk_views.notes(db, NotesAsked("critical")).rows if row.status == "open")
    page = open_page("critical_notes", note=first)
    button(page, f"resolve-{first}").click().run()
    assert desk_views.card(db, desk_views.item_id_of(db, first), person=me(db)).status == "open"
    assert "a reason must be written" in words(page, "answer-line")


def test_an_auditor_closes_critical_notes_and_a_lead_only_reads_them(db, open_page):
    set_person(db, me(db), {Duty.LEAD})
    page = open_page("critical_notes")
    assert not [one for one in page.button if str(one.key).startswith(("resolve", "dismiss", "release"))]
    set_person(db, me(db), {Duty.AUDITOR})
    page = open_page("critical_notes")
    assert [one for one in page.button if str(one.key).startswith(("resolve", "dismiss", "release"))]


def test_an_unknown_note_is_named_and_the_list_is_shown(db, open_page):
    page = open_page("critical_notes", note="N-9999")
    assert "There is no item N-9999" in words(page, "answer-line")


def test_the_list_of_sessions_finds_words_that_were_said(db, open_page):
    page = open_page("sessions", search="CD-2293")
    rows = list(elements(drawn(page, "sessions-table"), "row"))
    assert [text_of(row[2]) for row in rows] == ["CD-2293"]


def test_a_session_by_its_address_shows_its_transcript_at_a_turn(db, open_page):
    page = open_page("sessions", session="CD-2291", turn="5")
    assert aim(page, "session-words")["turn"] == 5
    assert "It cost $25 and $4 post; <b>can</b> I *send* it back?" in words(page, "session-words")


@pytest.mark.parametrize("turn", ["x", "-1", "1.5", "9" * 5000])
def test_a_turn_in_the_address_that_is_no_number_is_passed_over(db, open_page, turn):
    page = open_page("sessions", session="CD-2291", turn=turn)
    assert aim(page, "session-words")["turn"] is None


def test_beside_a_transcript_stands_what_each_item_says_and_whose_words_they_are(db, open_page):
    page = open_page("sessions", session="CD-2291")
    found = [one[1]["aria-label"] for one in elements(drawn(page, "session-facts"), "found")]
    said = words(page, "session-facts")
    assert {label.split()[0] for label in found} >= {"note", "lesson"}
    assert "A refund was promised outside the window, although the tool had refused it" in said
    described = [one[1]["aria-description"] for one in elements(drawn(page, "session-words"), "ev")]
    assert all(label.split()[1] in " ".join(described) for label in found)


def test_an_unknown_session_in_the_address_is_named_in_words(db, open_page):
    assert "There is no agent session CD-9" in all_words(open_page("sessions", session="CD-9"))


def test_marking_an_answer_as_wrong_needs_a_reason_and_proposes_a_lesson(db, open_page):
    page = open_page("sessions", session="CD-2291")
    session = desk_views.session_id_of(db, "CD-2291")
    before = desk_views.waiting_count(db)
    button(page, "mark-").click().run()
    assert "a reason must be written" in words(page, "answer-line")
    assert desk_views.waiting_count(db) == before
    page.text_area(key=f"draft-wrong-{session}").set_value("The refund was promised and refused.")
    page.text_area(key=f"draft-next-{session}").set_value("Promise a refund only when the order is inside its window.")
    button(page, "mark-").click().run()
    assert "is marked as wrong" in words(page, "answer-line")
    assert desk_views.waiting_count(db) == before + 1


def test_the_procedures_say_how_sure_and_whether_they_are_read(db, open_page):
    text = words(open_page("procedures"), "procedures-table")
    assert "Name the rule" in text
    assert "0.79" in text
    assert "out" in text


def test_suspending_a_procedure_needs_a_reason(db, open_page):
    page = open_page("procedures")
    key = next(str(one.key) for one in page.button if str(one.key).startswith("suspend-"))
    button(page, key).click().run()
    assert "a reason must be written" in words(page, "answer-line")
    field = next(one for one in page.text_input if str(one.key).startswith("draft-words-P"))
    field.set_value("It made answers long.").run()
    button(page, key).click().run()
    assert desk_views.decisions(db).rows[0].action == "suspend"


def test_a_procedure_is_reinstated_at_the_confidence_that_was_stated(db, open_page):
    page = open_page("procedures")
    key = next(str(one.key) for one in page.button if str(one.key).startswith("reinstate-"))
    number = next(one for one in page.number_input if str(one.key).startswith("confidence-"))
    number.set_value(0.9).run()
    next(one for one in page.text_input if str(one.key).startswith("draft-words-P")).set_value("It works.").run()
    button(page, key).click().run()
    ref = key.removeprefix("reinstate-")[:6]
    now = {row.ref: str(row.confidence) for row in desk_views.procedures(db).rows}
    assert now[ref] == "0.90"


def test_the_briefing_shows_what_is_read_and_what_an_item_would_add(db, open_page):
    page = open_page("briefing", task="a refund for a light, look up the purchase", with_item="L-0001")
    tree = drawn(page, "briefing-lines")
    assert [text_of(one) for one in elements(tree, "new") if one[0] == "td"] == [
        "- Before you confirm a refund, look up the date of the purchase and name the rule that decides it."
    ]
    assert "LEARNED OPERATIONAL PROCEDURES" in text_of(tree)
    assert "below 0.55" in words(page, "briefing-side")


def test_a_dry_run_stores_nothing_and_the_import_says_what_came(db, open_page):
    page = open_page("bring_in")
    before = desk_views.session_list(db).total
    page.file_uploader[0].upload("more.jsonl", sessions_file(10)).run()
    assert "2 would come in" in words(page, "dry-run")
    assert desk_views.session_list(db).total == before
    button(page, "bring-in").click().run()
    assert "2 imported" in words(page, "last-import")
    assert desk_views.session_list(db).total == before + 2


def test_a_file_that_nobody_can_read_is_refused_in_words(db, open_page):
    page = open_page("bring_in")
    page.file_uploader[0].upload("../../etc/picture.png", b"\x89PNG\r\n\x1a\n\x00\x00").run()
    assert "Nothing was stored" in all_words(page)
    assert not page.exception


def test_a_broken_line_is_named_and_the_others_would_come_in(db, open_page):
    page = open_page("bring_in")
    lines = sessions_file(10).splitlines()
    lines[8] = b'{"messages": '
    page.file_uploader[0].upload("broken.jsonl", b"\n".join(lines)).run()
    assert "line 9" in words(page, "dry-run")
    assert "1 would come in" in words(page, "dry-run")


def test_the_record_of_an_agent_is_saved_with_which_tasks_recur(db, open_page):
    page = open_page("agents", name=AGENT)
    page.text_input(key=f"agent-{AGENT}-owner").set_value("Ann")
    page.checkbox(key=f"agent-{AGENT}-recurs-lights").uncheck()
    button(page, f"agent-{AGENT}-save").click().run()
    record = agent_record(db, AGENT)
    assert (record.owner, record.task_classes["lights"], record.task_classes["refunds"]) == ("Ann", False, True)


def test_a_threshold_that_is_no_score_saves_nothing(db, open_page):
    page = open_page("agents", name=AGENT)
    page.text_input(key=f"agent-{AGENT}-owner").set_value("Somebody else")
    page.text_input(key=f"agent-{AGENT}-threshold").set_value("NaN")
    button(page, f"agent-{AGENT}-save").click().run()
    assert "is no score between" in words(page, "answer-line")
    assert agent_record(db, AGENT).owner == "Meera"


def test_a_fact_needs_a_source(db, open_page):
    page = open_page("agents", name=AGENT)
    page.text_input(key="fact-user").set_value("ann")
    page.text_input(key="fact-text").set_value("rides a tandem")
    page.form_submit_button[0].click().run()
    assert "needs a user, its words and a source" in words(page, "answer-line")


def test_the_decision_log_is_searched_by_reference(db, open_page):
    page = open_page("decisions", find="P-0001")
    text = words(page, "decisions-table")
    assert "P-0001 v1" in text
    assert "P-0002" not in text
    assert "+00:00" in text


def test_outcomes_of_the_stock_are_of_both_kinds(db):
    paths = [point.what for row in desk_views.procedures(db).rows for point in row.path]
    assert {str(Outcome.SUCCESS), str(Outcome.FAILURE), "no outcome"} <= set(paths)


def test_the_agents_page_shows_the_words_that_do_not_count_and_where_they_stand(db, open_page, tmp_path, monkeypatch):
    path = tmp_path / "words.toml"
    path.write_text(f'[agents]\n"{AGENT}" = ["parcel", "order"]\n', encoding="utf-8")
    monkeypatch.setenv("TUTELAGE_STOP_WORDS", str(path))
    told = words(open_page("agents", name=AGENT), "stop-words")
    assert "parcel order" in told
    assert f"Read from {path}, again as soon as it changes." in told
    path.write_text("[agents\n", encoding="utf-8")
    told = words(open_page("agents", name=AGENT), "stop-words")
    assert "line 1" in told
    assert "parcel order" in told, "the last good words stay"
