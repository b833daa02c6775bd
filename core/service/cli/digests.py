"""The command that says what waits, and sends it."""

import click

from core.errors import BadInput, NotFound
from core.governance.people import local_operator, people
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.digest import as_json as values_of
from core.service.digest import as_text, digest_of
from core.service.digest_sending import send_now


@click.command("digest")
@click.option("--person", help="Only what was given to this person.")
@click.option("--send", is_flag=True, help="Send it to TUTELAGE_DIGEST_WEBHOOK too.")
@AS_JSON
@says_why
def digest(person: str | None, send: bool, as_json: bool) -> None:
    """What waits, oldest first, with links; the base of the links is TUTELAGE_URL."""
    if send and person:
        raise BadInput("The digest of one person is not sent; the one of everybody is. Nothing was sent.")
    database = opened_database()
    if person is not None:
        with database.reading() as db:
            if person not in {local_operator(), *(one.name for one in people(db))}:
                raise NotFound("person", person)
    found = send_now(database) if send else digest_of(database, person=person)
    if as_json:
        print_json(values_of(found))
    else:
        click.echo(as_text(found))
    if send:
        click.echo("Sent.", err=True)


COMMANDS = (digest,)
