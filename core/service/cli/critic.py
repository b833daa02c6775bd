"""Commands on the critic: its debriefs, what they cost, and its settings."""

import time
from dataclasses import asdict
from typing import Any

import click

from core.errors import BadInput
from core.governance.people import local_operator
from core.service.cli.comparing import compare_sides
from core.service.cli.words import AS_JSON, ROW, opened_database, print_json, says_why
from core.service.critic.dry_run import WouldSend, would_send
from core.service.critic.progress import estimate, progress
from core.service.critic.reasons import fates
from core.service.critic.runs import queue, take_back, try_again
from core.service.critic.settings import chosen_for, critic_settings, save_critic_settings
from core.service.critic.shown import RunRow, RunsAsked
from core.service.critic.views import run_ids, run_list, run_view
from core.service.working import engine
from core.store.database import Database
from core.vocabulary import RunState

_STATES = click.Choice([state.value for state in RunState])


def debrief_by_critic(refs: tuple[str, ...] | None, *, trying: bool, again: bool, here: bool, as_json: bool) -> None:
    """Queue debriefs by the critic, show what they would send, or carry them out here."""
    database = opened_database()
    if trying:
        _show_requests(would_send(database, refs), as_json)
        return
    expected = estimate(database, refs, again=again)
    queued = queue(database, refs, by=local_operator(), again=again)
    if here:
        _carry_out(database, (*queued.new, *queued.known))
    rows = [asdict(run_view(database, run_id).row) for run_id in queued.new] if here else []
    if as_json:
        print_json({"new": queued.new, "known": queued.known, "estimate": asdict(expected), "runs": rows})
        return
    click.echo(f"{queued.summary}.")
    for row in rows:
        click.echo(f"  run {row['id']} of {row['session_ref']}: {row['state']} {row['detail']}".rstrip())
    if queued.new and not here:
        cost = "no prices are set" if expected.cost is None else f"about {expected.cost} {expected.currency}"
        stored = "; answers that are stored are used again" if again else ""
        click.echo(f"About {expected.requests} requests, {expected.tokens:,} tokens, {cost}{stored}.")
        if not progress(database).workers:
            click.echo("No worker is running: the desk is one, and so is `python -m core work`.")


@click.group()
def critic() -> None:
    """Debriefs by the critic: runs, costs and settings."""


@critic.command("runs")
@click.option("--state", type=_STATES, help="Only runs in this state.")
@click.option("--agent", help="Only runs of this agent's sessions.")
@click.option("--page", type=click.IntRange(min=1), default=1, show_default=True)
@AS_JSON
@says_why
def list_runs(state: str | None, agent: str | None, page: int, as_json: bool) -> None:
    """List debriefs, newest first, 50 a page."""
    asked = RunsAsked(state=RunState(state) if state else None, agent=agent)
    found = run_list(opened_database(), asked, page=page)
    if as_json:
        print_json([asdict(row) for row in found.rows])
        return
    for row in found.rows:
        click.echo(_line(row))
    click.echo(f"Page {found.number} of {found.pages}, {found.total} debriefs.")


@critic.command("show")
@click.argument("run", type=ROW)
@AS_JSON
@says_why
def show_run(run: int, as_json: bool) -> None:
    """Show one debrief down to its prompts and replies."""
    view = run_view(opened_database(), run)
    if as_json:
        print_json(asdict(view))
        return
    click.echo(_line(view.row))
    for said in (view.row.detail, f"read: {view.covered or 'nothing'}", *view.remarks):
        click.echo(f"  {said}" if said else "", nl=bool(said))
    for call in view.calls:
        used = f"{call.tokens['prompt'] or 0:,} + {call.tokens['completion'] or 0:,} tokens"
        click.echo(f"  {call.writer} {call.turns} [{call.status or call.state}] {call.model} {used} {call.detail}")
        click.echo(f"    prompt {call.prompt_sha256[:12]}{'' if call.prompt_is_current else ', changed since'}")
        for part in call.became:
            became = part.get("ref") or part.get("why") or ""
            click.echo(f"    {part['place']}. {part['what']} {became}: {part.get('text', '')}")
        for place, why in call.unreadable:
            click.echo(f"    {place}. unreadable: {why}")


@critic.command("reasons")
@AS_JSON
@says_why
def show_reasons(as_json: bool) -> None:
    """Show what became of what each prompt and each check wrote, and why people turned it down."""
    found = fates(opened_database())
    if as_json:
        print_json([{**asdict(one), "approved_share": one.approved_share} for one in found])
        return
    for one in found:
        share = "nothing decided" if one.approved_share is None else f"{one.approved_share:.0%} approved"
        prompt = f" {one.prompt_sha256[:8]}{'' if one.current else ' (changed since)'}" if one.prompt_sha256 else ""
        click.echo(
            f"{one.wrote}{prompt}: {one.written} written, {one.waits} wait, {share}, {one.turned_down} turned down"
        )
        for named in one.reasons:
            click.echo(f"  {named.count} × {named.words}")


