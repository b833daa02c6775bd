"""What the critic costs: answered from the store where nothing changed, counted, capped, estimated beforehand."""

import json
from decimal import Decimal
from typing import Any

import pytest
from click.testing import CliRunner
from sqlmodel import select

from core.critic.answer import Request, Said
from core.critic.model_settings import ModelSettings
from core.critic.tokens import estimate as tokens_in
from core.service.agents import add_fact
from core.service.cli import main
from core.service.critic.calls import key_of
from core.service.critic.caps import spent_since, start_of_day
from core.service.critic.dry_run import would_send
from core.service.critic.progress import estimate, progress
from core.service.critic.runs import queue, try_again
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.vocabulary import CallState, RunState, Writer
from tests.critic_desk import Desk
from tests.critic_server import refusal, reply
from tests.desk import OPERATOR

PRICES = {"price_prompt": "1.00", "price_completion": "4.00", "price_cached": "0.25"}
BASE: dict[str, Any] = {"model": "m", "temperature": 0, "token_cap": 2_000, "reasoning_effort": "low"}


def key(*, prompt: str = "v3", data: str = "f and t", **changed: Any) -> str:
    said = (Said(role="system", content=prompt), Said(role="user", content=data))
    return key_of(ModelSettings(**{**BASE, **changed}), Request(messages=said))


@pytest.mark.parametrize(
    "changed",
    [
        {"model": "n"},
        {"prompt": "v4"},
        {"temperature": 0.1},
        {"temperature": None},
        {"token_cap": 2_001},
        {"reasoning_effort": "high"},
        {"data": "other facts"},
    ],
)
def test_a_key_changes_with_everything_that_a_reply_depends_on(changed: dict[str, Any]) -> None:
    assert key(**changed) != key()
    assert key() == key()


@pytest.mark.corpus
def test_reported_case_a_01(corpus: Any, desk: Desk) -> None:
    lines = (corpus / "cases" / "public-reports.jsonl").read_text().split("\n")
    case = next(one for one in map(json.loads, filter(None, lines)) if one["id"] == "A-01")
    changes = {
        "model": {"model": "other"},
        "temperature": {"temperature": 0.5},
        "max_tokens": {"token_cap": 2_001},
        "reasoning_effort": {"reasoning_effort": "high"},
        "temperature omitted": {"temperature": None},
    }
    base = {"model": "m", "temperature": 0, "token_cap": 2_000, "reasoning_effort": "low", "writers": ["notes"]}
    ref = desk.bring()
    desk.settings(**base)
    desk.debrief(ref)
    [hit] = desk.debrief(ref, again=True)
    assert hit.row.answered_from is not None
    assert case["expected"]["unchanged_hit_is_labelled"]
    for changed in case["input"]["change_one_of"]:
        sent = len(desk.server.received)
        if changed in changes:
            desk.settings(**{**base, **changes[changed]})
        elif changed == "facts":
            desk.settings(**base)
            add_fact(desk.database, "Campus Desk", "student 1", "Never by phone.", "the student")
        elif changed == "transcript":
            ref = desk.bring({"role": "user", "content": "Something else entirely."}, id="s2")
        else:
            continue  # the prompt's version: its text is in the key, tested above
        [run] = desk.debrief(ref, again=True)
        assert run.row.answered_from is None, changed
        assert len(desk.server.received) == sent + 1, changed


def test_truncated_and_failed_requests_are_never_answered_from(desk: Desk) -> None:
    desk.settings(writers=["notes"])
    ref = desk.bring()
    desk.answers[Writer.NOTES] = reply('{"notes": [', finish="length")
    desk.debrief(ref)
    sent = len(desk.server.received)
    desk.answers[Writer.NOTES] = {"notes": []}
    [run] = desk.debrief(ref)
    assert (run.row.state, run.row.answered_from) == (RunState.DONE, None)
    assert len(desk.server.received) == sent + 1


