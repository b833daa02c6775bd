"""What an agent with a token is let do, and what it is refused: every way in of an agent goes through here.

The same calls as on the command line, behind two questions: is this token valid for the verb, and is it this agent's?
What belongs to another agent is as unknown as what does not exist. Whatever is refused stands in the log under the
token's name, never under the token.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.briefing.asked import Asked
from core.briefing.read import Issued, issue
from core.effects.outcomes import Reported, report_outcome
from core.errors import NotFound, Refused
from core.governance.refusals import refusals_kept
from core.governance.tokens import AgentIdentity, identify, note_use, shown
from core.screening.secrets import mask
from core.service.recall import Question, Recalled, recall
from core.store.clock import now
from core.store.database import Database
from core.store.records import AgentSession, Receipt
from core.vocabulary import Outcome, Verb


def token_facts(database: Database, token: str) -> AgentIdentity:
    """Whom a token stands for, and what it may ask for. Raises ``Refused`` for none, and for one that is not valid."""
    with _let_in(database, token, None, "ask what a token may") as identity:
        return identity


def brief_agent(database: Database, token: str, asked: Asked) -> Issued:
    """What the token's agent reads at its start, with a receipt."""
    with _let_in(database, token, Verb.BRIEFING, "ask for a briefing") as identity:
        if asked.agent != identity.agent:
            text = f"This token is for the agent “{identity.agent}” and for no other; nothing was handed out."
            raise Refused("other_agent", text)
        return issue(database, asked)


def outcome_of_agent(
    database: Database, token: str, receipt: str, outcome: Outcome, *, source: str = "agent", session: str | None = None
) -> Reported:
    """How a session of the token's agent went. Raises ``NotFound`` also for receipts and sessions of another agent."""
    with _let_in(database, token, Verb.OUTCOMES, "report an outcome") as identity:
        with database.reading() as db:
            _is_its_own(db, identity, receipt, session)
        return report_outcome(database, receipt, outcome, source=mask(source).text, session_ref=session)


def recall_for_agent(database: Database, token: str, asked: Question) -> Recalled:
    """What is remembered of one user of the token's agent that answers a question, as far as it is approved."""
    with _let_in(database, token, Verb.RECALL, "ask what is remembered") as identity:
        if asked.agent != identity.agent:
            text = f"This token is for the agent “{identity.agent}” and for no other; nothing was handed out."
            raise Refused("other_agent", text)
        return recall(database, asked.agent, asked.user, asked.question)


def refuse_decision(database: Database, token: str) -> None:
    """Decisions are people's. Always raises ``Refused`` (``agent_token``), whatever is shown and sent."""
    with database.reading() as db:
        name = shown(db, token)
    with refusals_kept(database, None, "decide at the agents' door", name, now()):
        text = "Decisions are made by people at the desk; nothing that is shown at this door can make one."
        raise Refused("agent_token", text)


@contextmanager
def _let_in(database: Database, token: str, verb: Verb | None, what: str) -> Iterator[AgentIdentity]:
    with database.reading() as db:
        name = shown(db, token)
    with refusals_kept(database, None, what, name, now()):
        if not token:
            raise Refused("no_token", "A token is needed, as “Authorization: Bearer …”; a developer makes one.")
        identity = identify(database, token, verb)
        note_use(database, identity)
        yield identity


def _is_its_own(db: DatabaseSession, identity: AgentIdentity, receipt: str, session: str | None) -> None:
    row = db.get(Receipt, receipt)
    if row is None or row.agent_id != identity.agent_id:
        raise NotFound("receipt", receipt)
    if session is None:
        return
    theirs = select(AgentSession.id).where(AgentSession.ref == session, AgentSession.agent_id == identity.agent_id)
    if db.exec(theirs).first() is None:
        raise NotFound("agent session", session)
