"""The Critic page, and what other pages show of the critic, with debriefs carried out against a real server."""

import json

import pytest
from sqlmodel import select
from streamlit.testing.v1 import AppTest

from core.governance.people import current_person, local_operator, set_person
from core.service import desk_views
from core.service.bring_in import bring_in
from core.service.critic.runs import queue
from core.service.critic.settings import chosen_for, save_critic_settings, saved_versions
from core.service.critic.shown import RunsAsked
from core.service.critic.views import opinions, run_counts, run_list, run_view
from core.service.debrief import debrief
from core.store.critic_records import CriticPrompt, Written
from core.store.records import AgentSession
from core.vocabulary import Duty, RunState
from tests.critic_server import CriticServer, refusal, reply
from tests.critic_stock import ALSO_SAID, HOSTILE, SAID, environment, replies, reviewed, work_off
from tests.pages.conftest import PAGES
from tests.pages.reading import all_words, button, drawn, words
from tests.pages.stock import AGENT
from ui import critic_desk
from ui.frame import Desk
from ui.tree import elements, text_of

BAD_KEY = refusal(401, {"message": "bad key", "code": "invalid_api_key"})
PRICED = {"second_opinion": True, "price_prompt": "1", "price_completion": "4", "tries": 1}


@pytest.fixture(name="server")
def _server(monkeypatch):
    """The model's server, named by the environment."""
    with CriticServer().running() as server:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture(name="run")
def _run(db, server):
    """One debrief that came to notes, procedures, an episode and opinions."""
    save_critic_settings(db, PRICED, by=local_operator(), reason="first prices")
    return reviewed(db, server, ["CD-2290"])[0]


def rows(page):
    return [text_of(row) for row in elements(drawn(page, "runs-table"), "row")]


def test_without_a_model_the_page_says_what_to_set_and_offers_nothing_to_start(db, open_page):
    page = open_page("critic")
    assert "no model is named. Set OPENAI_MODEL" in words(page, "no-model")
    assert not [one for one in page.button if one.key in ("ask", "queue")]
    assert "reviewed no session yet" in all_words(page)


def test_what_debriefs_would_take_is_shown_before_they_are_queued(db, server, open_page):
    page = open_page("critic")
    button(page, "ask").click().run()
    said = words(page, "estimate")
    assert "8 sessions" in said
    assert "about 24 requests" in said
    assert "no prices are set" in said
    assert "a guess, as no request has been answered yet" in said
    assert run_list(db).total == 0
    assert button(page, "queue").label == "Queue 8 debriefs"
    button(page, "queue").click().run()
    assert run_counts(db).of(RunState.QUEUED) == 8
    assert "8 debriefs are queued" in words(page, "answer-line")
    assert "8 queued" in words(page, "critic-progress")
    assert "closing this page stops nothing" in words(page, "critic-progress")


def test_the_sessions_of_one_agent_or_one_session_can_be_chosen_by_the_address(db, server, open_page):
    page = open_page("critic", ask="session:CD-2293")
    assert "1 session" in words(page, "estimate")
    button(page, "queue").click().run()
    assert [row.session_ref for row in run_list(db).rows] == ["CD-2293"]
    assert "7 sessions" in words(open_page("critic", ask=f"agent:{AGENT}"), "estimate")


def test_what_is_queued_is_not_queued_twice(db, server, open_page):
    one, two = (open_page("critic", ask="all") for _ in range(2))
    button(one, "queue").click().run()
    button(two, "queue").click().run()
    assert run_counts(db).of(*RunState) == 8
    assert "8 sessions were reviewed this way before" in words(two, "answer-line")


def test_what_has_not_begun_is_taken_back_and_tried_again(db, server, open_page):
    queue(db, None, by=local_operator())
    page = open_page("critic")
    button(page, "take-back").click().run()
    assert run_counts(db).of(RunState.STOPPED) == 8
    assert "It was taken back before it began." in rows(page)[0]
    page = open_page("critic", run_state="stopped", run_reason="taken_back")
    assert button(page, "try-all").label == "Try 8 again"
    button(page, "try-all").click().run()
    assert run_counts(db).of(RunState.QUEUED) == 8


def test_a_failed_debrief_says_why_and_is_tried_again_without_asking_what_was_answered(db, server, open_page):
    failed = reviewed(db, server, ["CD-2291"], replies(notes=BAD_KEY))[0]
    page = open_page("critic")
    assert "failed" in rows(page)[0]
    assert "The server does not accept the key." in rows(page)[0]
    assert next(elements(drawn(page, "runs-table"), "row"))[1]["data-press"] == f"run:{failed}"
    page = open_page("critic", run=str(failed))
    assert "bad key" in words(page, "run-request")
    button(page, f"try-{failed}").click().run()
    server.clear()
    work_off(db, server, [failed], replies(), environment(server))
    assert run_view(db, failed).row.state is RunState.DONE
    assert len(server.received) == 1


