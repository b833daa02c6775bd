"""The records of agents and what is known of their users: made by an import, edited by a person."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import union, update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.read import agent_named
from core.errors import BadInput, NotFound, Refused
from core.governance.numbers import numbers_in_force
from core.governance.people import local_operator
from core.governance.policy_suspension import given_to_agent
from core.screening.named import name_kept
from core.screening.secrets import mask
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import Agent, AgentSession, Feedback, TaskClass, UserFact
from core.transcripts import AgentDraft, FactDraft

IMPORT = "import"
"""Who stands in the log where a file gave an agent its first policies."""


@dataclass(frozen=True)
class AgentRecord:
    """An agent as pages and the command line show and save it. ``task_classes`` maps a name to whether it recurs."""

    name: str
    base_prompt: str
    policies: tuple[str, ...]
    task_classes: dict[str, bool]
    evaluator_threshold: Decimal | None
    owner: str


@dataclass(frozen=True)
class KnownFact:
    """One fact about a user, with its source."""

    id: int
    user: str
    text: str
    source: str


def agent_names(database: Database) -> tuple[str, ...]:
    """Every agent, by name."""
    with database.reading() as db:
        return tuple(db.exec(select(Agent.name).order_by(Agent.name)).all())


def agent_record(database: Database, name: str) -> AgentRecord:
    """The record of an agent. Raises ``NotFound``."""
    with database.reading() as db:
        agent = agent_named(db, name)
        classes = db.exec(select(TaskClass).where(TaskClass.agent_id == agent.id).order_by(TaskClass.name)).all()
        return AgentRecord(
            name=agent.name,
            base_prompt=agent.base_prompt,
            policies=tuple(agent.policies),
            task_classes={one.name: one.recurs for one in classes},
            evaluator_threshold=agent.evaluator_threshold,
            owner=agent.owner,
        )


def add_agent(database: Database, name: str, *, owner: str = "") -> None:
    """Create an agent with an empty record. Raises ``Refused`` when there is one of this name."""
    if name.strip() in agent_names(database):
        raise Refused("exists", f"There is an agent {name.strip()} already; its record was left as it is.")
    save_agent(database, AgentRecord(name, "", (), {}, None, owner))


def save_agent(database: Database, record: AgentRecord, *, by: str | None = None) -> tuple[str, ...]:
    """Create or change an agent. Task classes that have sessions stay, whatever the record says.

    Scores of its sessions are read anew by the threshold. What the agent reads and was not screened against a policy
    that it has from now on is suspended; returns its references. ``by`` is who says so, without it whoever runs the
    desk. Raises ``BadInput`` for an agent without a name.
    """
    if not record.name.strip():
        raise BadInput("An agent needs a name; nothing was stored.")
    with database.writing() as db:
        agent = agent_for(db, record.name.strip(), AgentDraft())
        new = set(record.policies) - set(agent.policies)
        agent.base_prompt, agent.policies = mask(record.base_prompt).text, list(record.policies)
        agent.evaluator_threshold, agent.owner = record.evaluator_threshold, record.owner
        agent.updated_at = now()
        db.add(agent)
        for name, recurs in record.task_classes.items():
            know_task_class(db, agent, name).recurs = recurs
        db.flush()
        of_agent = select(AgentSession.id).where(AgentSession.agent_id == agent.id)
        scored = (col(Feedback.session_id).in_(of_agent), col(Feedback.score).is_not(None))
        passed = col(Feedback.score) >= threshold_of(agent, numbers_in_force(db))
        db.connection().execute(update(Feedback).where(*scored).values(good=passed))
        return given_to_agent(db, agent.id or 0, new, by=by or local_operator(), at=agent.updated_at)


def user_facts(database: Database, agent: str, user: str | None = None) -> tuple[KnownFact, ...]:
    """What is known of an agent's users, or of one of them."""
    with database.reading() as db:
        agent_id = agent_named(db, agent).id
        query = select(UserFact).where(UserFact.agent_id == agent_id).order_by(UserFact.user, col(UserFact.id))
        rows = db.exec(query.where(UserFact.user == name_kept(user)) if user is not None else query).all()
        return tuple(KnownFact(row.id or 0, row.user, row.text, row.source) for row in rows)


