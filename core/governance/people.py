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

from core.errors import BadInput, NotFound, Refused
from core.governance.log import log
from core.governance.refusals import refusals_kept
from core.screening.invisible import find_invisible, shown
from core.screening.plain import plain
from core.screening.secrets import mask
from core.store.asked_once import once
from core.store.clock import now, time_in_words
from core.store.database import Database
from core.store.governance_records import RightsChange
from core.store.records import Person as PersonRow
from core.vocabulary import Duty

TOKEN = "agent:"
"""How the name begins under which the holder of an agent's token stands in the log."""

SECRET = "tut_"
"""How every token begins, so that people and scanners know one when they see it."""

NOT_A_PERSON = (TOKEN, SECRET, "check ", "critic ", "rule ", "file ", "import ", "migration")
"""Beginnings of names that stand for something else in decisions."""

LONGEST_NAME = 80

BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Signs that count as readable and show nothing."""


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
    return once(db, "people", lambda: _people(db))


def _people(db: DatabaseSession) -> tuple[Person, ...]:
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
            return f"; {change.by} took the duty {gone[0]} away on {time_in_words(change.at)}"
    return ""


def set_person(
    database: Database,
    name: str,
    duties: Iterable[Duty],
    *,
    by: str | None = None,
    text: str = "",
    new: bool = False,
    keep_admin: bool = False,
    at: datetime | None = None,
) -> None:
    """Add a person, or change what they may do; without ``by`` whoever runs the desk does it on the command line.

    Raises ``BadInput`` for a name that cannot be a person's, reads like that of another, or is known although somebody
    ``new`` was to be added, and ``Refused`` for an author without the duty admin, or where nobody would be left who
    has it; without ``by`` the last is only asked where ``keep_admin`` says so. Secrets in ``text`` are masked.
    """
    moment, author, chosen = at or now(), by or local_operator(), frozenset(duties)
    with refusals_kept(database, None, "set a person's duties", author, moment), database.writing() as db:
        if by is not None:
            _may_change_people(db, by)
        row = db.get(PersonRow, name)
        if row is None:
            _may_be_named(db, name)
            row = PersonRow(name=name, duties=[], at=moment)
        elif new:
            raise BadInput(f"There is a person “{name}” already, whose duties can be changed. Nothing was changed.")
        if by is not None or (keep_admin and Duty.ADMIN in _known(row.duties)):
            _somebody_stays_admin(db, name, chosen)
        before, after = sorted(row.duties), sorted(duty.value for duty in chosen)
        row.duties = list(after)
        db.add(row)
        said = mask(text.strip()).text
        log(db, RightsChange(at=moment, by=author, what="person", name=name, before=before, after=after, text=said))
        if set(before) - set(after):
            from core.governance.assignments import take_back_from  # stands on this module

            take_back_from(db, name, author, moment)


def take_duties(
    database: Database, name: str, *, by: str | None = None, text: str = "", keep_admin: bool = False
) -> None:
    """Take every duty from a person; the name stays, for what it did stands in the log.

    Raises ``NotFound`` for a name that is not in the table, and what ``set_person`` raises.
    """
    with database.reading() as db:
        if db.get(PersonRow, name) is None:
            raise NotFound("person", f"“{name}”")
    set_person(database, name, (), by=by, text=text, keep_admin=keep_admin)


def person_of_login(db: DatabaseSession, issuer: str, subject: str) -> Person:
    """Who it is that a login names, with the duties they have now. Raises ``Refused`` for a login tied to nobody."""
    tied = select(PersonRow).where(PersonRow.issuer == issuer, PersonRow.subject == subject)
    row = db.exec(tied).first() if issuer and subject else None
    if row is None:
        raise Refused("unknown_login", f"The login {subject[:80]} of {issuer[:80]} is tied to nobody in this desk.")
    return duties_of(db, row.name)


def tie_login(
    database: Database, name: str, issuer: str, subject: str, *, by: str | None = None, at: datetime | None = None
) -> None:
    """Say which login is this person's; it takes the place of another of theirs.

    Raises ``NotFound`` for an unknown person, ``BadInput`` for a login without issuer or subject, ``Refused`` for an
    author without the duty admin and for a login that is somebody else's.
    """
    moment, author = at or now(), by or local_operator()
    with refusals_kept(database, None, "tie a login", author, moment), database.writing() as db:
        if by is not None:
            _may_change_people(db, by)
        row = db.get(PersonRow, name)
        if row is None:
            raise NotFound("person", f"“{name}”")
        if not issuer.strip() or not subject.strip():
            raise BadInput("A login has an issuer and a subject; nothing was changed.")
        of_another = select(PersonRow).where(PersonRow.issuer == issuer, PersonRow.subject == subject)
        other = db.exec(of_another).first()
        if other is not None and other.name != name:
            raise Refused("login_taken", f"The login {subject} of {issuer} is {other.name}'s. Nothing was changed.")
        before = [row.issuer, row.subject] if row.issuer and row.subject else []
        row.issuer, row.subject = issuer, subject
        db.add(row)
        said = RightsChange(at=moment, by=author, what="login", name=name, before=before, after=[issuer, subject])
        log(db, said)


def rights_changes(database: Database, limit: int = 100) -> tuple[RightsChange, ...]:
    """What people and tokens may do, as it was changed, newest first."""
    with database.reading() as db:
        rights = select(RightsChange).where(RightsChange.what != "bundle")
        return tuple(db.exec(rights.order_by(col(RightsChange.id).desc()).limit(limit)).all())


def _may_change_people(db: DatabaseSession, by: str) -> None:
    if Duty.ADMIN not in duties_of(db, by).duties:
        lost = lost_duties(db, by, (Duty.ADMIN,))
        raise Refused("role", f"Only a person with the duty admin may change people, not {mask(by).text}{lost}.")


def _somebody_stays_admin(db: DatabaseSession, name: str, chosen: frozenset[Duty]) -> None:
    others = (person for person in people(db) if person.name != name)
    if Duty.ADMIN not in chosen and not any(Duty.ADMIN in person.duties for person in others):
        said = "Somebody must keep the duty admin, or nobody could change people any more. Nothing was changed."
        raise Refused("last_admin", said)


def _may_be_named(db: DatabaseSession, name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        said = f"“{mask(name).text[:100]}” cannot be a person's name"
        raise BadInput(f"{said}: it needs 1 to {LONGEST_NAME} readable characters.")
    if f"{_read(name)} ".startswith(NOT_A_PERSON) or SECRET in name:
        said = f"“{mask(name).text}” cannot be a person's name"
        raise BadInput(f"{said}: names that begin so, or hold a token, stand for something else in the log.")
    hidden = unseen_in(name)
    if hidden:
        raise BadInput(f"“{shown(name)}” cannot be a person's name: {hidden}")
    like = next((person.name for person in people(db) if _read(person.name) == _read(name)), None)
    if like is not None:
        raise BadInput(f"“{name}” reads like “{like}”, who is known already; the log must tell the two apart.")


def _read(name: str) -> str:
    """A name as the eye takes it: case, width, double spaces and letters of another script make no other person."""
    return " ".join(plain(unicodedata.normalize("NFKC", name)).text.casefold().split())


def unseen_in(name: str) -> str:
    """What in a name nobody would see, or would take for something else, in a sentence; empty where there is nothing.

    The log must tell names apart, and so must whoever reads it.
    """
    unseen = "".join(sign for sign in name if sign in BLANK or "\ufe00" <= sign <= "\ufe0f")
    if unseen:
        return f"it holds U+{ord(unseen[0]):04X}, which nobody sees."
    return next((finding.text for finding in find_invisible(name)), "")


def _known(duties: Iterable[str]) -> frozenset[Duty]:
    known = set(Duty)
    return frozenset(Duty(duty) for duty in duties if duty in known)
