"""Who might do what at any place of the chain, by the changes of rights that stand in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col
from sqlmodel import select as rows_of

from core.governance.audit.contract import CANNOT_BE_READ, Break
from core.governance.audit.reading import readable
from core.governance.tokens import said_for
from core.store.governance_records import AgentToken, LogEntry, RightsChange
from core.store.records import Agent, Person

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
    """People and tokens that may do more or less than their last change in the log says, and logins tied otherwise."""
    last = readable(partial(_by_the_log, db))
    if last is None:
        return  # the change that cannot be read is named with the rows
    now: dict[tuple[str, str], frozenset[str]] = {}
    for table, key, may in ((Person, Person.name, _may_now), (AgentToken, AgentToken.name, _token_may)):
        for name in db.exec(rows_of(key).order_by(key)).all():
            row = readable(partial(_row, db, table, key, name))
            if row is None:
                what = "person" if table is Person else "token"
                yield Break(None, what, None, f"{what} {name!s}", CANNOT_BE_READ)
                last = {said: duties for said, duties in last.items() if said[1] != name}
            else:
                now |= may(db, row)
    for what, name in sorted(last.keys() | now.keys(), key=str):
        may_now, said = now.get((what, name), NOBODY), last.get((what, name), NOBODY)
        if may_now != said:
            does = {"login": "is signed in by", "token for": "is"}.get(what, "may")
            yield Break(
                None, what, None, f"{what} {name}", f"{does} {_listed(may_now)} now; the log leads to {_listed(said)}"
            )


def _row(db: DatabaseSession, table: Any, key: Any, name: str) -> Any:
    return db.exec(rows_of(table).where(key == name)).one()


def _by_the_log(db: DatabaseSession) -> dict[tuple[str, str], frozenset[str]]:
    """What the last change of each says: duties of people, verbs of tokens, the login of a person, a token's agent."""
    last = {("person", person.name): person.duties for person in Rights.of(db).changes}
    further = rows_of(RightsChange).where(col(RightsChange.what).in_(("login", "token")))
    for row in db.exec(further.order_by(col(RightsChange.id))):
        last[row.what, row.name] = frozenset(row.after)
        if row.what == "token" and row.after:
            last["token for", row.name] = frozenset({row.text})
    return last


def _may_now(_db: DatabaseSession, row: Person) -> dict[tuple[str, str], frozenset[str]]:
    login = {one for one in (row.issuer, row.subject) if one is not None}
    found = {("person", row.name): frozenset(row.duties)}
    return {**found, ("login", row.name): frozenset(login)} if login else found


def _token_may(db: DatabaseSession, row: AgentToken) -> dict[tuple[str, str], frozenset[str]]:
    agent = db.get(Agent, row.agent_id)
    until = said_for(agent.name if agent else "nobody", row.expires_at, row.sha256)
    verbs = frozenset(row.verbs) if row.revoked_at is None else NOBODY
    return {("token", row.name): verbs, ("token for", row.name): frozenset({until})}


def _listed(duties: frozenset[str]) -> str:
    return ", ".join(sorted(map(str, duties))) or "nothing"
