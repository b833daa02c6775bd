"""Commands on sessions: create the database, bring files in, mask, debrief."""

import sys
from dataclasses import asdict
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from core.errors import BadInput, TutelageError
from core.governance.people import local_operator
from core.service.bring_in import bring_in, dry_run
from core.service.cli.critic import debrief_by_critic
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.debrief import debrief
from core.service.import_report import ImportReport
from core.service.masking import mask_stored
from core.service.start import load_samples
from core.transcripts.formats import Format


@click.command()
@click.option("--samples", is_flag=True, help="Also load the invented sample sessions.")
@says_why
def init(samples: bool) -> None:
    """Create the database, or bring it up to date."""
    database = opened_database()
    if samples:
        load_samples(database)
    click.echo(f"{database.shown_url} is up to date.")


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "format_name", type=click.Choice([one.value for one in Format]), help="Do not detect it.")
@click.option("--agent", help="The agent whose sessions these are.")
@click.option("--zone", default="UTC", show_default=True, help="Zone of times that name none.")
@click.option("--dry-run", "trying", is_flag=True, help="Show what would come in; store nothing.")
@click.option("--correct", is_flag=True, help="Put other words for a known session in the place of the old ones.")
@AS_JSON
@says_why
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
    database = opened_database()
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
        print_json([{**asdict(one), "new": one.new, "known": one.known, "extended": one.extended} for one in reports])
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


@click.command("mask")
@says_why
def mask_sessions() -> None:
    """Mask credentials, card and identity numbers in what was stored before they were masked on import."""
    changed = mask_stored(opened_database())
    click.echo(f"{changed} sessions were masked.")


@click.command("debrief")
@click.argument("refs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every session that changed since its last debrief.")
@click.option("--critic", is_flag=True, help="Let the critic review them: queue it, for a worker to carry out.")
@click.option("--again", is_flag=True, help="With --critic: also those that were reviewed this way before.")
@click.option("--here", is_flag=True, help="With --critic: carry it out here, and wait for it.")
@click.option("--dry-run", "trying", is_flag=True, help="With --critic: print the exact requests, and send nothing.")
@AS_JSON
@says_why
def debrief_sessions(
    refs: tuple[str, ...], everything: bool, critic: bool, again: bool, here: bool, trying: bool, as_json: bool
) -> None:
    """Let the checks look at sessions, by reference or all; with --critic a model, too."""
    if bool(refs) == everything:
        raise BadInput("Name the sessions to debrief, or give --all.")
    if critic:
        debrief_by_critic(None if everything else refs, trying=trying, again=again, here=here, as_json=as_json)
        return
    if again or here or trying:
        raise BadInput("--again, --here and --dry-run go with --critic; the checks alone need none of them.")
    report = debrief(opened_database(), None if everything else refs)
    if as_json:
        print_json(asdict(report))
        return
    click.echo(report.summary)
    for check, count in sorted(report.findings.items()):
        click.echo(f"  {check}: {count} findings")
    for what, count in sorted(report.items.items()):
        if " refused " in what:
            click.echo(f"  {what}: {count}")
    for ref, why in report.skipped:
        click.echo(f"  {ref} skipped: {why}")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise BadInput(f"“{name}” is no time zone; name one such as Europe/Berlin or UTC.") from error


COMMANDS = (init, import_files, mask_sessions, debrief_sessions)
