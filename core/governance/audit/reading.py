"""Reading what may have been tampered with: what cannot be read any more is named, and never ends an audit."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import inspect
from sqlalchemy.exc import NoResultFound, OperationalError
from sqlmodel import Session as DatabaseSession
from sqlmodel import SQLModel

Read = TypeVar("Read")

UNREADABLE = (ValueError, TypeError, ArithmeticError, LookupError, NoResultFound)
"""What is raised by a stored value that the desk would never have written."""


def readable(ask: Callable[[], Read]) -> Read | None:
    """What is asked for; None where something of it cannot be read."""
    try:
        return ask()
    except UNREADABLE:
        return None
    except OperationalError as error:
        if "decode" in str(error.orig):  # SQLite keeps bytes that are no text in a column of text
            return None
        raise


def tables_gone(db: DatabaseSession) -> tuple[str, ...]:
    """The tables that the desk writes and the database does not have any more."""
    there = set(inspect(db.connection()).get_table_names())
    return tuple(sorted(set(SQLModel.metadata.tables) - there))