def add_fact(database: Database, agent: str, user: str, text: str, source: str) -> None:
    """Note a fact about a user. A fact without a source is refused."""
    if not (user.strip() and text.strip() and source.strip()):
        raise BadInput("A fact needs a user, its words and a source; nothing was stored.")
    with database.writing() as db:
        know_facts(db, agent_named(db, agent), name_kept(user.strip()), [FactDraft(text.strip(), source.strip())])


def remove_fact(database: Database, fact_id: int) -> None:
    """Take a fact back. Raises ``NotFound``."""
    with database.writing() as db:
        row = db.get(UserFact, fact_id)
        if row is None:
            raise NotFound("fact", fact_id)
        db.delete(row)


def agent_for(db: DatabaseSession, name: str, draft: AgentDraft) -> Agent:
    """The agent of this name, made when it is new. What a file says fills gaps and never overwrites.

    A gap that is filled is a change of the record, like one by a person: of before, nothing is known any more.
    """
    at = now()
    agent = db.exec(select(Agent).where(Agent.name == name)).first()
    if agent is None:
        agent = Agent(name=name, policies=[], updated_at=at)
    given = draft.policies if not agent.policies else ()
    if given or (draft.base_prompt and not agent.base_prompt):
        agent.base_prompt = agent.base_prompt or draft.base_prompt
        agent.policies, agent.updated_at = list(given) or agent.policies, at
    db.add(agent)
    db.flush()
    given_to_agent(db, agent.id or 0, given, by=IMPORT, at=at)
    return agent


def know_task_class(db: DatabaseSession, agent: Agent, name: str) -> TaskClass:
    """The task class of this name, made when it is new; it recurs until a person says otherwise."""
    row = db.exec(select(TaskClass).where(TaskClass.agent_id == agent.id, TaskClass.name == name)).first()
    if row is None:
        row = TaskClass(agent_id=agent.id or 0, name=name)
        db.add(row)
        db.flush()
    return row


def recurs(db: DatabaseSession, session: AgentSession) -> bool:
    """Whether a session's task comes back; a lesson for one that never does helps nobody. Source: Reflexion buffer."""
    known = select(TaskClass).where(TaskClass.agent_id == session.agent_id, TaskClass.name == session.task_class)
    row = db.exec(known).first()
    return row is None or row.recurs


def threshold_of(agent: Agent, numbers: Settings) -> Decimal:
    """The score from which an evaluator's signal counts as good for this agent. Source: Reflexion buffer."""
    return numbers.evaluator_threshold if agent.evaluator_threshold is None else agent.evaluator_threshold


def know_facts(db: DatabaseSession, agent: Agent, user: str | None, facts: Iterable[FactDraft]) -> None:
    """Keep facts about a user that are not known yet; facts about nobody are not kept."""
    if user is None:
        return
    known = set(db.exec(select(UserFact.text).where(UserFact.agent_id == agent.id, UserFact.user == user)).all())
    for fact in facts:
        text = mask(fact.text).text
        if text not in known:
            db.add(UserFact(agent_id=agent.id or 0, user=user, text=text, source=mask(fact.source).text, at=now()))
            known.add(text)
    db.flush()


def users_of(database: Database, agent: str) -> tuple[str, ...]:
    """The users whom an agent has met, in a session or in an episode that was brought in."""
    with database.reading() as db:
        agent_id = agent_named(db, agent).id
        met = select(AgentSession.user).where(AgentSession.agent_id == agent_id)
        told_of = select(Episode.user).where(Episode.agent_id == agent_id)
        return tuple(sorted(user for user in db.execute(union(met, told_of)).scalars() if user))
