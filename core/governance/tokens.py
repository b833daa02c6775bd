"""What agents show at their door: bearer tokens, stored as hashes, scoped to one agent and some verbs.

A token is no person. Whatever it is scoped to, nothing can be decided with it: it has no duty, and deciding is no verb.
"""

import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, NotFound, Refused
from core.governance.log import log, sha256_of
from core.governance.people import SECRET, TOKEN, duties_of, lost_duties, unseen_in
from core.governance.refusals import refusals_kept
from core.store.clock import day_in_words, now, time_in_words
from core.store.database import Database
from core.store.governance_records import AgentToken, RightsChange
from core.store.records import Agent
from core.vocabulary import Duty, Verb

NOBODY, UNKNOWN = f"{TOKEN}no token", f"{TOKEN}unknown token"
"""Who stands in the log where no token was shown, or none that is known."""

A_TOKEN = re.compile(rf"{SECRET}[A-Za-z0-9_-]*")
"""A token, also one that is given with other words around it."""


@dataclass(frozen=True)
class AgentIdentity:
    """The agent that a token stands for, and what may be asked for with it. ``name`` stands in logs."""

    name: str
    agent_id: int
    agent: str
    verbs: frozenset[Verb]
    expires_at: datetime | None = None


@dataclass(frozen=True)
class TokenView:
    """A token as a list shows it. ``state`` is ``valid``, ``expired`` or ``revoked``."""

    id: int
    name: str
    agent: str
    verbs: tuple[Verb, ...]
    hint: str
    by: str
    at: datetime
    expires_at: datetime | None
    used_at: datetime | None
    state: str


def expiry(last: date) -> datetime:
    """When a token expires of which this is the last day, in UTC."""
    return datetime.combine(last, time(23, 59, 59), UTC)


def make_token(
    database: Database,
    *,
    name: str,
    agent: str,
    verbs: Collection[Verb],
    by: str,
    expires_at: datetime | None = None,
    at: datetime | None = None,
) -> str:
    """A new token, told this once: only its hash is stored.

    Raises ``Refused`` for an author without the duty developer, ``NotFound`` for an unknown agent, ``BadInput`` for a
    name that is taken or empty, for no verb at all, and for a time of expiry that has passed.
    """
    moment, name = at or now(), name.strip()
    with _rights(database, "make a token", by, moment) as (db, author):
        _may(db, author, "make tokens")
        row = db.exec(select(Agent).where(Agent.name == agent)).first()
        if row is None:
            raise NotFound("agent", agent)
        _can_be_made(db, name, verbs, expires_at, moment)
        token = SECRET + secrets.token_hex(24)
        scope = sorted(Verb(verb).value for verb in set(verbs))
        made = AgentToken(
            name=name,
            agent_id=row.id or 0,
            verbs=scope,
            sha256=sha256_of(token),
            hint=token[-4:],
            by=author,
            at=moment,
            expires_at=expires_at,
        )
        db.add(made)
        said = said_for(agent, expires_at, made.sha256)
        log(db, RightsChange(at=moment, by=author, what="token", name=name, before=[], after=scope, text=said))
        return token


def said_for(agent: str, expires_at: datetime | None, sha256: str) -> str:
    """What the log says of a new token: for which agent it is, until when, and how its hash begins."""
    until = f", until {time_in_words(expires_at)}" if expires_at else ""
    return f"for {agent}{until}; its hash begins with {sha256[:12]}"


def _can_be_made(
    db: DatabaseSession, name: str, verbs: Collection[Verb], expires_at: datetime | None, at: datetime
) -> None:
    if not name or len(name) > 80 or not name.isprintable():
        raise BadInput("A token needs a name of 1 to 80 readable characters. No token was made.")
    hidden = unseen_in(name)
    if hidden:
        raise BadInput(f"A token cannot be named so: {hidden} No token was made.")
    if SECRET in name or f"{TOKEN}{name}" in (NOBODY, UNKNOWN):
        raise BadInput("A token cannot be named so: it would stand for something else in the log. No token was made.")
    if db.exec(select(AgentToken).where(AgentToken.name == name)).first() is not None:
        raise BadInput(f"There is a token “{name}” already; names are used once. No token was made.")
    if not verbs:
        raise BadInput(f"A token needs at least one of {', '.join(Verb)}. No token was made.")
    if expires_at is not None and expires_at <= at:
        raise BadInput(f"The token would have expired on {day_in_words(expires_at)} already. No token was made.")


