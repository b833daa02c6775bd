"""What every command shares: how it prints, and how it says what was refused."""

import json
import sys
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import ParamSpec

import click

from core.errors import TutelageError
from core.service.start import open_database
from core.store.database import Database

Params = ParamSpec("Params")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


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


def print_json(value: object) -> None:
    """Print a value as JSON; times in ISO form."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