@critic.command("again")
@click.argument("runs", nargs=-1, type=ROW)
@click.option("--all-failed", is_flag=True, help="Every debrief that failed.")
@click.option("--all-stopped", is_flag=True, help="Every debrief that a cap stopped, or that was taken back.")
@says_why
def ask_again(runs: tuple[int, ...], all_failed: bool, all_stopped: bool) -> None:
    """Queue debriefs again; what they have of the model is not asked for again."""
    database = opened_database()
    states = [RunState.FAILED] * all_failed + [RunState.STOPPED] * all_stopped
    if not runs and not states:
        raise BadInput("Name the debriefs, or give --all-failed or --all-stopped.")
    rows = [run for state in states for run in run_ids(database, RunsAsked(state=state))]
    click.echo(f"{try_again(database, dict.fromkeys((*runs, *rows)), by=local_operator())} debriefs are queued again.")


@critic.command("stop")
@says_why
def stop() -> None:
    """Take back every debrief that has not begun."""
    click.echo(f"{take_back(opened_database(), by=local_operator())} debriefs were taken back.")


@critic.command("status")
@AS_JSON
@says_why
def status(as_json: bool) -> None:
    """How far the work is, and what the day has cost."""
    now = progress(opened_database())
    if as_json:
        print_json(asdict(now))
        return
    workers = "1 worker" if now.workers == 1 else f"{now.workers} workers"
    click.echo(f"{now.running} running, {now.queued} queued, {now.requests_left} requests left, {workers}.")
    cap = "no cap" if now.cap is None else f"cap {now.cap}"
    reserved = f", up to {now.reserved_today} more on its way" if now.reserved_today else ""
    click.echo(f"Today (UTC): {now.spent_today} {now.currency} spent{reserved} ({cap}), {now.tokens_today:,} tokens.")


@critic.command("settings")
@click.argument("choices", nargs=-1)
@click.option("--agent", help="For this agent alone.")
@click.option("--reason", default="", help="Why.")
@says_why
def settings(choices: tuple[str, ...], agent: str | None, reason: str) -> None:
    """Show the settings in force, or change some: NAME=VALUE; NAME= takes the default, NAME=null sets none."""
    database = opened_database()
    if choices:
        chosen = chosen_for(database, agent)
        for choice in choices:
            name, given, value = choice.partition("=")
            if not given:
                raise BadInput(f"“{choice}” is no choice; one reads like temperature=0.2.")
            chosen.pop(name, None)
            chosen |= {} if value == "" else {name: _value(name, value)}
        save_critic_settings(database, chosen, by=local_operator(), agent=agent, reason=reason)
    print_json(critic_settings(database, agent).model_dump(mode="json"))


def _value(name: str, value: str) -> Any:
    if value in ("null", "none"):
        return None
    return value.split(",") if name == "writers" else value


def _line(row: RunRow) -> str:
    cost = "" if row.cost is None else f", {row.cost}"
    stored = f", answered from run {row.answered_from}" if row.answered_from else ""
    why = f" ({row.why})" if row.why else ""
    return (
        f"run {row.id} of {row.session_ref}: {row.state}{why}, {row.answered} of {row.requests} requests, "
        f"{row.items} items, {row.tokens:,} tokens{cost}{stored}"
    )


def _show_requests(requests: list[WouldSend], as_json: bool) -> None:
    if as_json:
        print_json([asdict(one) for one in requests])
        return
    for one in requests:
        most = "" if one.most is None else f", at most {one.most} {one.currency}"
        stored = "; answered before, so it would not be sent" if one.answered_before else ""
        click.echo(f"# {one.session} {one.writer} {one.turns}: about {one.tokens:,} tokens{most}{stored}")
        click.echo(f"POST {one.url}")
        print_json(one.body)
    total = sum(one.tokens for one in requests)
    known = [one.most for one in requests if one.most is not None]
    most = f", at most {sum(known)} {requests[0].currency}" if known and len(known) == len(requests) else ""
    click.echo(f"# {len(requests)} requests, about {total:,} tokens{most}. Nothing was sent, and nothing was stored.")
    click.echo("# What follows from replies is not here: a lesson asked for once more, second opinions.")


def _carry_out(database: Database, runs: tuple[int, ...]) -> None:
    """Work here until these runs are over."""
    with engine(database):
        while any(not run_view(database, run).row.state.over for run in runs):
            time.sleep(0.2)


critic.add_command(compare_sides)

COMMANDS = (critic,)
