"""The command line: bring in, debrief, ground, brief an agent, report an outcome, keep agents' records.

Every command prints for people, or JSON with ``--json``. Refusals end with exit code 1 and say what is possible.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import datetime
from decimal import Decimal
from functools import partial, wraps
from pathlib import Path
from typing import Any, ParamSpec
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from core.briefing.read import Asked, issue
from core.checks.policies import policies_in_force
from core.effects.outcomes import report_outcome
from core.errors import BadInput, TutelageError
from core.evidence import prepare
from core.governance.people import local_operator
from core.service import agents as records
from core.service.bring_in import bring_in, dry_run
from core.service.debrief import debrief
from core.service.grounding import answer
from core.service.import_report import ImportReport
from core.service.masking import mask_stored
from core.service.start import load_samples, open_database
from core.settings import DEFAULTS
from core.transcripts import SessionDraft
from core.transcripts.formats import Format
from core.transcripts.read import Reading, read
from core.vocabulary import Outcome

Params = ParamSpec("Params")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _says_why(command: Callable[Params, None]) -> Callable[Params, None]:
    """Print what a rule or a reader refuses, and end with exit code 1."""

    @wraps(command)
    def wrapped(*args: Params.args, **kwargs: Params.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except TutelageError as error:
            click.echo(str(error), err=True)
            sys.exit(1)

    return wrapped


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Tutelage: decide what an AI agent may learn from its own work."""


@main.command()
@click.option("--samples", is_flag=True, help="Also load the invented sample sessions.")
@_says_why
def init(samples: bool) -> None:
    """Create the database, or bring it up to date."""
    database = open_database()
    if samples:
        load_samples(database)
    click.echo(f"{database.shown_url} is up to date.")


@main.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "format_name", type=click.Choice([one.value for one in Format]), help="Do not detect it.")
@click.option("--agent", help="The agent whose sessions these are.")
@click.option("--zone", default="UTC", show_default=True, help="Zone of times that name none.")
@click.option("--dry-run", "trying", is_flag=True, help="Show what would come in; store nothing.")
@click.option("--correct", is_flag=True, help="Put other words for a known session in the place of the old ones.")
@AS_JSON
@_says_why
def import_files(
    files: tuple[Path, ...],
    format_name: str | None,
    agent: str | None,
    zone: str,
    trying: bool,
    correct: bool,
    as_json: bool,
) -> None:
    """Bring finished sessions in."""
    database = open_database()
    act = partial(dry_run, correct=correct) if trying else partial(bring_in, correct=correct, by=local_operator())
    failed: list[str] = []
    reports: list[ImportReport] = []
    for path in files:
        try:
            form = Format(format_name) if format_name else None
            reports.append(act(database, path.read_bytes(), path.name, format=form, agent=agent, zone=_zone(zone)))
        except TutelageError as error:
            failed.append(str(error))
    if as_json:
        _print([{**asdict(one), "new": one.new, "known": one.known, "extended": one.extended} for one in reports])
    else:
        for report in reports:
            click.echo(f"{report.file}: {report.summary}")
            for row in (row for row in report.rows if row.what == "corrected"):
                click.echo(f"  {row.ref}: {row.detail}")
    for problem in failed:
        click.echo(problem, err=True)
    if any("can be corrected" in error for report in reports for error in report.errors):
        click.echo("With --correct their words take the place of those that are here.", err=True)
    if failed or any(report.errors for report in reports):
        sys.exit(1)


@main.command("mask")
@_says_why
def mask_sessions() -> None:
    """Mask credentials, card and identity numbers in what was stored before they were masked on import."""
    changed = mask_stored(open_database())
    click.echo(f"{changed} sessions were masked.")


