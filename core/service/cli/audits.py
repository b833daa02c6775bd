"""Commands of an auditor: is the log whole, its head, the log as a file, evidence bundles, what was so as of a day."""

import hashlib
import sys
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from core.briefing.asked import Asked
from core.errors import BadInput
from core.governance.audit import Verified, verify
from core.governance.days import moment_said
from core.governance.log import head
from core.governance.people import local_operator
from core.service.as_of import Then, as_of
from core.service.bundle import MOST, bundle, check_bundle
from core.service.cli.words import AS_JSON, ZONE, opened_database, print_json, says_why
from core.service.log_export import log_csv, log_jsonl
from core.service.log_views import OVERSIGHT_KINDS, RIGHTS_KINDS, LogAsked, LogView
from core.service.review_views import item_id_of
from core.service.views import NotesAsked
from core.vocabulary import Kind, Severity

BROKEN = 2
"""The exit code of a log that is not whole."""

EVERY_CRITICAL = NotesAsked(Severity.CRITICAL, "all")

VIEWS = {view.name.lower(): view for view in LogView}


@click.group()
def audit() -> None:
    """The decision log: check it, export it, and ask what was so."""


@audit.command("verify")
@click.option("--expect", metavar="SEQ:HASH", help="A head that was kept elsewhere, as `audit head` printed it.")
@AS_JSON
@says_why
def verify_log(expect: str | None, as_json: bool) -> None:
    """Check every link, every row and every state; ends with exit code 2 when something is broken."""
    found = verify(opened_database(), _head_said(expect) if expect else None)
    if as_json:
        print_json(_as_json(found))
    else:
        for line in _in_words(found):
            click.echo(line)
    if not found.whole:
        sys.exit(BROKEN)


@audit.command("head")
@says_why
def print_head() -> None:
    """Print the newest link's number and hash, to be kept where nobody of the desk can write."""
    seq, sha256 = head(opened_database())
    click.echo(f"{seq}:{sha256}")


@audit.command("export")
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="The file; without it the log is printed.")
@click.option("--view", type=click.Choice(list(VIEWS)), default="decisions", show_default=True)
@click.option("--search", default="", help="Words to look for, or a reference such as L-0142.")
@click.option("--person", help="By whom.")
@click.option(
    "--kind",
    type=click.Choice([*(kind.value for kind in Kind), *RIGHTS_KINDS, *OVERSIGHT_KINDS]),
    help="The kind of item, or of change.",
)
@click.option("--action", help="What was done or tried, such as approve.")
@click.option("--first", type=click.DateTime(["%Y-%m-%d"]), help="The first day.")
@click.option("--last", type=click.DateTime(["%Y-%m-%d"]), help="The last day; all of it counts.")
@ZONE
@says_why
def export_log(
    form: str, out: Path | None, view: str, first: datetime | None, last: datetime | None, **filters: Any
) -> None:
    """Write the log, oldest link first, as CSV or as JSON lines that can be checked by themselves."""
    asked = LogAsked(VIEWS[view], first=_day(first), last=_day(last), **filters)
    _ = asked.span  # days that are none are refused before a file is opened
    pieces = (log_csv if form == "csv" else log_jsonl)(opened_database(), asked)
    with click.open_file(str(out) if out else "-", "wb") as file:
        for piece in pieces:
            file.write(piece)


@audit.command("bundle")
@click.argument("note", required=False)
@click.option("--all-critical", is_flag=True, help=f"Every critical note, newest first, {MOST} at most.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file.")
@click.option("--by", help="Who takes it along; without it the account that runs the desk.")
@says_why
def make_bundle(note: str | None, all_critical: bool, out: Path, by: str | None) -> None:
    """Write the evidence of NOTE (N-0311) as one HTML file that checks itself; the log keeps that it was made."""
    if (note is None) is not all_critical:
        raise BadInput("A bundle is of one note, such as N-0311, or of --all-critical. Nothing was written.")
    database = opened_database()
    what = EVERY_CRITICAL if note is None else item_id_of(database, note)
    file = bundle(database, what, by=by or local_operator())
    out.write_bytes(file)
    click.echo(f"{out}: {check_bundle(file.decode()).text}; SHA-256 {hashlib.sha256(file).hexdigest()}")