def test_filters_come_from_the_address_and_the_counts_stand_beside_them(db, run, server, open_page):
    reviewed(db, server, ["CD-2291"], replies(notes=BAD_KEY))
    assert len(rows(open_page("critic"))) == 2
    assert len(rows(open_page("critic", run_state="failed"))) == 1
    assert len(rows(open_page("critic", run_reason="key_refused"))) == 1
    assert words(open_page("critic"), "run-counts") == "1 done · 1 failed"
    assert "No debrief fits these filters." in words(open_page("critic", run_state="skipped"), "runs-table")


def test_a_debrief_answered_from_the_store_says_from_which(db, run, server, open_page):
    again = reviewed(db, server, ["CD-2290"], again=True)[0]
    page = open_page("critic")
    assert f"answered from run {run}" in rows(page)[0]
    page = open_page("critic", run=str(again))
    assert f"run {run}" in words(page, "run-request")
    assert f"from run {run}" in words(page, "run-requests")


def test_a_request_is_shown_from_the_prompt_to_what_was_made_of_it(db, run, server, open_page):
    page = open_page("critic", run=str(run))
    view = run_view(db, run)
    notes = view.calls[0]
    said = words(page, "run-request")
    assert notes.reply in said
    assert notes.prompt in said
    assert notes.messages[0][1] in said
    assert notes.prompt_sha256[:12] in said
    assert "the file has changed since" not in said
    assert [part["ref"] for part in notes.became] == [
        text_of(link) for link in elements(drawn(page, "run-request"), "link") if text_of(link).startswith("N-")
    ]
    facts = words(page, "run-facts")
    assert "all 7 turns" in facts
    assert f"m-1 at {server.url}" in facts
    procedures = next(call for call in view.calls if call.writer == "procedures")
    page = open_page("critic", run=str(run), request=str(procedures.id))
    assert "could not be read" in words(page, "run-request")


def test_a_prompt_whose_file_has_changed_is_shown_as_it_was_sent_and_says_so(db, run, open_page):
    with db.writing() as writing:
        sent = run_view(db, run).calls[0].prompt_sha256
        old = CriticPrompt(sha256="0" * 64, writer="notes", text="An older prompt.", at=run_view(db, run).row.queued_at)
        writing.add(old)
        writing.flush()
        writing.connection().exec_driver_sql(
            "UPDATE critic_call SET prompt_sha256 = ? WHERE prompt_sha256 = ?", ("0" * 64, sent)
        )
    said = words(open_page("critic", run=str(run)), "run-request")
    assert "An older prompt." in said
    assert "the file has changed since" in said


def test_hostile_words_of_a_reply_are_shown_as_they_are(db, run, open_page):
    page = open_page("critic", run=str(run))
    written = [text_of(one) for one in elements(drawn(page, "run-request"), "written")]
    assert f"It spoke of money it could not move. {HOSTILE}" in written
    assert not any(HOSTILE in one.value for one in page.markdown)


def test_names_from_a_file_are_in_no_label_that_reads_markdown(db, server, open_page):
    name = "![x](http://a.example)"
    record = {"id": name, "agent": f"**A** {name}", "user": name, "messages": [{"role": "user", "content": "Hello."}]}
    ref = bring_in(db, json.dumps([record]).encode(), "hostile.json").rows[0].ref
    run = str(reviewed(db, server, [ref])[0])
    queries = ({}, {"run": run}, {"ask": f"session:{ref}"}, {"part": "settings", "settings_of": record["agent"]})
    pages = [open_page("critic", **query) for query in queries]
    for page in (*pages, open_page("sessions", session=ref)):
        labels = [one.label for one in (*page.button, *page.checkbox, *page.text_input, *page.selectbox)]
        assert not [label for label in labels if "a.example" in label]
        assert not [one for one in page.markdown if "a.example" in one.value]
    assert name in all_words(pages[1])


def test_a_very_long_reply_and_prompt_keep_the_rest_folded(db, server, open_page):
    long = "x" * 100_000
    got = reviewed(db, server, ["CD-2292"], replies(notes=reply(json.dumps({"notes": [], "thought": long}))))[0]
    tree = drawn(open_page("critic", run=str(got)), "run-request")
    hidden = [one for one in elements(tree, "rest") if "x" * 1_000 in text_of(one)]
    assert len(hidden) == 1
    assert long in text_of(tree)


@pytest.mark.parametrize("number", ["99", "none", "9" * 40])
def test_a_run_that_does_not_exist_is_said(db, open_page, number):
    page = open_page("critic", run=number)
    assert f"There is no debrief {number}" in all_words(page)
    assert button(page, "to-runs")


