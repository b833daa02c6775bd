"""Commands on the buffer of reflections: what the next trial reads, the file, what expires soon, compaction, replay."""

from dataclasses import asdict
from pathlib import Path

import click

from core.governance.numbers import numbers
from core.governance.people import local_operator
from core.memory.buffer_file import buffer_file, expiring_report, left_in_words
from core.service import buffer_views as views
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.consolidation.buffer import carry_out, queue_compaction
from core.service.feedback import mark_reproducible
from core.service.replaying import AS_THEY_ARE, replay_folder
from core.service.session_views import session_id_of

AGENT = click.option("--agent", required=True)
TASK_CLASS = click.option("--task-class", required=True)
BY = click.option("--by", default=local_operator, show_default="this desk", help="Who does it.")


@click.group()
def buffer() -> None:
    """The reflections that an agent reads before its next trial of a task."""


@buffer.command("show")
@AGENT
@TASK_CLASS
@click.option("--user", help="A user for whom alone some reflections hold.")
@AS_JSON
@says_why
def show(agent: str, task_class: str, user: str | None, as_json: bool) -> None:
    """Print what the next trial of a task class reads, and every reflection in force."""
    view = views.buffer_view(opened_database(), agent, task_class, user=user)
    if as_json:
        refs = {"read": sorted(view.read), "summed_up": sorted(view.summed_up)}
        print_json({**asdict(view), **refs, "over_budget": view.over})
        return
    click.echo(view.block or "The next trial reads no reflections.")
    counted = f"{view.in_force} in force, the budget has room for {view.budget}"
    further = f", {view.further_in_words}" if view.further else ""
    click.echo(f"\n{counted}{further}; {view.trials} trials so far.")
    for row in view.rows:
        read = "" if row.ref in view.read else ", summed up" if row.ref in view.summed_up else ", not read"
        click.echo(f"  {row.ref}  {left_in_words(row.ttl_remaining)}{read}")
    for cluster in view.clusters:
        click.echo(f"  alike: {', '.join(cluster.refs)}")
    if view.advice:
        click.echo(view.advice)


@buffer.command("file")
@AGENT
@click.option("--task-class", help="Only what a trial of this one could read.")
@click.option("--user", help="With what holds for this user alone; without it, none of that is in the file.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it here; without it, print it.")
@says_why
def write_file(agent: str, task_class: str | None, user: str | None, out: Path | None) -> None:
    """The buffer as a JSON file: trial, task class, scope, text, time, trials left."""
    text = views.buffer_json(opened_database(), agent, task_class, user=user)
    if out is None:
        click.echo(text, nl=False)
        return
    out.write_text(text, "utf-8")
    click.echo(f"{out} is written.")


@buffer.command("stale")
@click.option("--agent", help="Only of this one.")
@says_why
def stale(agent: str | None) -> None:
    """List the reflections that will expire soon, those with the fewest trials left first."""
    database = opened_database()
    for line in expiring_report(views.buffer_of(database, agent), numbers(database)):
        click.echo(line)


@buffer.command("compact")
@AGENT
@TASK_CLASS
@click.option("--here", is_flag=True, help="Carry it out now, in this process; without it, a worker does.")
@BY
@says_why
def compact(agent: str, task_class: str, here: bool, by: str) -> None:
    """Bring the twins of a buffer together; what comes of it is proposed, and a person decides."""
    database = opened_database()
    run_id = queue_compaction(database, agent, task_class, by=by)
    if run_id is None:
        click.echo(f"A compaction of {task_class} is under way already.")
        return
    click.echo(f"Compaction {run_id} of {task_class} is queued.")
    if here:
        click.echo(carry_out(database, run_id))


@buffer.command("reproducible")
@click.argument("session")
@click.option("--reason", required=True, help="How it is known that it comes again.")
@BY
@says_why
def reproducible(session: str, reason: str, by: str) -> None:
    """Mark a failure outside the agent as one that comes again, so that lessons may be made from it."""
    database = opened_database()
    said = mark_reproducible(database, session_id_of(database, session), person=by, reason=reason)
    click.echo(f"{session}: {said}.")


@buffer.command("replay")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the buffer at the end here.")
@AS_JSON
@says_why
def replay(folder: Path, out: Path | None, as_json: bool) -> None:
    """Replay logs of reflections (env_results_trial_N.json); nothing is stored at the desk."""
    replayed = replay_folder(folder, numbers(opened_database()))
    if out is not None:
        out.write_text(buffer_file(replayed.buffer), "utf-8")
    if as_json:
        print_json({"note": AS_THEY_ARE, "rounds": [asdict(one) for one in replayed.rounds]})
        return
    click.echo(AS_THEY_ARE)
    click.echo("trial  tried  failed  new  twins  same words  expired  in the buffer")
    for one in replayed.rounds:
        counted = f"{one.number:>5}  {one.trials:>5}  {one.failed:>6}  {one.added:>3}  {one.twins:>5}"
        click.echo(f"{counted}  {one.same:>10}  {one.expired:>7}  {one.size:>13}")
    alike = sum(one.twins for one in replayed.rounds)
    click.echo(f"{sum(one.added for one in replayed.rounds)} reflections came; {alike} gave way to a newer twin.")


COMMANDS = (buffer,)
