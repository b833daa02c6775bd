"""Commands on episodes, and on what is remembered of a user."""

from dataclasses import asdict
from typing import BinaryIO

import click

from core.governance.people import local_operator
from core.service.cli.words import AS_JSON, KNOWN_AT, TRUE_AT, ZONE, moment_asked, opened_database, print_json, says_why
from core.service.episode_import import EpisodesImported, import_episodes
from core.service.episode_views import EpisodesAsked, episode_list
from core.service.episodes import episode_number, release_episode, restore_episode, withdraw_episode
from core.service.recall import Recalled, recall
from core.store.clock import day_in_words
from core.vocabulary import EpisodeSource


@click.group()
def episodes() -> None:
    """Episodes: single experiences with a user, on which beliefs rest."""


@episodes.command("list")
@click.option("--agent", help="Only this agent.")
@click.option("--user", help="Only this user; empty for those of nobody in particular.")
@click.option("--standing", type=click.Choice(["stands", "held", "withdrawn"]))
@click.option("--source", type=click.Choice([one.value for one in EpisodeSource if one is not EpisodeSource.BELIEF]))
@click.option("--session", help="Only those of this session, by its reference.")
@TRUE_AT
@KNOWN_AT
@ZONE
@click.option("--page", type=click.IntRange(min=1), default=1, show_default=True)
@AS_JSON
@says_why
def list_episodes(
    agent: str | None,
    user: str | None,
    standing: str | None,
    source: str | None,
    session: str | None,
    true_at: str | None,
    known_at: str | None,
    zone: str,
    page: int,
    as_json: bool,
) -> None:
    """List episodes, newest first, 50 a page."""
    times = moment_asked(true_at, zone), moment_asked(known_at, zone)
    asked = EpisodesAsked(agent, user, standing, EpisodeSource(source) if source else None, session, *times)
    found = episode_list(opened_database(), asked, page=page)
    if as_json:
        print_json([asdict(row) for row in found.rows])
        return
    for row in found.rows:
        about = (
            f"{row.agent}, {row.user or 'nobody'}, {day_in_words(row.true_from)}, {row.importance or 'no importance'}"
        )
        click.echo(f"{row.ref} [{row.source}] {about}: {row.text}")
        for said in (row.withdrawn and f"withdrawn: {row.withdrawn}", row.held and f"held: {row.held}"):
            click.echo(f"  {said}" if said else "", nl=bool(said))
        if row.cited_by:
            click.echo(f"  {', '.join(row.cited_by)} rests on it")
    click.echo(f"Page {found.number} of {found.pages}, {found.total} episodes.")


@episodes.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--agent", help="The agent, for records that name none.")
@click.option("--user", help="The user, for records that name none.")
@click.option("--dry-run", is_flag=True, help="Only say what would become of it.")
@AS_JSON
@says_why
def bring_in(file: BinaryIO, agent: str | None, user: str | None, dry_run: bool, as_json: bool) -> None:
    """Bring in episodes: JSON lines, or the memory of a generative agent with its reflections and their evidence."""
    found = import_episodes(
        opened_database(), file.read(), by=local_operator(), agent=agent, user=user, dry_run=dry_run
    )
    if as_json:
        print_json(asdict(found))
    else:
        _echo_imported(found, dry_run)


@episodes.command("withdraw")
@click.argument("episode")
@click.option("--reason", required=True)
@click.option("--contradicted-by", help="The episode that says otherwise, such as E-0012.")
@says_why
def withdraw(episode: str, reason: str, contradicted_by: str | None) -> None:
    """Say that an episode holds no more; beliefs that rest on it go stale."""
    other = episode_number(contradicted_by) if contradicted_by else None
    walk = withdraw_episode(
        opened_database(), episode_number(episode), reason=reason, person=local_operator(), contradicted_by=other
    )
    click.echo(f"Withdrawn. {walk.text or 'Nothing in force, and nothing proposed, rests on it'}.")


@episodes.command("restore")
@click.argument("episode")
@click.option("--reason", required=True)
@says_why
def restore(episode: str, reason: str) -> None:
    """Let an episode stand again; what went stale with it waits on Review."""
    restore_episode(opened_database(), episode_number(episode), text=reason, person=local_operator())
    click.echo("It stands again. What went stale with it waits on Review.")


@episodes.command("release")
@click.argument("episode")
@click.option("--reason", required=True)
@says_why
def release(episode: str, reason: str) -> None:
    """Let an episode count that was held."""
    runs = release_episode(opened_database(), episode_number(episode), text=reason, person=local_operator())
    click.echo(f"It counts.{f' Run {runs[0]} is queued.' if runs else ''}")


@click.command("recall")
@click.argument("question")
@click.option("--agent", required=True)
@click.option("--user", help="The user; without one, what is about nobody in particular.")
@click.option("--as-agent", is_flag=True, help="Only what the agent itself would be given.")
@AS_JSON
@says_why
def remembered(question: str, agent: str, user: str | None, as_agent: bool, as_json: bool) -> None:
    """Answer a question about a user from what is remembered, and say which layer answered and why."""
    found = recall(opened_database(), agent, user or None, question, approved=as_agent)
    if as_json:
        print_json(asdict(found))
    else:
        _echo_recalled(found)


def _echo_imported(found: EpisodesImported, dry_run: bool) -> None:
    click.echo(f"{'Would be: ' if dry_run else ''}{found.summary}.")
    for one in found.reflections:
        state = f"{one.ref} {one.became}" if one.became else ", ".join(one.problems) or "could be proposed"
        click.echo(f"  {one.name} depth {one.depth}, importance {one.importance} [{state}]: {one.text}")
        for name, text in one.evidence:
            click.echo(f"    {name}: {text or 'not in the file'}")
    for name, why in found.refused:
        click.echo(f"  {name}: {why}")
    for run in found.runs:
        click.echo(f"  run {run} is queued")


def _echo_recalled(found: Recalled) -> None:
    click.echo(f"{found.layer}: {found.why}")
    for belief in found.beliefs:
        click.echo(f"{belief.ref} [{belief.standing}] {belief.text} ({belief.why})")
        for behind in belief.behind:
            click.echo(f"  {behind.ref} {day_in_words(behind.true_from)} [{behind.standing}]: {behind.text}")
    for one in found.episodes:
        factors = f"{one.recency:.2f} × {one.importance} × {one.similarity:.2f} = {one.score:.3g}"
        click.echo(f"{one.ref} {day_in_words(one.true_from)} [{one.standing}] {factors}: {one.text}")
    if not found.beliefs and not found.episodes:
        click.echo("Nothing is remembered that answers it.")


COMMANDS = (episodes, remembered)
