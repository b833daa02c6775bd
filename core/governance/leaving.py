"""Which of an agent's instructions could leave, ranked, each with the reasons: computed, and said in words.

Governance, between what is stored and the person who chooses. Nothing leaves by this rank alone. Source: Using Feedback
and Reflection in Agent Workflows, "Too many lessons dilute the prompt".
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.in_force import reliabilities
from core.governance.numbers import numbers_in_force
from core.governance.people import duties_of
from core.governance.references import reference
from core.governance.stop_words import stop_words
from core.memory.lessons import RELIABLE, findable_words, words
from core.screening.likeness import Alike
from core.screening.twins import TwinIndex
from core.store.clock import day_in_words
from core.store.records import Agent, AgentSession, Item, LessonBody, Receipt, ReceiptItem
from core.vocabulary import Reliability

LOOKED_BACK = 50
"""Briefings and sessions of the agent that are looked at, the newest ones."""

NEVER_READ, NO_WORD, TWIN, NOBODYS, WEAKER = 4, 3, 2, 2, 1
"""How much each reason weighs; of those with the same weight the one that was read less, then the older, goes first."""


@dataclass(frozen=True)
class Leaving:
    """An instruction that could leave. ``reasons`` are whole sentences, the gravest first; there may be none."""

    item: Item
    reasons: tuple[str, ...]
    weight: int
    read: int
    """How often it stands on the receipts that were looked at."""
    since: datetime

    @property
    def told(self) -> str:
        """Why, in one line."""
        return " ".join(self.reasons) or f"In force since {day_in_words(self.since)}; nothing speaks against it."


def could_leave(db: DatabaseSession, agent_id: int, in_force: Collection[Item]) -> tuple[Leaving, ...]:
    """The instructions of an agent, those first that would be missed least. Some eight statements, however many."""
    if not in_force:
        return ()
    items = sorted(in_force, key=lambda one: one.id or 0)
    facts = _Facts(db, agent_id, items)
    found = [_leaving(one, facts) for one in items]
    return tuple(sorted(found, key=lambda one: (-one.weight, one.read, one.since, one.item.id)))


class _Facts:
    """What is asked once for all of them."""

    def __init__(self, db: DatabaseSession, agent_id: int, items: Sequence[Item]) -> None:
        ids = [item.id or 0 for item in items]
        newest = select(Receipt.id, Receipt.at).where(Receipt.agent_id == agent_id)
        newest = newest.order_by(col(Receipt.at).desc(), col(Receipt.id).desc()).limit(LOOKED_BACK)
        self.receipts = dict(db.exec(newest).all())
        on_receipt = select(ReceiptItem.item_id, ReceiptItem.receipt_id).where(col(ReceiptItem.item_id).in_(ids))
        self.read: dict[int, int] = defaultdict(int)
        for item, receipt in db.exec(on_receipt.where(col(ReceiptItem.receipt_id).in_(list(self.receipts)))).all():
            self.read[item] += receipt in self.receipts
        tasks = select(AgentSession.task).where(AgentSession.agent_id == agent_id)
        tasks = tasks.order_by(col(AgentSession.started_at).desc(), col(AgentSession.id).desc()).limit(LOOKED_BACK)
        self.tasks = [task for task in db.exec(tasks).all() if task]
        ignored = stop_words(db.get_one(Agent, agent_id).name)
        self.asked = frozenset[str]().union(*(words(task, ignored) for task in self.tasks))
        bodies = db.exec(select(LessonBody).where(col(LessonBody.item_id).in_(ids))).all()
        self.words = {body.item_id: findable_words(body.text, body.tags) for body in bodies}
        self.trusted = reliabilities(db, ids)
        self.twins = _twins(items, Alike.by(numbers_in_force(db)))
        owners = {item.owner for item in items if item.owner}
        self.gone = {owner for owner in owners if not duties_of(db, owner).duties}


def _twins(items: Sequence[Item], alike: Alike) -> dict[int, list[str]]:
    """The references of those that say nearly the same, by id."""
    by_id = {str(item.id): item for item in items}
    found: dict[int, list[str]] = defaultdict(list)
    for pair in TwinIndex(((key, item.headline) for key, item in by_id.items()), alike=alike).pairs():
        found[int(pair.one)].append(reference(by_id[pair.other]))
        found[int(pair.other)].append(reference(by_id[pair.one]))
    return found


def _leaving(item: Item, facts: _Facts) -> Leaving:
    number, since = item.id or 0, item.active_at or item.created_at
    briefings = sum(at >= since for at in facts.receipts.values())
    read, said = facts.read[number], []
    if briefings and not read:
        said.append((NEVER_READ, f"Not read in the last {_many(briefings, 'briefing')} since it is in force."))
    if facts.tasks and not facts.asked & facts.words.get(number, frozenset()):
        said.append((NO_WORD, f"Shares no word with the tasks of the last {_many(len(facts.tasks), 'session')}."))
    if twins := facts.twins.get(number):
        said.append((TWIN, f"Says nearly the same as {' and '.join(sorted(twins))}."))
    if item.owner is None or item.owner in facts.gone:
        whose = "Nobody owns it." if item.owner is None else f"Its owner {item.owner} has no duty at the desk any more."
        said.append((NOBODYS, whose))
    if (trusted := facts.trusted[number]) is not Reliability.HIGH:
        said.append((WEAKER * RELIABLE.index(trusted), f"Its source is of {trusted} reliability."))
    return Leaving(item, tuple(text for _, text in said), sum(weight for weight, _ in said), read, since)


def _many(count: int, what: str) -> str:
    return what if count == 1 else f"{count} {what}s"
