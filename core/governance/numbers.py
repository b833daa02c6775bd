"""The numbers of the rules in force: the defaults, until somebody saved others.

A change is a version with an author and a reason; rows are only ever added, and each stands in the log.
"""

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.settings import DEFAULTS, Settings
from core.store.database import Database
from core.store.oversight_records import NumbersVersion

_KEPT = "numbers in force"


def numbers_in_force(db: DatabaseSession) -> Settings:
    """The numbers as they were saved last. Asked once in a transaction, which sees no later ones."""
    if _KEPT not in db.info:
        newest = select(NumbersVersion).order_by(col(NumbersVersion.id).desc()).limit(1)
        row = db.exec(newest).first()
        db.info[_KEPT] = Settings.model_validate(row.chosen) if row else DEFAULTS
    numbers: Settings = db.info[_KEPT]
    return numbers


def numbers(database: Database) -> Settings:
    """The same in a transaction of its own."""
    with database.reading() as db:
        return numbers_in_force(db)
