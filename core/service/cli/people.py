"""Commands on people and on agents' tokens. They act as the account that runs the desk, which owns its database."""

from dataclasses import asdict
from datetime import datetime

import click

from core.governance import people as table
from core.governance import tokens as made
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.vocabulary import Duty, Verb


@click.group()
def people() -> None:
    """Who may do what at the desk."""


@people.command("list")
@AS_JSON
@says_why
def list_people(as_json: bool) -> None:
    """Everybody in the table, with their duties."""
    with opened_database().reading() as db:
        known = table.people(db)
        alone = table.sole_person(db)
    if as_json:
        print_json([{"name": one.name, "duties": sorted(one.duties)} for one in known])
        return
    for one in known:
        click.echo(f"{one.name}: {', '.join(sorted(one.duties)) or 'no duty'}")
    if alone is not None:
        click.echo(f"Single operator: {alone.name} proposes and approves.")


@people.command("set")
@click.argument("name")
@click.option("--duty", "duties", multiple=True, required=True, type=click.Choice([one.value for one in Duty]))
@click.option("--why", default="", help="Stays in the history of rights.")
@says_why
def set_person(name: str, duties: tuple[str, ...], why: str) -> None:
    """Add a person, or give one exactly these duties in the place of those that they had."""
    table.set_person(opened_database(), name, map(Duty, duties), text=why, keep_admin=True)
    click.echo(f"{name}: {', '.join(sorted(set(duties)))}")


@people.command("remove")
@click.argument("name")
@click.option("--why", default="", help="Stays in the history of rights.")
@says_why
def remove_person(name: str, why: str) -> None:
    """Take every duty from a person; the name stays in the table and in the log."""
    table.take_duties(opened_database(), name, text=why, keep_admin=True)
    click.echo(f"{name}: no duty")


@people.command("tie")
@click.argument("name")
@click.option("--issuer", required=True, help="Who says so: the issuer of the login.")
@click.option("--subject", required=True, help="Whom it means: the subject of the login.")
@says_why
def tie_login(name: str, issuer: str, subject: str) -> None:
    """Say which login is this person's."""
    table.tie_login(opened_database(), name, issuer, subject)
    click.echo(f"{name} is {subject} of {issuer}")


@click.group()
def token() -> None:
    """What agents show at their door."""


@token.command("make")
@click.argument("name")
@click.option("--agent", required=True, help="The one agent that it stands for.")
@click.option("--verb", "verbs", multiple=True, required=True, type=click.Choice([one.value for one in Verb]))
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), help="The last day on which it is valid, in UTC.")
@says_why
def make_token(name: str, agent: str, verbs: tuple[str, ...], until: datetime | None) -> None:
    """Make a token and print it, this once: only its hash is stored."""
    expires = None if until is None else made.expiry(until.date())
    by = table.local_operator()
    click.echo(
        made.make_token(opened_database(), name=name, agent=agent, verbs=[*map(Verb, verbs)], by=by, expires_at=expires)
    )


@token.command("list")
@AS_JSON
@says_why
def list_tokens(as_json: bool) -> None:
    """Every token that was made: its name, agent, verbs, last use and state, and its last characters."""
    found = made.tokens(opened_database())
    if as_json:
        print_json([asdict(one) for one in found])
        return
    for one in found:
        used = f"used {one.used_at:%Y-%m-%d %H:%M} UTC" if one.used_at else "never used"
        click.echo(f"{one.name} …{one.hint}: {one.state}, {one.agent}, {', '.join(one.verbs)}, {used}")


@token.command("revoke")
@click.argument("name")
@says_why
def revoke_token(name: str) -> None:
    """Let a token be refused from now on."""
    made.revoke_token(opened_database(), name, by=table.local_operator())
    click.echo(f"{name} is revoked.")


COMMANDS = (people, token)