def test_a_person_without_the_duty_reads_and_starts_nothing(db, run, server, open_page):
    reviewed(db, server, ["CD-2291"], replies(notes=BAD_KEY))
    set_person(db, local_operator(), {Duty.AUDITOR})
    page = open_page("critic", run_state="failed")
    assert "started and stopped by a lead or a developer" in words(page, "reads-only")
    assert not [one for one in page.button if one.key in ("ask", "take-back", "try-all")]
    assert len(rows(page)) == 1
    page = open_page("critic", run="2")
    assert not [one for one in page.button if str(one.key).startswith("try-")]


def test_a_developer_saves_settings_with_a_reason(db, server, open_page):
    page = open_page("critic", part="settings")
    fields = {one.key: one for one in page.text_input}
    assert fields["critic--0-temperature"].value == "0"
    fields["critic--0-price_prompt"].set_value("0.4")
    fields["critic--0-temperature"].set_value("")
    fields["critic--0-token_cap"].set_value("8,000")
    button(page, "save-settings").click().run()
    assert "needs a reason" in words(page, "answer-line")
    assert saved_versions(db) == ()
    fields = {one.key: one for one in page.text_input}
    fields["draft-settings-why-None"].set_value("The list of November")
    button(page, "save-settings").click().run()
    chosen = chosen_for(db)
    assert chosen["temperature"] is None
    assert (chosen["price_prompt"], chosen["token_cap"]) == ("0.4", 8_000)
    assert "model" not in chosen
    past = words(page, "critic-versions")
    assert "Temperature, 0 to 2: default → the server's own" in past
    assert "The list of November" in past


def test_what_is_no_number_is_refused_and_nothing_is_saved(db, server, open_page):
    page = open_page("critic", part="settings")
    fields = {one.key: one for one in page.text_input}
    fields["critic--0-tries"].set_value("four")
    fields["draft-settings-why-None"].set_value("more patience")
    button(page, "save-settings").click().run()
    assert "“four” is no whole number" in words(page, "answer-line")
    assert saved_versions(db) == ()


def test_an_agent_has_only_what_it_may_have_of_its_own(db, server, open_page):
    page = open_page("critic", part="settings", settings_of=AGENT)
    fields = {one.key: one for one in page.text_input}
    assert f"critic-{AGENT}-0-token_cap" in fields
    assert f"critic-{AGENT}-0-daily_cost" not in fields
    fields[f"critic-{AGENT}-0-model"].set_value("larger")
    fields[f"draft-settings-why-{AGENT}"].set_value("it is the hard one")
    button(page, "save-settings").click().run()
    assert chosen_for(db, AGENT) == {"model": "larger"}
    assert chosen_for(db) == {}


def test_a_lead_reads_the_settings_and_may_not_save(db, server, open_page):
    set_person(db, local_operator(), {Duty.LEAD})
    page = open_page("critic", part="settings")
    assert "changed by a developer" in words(page, "reads-only")
    assert not [one for one in page.button if one.key == "save-settings"]
    assert all(one.disabled for one in page.text_input)


def test_the_key_is_never_shown(db, run, server, open_page):
    for query in ({}, {"part": "settings"}, {"run": str(run)}):
        assert "sk-not-a-real-key" not in all_words(open_page("critic", **query))
    said = words(open_page("critic", part="settings"), "critic-server")
    assert "OPENAI_API_KEY is set; it is never shown" in said
    assert server.url in said


def test_a_session_says_whether_the_critic_has_reviewed_it(db, run, server, open_page):
    reviewed(db, server, ["CD-2291"], replies(notes=BAD_KEY))
    said = words(open_page("sessions", session="CD-2290"), "session-review")
    assert said == f"Reviewed by the critic: run {run}, all 7 turns, 4 items"
    page = open_page("sessions", session="CD-2291")
    assert "Not reviewed by the critic: run 2, failed. The server does not accept the key." in all_words(page)
    assert button(page, "try-critic").label == "Try again"


def test_a_session_is_given_to_the_critic_from_its_page(db, server, open_page):
    page = open_page("sessions", session="CD-2292")
    assert words(page, "session-review") == "Not reviewed by the critic."
    assert "about 3 requests" in words(page, "session-estimate")
    button(page, "ask-critic").click().run()
    assert [row.session_ref for row in run_list(db).rows] == ["CD-2292"]
    assert "The critic is at it: run 1, queued." in words(page, "session-review")
    assert not [one for one in page.button if one.key == "ask-critic"]


def test_a_session_whose_words_changed_since_says_so_and_can_be_asked_about_again(db, run, server, open_page):
    with db.writing() as writing:
        session = writing.exec(select(AgentSession).where(AgentSession.ref == "CD-2290")).one()
        session.sha256 = "0" * 64
        writing.add(session)
    page = open_page("sessions", session="CD-2290")
    assert "an earlier form of the transcript" in words(page, "session-review")
    assert button(page, "ask-critic").label == "Ask the critic"


