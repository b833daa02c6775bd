"""What became of what each prompt and each check wrote, and for which reasons people turned it down.

Counted over numbers, not versions: an edited lesson is still the one that the prompt wrote. Decisions that were taken
back do not count. Four statements, however much there is.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Select, Subquery, distinct, func, null, select, union_all
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.critic.prompts import prompt
from core.governance.desk_settings import words_of_reasons
from core.governance.verdicts import KEPT, OPENS_AGAIN, REFUSED
from core.service.critic.drafts import PROPOSER
from core.store.critic_records import CriticCall, Written
from core.store.database import Database
from core.store.records import Decision, Item
from core.vocabulary import Action, Status, Writer

WAITS = (Status.PROPOSED, Status.HELD, Status.OPEN, Status.APPEALED)
COUNTED = (*KEPT, *REFUSED, *OPENS_AGAIN, Action.APPEAL)


@dataclass(frozen=True)
class Named:
    """A reason, in its newest words, and how often it was named."""

    code: str
    words: str
    count: int


@dataclass(frozen=True)
class Fate:
    """What became of what one prompt, or one version of a check, wrote.

    ``wrote`` is ``notes.md`` or ``claimed_not_done v1``; ``prompt_sha256`` is None for a check, and ``current`` says
    whether the prompt's file still has these words. ``approved`` counts what was approved, of notes what was resolved;
    ``turned_down`` what was rejected or dismissed. What was turned down and approved later counts in both.
    """

    wrote: str
    prompt_sha256: str | None
    current: bool
    written: int
    waits: int
    approved: int
    turned_down: int
    reopened: int
    appealed: int
    reasons: tuple[Named, ...]

    @property
    def approved_share(self) -> Decimal | None:
        """Of all that was decided, the share that was approved, from 0 to 1 in hundredths; None where nothing was."""
        decided = self.approved + self.turned_down
        return (Decimal(self.approved) / decided).quantize(Decimal("0.01")) if decided else None


Key = tuple[str, str | None]


def fates(database: Database) -> tuple[Fate, ...]:
    """One for every prompt and every version of a check that wrote something; whoever wrote most comes first."""
    with database.reading() as db:
        words = words_of_reasons(db)
        authored = _authored()
        written, waits = _counted(db, _written(authored)), _counted(db, _waiting(authored))
        acts = _acts(db, authored)
    found = [_fate(key, number, waits.get(key, 0), acts[key], words) for key, number in written.items()]
    return tuple(sorted(found, key=lambda one: (-one.written, one.wrote, one.prompt_sha256 or "")))


def _authored() -> Subquery:
    """Who wrote each number first: a writer with its prompt, or a version of a check."""
    first = (
        select(col(Item.kind), col(Item.number), func.min(col(Written.call_id)).label("call_id"))
        .join(Written, col(Written.item_id) == col(Item.id))
        .where(col(Item.version) == 1, col(Item.proposer) == PROPOSER)
        .group_by(col(Item.kind), col(Item.number))
        .subquery()
    )
    by_prompt = select(
        first.c.kind, first.c.number, col(CriticCall.writer).label("wrote"), col(CriticCall.prompt_sha256)
    )
    by_prompt = by_prompt.join(CriticCall, col(CriticCall.id) == first.c.call_id)
    by_check: Any = select(
        col(Item.kind), col(Item.number), col(Item.origin).label("wrote"), null().label("prompt_sha256")
    )
    by_check = by_check.where(col(Item.version) == 1, col(Item.proposer).startswith("check "))
    return union_all(by_prompt, by_check).subquery("authored")


def _written(authored: Subquery) -> "Select[Any]":
    key = (authored.c.wrote, authored.c.prompt_sha256)
    return select(*key, func.count()).group_by(*key)


def _waiting(authored: Subquery) -> "Select[Any]":
    """How many numbers have a version that waits, kind by kind."""
    key = (authored.c.wrote, authored.c.prompt_sha256)
    same = (col(Item.kind) == authored.c.kind) & (col(Item.number) == authored.c.number)
    query = select(*key, func.count(distinct(col(Item.number)))).join(Item, same)
    return query.where(col(Item.status).in_(WAITS)).group_by(*key, authored.c.kind)


def _counted(db: DatabaseSession, query: "Select[Any]") -> dict[Key, int]:
    counts: Counter[Key] = Counter()
    for wrote, sha256, count in db.execute(query).all():
        counts[wrote, sha256] += count
    return dict(counts)


def _acts(db: DatabaseSession, authored: Subquery) -> Mapping[Key, Counter[tuple[str, str | None]]]:
    """How many numbers each act was made about, by its reason."""
    key = (authored.c.wrote, authored.c.prompt_sha256)
    same = (col(Item.kind) == authored.c.kind) & (col(Item.number) == authored.c.number)
    undone = select(col(Decision.undoes)).where(col(Decision.undoes).is_not(None))
    query = select(*key, col(Decision.action), col(Decision.reason), func.count(distinct(col(Item.number))))
    query = query.join(Item, same).join(Decision, col(Decision.item_id) == col(Item.id))
    query = query.where(col(Decision.action).in_(COUNTED), col(Decision.id).not_in(undone))
    found: dict[Key, Counter[tuple[str, str | None]]] = defaultdict(Counter)
    for wrote, sha256, action, reason, count in db.execute(
        query.group_by(*key, authored.c.kind, col(Decision.action), col(Decision.reason))
    ).all():
        found[wrote, sha256][action, reason] += count
    return found


def _fate(key: Key, written: int, waits: int, acts: Counter[tuple[str, str | None]], words: Mapping[str, str]) -> Fate:
    wrote, sha256 = key
    named: Counter[str] = Counter()
    for (action, code), count in acts.items():
        if action in REFUSED and code:
            named[code] += count
    reasons = sorted(named.items(), key=lambda one: (-one[1], one[0]))
    return Fate(
        wrote=f"{wrote}.md" if sha256 else wrote,
        prompt_sha256=sha256,
        current=sha256 is None or prompt(Writer(wrote)).sha256 == sha256,
        written=written,
        waits=waits,
        approved=_sum(acts, KEPT),
        turned_down=_sum(acts, REFUSED),
        reopened=_sum(acts, OPENS_AGAIN),
        appealed=_sum(acts, (Action.APPEAL,)),
        reasons=tuple(Named(code, words.get(code, code), count) for code, count in reasons),
    )


def _sum(acts: Counter[tuple[str, str | None]], wanted: tuple[Action, ...]) -> int:
    return sum(count for (action, _), count in acts.items() if action in wanted)
