"""Who sits at a browser: signing in, being known again, leaving.

A browser keeps a secret, and only its hash is stored. Leaving ends a sign-in for good, whatever copies of the secret
there are. Whoever signed in is that person with the duties they have now, also when that is none at all.
"""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from sqlmodel import Session as DatabaseSession

from core.errors import NotFound, Refused
from core.governance.log import sha256_of
from core.governance.people import Person, duties_of, lost_duties, person_of_login, sole_person
from core.governance.refusals import refusals_kept
from core.screening.secrets import mask
from core.store.clock import now
from core.store.database import Database
from core.store.governance_records import SignIn
from core.store.records import Person as PersonRow
from core.vocabulary import Duty

LASTS = timedelta(days=30)
"""After this a browser is asked again."""

PICKED, LOGIN = "picked", "login"
"""How somebody came: they said who they are, or a login did."""


def sign_in(
    database: Database, name: str, *, way: str = PICKED, instead_of: str | None = None, at: datetime | None = None
) -> str:
    """Sign a person in; returns the secret that their browser keeps. The sign-in ``instead_of`` ends.

    Raises ``NotFound`` for a name that is not in the table of people.
    """
    moment, secret = at or now(), secrets.token_urlsafe(32)
    with database.writing() as db:
        if db.get(PersonRow, name) is None:
            raise NotFound("person", f"“{mask(name).text}”")
        _end(db, instead_of, moment)
        db.add(SignIn(id=sha256_of(secret), person=name, way=way, at=moment))
    return secret


def sign_in_by_login(database: Database, issuer: str, subject: str, *, at: datetime | None = None) -> str:
    """The same for whom a login says somebody is. Raises ``Refused`` for a login that is tied to nobody."""
    with database.reading() as db:
        person = person_of_login(db, issuer, subject)
    return sign_in(database, person.name, way=LOGIN, at=at)


def signed_in(db: DatabaseSession, secret: str | None, *, at: datetime | None = None) -> Person | None:
    """Who keeps this secret, with the duties they have now; None for one that ended, is too old or was never given."""
    row = db.get(SignIn, sha256_of(secret)) if secret else None
    if row is None or row.ended_at is not None or row.at + LASTS <= (at or now()):
        return None
    return duties_of(db, row.person) if db.get(PersonRow, row.person) else None


def at_the_desk(db: DatabaseSession, secret: str | None, *, at: datetime | None = None) -> Person | None:
    """Who is here: whoever signed in, else the one person that there is; None where somebody must say who they are."""
    return signed_in(db, secret, at=at) or sole_person(db)


def must_still_be(
    database: Database, name: str, secret: str | None, needs: Collection[Duty] = (), *, at: datetime | None = None
) -> None:
    """Refuse a press on a page that was drawn for somebody who has left since, or lost the duties it needs.

    Raises ``Refused`` (``signed_out``, ``role``), which stands in the log.
    """
    moment = at or now()
    with refusals_kept(database, None, "press on an open page", name, moment), database.reading() as db:
        person = at_the_desk(db, secret, at=moment)
        if person is None or person.name != name:
            raise Refused("signed_out", f"{name} is not signed in here any more. Nothing was done.")
        if needs and not person.duties & set(needs):
            which, lost = " or ".join(sorted(needs)), lost_duties(db, name, needs)
            raise Refused("role", f"Only a person with the duty {which} may do this{lost}. Nothing was done.")


def sign_out(database: Database, secret: str, *, at: datetime | None = None) -> None:
    """End a sign-in for good; a secret that is not known, or ended before, changes nothing."""
    with database.writing() as db:
        _end(db, secret, at or now())


def _end(db: DatabaseSession, secret: str | None, at: datetime) -> None:
    row = db.get(SignIn, sha256_of(secret)) if secret else None
    if row is not None and row.ended_at is None:
        row.ended_at = at
        db.add(row)
