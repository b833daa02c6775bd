"""Self-review inside a task: an agent has its draft looked at before it answers.

Source: Using Feedback and Reflection in Agent Workflows, "Within a Task". Code checks first, then the model against a
checklist, in a request of its own. After the last revision that may be reviewed, a person is asked. Only a draft in
which nobody who was to look found anything is ``ok``; whoever could not look has not said so. Where the agent was given
words that speak to the reviewer, a person looks as well.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Protocol

from core.briefing.read import agent_named
from core.checks.before_sending import findings_on_draft
from core.checks.contract import Case, Fact, Finding, Policy
from core.critic.answer import Request, RunStatus
from core.critic.material import Draft, KnownFact, MaterialPolicy
from core.critic.material import ToolResult as MaterialResult
from core.critic.second_requests import OnceMore, once_more, review_of
from core.critic.self_review_reply import parse_self_review
from core.errors import ModelError, ModelNotConfigured, NotFound, Refused, TutelageError
from core.governance.numbers import numbers_in_force
from core.governance.policies import policies_of_agent
from core.governance.revisions import ModelReview, became
from core.screening.secrets import mask
from core.service.critic.answers import UNREADABLE
from core.service.critic.calls import AskedNow
from core.service.critic.material import as_material
from core.service.self_review.addressed import CHECK, IMPROVEMENT, words_to_reviewer
from core.service.self_review.asked import Asked
from core.service.self_review.material import results_in
from core.service.self_review.rounds import UNDER_WAY, Claim, Settled, claim, release, settle, times_asked
from core.service.self_review.views import BY_CHECKS, BY_MODEL, CHECKS_SUFFICE, NOT_CONFIGURED, Reviewed, reviewed
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent
from core.store.self_review_records import SelfReview
from core.store.sessions import facts_about
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role, Writer

UNFORESEEN = "unforeseen"
"""Before the reason where the model's door broke in a way that nobody foresaw."""

PATIENCE = 300.0
"""Seconds for which a second call waits for the first that reviews the same draft."""


class Asks(Protocol):
    """Asks the model now, as ``ask_now`` does. Raises ``ModelNotConfigured`` where there is none."""

    def __call__(
        self, database: Database, *, agent_id: int, writer: Writer, request: Request, about: str
    ) -> AskedNow: ...


@dataclass(frozen=True)
class _Said:
    """What the model said of a draft, or why it said nothing."""

    review: ModelReview
    problems: tuple[str, ...] = ()
    fix: str = ""
    call_id: int | None = None
    unreviewed: str | None = None


def review(
    database: Database,
    asked: Asked,
    *,
    ask: Asks,
    settings: Settings | None = None,
    at: datetime | None = None,
    patience: float = PATIENCE,
) -> Reviewed:
    """Have a draft reviewed; the same draft sent again has the answer that it had.

    ``patience`` is for how many seconds a call waits for another that reviews the same draft. Raises ``NotFound`` for
    an unknown agent or self-review, and ``Refused`` where no further draft can be reviewed. Nothing stays then.
    """
    asked = asked.masked()
    with database.reading() as db:
        agent = agent_named(db, asked.agent)
        numbers = settings or numbers_in_force(db)
    mine = claim(database, agent.id or 0, asked, at or now(), numbers)
    while not isinstance(mine, Claim):
        if _settled(database, mine, patience):
            return reviewed(database, mine.review_id, mine.number, settings=numbers, already=True)
        mine = claim(database, agent.id or 0, asked, at or now(), numbers)
    try:
        _look(database, agent, mine, asked.draft, ask, numbers, at)
    except BaseException:
        with suppress(TutelageError):
            release(database, mine)
        raise
    return reviewed(database, mine.review_id, mine.number, settings=numbers)


def _settled(database: Database, other: Settled, patience: float) -> bool:
    """Wait for the call that is at this draft; False where it gave up, so that this one can take its place.

    Raises ``Refused`` when it takes too long.
    """
    end = time.monotonic() + patience
    with suppress(NotFound):
        while reviewed(database, other.review_id, other.number).model_review is None:
            if time.monotonic() >= end:
                text = f"This draft of {other.review_id} is still being reviewed; sent in again, it has its answer."
                raise Refused(UNDER_WAY, text)
            time.sleep(0.05)
        return True
    return False


