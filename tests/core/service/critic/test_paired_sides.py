"""Two ways on the same sessions: paired, with failures shown, and without a trace in what agents read."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlmodel import SQLModel, func, select

from core.briefing.asked import Asked
from core.briefing.read import agent_named, brief
from core.critic.prompts import prompt
from core.errors import BadInput, Refused
from core.service.cli import main
from core.service.critic.answers import UNREADABLE
from core.service.critic.caps import OVER_CAP
from core.service.critic.compared import Comparison, Kind
from core.service.critic.comparison import compare, comparing
from core.service.critic.comparison_estimate import expected, would_ask
from core.service.critic.dry_run import would_send
from core.service.critic.sides import Side
from core.settings import DEFAULTS
from core.store.critic_records import CriticCall, CriticPrompt
from core.vocabulary import Writer
from tests.critic_desk import Desk, note
from tests.critic_server import Received, Scripted, refusal, reply
from tests.desk import OPERATOR

FOUND, LOST = "the refund has been arranged", "a voucher has been sent instead"
PRICES = {"price_prompt": "1.00", "price_completion": "4.00"}
Body = Mapping[str, Any]


def notes(*quotes: str) -> object:
    return {"notes": [note(quote, observation=f"It says {quote}.") for quote in quotes]}


def answers(desk: Desk, of: Callable[[Body], object]) -> None:
    """Let the server answer every request by its body, whatever prompt it begins with."""

    def answering(request: Received) -> Scripted:
        said = of(request.body)
        sent = sum(len(one["content"]) for one in request.body["messages"])
        usage = {"prompt_tokens": sent // 3, "completion_tokens": 100}
        return said if isinstance(said, Scripted) else reply(json.dumps(said), usage=usage)

    desk.server.answering = answering


def session_in(body: Body) -> str:
    """The name that a session gives itself in its first words."""
    return str(json.loads(body["messages"][1]["content"])["transcript"][0]["text"]).split()[-1]


def bring(desk: Desk, count: int) -> list[str]:
    said = {"role": "assistant", "content": "Yes, the refund has been arranged for you."}
    return [desk.bring({"role": "user", "content": f"I am s{n}"}, said, id=f"s{n}") for n in range(count)]


def own(tmp_path: Path, text: str = "Judge the session. Reply in JSON as agreed.\n") -> Path:
    path = tmp_path / "my-notes.md"
    path.write_text(text)
    return path


def made(desk: Desk, refs: list[str], a: Side = Side(), b: Side = Side(), **how: Any) -> Comparison:
    number = how.pop("number", None)
    what = comparing(desk.database, refs, a=a, b=b, environ=desk.environ, **how)
    return compare(desk.database, what, by=OPERATOR, number=number)


def counts(desk: Desk) -> dict[str, int]:
    with desk.database.reading() as db:
        tables = SQLModel.metadata.tables.values()
        return {table.name: db.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}


def test_only_sessions_that_both_reviewed_count_and_failures_are_shown(desk: Desk, tmp_path: Path) -> None:
    mine = own(tmp_path)
    text = mine.read_text()

    def said(body: Body) -> object:
        if body["messages"][0]["content"] != text:
            return notes(FOUND, LOST)
        if session_in(body) == "s2":
            return reply("I would rather talk about the weather.")
        return notes(FOUND)

    answers(desk, said)
    report = made(desk, bring(desk, 4), b=Side(mine))
    assert (report.a.reviewed, report.b.reviewed, report.both) == (4, 3, 3)
    [(ref, status, detail)] = report.b.failed
    assert (ref, status) == ("s2", UNREADABLE)
    assert "could not be read" in detail
    assert (report.a.found, report.a.quotes) == (4, 8)
    assert report.found_in_both == ((3, 6), (3, 3))
    share, written, proven = report.measures
    assert (share.a, share.b, share.difference.second_more) == (0.5, 1.0, 3)
    assert (written.a, written.b, written.difference.first_more) == (2.0, 1.0, 3)
    assert (proven.a, proven.b, proven.difference.equal) == (1.0, 1.0, 3)
    assert report.kind is Kind.ONE_CHANGE
    assert report.better is None  # three sessions tell nothing
    assert "cannot be told" in report.conclusion


def test_one_change_and_enough_sessions_name_the_better_side(desk: Desk, tmp_path: Path) -> None:
    mine = own(tmp_path)
    answers(desk, lambda body: notes(FOUND if body["messages"][0]["content"] == mine.read_text() else LOST))
    report = made(desk, bring(desk, 6), b=Side(mine))
    assert (report.better, report.measures[0].difference.chance) == ("b", 0.03125)
    assert report.measures[0].difference.low == 1.0
    assert "Whether its observations are right, people must say" in report.conclusion


def test_a_session_without_quotes_on_one_side_has_no_share(desk: Desk) -> None:
    answers(desk, lambda body: notes() if body["model"] == "n" and session_in(body) == "s0" else notes(FOUND))
    report = made(desk, bring(desk, 3), b=Side(chosen={"model": "n"}))
    assert report.both == 3
    assert (report.measures[0].difference.sessions, report.measures[0].skipped) == (2, 1)
    assert report.measures[1].difference.first_more == 1


def test_the_prompt_of_ones_own_is_what_is_sent_and_kept_under_its_hash(desk: Desk, tmp_path: Path) -> None:
    mine = own(tmp_path)
    answers(desk, lambda body: notes())
    made(desk, bring(desk, 1), b=Side(mine))
    ours, theirs = (body["messages"] for body in desk.server.bodies)
    assert (ours[0]["content"], theirs[0]["content"]) == (prompt(Writer.NOTES).text, mine.read_text())
    assert ours[1:] == theirs[1:]
    with desk.database.reading() as db:
        kept = {row.sha256: row.text for row in db.exec(select(CriticPrompt)).all()}
        calls = db.exec(select(CriticCall).order_by(CriticCall.id)).all()
    assert [kept[call.prompt_sha256] for call in calls] == [ours[0]["content"], theirs[0]["content"]]
    assert [(call.run_id, call.about) for call in calls] == [(None, "comparison 1 a"), (None, "comparison 1 b")]


def test_a_longer_prompt_of_ones_own_makes_the_parts_smaller_for_both(desk: Desk, tmp_path: Path) -> None:
    desk.settings(context_tokens=7_000, token_cap=1_000)
    answers(desk, lambda body: notes())
    talk = [
        {"role": "assistant", "content": f"Line {n}. " + "Something ordinary is said here. " * 20} for n in range(20)
    ]
    report = made(desk, [desk.bring(*talk)], b=Side(own(tmp_path, "Word for word, in JSON. " * 400)))
    assert report.a.requests == report.b.requests > 1
    said = [body["messages"][1]["content"] for body in desk.server.bodies]
    assert sorted(said) == sorted([*set(said)] * 2)


def test_answers_of_the_store_are_used_again_and_labelled(desk: Desk) -> None:
    desk.settings(writers=["notes"], **PRICES)
    refs = bring(desk, 3)
    answers(desk, lambda body: notes(FOUND))
    desk.debrief(refs[0])
    report = made(desk, refs[:1], b=Side(chosen={"model": "n"}))
    assert (report.a.stored, report.b.stored, report.a.requests) == (1, 0, 1)
    assert report.a.spent == 0
    assert report.a.cost == report.b.cost == report.b.spent  # what a reply costs does not depend on who paid for it
    assert (report.a.tokens_prompt, report.a.models) == (report.b.tokens_prompt, ("m-1",))
    again = made(desk, refs[:1], b=Side(chosen={"model": "n"}))
    assert (again.number, again.a.stored, again.b.stored) == (2, 1, 1)
    assert again.measures == report.measures


@pytest.mark.corpus
def test_reported_case_a_03(corpus: Path, desk: Desk, tmp_path: Path) -> None:
    lines = (corpus / "cases" / "public-reports.jsonl").read_text().split("\n")
    case = next(one for one in map(json.loads, filter(None, lines)) if one["id"] == "A-03")
    assert case["expected"]["after"] == case["input"]["before"]
    assert case["expected"]["replay_results"] == "kept apart, marked as replay"
    _a_comparison_changes_nothing(desk, tmp_path)


def test_a_comparison_leaves_calls_and_prompts_behind_and_nothing_else(desk: Desk, tmp_path: Path) -> None:
    _a_comparison_changes_nothing(desk, tmp_path)


def _a_comparison_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    refs = bring(desk, 3)
    answers(desk, lambda body: notes(FOUND))
    desk.settings(writers=["notes"])
    desk.debrief(refs[0])
    read, before = _read_by_the_agent(desk), counts(desk)
    assert read
    draft = Side(own(tmp_path))
    list(would_ask(desk.database, comparing(desk.database, refs, b=draft, environ=desk.environ)))
    assert counts(desk) == before
    answers(desk, lambda body: notes(FOUND, LOST, "I am s"))
    made(desk, refs, b=draft)
    assert _read_by_the_agent(desk) == read
    after = counts(desk)
    assert after["critic_call"] > before["critic_call"]
    kept_apart = {"critic_call": after["critic_call"], "critic_prompt": before["critic_prompt"] + 1}
    assert after == {**before, **kept_apart}


def _read_by_the_agent(desk: Desk) -> tuple[dict[str, str], ...]:
    with desk.database.reading() as db:
        agent = agent_named(db, "Campus Desk")
        return brief(db, agent, Asked("Campus Desk", user="student 1"), DEFAULTS).messages


def test_a_debrief_is_never_answered_from_a_comparison(desk: Desk) -> None:
    desk.settings(writers=["notes"])
    refs = bring(desk, 1)
    answers(desk, lambda body: notes(FOUND))
    made(desk, refs, b=Side(chosen={"model": "n"}))
    sent = len(desk.server.received)
    assert not any(one.answered_before for one in would_send(desk.database, refs, desk.environ))
    [run] = desk.debrief(*refs)
    assert (len(desk.server.received), run.calls[0].answered_from) == (sent + 1, None)


def test_every_change_is_listed_and_with_two_no_winner_is_named(desk: Desk, tmp_path: Path) -> None:
    mine = own(tmp_path)
    answers(desk, lambda body: notes(FOUND if body["model"] == "n" else LOST))
    report = made(desk, bring(desk, 6), b=Side(mine, {"model": "n"}))
    assert [one.what for one in report.differences] == ["prompt", "model"]
    assert report.measures[0].difference.tells == 1
    assert (report.kind, report.better) == (Kind.SEVERAL_CHANGES, None)
    assert "prompt, model), so no winner is named" in report.conclusion


def test_a_model_that_the_server_has_exchanged_meanwhile_is_a_change(desk: Desk, tmp_path: Path) -> None:
    refs = bring(desk, 2)
    answers(desk, lambda body: reply(json.dumps(notes(FOUND)), model="m-2026-05"))
    desk.settings(writers=["notes"])
    desk.debrief(*refs)
    answers(desk, lambda body: reply(json.dumps(notes(FOUND)), model="m-2026-09"))
    report = made(desk, refs, b=Side(own(tmp_path)))
    assert [one.what for one in report.differences] == ["prompt", "model as the server names it"]


def test_a_temperature_that_the_server_does_not_take_is_no_change(desk: Desk) -> None:
    desk.environ["OPENAI_MODEL"] = "takes-none"
    wrong = {"message": "Unsupported parameter: 'temperature'", "param": "temperature", "code": "unsupported_parameter"}
    answers(desk, lambda body: refusal(400, wrong) if "temperature" in body else notes(FOUND))
    report = made(desk, bring(desk, 2), b=Side(chosen={"temperature": 1.0}))
    assert (report.differences, report.kind, report.both) == ((), Kind.SPREAD, 2)
    assert any("takes no temperature" in remark for remark in report.remarks)


@pytest.mark.corpus
def test_reported_case_a_04(corpus: Path, desk: Desk, tmp_path: Path) -> None:
    lines = (corpus / "cases" / "public-reports.jsonl").read_text().split("\n")
    case = next(one for one in map(json.loads, filter(None, lines)) if one["id"] == "A-04")
    first, again, other = case["input"]["runs"]
    grounded = {
        "2/3": notes(FOUND, "has been arranged for", LOST),
        "3/3": notes(FOUND, "has been arranged for", "Yes, the"),
    }
    grounded["3/3"] = notes(FOUND, "has been arranged for", "Yes, the refund")
    refs = bring(desk, 1)
    answers(desk, lambda body: grounded[first["grounded"]])
    desk.settings(writers=["notes"])
    desk.debrief(*refs)
    answers(desk, lambda body: grounded[again["grounded"]])
    twice = made(desk, refs, repeat=True)
    assert (twice.kind, twice.better) == (Kind.SPREAD, None)
    said = _said(desk, [*refs, "--repeat", "--go-on", str(twice.number)])
    assert "quotes found: a 2 of 3 – b 3 of 3" in said
    assert case["expected"]["same_settings_twice"] == "shown as spread (2/3–3/3)"
    answers(desk, lambda body: grounded[other["grounded"]])
    changed = made(desk, refs, b=Side(own(tmp_path), {"model": other["model"]}))
    assert [one.what for one in changed.differences] == ["prompt", "model"]
    assert changed.better is None
    assert case["expected"]["prompt4_vs_prompt3"] == "listed with both changes (prompt, model); no winner named"


def _said(desk: Desk, words: list[str]) -> str:
    environ = {**desk.environ, "DATABASE_URL": desk.database.url}
    told = CliRunner().invoke(main, ["critic", "compare", *words], env=environ)
    assert told.exit_code == 0, told.output
    return told.output


def test_the_same_settings_twice_are_a_spread_and_b_is_asked_anew(desk: Desk) -> None:
    refs = bring(desk, 8)
    drawn = iter(range(1_000))
    answers(desk, lambda body: notes(FOUND if next(drawn) % 2 else LOST))
    with pytest.raises(BadInput, match="--repeat asks b anew"):
        made(desk, refs)
    assert desk.server.received == []
    twice = made(desk, refs, repeat=True)
    assert (twice.kind, twice.differences, twice.better) == (Kind.SPREAD, (), None)
    assert (len(desk.server.received), twice.b.stored) == (16, 0)
    assert "spread" in twice.conclusion
    thrice = made(desk, refs, repeat=True)
    assert (len(desk.server.received), thrice.a.stored, thrice.b.stored) == (24, 8, 0)
    on = made(desk, refs, repeat=True, number=thrice.number)
    assert (len(desk.server.received), on.b.stored, on.measures) == (24, 8, thrice.measures)


@pytest.mark.parametrize("cap", [{"daily_cost": "0.1", **PRICES}, {"daily_tokens": 40_000}])
def test_the_cap_of_the_day_stops_it_and_the_report_says_what_is_missing(desk: Desk, cap: dict[str, Any]) -> None:
    desk.settings(largest_token_cap=4_000, requests_at_once=1, **cap)
    answers(desk, lambda body: notes(FOUND))
    report = made(desk, bring(desk, 30), b=Side(chosen={"model": "n"}))
    assert report.stopped is not None
    assert "of the day's" in report.stopped
    assert 0 < report.both < 30
    assert (report.a.failed, report.b.failed) == ((), ())
    assert len(report.b.missing) == 30 - report.both
    assert report.measures[1].difference.sessions == report.both
    sent = len(desk.server.received)
    desk.settings(largest_token_cap=4_000)
    whole = made(desk, [pair.session for pair in report.pairs], b=Side(chosen={"model": "n"}))
    assert (whole.both, whole.stopped, len(desk.server.received)) == (30, None, 60)
    assert whole.a.stored + whole.b.stored == sent


def test_a_refused_key_ends_it_after_the_requests_that_are_on_their_way(desk: Desk) -> None:
    desk.settings(requests_at_once=2)
    answers(desk, lambda body: refusal(401, {"message": "no such key", "code": "invalid_api_key"}))
    report = made(desk, bring(desk, 12), b=Side(chosen={"model": "n"}))
    assert len(desk.server.received) <= 2
    assert report.both == 0
    assert report.stopped is not None
    assert "does not accept the key" in report.stopped
    assert report.conclusion == "No session was reviewed by both sides, so nothing is compared."


def test_what_was_answered_before_an_interruption_is_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.settings(requests_at_once=1)
    answers(desk, lambda body: notes(FOUND))
    refs = bring(desk, 6)

    def interrupted(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    what = comparing(desk.database, refs, b=Side(chosen={"model": "n"}), environ=desk.environ)
    report = compare(desk.database, what, by=OPERATOR, told=interrupted)
    sent = len(desk.server.received)
    assert 4 <= sent < 12
    assert report.stopped == "It was interrupted."
    assert report.a.reviewed + report.b.reviewed == sent
    assert made(desk, refs, b=Side(chosen={"model": "n"})).both == 6
    assert len(desk.server.received) == 12


def test_a_session_that_a_debrief_would_not_ask_about_is_listed(desk: Desk) -> None:
    answers(desk, lambda body: {"lesson": "", "tags": [], "evidence": []})
    wrong = {"source": "user", "good": False, "text": "It was wrong."}
    refs = [desk.bring(id="s0", feedback=[wrong]), desk.bring(id="s1")]
    report = made(desk, refs, b=Side(chosen={"model": "n"}), writer=Writer.LESSON)
    assert [ref for ref, _ in report.nothing_due] == refs[1:]
    assert (report.both, report.a.items) == (1, 0)


@pytest.mark.parametrize("writer", [Writer.PROCEDURES, Writer.EPISODES])
def test_other_writers_are_compared_by_their_quotes_too(desk: Desk, writer: Writer) -> None:
    evidence = [{"quote": FOUND, "speaker": "assistant", "turn": 2}, {"quote": LOST, "speaker": "assistant", "turn": 2}]
    procedure = {"title": "Look first", "trigger": "A refund is asked for", "instruction": "Look the refund up first."}
    said = {
        Writer.PROCEDURES: {"procedures": [{**procedure, "kind": "rule", "confidence": 0.7, "evidence": evidence}]},
        Writer.EPISODES: {"episodes": [{"text": "A refund was asked for.", "importance": 0.5, "evidence": evidence}]},
    }
    answers(desk, lambda body: said[writer])
    report = made(desk, bring(desk, 1), b=Side(chosen={"temperature": 0.7}), writer=writer)
    assert (report.a.items, report.a.proven, report.a.found, report.a.quotes) == (1, 0, 1, 2)


@pytest.mark.parametrize(
    ("side", "why"),
    [
        (Side(Path("nowhere.md")), "cannot be read"),
        (Side(chosen={"temperature": 7}), "temperature cannot be 7"),
        (Side(chosen={"context_tokens": 4_000}), "cannot differ"),
    ],
)
def test_a_side_that_cannot_be_asked_is_refused_before_anything_is(desk: Desk, side: Side, why: str) -> None:
    refs = bring(desk, 1)
    with pytest.raises(BadInput, match=why):
        made(desk, refs, b=side)
    assert desk.server.received == []


@pytest.mark.parametrize("content", [b"", b"  \n", b"\xff\xfe"])
def test_a_prompt_without_words_is_refused(desk: Desk, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p.md").write_bytes(content)
    with pytest.raises(BadInput, match="Nothing was asked"):
        made(desk, bring(desk, 1), b=Side(tmp_path / "p.md"))


def test_who_may_start_no_debrief_may_compare_nothing(desk: Desk) -> None:
    what = comparing(desk.database, bring(desk, 1), b=Side(chosen={"model": "n"}), environ=desk.environ)
    with pytest.raises(Refused, match="lacks the duty"):
        compare(desk.database, what, by="a stranger")
    assert desk.server.received == []


def test_an_estimate_knows_what_the_store_has(desk: Desk) -> None:
    desk.settings(writers=["notes"], **PRICES)
    refs = bring(desk, 2)
    answers(desk, lambda body: notes())
    desk.debrief(refs[0])
    what = comparing(desk.database, refs, b=Side(chosen={"model": "n"}), environ=desk.environ)
    before = expected(desk.database, what)
    assert (before.sessions, before.requests, before.stored) == (2, 4, 1)
    assert before.cost is not None
    assert before.most is not None
    assert 0 < before.cost < before.most
    anew = comparing(desk.database, refs, repeat=True, environ=desk.environ)
    assert expected(desk.database, anew).stored == 1


def test_a_sample_is_always_the_same(desk: Desk) -> None:
    bring(desk, 12)
    side = Side(chosen={"model": "n"})
    drawn = [comparing(desk.database, None, b=side, sample=4, environ=desk.environ).sessions for _ in range(2)]
    assert [one.ref for one in drawn[0]] == [one.ref for one in drawn[1]]
    assert len(drawn[0]) == 4


def test_on_the_command_line_the_estimate_comes_first_and_then_the_report(desk: Desk, tmp_path: Path) -> None:
    answers(desk, lambda body: notes(FOUND, LOST))
    refs = bring(desk, 2)
    before = counts(desk)
    shown = _said(desk, [refs[0], "--prompt-b", str(own(tmp_path)), "--dry-run"])
    assert shown.count("POST ") == 2
    assert "Judge the session." in shown
    assert shown.rstrip().endswith("Nothing was sent, and nothing was stored.")
    assert (desk.server.received, counts(desk)) == ([], before)
    said = _said(desk, ["--all", "--prompt-b", str(own(tmp_path))]).splitlines()
    assert said[0].startswith("4 requests: about ")
    assert said[1] == "Comparison 1: notes, 2 sessions"
    assert "Paired: 2 sessions that both reviewed (others count for nothing here)" in said
    whole = json.loads(_said(desk, ["--all", "--prompt-b", str(own(tmp_path)), "--json"]))
    assert (whole["both"], whole["kind"], whole["a"]["stored"]) == (2, "one_change", 2)
    assert OVER_CAP not in json.dumps(whole)