def test_tokens_and_cost_are_those_that_the_server_counted(desk: Desk) -> None:
    desk.settings(writers=["notes"], **PRICES)
    cached = {"prompt_tokens": 9_000, "completion_tokens": 500, "prompt_tokens_details": {"cached_tokens": 8_000}}
    desk.answers[Writer.NOTES] = reply('{"notes": []}', usage=cached)
    [run] = desk.debrief(desk.bring())
    assert run.row.tokens == 9_500
    assert run.row.cost == Decimal("0.0050")  # 1,000 fresh at 1.00, 8,000 cached at 0.25, 500 written at 4.00
    assert run.calls[0].tokens == {
        "estimated": run.calls[0].tokens["estimated"], "prompt": 9_000, "cached": 8_000, "completion": 500,
        "reasoning": None,
    }  # fmt: skip


def test_without_prices_no_cost_is_named(desk: Desk) -> None:
    [run] = desk.debrief(desk.bring())
    assert run.row.cost is None


def test_a_cut_reply_is_paid_for_too(desk: Desk) -> None:
    desk.settings(writers=["notes"], **PRICES)
    used = {"prompt_tokens": 9_000, "completion_tokens": 4_000}
    replies = iter([reply("{", finish="length", usage=used), reply('{"notes": []}', usage=used)])
    desk.answers[Writer.NOTES] = lambda body: next(replies)
    [run] = desk.debrief(desk.bring())
    assert run.row.tokens == 26_000


@pytest.mark.parametrize("cap", [{"daily_cost": "0.03", **PRICES}, {"daily_tokens": 15_000}])
def test_a_cap_of_the_day_stops_cleanly_and_the_rest_goes_on_later(desk: Desk, cap: dict[str, Any]) -> None:
    desk.settings(writers=["notes"], token_cap=500, largest_token_cap=4_000, **cap)
    refs = [desk.bring(id=f"s{n}") for n in range(6)]
    runs = desk.debrief(*refs)
    states = [run.row.state for run in runs]
    done = states.count(RunState.DONE)
    assert 0 < done < 6
    assert states == [RunState.DONE] * done + [RunState.STOPPED] * (6 - done)
    assert len(desk.server.received) == done
    assert all("of the day's" in run.row.detail for run in runs[done:])
    with desk.database.reading() as db:
        spent = spent_since(db, start_of_day(now()))
    assert spent.cost <= 30_000
    assert spent.tokens <= 15_000
    desk.settings(writers=["notes"])
    assert try_again(desk.database, [run.row.id for run in runs], by=OPERATOR, environ=desk.environ) == 6 - done
    assert {desk.carry_out(run.row.id).row.state for run in runs} == {RunState.DONE}
    assert len(desk.server.received) == 6


def test_a_cap_in_money_without_prices_sends_nothing_and_says_so(desk: Desk) -> None:
    desk.settings(daily_cost="5")
    [run] = desk.debrief(desk.bring())
    assert (run.row.state, desk.server.received) == (RunState.STOPPED, [])
    assert "no prices" in run.row.detail


def test_an_estimate_counts_what_is_still_to_be_asked(desk: Desk) -> None:
    desk.settings(writers=["notes", "episodes"], **PRICES)
    refs = [desk.bring(id="a"), desk.bring(id="b")]
    before = estimate(desk.database, refs, environ=desk.environ)
    assert (before.sessions, before.known, before.requests, before.measured) == (2, 0, 4, False)
    assert before.cost is not None
    desk.debrief("a")
    after = estimate(desk.database, refs, environ=desk.environ)
    assert (after.sessions, after.known, after.requests, after.measured) == (1, 1, 2, True)
    assert estimate(desk.database, refs, again=True, environ=desk.environ).requests == 4


def test_an_estimate_is_near_what_is_sent(desk: Desk) -> None:
    desk.settings(writers=["notes"])
    talk = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": "A quite ordinary line. " * 20} for n in range(40)
    ]
    ref = desk.bring(*talk)
    expected = estimate(desk.database, [ref], environ=desk.environ)
    [planned] = would_send(desk.database, [ref], desk.environ)
    assert 0.7 < (expected.tokens - 500) / planned.tokens < 1.4


