"""Every decision, read once, so that the state of any item at any moment is a look-up and no query.

It answers what ``core.governance.as_of`` answers, for many moments at once; a test holds the two side by side.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.verdicts import KEEPS, OPENS_AGAIN, REFUSES
from core.store.governance_records import LogEntry
from core.store.records import Decision
from core.vocabulary import Action, Kind, Status


@dataclass(frozen=True)
class Act:
    """One decision, as far as it is needed here."""

    id: int
    item: int
    action: str
    after: str
    severity: str | None
    at: datetime
    by: str
    undoes: int | None
    by_person: bool


@dataclass
class OfItem:
    """The decisions about one version, oldest first."""

    ids: list[int] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)

    def last(self, decision: int) -> Act | None:
        """The newest decision up to one; None before the first."""
        place = bisect_right(self.ids, decision)
        return self.acts[place - 1] if place else None

    def stood_at_any(self, decisions: Sequence[int], after: str) -> bool:
        """Whether it stood so at any of these decisions, which are in order."""
        ends = [*self.ids[1:], None]
        held = ((act.id, end) for act, end in zip(self.acts, ends, strict=True) if act.after == after)
        return any(_within(decisions, begin, end) for begin, end in held)

    def active_since(self, decision: int) -> datetime | None:
        """When it was first approved, of the approvals that stood then."""
        into: dict[int, datetime] = {}
        for act in self.acts[: bisect_right(self.ids, decision)]:
            if act.action == Action.UNDO:
                into.pop(act.undoes or 0, None)
            elif act.after == Status.ACTIVE:
                into[act.id] = next(iter(into.values()), act.at)
        return next(iter(into.values()), None)


def _within(decisions: Sequence[int], begin: int, end: int | None) -> bool:
    place = bisect_left(decisions, begin)
    return place < len(decisions) and (end is None or decisions[place] < end)


class Timeline:
    """The decisions of the log by item, and how far the log is read for a moment."""

    def __init__(self, db: DatabaseSession) -> None:
        self.items: dict[int, OfItem] = defaultdict(OfItem)
        self.undone: set[int] = set()
        columns = (Decision.id, Decision.item_id, Decision.action, Decision.after, Decision.severity, Decision.at)
        more = (Decision.by, Decision.undoes, Decision.rule, Decision.cause)
        for row in db.connection().execute(select(*map(col, (*columns, *more))).order_by(col(Decision.id))):
            by_person = row.rule is None and row.cause is None and row.action != Action.PROPOSE
            act = Act(row.id, row.item_id, row.action, row.after, row.severity, row.at, row.by, row.undoes, by_person)
            self.items[act.item].ids.append(act.id)
            self.items[act.item].acts.append(act)
            if act.undoes is not None:
                self.undone.add(act.undoes)
        links = select(col(LogEntry.at), col(LogEntry.row_id)).where(LogEntry.logged == "decision")
        rows = db.connection().execute(links.order_by(col(LogEntry.seq))).all()
        self._newest = list(accumulate((row.row_id for row in rows), max))
        later = accumulate((row.at for row in reversed(rows)), min)
        self._earliest_after = list(later)[::-1]

    @property
    def newest(self) -> int:
        """The newest decision of all; 0 where there is none."""
        return self._newest[-1] if self._newest else 0

    def decision_at(self, moment: datetime) -> int:
        """The newest decision that counts at a moment, 0 where none does; as ``up_to`` has it."""
        place = bisect_right(self._earliest_after, moment)
        return self._newest[place - 1] if place else 0

    def verdicts(self, kinds: dict[int, Kind]) -> dict[int, tuple[bool, Act]]:
        """What people decided last about each version that ``kinds`` names: whether it was kept, and the decision.

        What was undone, what a rule did and what followed from another decision do not count.
        """
        found: dict[int, tuple[bool, Act]] = {}
        for item, kind in kinds.items():
            for act in self.items[item].acts if item in self.items else ():
                if not act.by_person or act.id in self.undone:
                    continue
                if act.action in KEEPS[kind] or act.action in REFUSES:
                    found[item] = (act.action in KEEPS[kind], act)
                elif act.action in OPENS_AGAIN:
                    found.pop(item, None)
        return found

    def looked_at(self, item: int, decision: int) -> bool:
        """Whether a person had decided about it up to a decision."""
        known = self.items.get(item)
        return known is not None and any(act.by_person for act in known.acts[: bisect_right(known.ids, decision)])
