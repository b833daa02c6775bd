"""The numbers of the rules in force: the defaults, until somebody saved others.

A change is a version with an author and a reason; rows are only ever added, and each stands in the log. What a version
does not say, because it is older than a number, is its default; so is what this code cannot read, and Home says so.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound
from core.governance.stored_settings import as_far_as_known
from core.settings import DEFAULTS, Settings
from core.settings_told import settings_told
from core.store.database import Database
from core.store.governance_records import LogEntry
from core.store.oversight_records import NumbersVersion

_KEPT = "numbers in force"


@dataclass(frozen=True)
class Difference:
    """One number that differs between two versions."""

    name: str
    label: str
    before: str
    after: str

    @property
    def in_words(self) -> str:
        """``Procedure is read from confidence 0.55 → 0.62``."""
        return f"{self.label} {self.before} → {self.after}"


@dataclass(frozen=True)
class NumbersSaved:
    """One version: the numbers, by whom, when and why, and what differs from the version before it."""

    version: int
    numbers: Settings
    by: str
    reason: str
    at: datetime
    differs: tuple[Difference, ...]


def numbers_in_force(db: DatabaseSession) -> Settings:
    """The numbers as they were saved last. Asked once in a transaction, which sees no later ones."""
    return _in_force(db)[0]


def numbers_not_in_force(db: DatabaseSession) -> tuple[str, ...]:
    """What was saved last and is not known here, each as a clause."""
    return _in_force(db)[1]


def _in_force(db: DatabaseSession) -> tuple[Settings, tuple[str, ...]]:
    if _KEPT not in db.info:
        newest = select(NumbersVersion).order_by(col(NumbersVersion.id).desc()).limit(1)
        row = db.exec(newest).first()
        db.info[_KEPT] = as_far_as_known(Settings, row.chosen) if row else (DEFAULTS, ())
    kept: tuple[Settings, tuple[str, ...]] = db.info[_KEPT]
    return kept


def numbers(database: Database) -> Settings:
    """The numbers in force, read in a transaction of its own."""
    with database.reading() as db:
        return numbers_in_force(db)


def numbers_then(db: DatabaseSession, at: datetime) -> Settings:
    """The numbers that were in force at a moment, by the log; the defaults where nothing had been saved."""
    of_numbers = (LogEntry.logged == NumbersVersion.__tablename__, col(LogEntry.at) <= at)
    newest = select(LogEntry.row_id).where(*of_numbers).order_by(col(LogEntry.seq).desc()).limit(1)
    found = db.exec(newest).first()
    return DEFAULTS if found is None else as_far_as_known(Settings, db.get_one(NumbersVersion, found).chosen)[0]


def saved_numbers(database: Database) -> tuple[NumbersSaved, ...]:
    """Every version, newest first."""
    with database.reading() as db:
        rows = db.exec(select(NumbersVersion).order_by(col(NumbersVersion.id))).all()
    saved: list[NumbersSaved] = []
    before = DEFAULTS
    for version, row in enumerate(rows, 1):
        chosen, _ = as_far_as_known(Settings, row.chosen)
        saved.append(NumbersSaved(version, chosen, row.by, row.reason, row.at, differences(before, chosen)))
        before = chosen
    return tuple(reversed(saved))


def version_of(database: Database, version: int) -> Settings:
    """The numbers of a version; 0 are the defaults. Raises ``NotFound``."""
    if version == 0:
        return DEFAULTS
    found = next((one.numbers for one in saved_numbers(database) if one.version == version), None)
    if found is None:
        raise NotFound("version of the numbers", f"v{version}")
    return found


def differences(before: Settings, after: Settings) -> tuple[Difference, ...]:
    """What differs, in the order in which settings are shown."""
    return tuple(
        Difference(one.name, one.label, one.shown(was), one.shown(is_now))
        for one in settings_told()
        if (was := getattr(before, one.name)) != (is_now := getattr(after, one.name))
    )
