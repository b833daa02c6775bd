"""Commands on the lesson memory: the words that lessons are found by, and those that do not count."""

from typing import Any

import click

from core.briefing.stop_words import stop_words_now
from core.governance.in_force import find_anew
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why


@click.group("lessons")
def lessons() -> None:
    """The lesson memory: what finds a lesson for a task, and what leaves when there are too many."""


@lessons.command("find-anew")
@says_why
def write_words_anew() -> None:
    """Write the words anew by which instructions in force are found, as `audit verify` may ask for."""
    with opened_database().writing() as db:
        many = find_anew(db)
    click.echo(f"The words of {many} instructions in force were written anew.")


@lessons.command("stop-words")
@click.option("--agent", help="Only those of this agent's domain.")
@AS_JSON
@says_why
def print_stop_words(agent: str | None, as_json: bool) -> None:
    """Print the words that do not count when lessons are looked for, and the file in which they stand."""
    known = stop_words_now()
    own = {name: words for name, words in known.own.items() if agent in (None, name)}
    if as_json:
        told: dict[str, Any] = {"file": str(known.path), "general": sorted(known.general), "agents": own}
        print_json({**told, "problem": known.problem})
        return
    click.echo(f"{known.path}")
    click.echo(f"for every agent: {', '.join(sorted(known.general))}")
    for name, words in own.items():
        click.echo(f"{name}: {', '.join(words)}")
    if known.problem:
        click.echo(known.problem, err=True)


COMMANDS = (lessons,)
