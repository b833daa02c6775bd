"""Who might do what at any place of the chain, by the changes of rights that stand in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col
from sqlmodel import select as rows_of

from core.governance.audit.contract import Break
from core.store.governance_records import AgentToken, LogEntry, RightsChange
from core.store.records import Person

NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Change:
    """Somebody had these duties from this place of the chain on."""

    seq: int
    name: str
    duties: frozenset[str]


@dataclass(frozen=True)
class Rights:
    """Every change of people's duties, in the order of the chain."""

    changes: tuple[Change, ...]

    @classmethod
    def of(cls, db: DatabaseSession) -> "Rights":
        """The changes that the log holds."""
        linked = (col(LogEntry.logged) == "rights_change", col(LogEntry.row_id) == RightsChange.id)
        seq = select(func.min(LogEntry.seq)).where(*linked).scalar_subquery()
        query = select(seq, col(RightsChange.name), col(RightsChange.after)).where(col(RightsChange.what) == "person")
        found = db.execute(query.order_by(col(RightsChange.id))).all()
        return cls(tuple(Change(at or 0, name, frozenset(after)) for at, name, after in found))

    def at(self, seq: int) -> Mapping[str, frozenset[str]]:
        """The duties of everybody at a place of the chain."""
        return {one.name: one.duties for one in self.changes if one.seq < seq}

    def may(self, name: str, duties: frozenset[str], seq: int) -> bool:
        """Whether a person had one of these duties there."""
        return bool(self.at(seq).get(name, NOBODY) & duties)

    def alone(self, seq: int) -> bool:
        """Whether at most one person had any duty there."""
        return sum(bool(duties) for duties in self.at(seq).values()) <= 1


def unlike_the_log(db: DatabaseSession) -> Iterator[Break]:
    """People and tokens that may do more or less than their last change in the log says."""
    last = {("person", person.name): person.duties for person in Rights.of(db).changes}
    last |= {
        ("token", row.name): frozenset(row.after)
        for row in db.exec(rows_of(RightsChange).where(RightsChange.what == "token").order_by(col(RightsChange.id)))
    }
    now = {("person", row.name): frozenset(row.duties) for row in db.exec(rows_of(Person))}
    now |= {
        ("token", row.name): frozenset(row.verbs) if row.revoked_at is None else NOBODY
        for row in db.exec(rows_of(AgentToken))
    }
    for what, name in sorted(last.keys() | now.keys()):
        may, said = now.get((what, name), NOBODY), last.get((what, name), NOBODY)
        if may != said:
            why = f"may {_listed(may)} now; the log leads to {_listed(said)}"
            yield Break(None, what, None, f"{what} {name}", why)


def _listed(duties: frozenset[str]) -> str:
    return ", ".join(sorted(duties)) or "nothing"
