"""Who decides. Rights are read here at the moment of the decision, never on a page.

With nobody in the table there is one local operator with every duty: single-operator mode. Pages and decisions say so.
"""

import getpass
from dataclasses import dataclass

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.store.clock import now
from core.store.database import Database
from core.store.records import Person as PersonRow
from core.vocabulary import Duty


@dataclass(frozen=True)
class Person:
    """Somebody at the desk, with the duties they have now."""

    name: str
    duties: frozenset[Duty]
    single_operator: bool = False


def local_operator() -> str:
    """The name that stands in decisions while nobody is named: that of the account that runs the desk."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "operator"


def current_person(database: Database) -> Person:
    """The person at the desk when no login is configured."""
    with database.reading() as db:
        return duties_of(db, local_operator())


def duties_of(db: DatabaseSession, name: str) -> Person:
    """What this person may do now; nothing when the table has people and they are not in it."""
    row = db.get(PersonRow, name)
    if row is not None:
        known = set(Duty)
        return Person(name, frozenset(Duty(duty) for duty in row.duties if duty in known))
    if db.exec(select(PersonRow).limit(1)).first() is None and name == local_operator():
        return Person(name, frozenset(Duty), single_operator=True)
    return Person(name, frozenset())


def set_person(database: Database, name: str, duties: set[Duty]) -> None:
    """Add a person, or change what they may do."""
    with database.writing() as db:
        row = db.get(PersonRow, name) or PersonRow(name=name, at=now())
        row.duties = sorted(duties)
        db.add(row)
