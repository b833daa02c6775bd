"""How people name items, and how a name leads back to one."""

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.store.records import Item
from core.vocabulary import Kind


def reference(item: Item) -> str:
    """How people name an item: ``L-0142``."""
    return Kind(item.kind).reference(item.number)


def version_reference(item: Item) -> str:
    """How people name one version: ``L-0142 v2``, and ``L-0142`` for the first."""
    return Kind(item.kind).version(item.number, item.version)


def version_named(db: DatabaseSession, name: str) -> Item | None:
    """A version by its name, as ``Kind.version`` writes it: ``L-0142`` is the first, ``L-0142 v2`` the second."""
    ref, _, version = name.partition(" v")
    kind = next(kind for kind in Kind if kind.letter == ref[0])
    same = select(Item).where(Item.kind == kind, Item.number == int(ref[2:]), Item.version == int(version or 1))
    return db.exec(same).first()
