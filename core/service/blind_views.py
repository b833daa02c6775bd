"""What a card shows of a blind item: what this person said, what two who differ said, and who is missing.

Nobody else's verdict is shown while it is sealed, nor that there is one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession

from core.governance.acts import in_words
from core.governance.blind import heard, waits_blind
from core.governance.desk_settings import words_of_reasons
from core.governance.people import Person
from core.governance.sealing import who_is_missing
from core.governance.verdicts import KEPT
from core.store.oversight_records import BlindVerdict
from core.store.records import Item
from core.vocabulary import Duty


@dataclass(frozen=True)
class Said:
    """What one person said blind: ``action`` of the table, and why in words."""

    by: str
    action: str
    why: str
    at: datetime

    @property
    def side(self) -> str:
        """``kept`` or ``refused``."""
        return "kept" if self.action in KEPT else "refused"


@dataclass(frozen=True)
class BlindShown:
    """What is to be seen of a blind item that waits. ``verdicts`` are open: two people differ, and a third decides.

    ``mine`` is what this person said under seal, ``off`` why they cannot decide now, empty where they can.
    """

    mine: Said | None = None
    verdicts: tuple[Said, ...] = ()
    missing: str = ""
    off: str = ""
    may_lift: bool = False


def blind_shown(db: DatabaseSession, item: Item, person: Person, screen: str) -> BlindShown | None:
    """The same for one item and one person; None for what is not decided blind, or not now, and alone at the desk."""
    if not waits_blind(item) or person.single_operator:
        return None
    found, words = heard(db, item, screen), words_of_reasons(db)
    said = tuple(as_said(one, words) for one in found.verdicts)
    own = next((one for one in said if one.by == person.name), None)
    off = ""
    if own and found.differ:
        off = "You are one of the two who differ; a third person decides."
    elif own:
        off = f"You said to {in_words(own.action)} it; one more person must say."
    return BlindShown(
        mine=None if found.differ else own,
        verdicts=said if found.differ else (),
        missing=who_is_missing(db, item),
        off=off,
        may_lift=Duty.ADMIN in person.duties,
    )


def as_said(row: BlindVerdict, words: Mapping[str, str]) -> Said:
    """A verdict with its reason in words; ``words`` are those of the codes."""
    code = row.reason or ""
    why = ": ".join(part for part in (words.get(code, code), row.text) if part)
    return Said(row.by, row.action, why, row.at)