def test_progress_says_what_is_left_and_what_the_day_has_cost(desk: Desk) -> None:
    desk.settings(writers=["notes"], **PRICES)
    desk.debrief(desk.bring(id="a"))
    queue(desk.database, [desk.bring(id="b")], by=OPERATOR, environ=desk.environ)
    at = progress(desk.database)
    assert (at.queued, at.running, at.requests_left, at.workers) == (1, 0, 1, 0)
    assert at.spent_today > 0
    assert at.seconds_left is not None


def test_a_dry_run_shows_the_exact_requests_and_neither_sends_nor_writes(desk: Desk) -> None:
    ref = desk.bring()
    planned = would_send(desk.database, [ref], desk.environ)
    with desk.database.reading() as db:
        assert (db.exec(select(CriticRun)).all(), db.exec(select(CriticCall)).all()) == ([], [])
    assert desk.server.received == []
    desk.debrief(ref)
    assert [one.body for one in planned] == desk.server.bodies
    assert all(one.answered_before for one in would_send(desk.database, [ref], desk.environ))


def test_a_dry_run_on_the_command_line_needs_no_key(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ref = desk.bring()
    monkeypatch.setenv("DATABASE_URL", desk.database.url)
    monkeypatch.setenv("OPENAI_MODEL", "m")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    said = CliRunner().invoke(main, ["debrief", "--critic", "--dry-run", ref])
    assert said.exit_code == 0, said.output
    assert "POST https://api.openai.com/v1/chat/completions" in said.output
    assert "Nothing was sent" in said.output


def test_the_stable_part_of_a_request_comes_first(desk: Desk) -> None:
    desk.settings(writers=["notes"])
    desk.debrief(desk.bring(id="a"), desk.bring({"role": "user", "content": "Hello."}, id="b"))
    first, second = (body["messages"] for body in desk.server.bodies)
    assert first[0] == second[0]
    shared = next(n for n, (a, b) in enumerate(zip(first[1]["content"], second[1]["content"], strict=False)) if a != b)
    assert '"agent"' in first[1]["content"][:shared]
    assert '"transcript"' not in first[1]["content"][:shared]


def test_a_changed_fact_a_new_signal_and_a_skipped_run_are_reasons_to_debrief(desk: Desk) -> None:
    desk.settings(writers=["notes"], only_suspicious=True)
    calm = desk.bring({"role": "user", "content": "Thanks!"}, {"role": "assistant", "content": "Glad to help."}, id="c")
    desk.debrief(calm)
    assert estimate(desk.database, [calm], environ=desk.environ).sessions == 1
    desk.settings(writers=["notes"])
    [first] = desk.debrief(calm)
    assert (first.row.state, first.row.attempt) == (RunState.DONE, 2)
    add_fact(desk.database, "Campus Desk", "student 1", "Never by phone.", "the student")
    [second] = desk.debrief(calm)
    assert (second.row.id != first.row.id, second.row.answered_from) == (True, None)
    assert queue(desk.database, [calm], by=OPERATOR, environ=desk.environ).new == ()


def test_tried_again_with_another_model_nothing_of_the_old_one_is_mixed_in(desk: Desk) -> None:
    desk.settings(writers=["notes", "episodes"], model="old")
    desk.answers[Writer.EPISODES] = reply("nonsense")
    [failed] = desk.debrief(desk.bring())
    desk.settings(writers=["notes", "episodes"], model="new")
    desk.answers[Writer.EPISODES] = {"episodes": []}
    try_again(desk.database, [failed.row.id], by=OPERATOR, environ=desk.environ)
    again = desk.carry_out(failed.row.id)
    assert again.row.state is RunState.DONE
    assert [body["model"] for body in desk.asked(Writer.NOTES)] == ["old", "new"]


def test_servers_that_differ_in_a_query_or_a_login_do_not_answer_for_each_other(desk: Desk) -> None:
    desk.settings(writers=["notes"])
    ref = desk.bring()
    base = desk.server.url
    for url in (base, f"{base}?api-version=2024", f"{base}?api-version=2025"):
        desk.environ["OPENAI_BASE_URL"] = url
        [run] = desk.debrief(ref, again=True)
        assert (run.row.state, run.row.answered_from) == (RunState.DONE, None)
    assert len(desk.server.received) == 3


def test_a_request_that_is_sent_again_after_a_kill_is_not_reserved_for_twice(desk: Desk) -> None:
    desk.settings(writers=["notes"], largest_token_cap=4_000, daily_cost="0.05", **PRICES)
    [run_id] = queue(desk.database, [desk.bring()], by=OPERATOR, environ=desk.environ).new
    [due] = desk.work.due(run_id)
    with desk.database.writing() as db:
        call = db.get_one(CriticCall, due.call_id)
        call.state, call.asked_at = "asked", now()
        db.add(call)
    assert desk.carry_out(run_id).row.state is RunState.DONE


def test_counts_that_no_model_has_are_no_counts(desk: Desk) -> None:
    desk.settings(writers=["notes"], **PRICES)
    desk.answers[Writer.NOTES] = reply('{"notes": []}', usage={"prompt_tokens": 4 * 10**18, "completion_tokens": 5})
    [run] = desk.debrief(desk.bring())
    assert (run.row.state, run.calls[0].tokens["prompt"]) == (RunState.DONE, None)
    assert progress(desk.database).tokens_today < 100


def test_a_request_that_was_never_sent_costs_nothing(desk: Desk) -> None:
    desk.settings(writers=["notes"], daily_cost="0.0001", **PRICES)
    [run] = desk.debrief(desk.bring())
    assert (run.row.state, run.row.cost) == (RunState.STOPPED, Decimal(0))


def test_a_reply_that_was_paid_for_is_counted_though_the_request_failed_then(desk: Desk) -> None:
    desk.settings(writers=["notes"], tries=1, **PRICES)
    used = {"prompt_tokens": 1_000, "completion_tokens": 500}
    replies = iter([reply("{", finish="length", usage=used), refusal(429, "busy")])
    desk.answers[Writer.NOTES] = lambda body: next(replies)
    run = desk.debrief(desk.bring())[0]
    call = desk.calls(run.row.id)[0]
    assert (call.state, call.status) == (CallState.FAILED, "model_busy")
    assert (call.tokens_prompt, call.tokens_completion, call.cost) == (1_000, 500, 3_000)
    assert [one["status"] for one in call.attempts] == [200, 429]
    assert progress(desk.database).spent_today == Decimal("0.003")


def test_a_request_that_brought_no_reply_costs_nothing(desk: Desk) -> None:
    desk.settings(writers=["notes"], tries=1, **PRICES)
    desk.answers[Writer.NOTES] = refusal(429, "busy")
    call = desk.calls(desk.debrief(desk.bring())[0].row.id)[0]
    assert (call.tokens_prompt, call.tokens_completion, call.cost) == (None, None, 0)
    assert len(call.attempts) == 1


def test_a_reply_without_a_count_is_estimated_so_that_caps_hold(desk: Desk) -> None:
    desk.settings(writers=["notes"], token_cap=400, **PRICES)
    words = json.dumps({"notes": [], "more": "some words " * 40})
    replies = iter([reply("{", finish="length"), reply(words)])
    desk.answers[Writer.NOTES] = lambda body: next(replies)
    call = desk.calls(desk.debrief(desk.bring())[0].row.id)[0]
    assert call.state == CallState.ANSWERED
    assert call.tokens_prompt == 2 * call.tokens_estimated
    assert call.tokens_completion == 400 + tokens_in(words)
    assert call.cost == call.tokens_prompt + 4 * call.tokens_completion
    assert call.read["counted"] == "estimated"


def test_a_reply_with_a_count_is_not_estimated(desk: Desk) -> None:
    desk.settings(writers=["notes"])
    call = desk.calls(desk.debrief(desk.bring())[0].row.id)[0]
    assert "counted" not in call.read
