"""The command that carries out queued work in a process of its own."""

import os
import signal
import sys
from threading import Event

import click

from core.errors import BadInput
from core.service.cli.words import opened_database, says_why
from core.service.digest_sending import DigestClock
from core.service.working import engine, why_nobody_can_be_asked


@click.command("work")
@says_why
def work() -> None:
    """Carry out queued work until Ctrl-C or SIGTERM; what was under way goes on later, or elsewhere."""
    if why := why_nobody_can_be_asked():
        raise BadInput(why)
    over = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: over.set())
    database = opened_database()
    digests = DigestClock(database, tell=click.echo)
    with engine(database, tell=click.echo) as running:
        click.echo(f"{running.me.id} works on {database.shown_url} until Ctrl-C.")
        over.wait()
        click.echo("Stopping.")
    digests.stop()
    database.close()
    sys.stdout.flush()
    os._exit(0)  # a request that was cut still waits for its server in a thread; nobody waits for it


COMMANDS = (work,)
