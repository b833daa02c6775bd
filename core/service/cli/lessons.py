"""Commands on the lesson memory: words that find lessons, words that do not count, and room for one more."""

from dataclasses import asdict
from typing import Any

import click

from core.errors import BadInput
from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.in_force import find_anew
from core.governance.on_screen import screen_hash
from core.governance.people import current_person
from core.governance.references import item_of
from core.governance.stop_words import stop_words_now
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.review_views import item_id_of
from core.service.room_views import over_cap
from core.vocabulary import Action, Kind


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


@lessons.command("over-cap")
@click.option("--agent", help="This agent, whether it has room or not; without it, all that have none.")
@AS_JSON
@says_why
def print_over_cap(agent: str | None, as_json: bool) -> None:
    """Say which agents have no room for one more instruction, and what each could do without, with the reasons."""
    found = over_cap(opened_database(), agent)
    if as_json:
        print_json([asdict(one) | {"too_many": one.too_many} for one in found])
        return
    for one in found:
        click.echo(f"{one.agent}: {one.active} of {one.most} are in force")
        for place, leaving in enumerate(one.leaving, 1):
            click.echo(f"  {place}. {leaving.ref} {leaving.text}")
            click.echo(f"     {leaving.why}")
    if not found:
        click.echo("Every agent has room for one more instruction.")


@lessons.command("approve")
@click.argument("lesson")
@click.option("--leaves", metavar="LESSON", help="The instruction that is retired so that there is room for it.")
@click.option("--text", default="", help="Stays in the log.")
@AS_JSON
@says_why
def approve_lesson(lesson: str, leaves: str | None, text: str, as_json: bool) -> None:
    """Approve LESSON (L-0142) as the account that runs the desk, by the same rules as on the page."""
    database = opened_database()
    item_id = item_id_of(database, lesson)
    room = None if leaves is None else item_id_of(database, leaves)
    with database.reading() as db:
        item, me = item_of(db, item_id), current_person(database)
        if item.kind != Kind.LESSON:
            raise BadInput(f"{lesson} is a {item.kind}, not a lesson. Nothing was decided.")
        seen = (item_id, Action.APPROVE, me.name, item.revision, screen_hash(db, item))
    answer = decide(database, Request(*seen, text=text, makes_room=room))
    if as_json:
        print_json(asdict(answer))
        return
    click.echo(f"{answer.text}: {item.headline}")


COMMANDS = (lessons,)
