"""Who decides. Rights are read here at the moment of the decision, never on a page.

With at most one person who has a duty there is nobody to check on them: single-operator mode. Pages and decisions say
so. While nobody is named, that person is the account that runs the desk, with every duty. What an agent shows at its
door is no person: it has no duty and never decides.
"""

import getpass
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, Refused
from core.governance.log import log
from core.governance.refusals import refusals_kept
from core.store.clock import now
from core.store.database import Database
from core.store.governance_records import RightsChange
from core.store.records import Person as PersonRow
from core.vocabulary import Duty

TOKEN = "agent:"
"""How the name begins under which the holder of an agent's token stands in the log."""

NOT_A_PERSON = (TOKEN, "tut_", "check ", "critic ", "rule ", "migration")
"""Beginnings of names that stand for something else in decisions."""

LONGEST_NAME = 80


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
    """The account that runs the desk, as a person: who acts on the command line, and while nobody is named."""
    with database.reading() as db:
        return duties_of(db, local_operator())


def people(db: DatabaseSession) -> tuple[Person, ...]:
    """Everybody in the table, by name, also those whose duties were all taken away."""
    rows = db.exec(select(PersonRow).order_by(PersonRow.name)).all()
    alone = sum(bool(_known(row.duties)) for row in rows) == 1
    return tuple(Person(row.name, _known(row.duties), alone and bool(_known(row.duties))) for row in rows)


def duties_of(db: DatabaseSession, name: str) -> Person:
    """What this person may do now; nothing when the table has people and they are not in it."""
    known = people(db)
    if not known and name == local_operator():
        return Person(name, frozenset(Duty), single_operator=True)
    return next((person for person in known if person.name == name), Person(name, frozenset()))


def sole_person(db: DatabaseSession) -> Person | None:
    """Who is at the desk when there is nobody else to be; None where somebody must say who they are."""
    able = [person for person in people(db) if person.duties]
    if not able:
        operator = duties_of(db, local_operator())
        return operator if operator.duties else None
    return able[0] if len(able) == 1 else None


def lost_duties(db: DatabaseSession, name: str, needed: Collection[Duty]) -> str:
    """When and by whom one of these duties was taken from a person, in a clause; empty where they never had it."""
    of_person = select(RightsChange).where(RightsChange.what == "person", RightsChange.name == name)
    for change in db.exec(of_person.order_by(col(RightsChange.id).desc())).all():
        gone = sorted(set(change.before) & set(needed) - set(change.after))
        if gone:
            return f"; {change.by} took the duty {gone[0]} away on {change.at:%-d %b %Y, %H:%M} UTC"
    return ""


def set_person(
    database: Database,
    name: str,
    duties: Iterable[Duty],
    *,
    by: str | None = None,
    text: str = "",
    at: datetime | None = None,
) -> None:
    """Add a person, or change what they may do; without ``by`` whoever runs the desk does it on the command line.

    Raises ``BadInput`` for a name that cannot be a person's, and ``Refused`` for an author without the duty admin, or
    where nobody would be left who has it.
    """
    moment, author, chosen = at or now(), by or local_operator(), frozenset(duties)
    with refusals_kept(database, None, "set a person's duties", author, moment), database.writing() as db:
        _may_be_named(name, [person.name for person in people(db)])
        if by is not None:
            if Duty.ADMIN not in duties_of(db, by).duties:
                raise Refused("role", f"Only a person with the duty admin may change people, not {by}.")
            others = [person for person in people(db) if person.name != name]
            if Duty.ADMIN not in chosen and not any(Duty.ADMIN in person.duties for person in others):
                text_ = (
                    "Somebody must keep the duty admin, or nobody could change people any more. Nothing was changed."
                )
                raise Refused("last_admin", text_)
        row = db.get(PersonRow, name) or PersonRow(name=name, duties=[], at=moment)
        before, after = sorted(row.duties), sorted(duty.value for duty in chosen)
        row.duties = list(after)
        db.add(row)
        log(db, RightsChange(at=moment, by=author, what="person", name=name, before=before, after=after, text=text))


def _may_be_named(name: str, known: Collection[str]) -> None:
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadInput(f"“{name[:100]}” cannot be a person's name: it needs 1 to {LONGEST_NAME} readable characters.")
    if f"{_looks(name)} ".startswith(NOT_A_PERSON):
        raise BadInput(f"“{name}” cannot be a person's name: names that begin so stand for something else in the log.")
    alike = next((other for other in known if other != name and _looks(other) == _looks(name)), None)
    if alike is not None:
        raise BadInput(f"“{name}” looks like “{alike}”, who is at the desk already: one person would stand for two.")


def _looks(name: str) -> str:
    """A name as it looks to a reader, by which one person cannot be entered twice."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _known(duties: Iterable[str]) -> frozenset[Duty]:
    known = set(Duty)
    return frozenset(Duty(duty) for duty in duties if duty in known)
