"""Presses that came before their item could be decided.

The browser answers them at once, because only it knows when an item could first be read; the desk logs them as refused,
each one. Neither changes anything else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.errors import Refused
from core.governance.log import log
from core.governance.references import reference
from core.governance.refusals import refusal
from core.governance.sealing import sealed_act
from core.store.clock import now
from core.store.database import Database
from core.store.records import Item

MOST_AT_ONCE = 100
"""Presses that are taken from one message of a browser."""


class Early(StrEnum):
    """Why a press decided nothing."""

    TOO_SOON = "too_soon"
    """Its item had not been on the screen for as long as the settings ask."""
    ON_ITS_WAY = "on_its_way"
    """The press before it was still being answered."""

    def said(self, ref: str, seconds: str) -> str:
        """What the desk answers; ``seconds`` since the item appeared, or since the press before."""
        return _SAID[self].format(ref=ref, seconds=seconds)


_SAID = {
    Early.TOO_SOON: "Pressed {seconds} s after {ref} appeared: nothing was decided. Press again.",
    Early.ON_ITS_WAY: "Pressed while the answer about {ref} was on its way: nothing more was decided.",
}


@dataclass(frozen=True)
class EarlyPress:
    """One press: upon which item, what it would have done, and how long after the item or the press before."""

    item_id: int
    action: str
    why: Early
    seconds: float


def refuse_presses(
    database: Database, person: str, presses: Sequence[EarlyPress], *, at: datetime | None = None
) -> tuple[str, ...]:
    """Log presses as refused, in their order; returns what is said about each. Unknown items are left out."""
    moment, said = at or now(), []
    with database.writing() as db:
        for press in presses[:MOST_AT_ONCE]:
            item = db.get(Item, press.item_id)
            if item is None:
                continue
            text = press.why.said(reference(item), f"{press.seconds:.1f}")
            tried = sealed_act(db, item, press.action, person)
            log(db, refusal(press.item_id, tried, person, Refused(press.why, text), moment))
            said.append(text)
    return tuple(said)
