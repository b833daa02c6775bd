"""The quotes of items as pages, filters and exports show them, each checked against its transcript as it is now.

The verdict is said in the same words everywhere: ``core.evidence.in_words``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import exists, select, tuple_
from sqlalchemy.orm import aliased
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.evidence.in_words import STALE, VERDICTS
from core.governance.bodies import from_row
from core.governance.drafts import Quoted
from core.governance.references import reference
from core.service.views import EvidenceRow, Quote
from core.store.asked_once import once
from core.store.database import Database
from core.store.records import AgentSession, Evidence, Item, SessionMessage
from core.vocabulary import Role

QUOTES_SHOWN = 50
"""Quotes that a card shows; an item can have one from each of many sessions."""

AT_ONCE = 500
"""Quotes of an export whose turns are read together."""

FILTERS = (*VERDICTS.values(), STALE)
"""What a list can be narrowed to: items with a quote of this verdict."""


_QUOTED = select(Evidence, col(AgentSession.ref), col(AgentSession.sha256)).join(
    AgentSession, col(AgentSession.id) == col(Evidence.session_id)
)


def stands_as(words: str) -> Any:
    """The condition that an item has a quote of the verdict that ``words`` name; unknown words match nothing."""
    one = aliased(Evidence)
    of_item = exists().where(col(one.item_id) == Item.id)
    if words == STALE:
        return of_item.where(col(one.stale).is_not(None))
    verdicts = [verdict for verdict, name in VERDICTS.items() if name == words]
    return of_item.where(col(one.verdict).in_(verdicts), col(one.stale).is_(None))


def evidence_rows(database: Database, where: Any) -> list[EvidenceRow]:
    """Every quote of the items that ``where`` names, for an export."""
    query = (
        select(Item, Evidence, col(AgentSession.ref), col(AgentSession.sha256))
        .join(Evidence, col(Evidence.item_id) == Item.id)
        .join(AgentSession, col(AgentSession.id) == Evidence.session_id)
        .where(where)
        .order_by(col(Item.kind), col(Item.number), col(Item.version), col(Evidence.id))
    )
    with database.reading() as db:
        return [one for rows in db.execute(query).partitions(AT_ONCE) for one in _exported(db, rows)]


def _exported(db: DatabaseSession, rows: Sequence[Any]) -> Iterator[EvidenceRow]:
    contents = _contents(db, [row for _, row, _, _ in rows])
    for item, row, ref, sha256 in rows:
        quote = shown_quote(row, 1, ref, sha256, contents.get(row.session_id, {}))
        yield EvidenceRow(reference(item), item.version, item.status, quote, sha256)


def quotes_shown(db: DatabaseSession, item: Item) -> tuple[Quote, ...]:
    """The quotes of an item, numbered, with the sessions they stand in."""
    of_item = _QUOTED.where(col(Evidence.item_id) == item.id).order_by(col(Evidence.id)).limit(QUOTES_SHOWN)
    return once(db, ("quotes shown", item.id or 0), lambda: _numbered(db, db.execute(of_item).all()))


def quotes_of_each(db: DatabaseSession, item_ids: Sequence[int]) -> dict[int, tuple[Quote, ...]]:
    """The same for several items by id: a statement for all, and one for the turns of every ``AT_ONCE`` quotes."""
    rows: dict[int, list[Any]] = {one: [] for one in item_ids}
    for found in db.execute(_QUOTED.where(col(Evidence.item_id).in_(item_ids)).order_by(col(Evidence.id))).all():
        rows[found[0].item_id].append(found)
    shown = {item: some[:QUOTES_SHOWN] for item, some in rows.items()}
    every = [row for some in shown.values() for row, _, _ in some]
    contents: dict[int, dict[int, str]] = {}
    for at in range(0, len(every), AT_ONCE):
        for session, turns in _contents(db, every[at : at + AT_ONCE]).items():
            contents.setdefault(session, {}).update(turns)
    return {item: _numbered(db, some, contents) for item, some in shown.items()}


def _numbered(
    db: DatabaseSession, rows: Sequence[Any], known: Mapping[int, Mapping[int, str]] | None = None
) -> tuple[Quote, ...]:
    contents = _contents(db, [row for row, _, _ in rows]) if known is None else known
    return tuple(
        shown_quote(row, number, ref, sha, contents.get(row.session_id, {}))
        for number, (row, ref, sha) in enumerate(rows, 1)
    )


def _contents(db: DatabaseSession, rows: Sequence[Evidence]) -> dict[int, dict[int, str]]:
    """The turns that quotes stand in, by session and turn, as they are stored now."""
    places = {(row.session_id, anchor["turn"]) for row in rows for anchor in row.anchors}
    query = select(col(SessionMessage.session_id), col(SessionMessage.turn), col(SessionMessage.content))
    at = tuple_(col(SessionMessage.session_id), col(SessionMessage.turn))
    found: dict[int, dict[int, str]] = {}
    for session, turn, content in db.execute(query.where(at.in_(places))).all() if places else ():
        found.setdefault(session, {})[turn] = content
    return found


def shown_quote(row: Evidence, number: int, session_ref: str, sha256: str, contents: Mapping[int, str]) -> Quote:
    """One stored quote as a page shows it, checked against ``contents``, the turns of its session as they are now."""
    value = from_row(row)
    moved = _why_moved(value, sha256, contents)
    # Where nobody has looked since, no place is known: nothing is lit rather than something wrong.
    grounding = replace(value.grounding, spans=(), gaps=(), nearest=()) if moved else value.grounding
    return Quote(
        id=row.id or 0,
        number=number,
        session=row.session_id,
        session_ref=session_ref,
        text=row.quote,
        speaker=Role(row.speaker),
        grounding=grounding,
        stale=row.stale or moved,
    )


def _why_moved(quote: Quoted, sha256: str, contents: Mapping[int, str]) -> str | None:
    """Why a quote that is said to stand does not, None where it does."""
    if quote.stale:
        return None
    if quote.sha256 != sha256:
        return "The transcript is not the one that these words were found in."
    for anchor in quote.anchors:
        if contents.get(anchor.turn, "")[anchor.start : anchor.end] != anchor.exact:
            return f"The words “{anchor.exact}” no longer stand where they were found."
    return None
