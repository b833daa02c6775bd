"""Episodes that were made from notes: what becomes of them when their note is dismissed, or comes back.

Beside the writer of a status, in its transaction.
"""

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.groundings import is_found
from core.governance.references import episode_reference, reference
from core.store.memory_records import Episode
from core.store.records import Decision, Item
from core.vocabulary import Status


def proven(episode: Episode) -> bool:
    """Whether the words of an episode still stand in its session; one that waits for a look anyway counts as such."""
    return episode.held is not None or all(map(is_found, episode.quotes))


def episodes_of_note(db: DatabaseSession, item: Item, row: Decision) -> dict[int, str]:
    """Withdraw the episodes of a note that was dismissed; the ids of those that went, each with why.

    Where it is open or resolved again, by whatever way, what went with it stands again; what rests on it waits for a
    person all the same.
    """
    versions = select(Item.id).where(Item.kind == item.kind, Item.number == item.number)
    rows = db.exec(select(Episode).where(col(Episode.note_id).in_(versions)).order_by(col(Episode.id))).all()
    why = f"its note {reference(item)} was dismissed"
    if row.after == Status.DISMISSED:
        gone = [one for one in rows if one.withdrawn is None]
        for one in gone:
            one.withdrawn, one.withdrawn_at = why, row.at
            db.add(one)
        db.flush()
        return {one.id or 0: f"{episode_reference(one.id or 0)} was withdrawn: {why}" for one in gone}
    if row.after in (Status.OPEN, Status.RESOLVED):
        for one in rows:
            if one.withdrawn == why and proven(one):
                one.withdrawn = one.withdrawn_at = None
                db.add(one)
        db.flush()
    return {}