@audit.command("check-bundle")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--expect", metavar="SEQ:HASH", help="A link that was kept elsewhere, as `audit head` printed it.")
@AS_JSON
@says_why
def check_bundle_file(file: Path, expect: str | None, as_json: bool) -> None:
    """Check a bundle without the database; ends with exit code 2 when something does not fit."""
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"{file} is no text in UTF-8, so it is no bundle.") from error
    found = check_bundle(text, _head_said(expect) if expect else None)
    if as_json:
        print_json({**vars(found), "text": found.text})
    else:
        click.echo(found.text)
    if found.broken is not None:
        sys.exit(BROKEN)


@audit.command("as-of")
@click.argument("day")
@ZONE
@click.option("--agent", help="Also what this agent would have read.")
@click.option("--user", help="Of which user.")
@click.option("--task-class")
@click.option("--task", default="", help="What the agent was about to do; lessons are chosen by its words.")
@AS_JSON
@says_why
def print_as_of(
    day: str, zone: str, agent: str | None, user: str | None, task_class: str | None, task: str, as_json: bool
) -> None:
    """Say what was active at the end of DAY (2026-11-24), or at a time (2026-11-24T14:00), and what an agent read."""
    asked = None if agent is None else Asked(agent, user, task_class, task)
    then = as_of(opened_database(), moment_said(day, zone), asked)
    if as_json:
        print_json(then.as_json)
        return
    for line in _then_in_words(then):
        click.echo(line)


def _head_said(text: str) -> tuple[int, str]:
    seq, _, sha256 = text.partition(":")
    if not (seq.isascii() and seq.isdigit() and len(seq) < 19 and len(sha256) == 64):
        raise BadInput(f"“{text[:100]}” is no head of the log; one reads like 1204: and 64 hexadecimal digits.")
    return int(seq), sha256.lower()


def _day(at: datetime | None) -> date | None:
    return None if at is None else at.date()


def _in_words(found: Verified) -> list[str]:
    lines = [found.text, f"head {found.rows}:{found.head}"]
    lines += [f"  then: {one.text}" for one in found.breaks[1:]]
    lines += [f"masked: {one.about}" + (f" (link {one.seq})" if one.seq else "") for one in found.masked]
    if found.unguarded:
        lines.append(f"The database does not guard {', '.join(found.unguarded)}: a trigger is missing or was changed.")
    return lines


def _as_json(found: Verified) -> dict[str, Any]:
    return {
        "whole": found.whole,
        "rows": found.rows,
        "head": f"{found.rows}:{found.head}",
        "breaks": [{**vars(one), "text": one.text} for one in found.breaks],
        "masked": [vars(one) for one in found.masked],
        "unguarded": list(found.unguarded),
    }


def _then_in_words(then: Then) -> list[str]:
    lines = [f"As of {then.at:%Y-%m-%d %H:%M:%S} UTC, by the log up to link {then.seq}:"]
    lines += [
        f"  {one.status:<9} {one.ref}, {one.headline} (by {one.by}, {one.since:%Y-%m-%d %H:%M} UTC)"
        for one in then.in_force
    ]
    if not then.in_force:
        lines.append("  nothing was active or open")
    if then.briefing is not None:
        lines += ["", "It would have read:"]
        lines += [
            f"  {line.text}\n    · {f'{line.item}: ' if line.item else ''}{line.why}" for line in then.briefing.lines
        ]
        lines += [f"  left out: {one}" for one in then.briefing.left_out]
    return lines + [f"Note: {one}" for one in then.remarks]


COMMANDS = (audit,)