@main.command("debrief")
@click.argument("refs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every session that changed since its last debrief.")
@AS_JSON
@_says_why
def debrief_sessions(refs: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Let the checks look at sessions, by reference or all."""
    if bool(refs) == everything:
        raise BadInput("Name the sessions to debrief, or give --all.")
    report = debrief(open_database(), None if everything else refs)
    if as_json:
        _print(asdict(report))
        return
    click.echo(report.summary)
    for check, count in sorted(report.findings.items()):
        click.echo(f"  {check}: {count} findings")
    for what, count in sorted(report.items.items()):
        if " refused " in what:
            click.echo(f"  {what}: {count}")
    for ref, why in report.skipped:
        click.echo(f"  {ref} skipped: {why}")


@main.command("ground")
@click.option("--transcript", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--evidence", required=True, help="The quoted words.")
@click.option("--speaker", help="Who is said to have said them: a role such as assistant, or a name.")
@click.option("--turn", type=click.IntRange(min=1), help="In which turn, counted from 1.")
@click.option("--session", help="Which session of the file, by its id, where it holds several.")
@_says_why
def ground_quote(transcript: Path, evidence: str, speaker: str | None, turn: int | None, session: str | None) -> None:
    """Say where quoted words stand in a transcript, as JSON."""
    reading = read(transcript.read_bytes(), transcript.name, limit=DEFAULTS.import_bytes)
    chosen = _one_session(reading, transcript.name, session)
    _print(answer(prepare(chosen.transcript), evidence, speaker=speaker, turn=turn))


@main.command("briefing")
@click.option("--agent", required=True)
@click.option("--user")
@click.option("--task-class")
@click.option("--task", default="", help="What the agent is about to do; lessons are chosen by its words.")
@AS_JSON
@_says_why
def brief_agent(agent: str, user: str | None, task_class: str | None, task: str, as_json: bool) -> None:
    """Hand out what an agent reads at its start, with a receipt."""
    issued = issue(open_database(), Asked(agent, user, task_class, task))
    if as_json:
        _print(asdict(issued))
        return
    for message in issued.messages:
        click.echo(f"[{message['role']}]\n{message['content']}\n")
    read_items = ", ".join(f"{item.ref} v{item.version}" for item in issued.items) or "no items"
    click.echo(f"Receipt {issued.receipt}: {read_items}")


@main.command("outcome")
@click.argument("receipt")
@click.argument("result", type=click.Choice([one.value for one in Outcome]))
@click.option("--session", help="The agent session that read this receipt, by reference.")
@AS_JSON
@_says_why
def report(receipt: str, result: str, session: str | None, as_json: bool) -> None:
    """Report how the session went that read a receipt; it counts once."""
    answer = report_outcome(open_database(), receipt, Outcome(result), source="command line", session_ref=session)
    if as_json:
        _print(asdict(answer))
        return
    click.echo(f"{receipt}: {answer.outcome}" + (", reported before; nothing moved" if answer.already else ""))
    for moved in answer.moved:
        click.echo(f"  {moved.ref}: {moved.before} -> {moved.after}")


@main.group()
def agent() -> None:
    """Agents' records, and what is known of their users."""


@agent.command("list")
@_says_why
def list_agents() -> None:
    """Name every agent."""
    for name in records.agent_names(open_database()):
        click.echo(name)


@agent.command("show")
@click.argument("name")
@_says_why
def show_agent(name: str) -> None:
    """Print an agent's record and its users' facts, as JSON."""
    database = open_database()
    facts = [asdict(fact) for fact in records.user_facts(database, name)]
    _print({**asdict(records.agent_record(database, name)), "facts": facts})


@agent.command("set")
@click.argument("name")
@click.option("--base-prompt", type=click.File(encoding="utf-8"), help="File with the base prompt; - reads it here.")
@click.option("--policy", "policies", multiple=True, help="Id of a policy; give it once for each.")
@click.option("--no-policies", is_flag=True, help="Take every policy off.")
@click.option("--no-threshold", is_flag=True, help="Read scores by the default again.")
@click.option("--recurring", multiple=True, help="A task class that comes back.")
@click.option("--one-shot", multiple=True, help="A task class that never comes back.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Score below which an evaluator's signal is a failure.")
@click.option("--owner", help="The person who answers for this agent.")
@_says_why
def set_agent(
    name: str,
    base_prompt: Any,
    policies: tuple[str, ...],
    no_policies: bool,
    no_threshold: bool,
    recurring: tuple[str, ...],
    one_shot: tuple[str, ...],
    threshold: float | None,
    owner: str | None,
) -> None:
    """Create an agent, or change what is given of its record."""
    unknown = sorted(set(policies) - {policy.id for policy in policies_in_force()})
    if unknown:
        raise BadInput(f"There is no policy {', '.join(unknown)} in data/policies; nothing was stored.")
    database = open_database()
    known = name in records.agent_names(database)
    record = records.agent_record(database, name) if known else records.AgentRecord(name, "", (), {}, None, "")
    changed = replace(
        record,
        base_prompt=base_prompt.read() if base_prompt else record.base_prompt,
        policies=() if no_policies else policies or record.policies,
        task_classes={**record.task_classes, **dict.fromkeys(recurring, True), **dict.fromkeys(one_shot, False)},
        evaluator_threshold=None if no_threshold else _share(threshold, record.evaluator_threshold),
        owner=record.owner if owner is None else owner,
    )
    records.save_agent(database, changed)
    click.echo(f"{name} is stored.")


@agent.command("fact")
@click.argument("name")
@click.option("--user", required=True)
@click.option("--text", required=True)
@click.option("--source", required=True, help="Where this is known from.")
@_says_why
def add_fact(name: str, user: str, text: str, source: str) -> None:
    """Note a fact about one of an agent's users."""
    records.add_fact(open_database(), name, user, text, source)
    click.echo(f"Noted for {user}.")


@agent.command("unfact")
@click.argument("fact_id", type=int)
@_says_why
def remove_fact(fact_id: int) -> None:
    """Take a fact back, by the id that `agent show` prints."""
    records.remove_fact(open_database(), fact_id)
    click.echo(f"Fact {fact_id} is gone.")


def _share(given: float | None, kept: Decimal | None) -> Decimal | None:
    return kept if given is None else Decimal(f"{given:.2f}")


def _one_session(reading: Reading, name: str, wanted: str | None) -> SessionDraft:
    """The session of a file that a quote is looked for in; with several it must be named."""
    if not reading.sessions:
        raise BadInput(f"“{name}” holds no session that can be read: {'; '.join(map(str, reading.errors))}")
    named = [one for one in reading.sessions if wanted is None or one.external_id == wanted]
    if len(named) == 1:
        return named[0]
    ids = ", ".join(str(one.external_id or f"record {one.place}") for one in reading.sessions[:20])
    raise BadInput(f"“{name}” holds {len(reading.sessions)} sessions; name one with --session: {ids}.")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise BadInput(f"“{name}” is no time zone; name one such as Europe/Berlin or UTC.") from error


def _print(value: object) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
