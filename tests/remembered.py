"""Episodes and beliefs to test with, written through the product's own doors."""

from datetime import datetime, timedelta
from decimal import Decimal

from sqlmodel import select

from core.governance.drafts import BeliefContent, Draft
from core.governance.proposals import Proposed, propose
from core.governance.sources import depth_above, quotes_behind
from core.store.database import Database
from core.store.memory_records import Episode
from core.vocabulary import Action, EpisodeSource, Severity, Source, Status
from tests.desk import START, act, agent, item, session

QUOTE = {
    "quote": "the refund has been arranged",
    "speaker": "assistant",
    "grounding": {"verdict": "exact", "spans": [{"turn": 1, "start": 5, "end": 33}]},
}
USERS_QUOTE = {
    "quote": "Can I get my money back?",
    "speaker": "user",
    "grounding": {"verdict": "exact", "spans": [{"turn": 0, "start": 0, "end": 24}]},
}


def episode(
    database: Database,
    text: str = "A refund was promised before the ledger was read.",
    *,
    ref: str = "CD-1",
    user: str | None = "student 1",
    importance: str | None = "0.80",
    days: int = 0,
    at: datetime | None = None,
    agent_name: str = "Campus Desk",
    **fields: object,
) -> int:
    """An episode with the agent's words as its proof; its session is made where there is none."""
    with database.reading() as db:
        from core.store.records import AgentSession

        known = db.exec(select(AgentSession.id).where(AgentSession.ref == ref)).first()
    own = known or session(database, ref, user=user)
    owner = agent(database, agent_name)
    with database.writing() as db:
        row = Episode(
            **{
                "agent_id": owner,
                "user": user,
                "source": EpisodeSource.CRITIC,
                "session_id": own,
                "text": text,
                "importance": None if importance is None else Decimal(importance),
                "quotes": [QUOTE],
                "true_from": START + timedelta(days=days),
                "at": at or START + timedelta(days=days),
                **fields,
            }
        )
        db.add(row)
        db.flush()
        return row.id or 0


def belief(
    database: Database,
    text: str = "Whoever serves this user reads the ledger first.",
    *cites: int,
    user: str | None = "student 1",
    at: datetime = START,
    agent_name: str = "Campus Desk",
) -> Proposed:
    """A proposed belief that cites these episodes."""
    owner = agent(database, agent_name)
    with database.writing() as db:
        draft = Draft(
            content=BeliefContent(text=text, cites=cites, depth=depth_above(db, cites), question="What is so?"),
            severity=Severity.MEDIUM,
            agent_id=owner,
            task_class="",
            user=user,
            origin="critic beliefs, run 1",
            proposer="critic",
            source=Source.CRITIC,
            quotes=tuple(quotes_behind(db, cites)),
        )
        return propose(db, draft, at=at, rule="critic")


def active(
    database: Database, text: str = "Whoever serves this user reads the ledger first.", *cites: int, **more
) -> int:
    """A belief that a person has approved; its item id."""
    made = belief(database, text, *cites, **more)
    act(database, made.item_id, Action.APPROVE)
    return made.item_id


def place(database: Database, item_id: int) -> int:
    """Where a belief stands among the episodes."""
    with database.reading() as db:
        return db.exec(select(Episode.id).where(Episode.belief_id == item_id)).one() or 0


def status(database: Database, item_id: int) -> Status:
    """Where an item stands."""
    return Status(item(database, item_id).status)


def withdrawn(database: Database, episode_id: int) -> str | None:
    """Why an episode was withdrawn; None where it stands."""
    with database.reading() as db:
        return db.get_one(Episode, episode_id).withdrawn
