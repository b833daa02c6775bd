"""How people name items, how a name leads back to one, and where an item belongs."""

import json
from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound
from core.governance.log import sha256_of
from core.store.asked_once import once
from core.store.records import Item
from core.vocabulary import Kind


def reference(item: Item) -> str:
    """How people name an item: ``L-0142``."""
    return Kind(item.kind).reference(item.number)


def version_reference(item: Item) -> str:
    """How people name one version: ``L-0142 v2``, and ``L-0142`` for the first."""
    return Kind(item.kind).version(item.number, item.version)


def episode_reference(episode_id: int) -> str:
    """How people name an episode: ``E-0012``."""
    return f"E-{episode_id:04d}"


def by_number() -> ColumnElement[int]:
    """The order of one agent's items, as a sum: by the bare column SQLite walks through the items of every agent."""
    return col(Item.number) + 0


def item_of(db: DatabaseSession, item_id: int) -> Item:
    """The item of an id. Raises ``NotFound``."""
    item = db.get(Item, item_id)
    if item is None:
        raise NotFound("item", item_id)
    return item


def placed(item: Item) -> str:
    """SHA-256 of where a version belongs: number and version, agent, user, task class and session. A decision keeps it.

    Whoever moved an approved text to another agent or user behind the desk's back would be found by it.
    """
    said = [item.kind, item.number, item.version, item.agent_id, item.user, item.task_class, item.session_id]
    return sha256_of(json.dumps(said, ensure_ascii=True))


def all_versions(db: DatabaseSession, item: Item) -> Sequence[Item]:
    """Every version of an item, oldest first."""
    same = (Item.kind == item.kind, Item.number == item.number)
    versions = select(Item).where(*same).order_by(col(Item.version))
    return once(db, ("versions", item.id or 0), lambda: db.exec(versions).all())


def versions_named(db: DatabaseSession, names: Collection[str]) -> dict[str, Item]:
    """The versions of these names that there are, in one statement."""
    known = [_parts(name) for name in names]
    numbers = {number for _, number, _ in known}
    rows = db.exec(select(Item).where(col(Item.number).in_(numbers))).all()
    named = {version_reference(row): row for row in rows}
    return {name: named[name] for name in names if name in named}


def _parts(name: str) -> tuple[Kind, int, int]:
    ref, _, version = name.partition(" v")
    return next(kind for kind in Kind if kind.letter == ref[0]), int(ref[2:]), int(version or 1)


def version_named(db: DatabaseSession, name: str) -> Item | None:
    """A version by its name, as ``Kind.version`` writes it: ``L-0142`` is the first, ``L-0142 v2`` the second."""
    kind, number, version = _parts(name)
    same = select(Item).where(Item.kind == kind, Item.number == number, Item.version == version)
    return db.exec(same).first()
