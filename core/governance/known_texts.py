"""The lessons, procedures and beliefs that are known of an agent, ready to be compared with a new one.

Kept from one draft to the next: every change of an item is a decision, and decisions are only ever added, so what
happened since is read by their numbers. A transaction that is taken back takes along whatever it saw: the newest link
of the log that was seen is then another one or gone, and all is read anew. A refused act logs nothing before it is
refused, so it costs the next one nothing.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import RLock

from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.for_whom import item_for
from core.governance.log import BEGINNING, head_of
from core.governance.numbers import numbers_in_force
from core.screening.contract import KnownText
from core.screening.known import KnownTexts
from core.screening.likeness import Alike
from core.screening.vectors import wordllama_fetcher
from core.store.asked_once import once
from core.store.governance_records import LogEntry
from core.store.records import Decision, Item, LessonBody
from core.vocabulary import Kind, Scope, Status

COMPARED = (Kind.LESSON, Kind.PROCEDURE, Kind.BELIEF)
GONE = frozenset({Status.SUPERSEDED, Status.MERGED})


@dataclass(frozen=True)
class Own:
    """What is compared: its kind, its tasks, and the number under which it stands already, if it does."""

    kind: Kind
    task_class: str
    scope: Scope
    number: int | None = None
    user: str | None = None
    """Of which one user it speaks; None where it is for everybody."""
    instead_of: frozenset[str] = frozenset()
    """References of versions whose place it takes; they count no more than its own."""


@dataclass(frozen=True)
class KnownBeside:
    """Known texts, and which of them count for a draft: those for the same tasks, other versions of itself apart."""

    texts: KnownTexts
    counts: Callable[[str], bool]


def _no_texts(alike: Alike) -> KnownTexts:
    """A small embedding proposes candidates too where it is installed and asked for; it decides nothing."""
    wanted = os.environ.get("TUTELAGE_EMBEDDING") == "wordllama"
    return KnownTexts(fetcher=wordllama_fetcher() if wanted else None, alike=alike)


@dataclass
class _OfAgent:
    texts: KnownTexts
    owners: dict[str, Own] = field(default_factory=dict)
    decision: int = 0
    head: tuple[int, str] = (0, BEGINNING)
    """Number and hash of the newest link of the log when it was read."""


_HELD: dict[tuple[str, int, bool], _OfAgent] = {}
_LOCK = RLock()


@contextmanager
def texts_beside(db: DatabaseSession, agent_id: int, own: Own, *, only_in_force: bool = False) -> Iterator[KnownBeside]:
    """What is known of an agent as this transaction sees it; nobody changes it meanwhile.

    With ``only_in_force`` it is what the agent reads now: few texts, however many wait.
    """
    with texts_of(db, agent_id, only_in_force=only_in_force) as beside:
        yield beside(own)


@contextmanager
def texts_of(
    db: DatabaseSession, agent_id: int, *, only_in_force: bool = False
) -> Iterator[Callable[[Own], KnownBeside]]:
    """The same for several drafts of one agent, which are compared with what is known at one moment."""
    with _LOCK:
        key = (str(db.get_bind().engine.url), agent_id, only_in_force)
        alike = Alike.by(numbers_in_force(db))
        held, seen = _HELD.get(key), once(db, ("known texts", key), dict[str, object])
        if held is None or seen.get("texts") is not held or seen["state"] != (held.decision, held.head):
            if held is None or held.texts.alike != alike or not _still_stands(db, held):
                held = _HELD[key] = _OfAgent(_no_texts(alike))
            _read_on(db, agent_id, held, only_in_force)
            seen |= {"texts": held, "state": (held.decision, held.head)}
        yield lambda own: KnownBeside(held.texts, partial(_counts_for, held, own))


def _counts_for(held: _OfAgent, own: Own, reference: str) -> bool:
    return reference not in own.instead_of and _counts(held.owners[reference], own)


def _counts(other: Own, own: Own) -> bool:
    is_itself = (other.kind, other.number) == (own.kind, own.number)
    if Kind.BELIEF in (own.kind, other.kind):
        return not is_itself and (own.kind, own.user) == (other.kind, other.user)
    if other.user not in (None, own.user):
        return False  # what stays with another user says nothing to this one, and is not named beside it
    everywhere = Scope.AGENT in (own.scope, other.scope)
    return not is_itself and (everywhere or other.task_class == own.task_class)


def _still_stands(db: DatabaseSession, held: _OfAgent) -> bool:
    """Whether all that was read then is in the log as it was."""
    seq, sha256 = held.head
    return seq == 0 or db.exec(select(LogEntry.sha256).where(LogEntry.seq == seq)).first() == sha256


def _read_on(db: DatabaseSession, agent_id: int, held: _OfAgent, only_in_force: bool) -> None:
    """Take in what changed since the last question."""
    newest = db.exec(select(func.max(Decision.id))).one() or 0
    if newest == held.decision:
        return
    items = select(Item, LessonBody.scope).outerjoin(LessonBody, col(LessonBody.item_id) == Item.id)
    items = items.where(Item.agent_id == agent_id, col(Item.kind).in_(COMPARED))
    if only_in_force and not held.decision:
        items = items.where(Item.status == Status.ACTIVE)
    else:
        items = items.where(col(Item.id).in_(select(Decision.item_id).where(col(Decision.id) > held.decision)))
    known = {Status.ACTIVE} if only_in_force else set(Status) - GONE
    for item, scope in db.exec(items.order_by(col(Item.id))).all():
        kind = Kind(item.kind)
        reference = kind.version(item.number, item.version)
        if item.status not in known:
            held.texts.remove(reference)
            continue
        of_scope = Scope.USER if kind is Kind.BELIEF else Scope(scope or Scope.TASK_CLASS)
        held.owners[reference] = Own(kind, item.task_class, of_scope, item.number, item_for(item, of_scope))
        held.texts.add(KnownText(reference, item.headline, Status(item.status), kind))
    held.decision, held.head = newest, head_of(db)