def ref_of(db, run, place=1):
    return next(part["ref"] for part in run_view(db, run).calls[0].became if part["place"] == place)


def test_a_note_of_the_critic_says_where_it_was_written_and_leads_there(db, run, open_page):
    page = open_page("critical_notes", note=ref_of(db, run), state="all", severity="every severity")
    said = words(page, "note-tree")
    call = run_view(db, run).calls[0]
    assert f"critic · notes prompt {call.prompt_sha256[:8]} · m-1 · run {run}" in said
    links = [
        one[1]["data-press"] for one in elements(drawn(page, "note-tree"), "trail") for one in elements(one, "link")
    ]
    assert links == [f"run:{run}:{call.id}"]


def test_a_second_opinion_stands_beside_its_quote_as_an_opinion(db, run, open_page):
    ref = ref_of(db, run)
    item = desk_views.item_id_of(db, ref)
    with db.reading() as reading:
        assert len(opinions(reading, [item])[item]) == 1
    page = open_page("critical_notes", note=ref, state="all", severity="every severity")
    proof = next(elements(drawn(page, "note-tree"), "proof"))
    assert SAID in text_of(proof)
    said = text_of(next(elements(proof, "opinion")))
    assert said.startswith("Second opinion: partly · The words promise money, no more.")
    assert "opinion of m-1" in said
    assert "verified" not in all_words(page)


def test_a_held_note_of_the_critic_is_explained_on_its_card(db, run, open_page):
    held = next(part["ref"] for part in run_view(db, run).calls[0].became if HOSTILE in part["text"])
    page = open_page("review", item=held)
    card = words(page, "card-tree")
    assert "In the critic's reply · held until a person has looked" in card
    assert "“blocker”" in card
    assert ALSO_SAID in card
    assert HOSTILE in card
    assert f"run {run}" in card


def test_a_deep_link_of_a_request_opens_that_request(db, run, open_page):
    last = run_view(db, run).calls[-1]
    page = open_page("critic", run=str(run), request=str(last.id))
    assert f"request {last.id}" in words(page, "run-request")
    assert "an opinion: partly" in words(page, "run-request")


def test_every_run_is_exported_with_its_reason(db, run, server, open_page):
    reviewed(db, server, ["CD-2291"], replies(notes=BAD_KEY))
    desk = Desk(db, current_person(db), run_view(db, run).row.queued_at)
    columns, exported = critic_desk.all_rows(desk, RunsAsked())
    by_run = {row[0]: dict(zip(columns, row, strict=True)) for row in exported}
    assert by_run[2]["reason"] == "key_refused"
    assert by_run[run]["turns_read"] == 7


def test_an_item_written_before_has_one_trail_for_each_request_that_wrote_it(db, run, server, open_page):
    again = reviewed(db, server, ["CD-2290"], again=True)[0]
    with db.reading() as reading:
        assert len(reading.exec(select(Written)).all()) > len(run_view(db, run).calls)
    page = open_page("critical_notes", note=ref_of(db, run), state="all", severity="every severity")
    trails = [text_of(one) for one in elements(drawn(page, "note-tree"), "trail")]
    assert trails[0].endswith(f"run {run}")
    assert trails[1].startswith("found again by the critic")
    assert trails[1].endswith(f"run {again}")


def test_after_an_import_the_critic_is_offered_with_what_it_would_take(db, server, open_page):
    record = {"id": "new-1", "agent": AGENT, "messages": [{"role": "user", "content": "Hello."}]}
    report = bring_in(db, json.dumps([record]).encode(), "more.json")
    page = AppTest.from_file(str(PAGES / "bring_in.py"), default_timeout=20)
    page.session_state["last_import"] = (report, debrief(db))
    page.run()
    assert "about 3 requests" in words(page, "critic-estimate")
    assert button(page, "offer-critic").label == "Ask the critic about this session…"
    page = AppTest.from_file(str(PAGES / "critic.py"), default_timeout=20)
    page.session_state["brought-in"] = (report.rows[0].ref,)
    page.query_params["ask"] = "brought_in"
    page.run()
    assert "1 session" in words(page, "estimate")
    button(page, "queue").click().run()
    assert [row.session_ref for row in run_list(db).rows] == [report.rows[0].ref]


def test_the_pages_that_were_added_stay_thin():
    assert len((PAGES / "critic.py").read_text(encoding="utf-8").splitlines()) <= 45


def test_what_became_of_each_prompt_and_check_stands_in_a_part_of_the_page(db, run, open_page):
    page = open_page("critic", part="what became of it")
    said = words(page, "fates-table")
    assert "notes.md" in said
    assert "claimed_not_done v" in said
    assert not page.exception
