"""What a reading transaction has been told already. It sees one state of the store, so nothing need be asked twice.

A writing transaction keeps nothing: what it asks may have been changed by itself. Whoever reads for many items at once
asks for all of them and keeps the answers here; what then asks for each of them finds them.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from sqlmodel import Session as DatabaseSession

Told = TypeVar("Told")
_KEPT, _HELD = "asked once", "rows held"


def keeps_answers(db: DatabaseSession) -> None:
    """Let a transaction that only reads keep what it is told."""
    db.info[_KEPT], db.info[_HELD] = {}, []


def once(db: DatabaseSession, what: object, ask: Callable[[], Told]) -> Told:
    """The answer to ``ask``, which is asked once in a reading transaction. ``what`` names the question."""
    kept: dict[object, Any] | None = db.info.get(_KEPT)
    if kept is None:
        return ask()
    if what not in kept:
        kept[what] = ask()
    told: Told = kept[what]
    return told


def told_for_each(db: DatabaseSession, question: str, answers: Mapping[int, Any]) -> None:
    """Keep the answers to one question about several items: ``once`` finds each as ``(question, item)``."""
    kept: dict[object, Any] | None = db.info.get(_KEPT)
    if kept is not None:
        kept.update({(question, item): told for item, told in answers.items()})


def already_told(db: DatabaseSession, what: object) -> Any:
    """An answer that is kept, None where there is none."""
    return db.info.get(_KEPT, {}).get(what)


def held(db: DatabaseSession, rows: Iterable[Any]) -> None:
    """Keep rows that were read for many items, so that getting one of them by its key asks nobody."""
    if _HELD in db.info:
        db.info[_HELD].extend(rows)
