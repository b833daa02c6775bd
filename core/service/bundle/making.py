"""Makes a bundle, and logs that it was made: evidence that leaves the desk leaves a trace with the hash of its file."""

import hashlib
from datetime import datetime

from core.errors import Refused
from core.governance.log import log
from core.governance.people import duties_of
from core.governance.refusals import refusals_kept
from core.service.bundle.contract import Contents
from core.service.bundle.document import document
from core.service.bundle.gathering import of_note, of_notes
from core.service.views import NotesAsked
from core.store.clock import now
from core.store.database import Database
from core.store.governance_records import RightsChange
from core.vocabulary import Duty

BUNDLE = "bundle"
"""What the log calls the act."""

WHO = frozenset({Duty.AUDITOR, Duty.ADMIN})
LONGEST = 200


def bundle(database: Database, what: int | NotesAsked, *, by: str, at: datetime | None = None) -> bytes:
    """One HTML file with all evidence of a note, by its id, or of every note of a filter; its making is logged.

    Raises ``Refused`` for a person who is neither auditor nor admin, and where no note fits the filter, and
    ``NotFound`` for an unknown note. The same state of the store and the same time give the same bytes.
    """
    moment = at or now()
    with refusals_kept(database, None, "make a bundle", by, moment):
        with database.reading() as db:
            if not WHO & duties_of(db, by).duties:
                raise Refused("role", f"Only a person with the duty admin or auditor may make a bundle, not {by}.")
        contents = _contents(database, what, by, moment)
        if not contents.notes:
            raise Refused("nothing_to_bundle", "No note fits the filter, so no bundle was made.")
        file = document(contents)
    with database.writing() as db:
        log(db, _act(contents, file, by, moment))
    return file


def _contents(database: Database, what: int | NotesAsked, by: str, at: datetime) -> Contents:
    if isinstance(what, NotesAsked):
        return of_notes(database, what, by=by, at=at)
    return of_note(database, what, by=by, at=at)


def _act(contents: Contents, file: bytes, by: str, at: datetime) -> RightsChange:
    """The row of the log: who took which notes along, and the hash of the file."""
    refs = [note.card.ref for note in contents.notes]
    name = contents.made.about[:LONGEST]
    return RightsChange(
        at=at, by=by, what=BUNDLE, name=name, after=refs, text=f"SHA-256 {hashlib.sha256(file).hexdigest()}"
    )
