"""What every command shares: how it prints, and how it says what was refused."""

import json
import sys
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import ParamSpec

import click

from core.errors import TutelageError
from core.governance.days import moment_said
from core.service.start import open_database
from core.store.database import Database

Params = ParamSpec("Params")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
ZONE = click.option("--zone", default="UTC", show_default=True, help="The time zone that days are meant in.")
TRUE_AT = click.option("--true-at", metavar="DAY", help="Only what was true by the end of this day, or at this time.")
KNOWN_AT = click.option("--known-at", metavar="DAY", help="Only what was known then, whatever became of it since.")

ROW = click.IntRange(1, 2**31 - 1)
"""The number of a row, such as a run; a larger one fits into no column."""


def says_why(command: Callable[Params, None]) -> Callable[Params, None]:
    """Print what a rule or a reader refuses, and end with exit code 1."""

    @wraps(command)
    def wrapped(*args: Params.args, **kwargs: Params.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except TutelageError as error:
            click.echo(str(error), err=True)
            sys.exit(1)

    return wrapped


def opened_database() -> Database:
    """The database that ``DATABASE_URL`` names, up to date; its connections are given back when the command ends."""
    database = open_database()
    click.get_current_context().call_on_close(database.close)
    return database


def moment_asked(day: str | None, zone: str) -> datetime | None:
    """The moment that a day on the command line means; None where none is named. Raises ``BadInput``."""
    return None if day is None else moment_said(day, zone)


def print_json(value: object) -> None:
    """Print a value as JSON; times in ISO form."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
