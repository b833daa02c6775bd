"""What rules refused stands in the log too: who tried what, and the reason they were given."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from core.errors import Refused
from core.governance.log import log
from core.screening.secrets import mask
from core.store.database import Database
from core.store.records import Refusal


@contextmanager
def refusals_kept(database: Database, item_id: int | None, action: str, person: str, at: datetime) -> Iterator[None]:
    """Keep what a rule refuses in the log of refusals, and pass it on."""
    try:
        yield
    except Refused as refused:
        keep_refusal(database, item_id, action, person, refused, at)
        raise


def keep_refusal(
    database: Database, item_id: int | None, action: str, person: str, refused: Refused, at: datetime
) -> None:
    """Write a refusal into the log, in a transaction of its own: what was refused has changed nothing."""
    with database.writing() as db:
        log(db, refusal(item_id, action, person, refused, at))


def refusal(item_id: int | None, action: str, person: str, refused: Refused, at: datetime) -> Refusal:
    """The row of the log that says who tried what, and the reason they were given; secrets are masked."""
    text, by = mask(str(refused)).text, mask(person).text[:120]
    return Refusal(at=at, item_id=item_id, action=action[:40], by=by, code=refused.code, text=text)