def revoke_token(database: Database, name: str, *, by: str, at: datetime | None = None) -> None:
    """Let a token be refused from now on. Raises ``NotFound``, and ``Refused`` without the duty or for one revoked."""
    moment = at or now()
    with _rights(database, "revoke a token", by, moment) as (db, author):
        _may(db, author, "revoke tokens")
        row = db.exec(select(AgentToken).where(AgentToken.name == name)).first()
        if row is None:
            raise NotFound("token", name)
        if row.revoked_at is not None:
            raise Refused(
                "already_revoked", f"The token “{name}” was revoked on {day_in_words(row.revoked_at)} already."
            )
        row.revoked_at = moment
        db.add(row)
        log(db, RightsChange(at=moment, by=author, what="token", name=name, before=list(row.verbs), after=[]))


def identify(database: Database, token: str, verb: Verb | None = None, *, at: datetime | None = None) -> AgentIdentity:
    """The agent that a token stands for. Raises ``Refused`` for an unknown, expired or revoked one, or another verb."""
    moment = at or now()
    with database.reading() as db:
        row = db.exec(select(AgentToken).where(AgentToken.sha256 == sha256_of(token))).first()
        if row is None:
            raise Refused("unknown_token", "No such token is known here. One is made on the page Settings and people.")
        if row.revoked_at is not None:
            raise Refused("revoked_token", f"The token “{row.name}” was revoked on {day_in_words(row.revoked_at)}.")
        if row.expires_at is not None and row.expires_at <= moment:
            raise Refused("expired_token", f"The token “{row.name}” expired on {time_in_words(row.expires_at)}.")
        if verb is not None and verb not in row.verbs:
            may = ", ".join(row.verbs)
            raise Refused("out_of_scope", f"The token “{row.name}” may ask for {may}, and not for {verb}.")
        agent = db.get_one(Agent, row.agent_id)
        verbs = frozenset(Verb(each) for each in row.verbs if each in set(Verb))
        return AgentIdentity(f"{TOKEN}{row.name}", row.agent_id, agent.name, verbs, row.expires_at)


def note_use(database: Database, identity: AgentIdentity, *, at: datetime | None = None) -> None:
    """Remember that a token was used, to the minute: a use within a minute of the last one writes nothing."""
    moment = at or now()
    named = select(AgentToken).where(AgentToken.name == identity.name.removeprefix(TOKEN))
    with database.reading() as db:
        used = db.exec(named).one().used_at
    if used is not None and moment - used < timedelta(minutes=1):
        return
    with database.writing() as db:
        row = db.exec(named).one()
        row.used_at = moment
        db.add(row)


def tokens(database: Database, *, at: datetime | None = None) -> tuple[TokenView, ...]:
    """Every token that was ever made, newest first."""
    moment = at or now()
    with database.reading() as db:
        query = select(AgentToken, Agent.name).join(Agent).order_by(col(AgentToken.id).desc())
        return tuple(_view(row, agent, moment) for row, agent in db.exec(query).all())


def said_to_be(db: DatabaseSession, name: str) -> str:
    """The name under which somebody stands in the log: a token that is given for a name never stands there itself."""
    found = A_TOKEN.search(name)
    return shown(db, found[0]) if found else name


def shown(db: DatabaseSession, token: str) -> str:
    """The name under which whoever shows this at the agents' door stands in the log, whatever it is."""
    if not token:
        return NOBODY
    row = db.exec(select(AgentToken).where(AgentToken.sha256 == sha256_of(token))).first()
    return f"{TOKEN}{row.name}" if row else UNKNOWN


@contextmanager
def _rights(database: Database, what: str, by: str, at: datetime) -> Iterator[tuple[DatabaseSession, str]]:
    """The transaction of a change of rights, and who asks for it as they stand in the log; a refusal is kept there."""
    with database.reading() as db:
        author = said_to_be(db, by)
    with refusals_kept(database, None, what, author, at), database.writing() as db:
        yield db, author


def _may(db: DatabaseSession, by: str, what: str) -> None:
    if Duty.DEVELOPER not in duties_of(db, by).duties:
        lost = lost_duties(db, by, (Duty.DEVELOPER,))
        who = said_to_be(db, by)
        possible = f"Somebody who has it can, on the page Settings and people; an admin can give it to {who}."
        raise Refused("role", f"Only a person with the duty developer may {what}, not {who}{lost}. {possible}")


def _view(row: AgentToken, agent: str, at: datetime) -> TokenView:
    expired = row.expires_at is not None and row.expires_at <= at
    state = "revoked" if row.revoked_at is not None else "expired" if expired else "valid"
    verbs = tuple(Verb(verb) for verb in row.verbs if verb in set(Verb))
    return TokenView(row.id or 0, row.name, agent, verbs, row.hint, row.by, row.at, row.expires_at, row.used_at, state)