def _look(
    database: Database, agent: Agent, mine: Claim, draft: str, ask: Asks, settings: Settings, at: datetime | None
) -> None:
    """Checks, then the model, then what came of both."""
    with database.reading() as db:
        row = db.get_one(SelfReview, mine.review_id)
        facts = tuple(Fact(fact.text, fact.source) for fact in facts_about(db, row.agent_id, row.user))
        policies = policies_of_agent(db, row.agent_id)
    case = _case(agent, row, policies, facts, draft)
    found = findings_on_draft(case)
    in_draft, given = words_to_reviewer(case)
    problems = [_problem(case, finding) for finding in found]
    problems += [_addressed(text) for text in in_draft.values()]
    said = _asked(database, agent, mine, _request(case, row), found, ask, settings)
    problems += [{"text": mask(text).text, "found_by": BY_MODEL} for text in said.problems]
    counted = times_asked(database, mine.about) if said.review is ModelReview.FAILED else 1
    result = became(
        mine.number,
        problems=len(problems),
        model=said.review,
        asked=counted,
        addressed=bool(given),
        settings=settings,
    )
    advised = [*(finding.improvement for finding in found), *([IMPROVEMENT] if in_draft else [])]
    fixes = dict.fromkeys([*advised, mask(said.fix).text])
    settle(
        database,
        mine,
        result,
        at or now(),
        problems=[*problems, *(_addressed(text) for text in given.values())],
        fix="" if result.ok else " ".join(filter(None, fixes)),
        call_id=said.call_id,
        unreviewed=said.unreviewed,
    )


def _case(agent: Agent, row: SelfReview, policies: tuple[Policy, ...], facts: tuple[Fact, ...], draft: str) -> Case:
    """What the agent was given, as a transcript whose last turn is the draft."""
    messages = [Message(role=Role.USER, content=words) for words in _wishes(row)]
    for result, _ in results_in(row.material):
        messages += result.messages
    messages.append(Message(role=Role.ASSISTANT, content=draft))
    return Case(
        transcript=Transcript(messages=tuple(messages)),
        base_prompt=agent.base_prompt,
        policies=policies,
        facts=facts,
    )


def _wishes(row: SelfReview) -> list[str]:
    """The task, and what the user said, which may be the same words."""
    said: list[str] = row.material["said"]
    return said if row.task in said else [row.task, *said]


def _request(case: Case, row: SelfReview) -> Request:
    """What the model is asked. What the checks found is left out, so that it judges for itself."""
    rules = [as_material(policy) for policy in case.policies]
    if case.base_prompt.strip():
        told = "What the agent was told to be and to do"
        rules.insert(0, MaterialPolicy(id="base-prompt", title=told, version=1, text=case.base_prompt))
    results = (
        MaterialResult(name=one.call, text=one.content, failed=one.failed) for one, _ in results_in(row.material)
    )
    return review_of(
        Draft(
            text=case.transcript.messages[-1].content,
            task="\n\n".join(_wishes(row)),
            tool_results=tuple(results),
            policies=tuple(rules),
            facts=tuple(KnownFact(text=fact.text, source=fact.source) for fact in case.facts),
        )
    )


def _problem(case: Case, finding: Finding) -> dict[str, str]:
    """A finding with the words of the draft that it is about."""
    span = finding.spans[0]
    words = case.transcript.messages[span.turn].content[span.start : span.end]
    return {"text": finding.observation, "found_by": BY_CHECKS, "check": finding.check, "words": words}


def _addressed(text: str) -> dict[str, str]:
    return {"text": mask(text).text, "found_by": BY_CHECKS, "check": CHECK}


def _asked(
    database: Database,
    agent: Agent,
    mine: Claim,
    request: Request,
    found: Sequence[Finding],
    ask: Asks,
    settings: Settings,
) -> _Said:
    """What the model says. However that ends, nothing that the checks found is lost."""
    if found and settings.self_review_checks_suffice:
        why = f"{CHECKS_SUFFICE}: The settings leave the model alone where the checks have found something."
        return _Said(ModelReview.NOT_ASKED, unreviewed=why)
    door = partial(ask, database, agent_id=agent.id or 0, writer=Writer.SELF_REVIEW, about=mine.about)
    try:
        answer = door(request=request)
        said = _read(answer)
        if said.review is ModelReview.FAILED and answer.status in (RunStatus.OK, UNREADABLE):
            said = _read(door(request=once_more(request, answer.reply, OnceMore.UNREADABLE)))
        return said
    except ModelNotConfigured as error:
        return _Said(ModelReview.NOT_ASKED, unreviewed=f"{NOT_CONFIGURED}: {error}")
    except (ModelError, Refused) as error:
        return _Said(ModelReview.FAILED, unreviewed=f"{error.code}: {error}")
    except Exception as error:  # the boundary of one question: whatever breaks there is kept as its reason
        why = mask(f"{type(error).__name__}: {error}").text
        return _Said(ModelReview.FAILED, unreviewed=f"{UNFORESEEN}: The model could not be asked: {why}")


def _read(answer: AskedNow) -> _Said:
    """What a reply says; where there is none, or none that can be read, why."""
    if answer.status != RunStatus.OK:
        known = RunStatus(answer.status).in_words if answer.status in list(RunStatus) else answer.detail
        more = f" ({answer.detail})" if answer.detail not in ("", known) else ""
        return _Said(ModelReview.FAILED, call_id=answer.call_id, unreviewed=f"{answer.status}: {known}{more}")
    reply = parse_self_review(answer.reply)
    if reply.error is not None:
        why = f"{UNREADABLE}: The reply holds no review: {reply.error}."
        return _Said(ModelReview.FAILED, call_id=answer.call_id, unreviewed=why)
    return _Said(ModelReview.ANSWERED, reply.problems, reply.fix, answer.call_id)
