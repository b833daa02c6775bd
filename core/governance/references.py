"""How people name items, how a name leads back to one, and where an item belongs."""

import json

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.governance.log import sha256_of
from core.store.records import Item
from core.vocabulary import Kind


def reference(item: Item) -> str:
    """How people name an item: ``L-0142``."""
    return Kind(item.kind).reference(item.number)


def version_reference(item: Item) -> str:
    """How people name one version: ``L-0142 v2``, and ``L-0142`` for the first."""
    return Kind(item.kind).version(item.number, item.version)


def placed(item: Item) -> str:
    """SHA-256 of where a version belongs: number and version, agent, user, task class and session. A decision keeps it.

    Whoever moved an approved text to another agent or user behind the desk's back would be found by it.
    """
    said = [item.kind, item.number, item.version, item.agent_id, item.user, item.task_class, item.session_id]
    return sha256_of(json.dumps(said, ensure_ascii=True))


def version_named(db: DatabaseSession, name: str) -> Item | None:
    """A version by its name, as ``Kind.version`` writes it: ``L-0142`` is the first, ``L-0142 v2`` the second."""
    ref, _, version = name.partition(" v")
    kind = next(kind for kind in Kind if kind.letter == ref[0])
    same = select(Item).where(Item.kind == kind, Item.number == int(ref[2:]), Item.version == int(version or 1))
    return db.exec(same).first()
