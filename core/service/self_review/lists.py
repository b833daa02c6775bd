"""The list of self-reviews, and one of them with all that came along and all its drafts, as people see them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func
from sqlmodel import col, select

from core.service.self_review.material import results_in
from core.service.self_review.views import PersonAnswer, Problem, answer_of, looked_at_by, problems_of, review_row
from core.service.views import Page, page_within
from core.store.database import Database
from core.store.records import Agent
from core.store.self_review_records import SelfReview, SelfReviewRound
from core.vocabulary import ReviewState

STATES = {
    "waiting": (ReviewState.ESCALATED,),
    "answered": (ReviewState.ANSWERED,),
    "all": tuple(ReviewState),
}
"""What the list may be narrowed to."""


@dataclass(frozen=True)
class ResultShown:
    """A tool result, and with which draft it came: 0 is the first."""

    call: str
    content: str
    failed: bool
    number: int


@dataclass(frozen=True)
class DraftShown:
    """One draft with what was found in it. ``call_id`` is the request to the model, where one was sent."""

    number: int
    draft: str
    at: datetime
    ok: bool
    problems: tuple[Problem, ...]
    fix: str
    reviewed_by: tuple[str, ...]
    unreviewed: str | None
    call_id: int | None


@dataclass(frozen=True)
class ReviewRow:
    """One line of the list of self-reviews."""

    id: str
    state: ReviewState
    agent: str
    user: str | None
    task_class: str | None
    task: str
    at: datetime
    escalated_at: datetime | None
    drafts: int
    answer: PersonAnswer | None


@dataclass(frozen=True)
class ReviewView:
    """One self-review with all that came along and all its drafts, the first first."""

    row: ReviewRow
    said: tuple[str, ...]
    results: tuple[ResultShown, ...]
    drafts: tuple[DraftShown, ...]


def review_list(
    database: Database, *, state: str = "waiting", agent: str | None = None, page: int = 1, size: int = 50
) -> Page[ReviewRow]:
    """One page of self-reviews: what waits first, longest waiting at the top; then the newest."""
    where: list[Any] = [col(SelfReview.state).in_(STATES.get(state, STATES["waiting"]))]
    where += [col(Agent.name) == agent] if agent else []
    drafts = select(func.count()).where(col(SelfReviewRound.review_id) == SelfReview.id).scalar_subquery()
    waits = case((col(SelfReview.state) == ReviewState.ESCALATED, 0), else_=1)
    waiting_since = case((col(SelfReview.state) == ReviewState.ESCALATED, col(SelfReview.escalated_at)), else_=None)
    order = (waits, waiting_since, col(SelfReview.at).desc(), col(SelfReview.id))
    with database.reading() as db:
        counted = select(func.count()).select_from(SelfReview).join(Agent).where(*where)
        total = int(db.exec(counted).one())
        number = page_within(page, total, size)
        query = select(SelfReview, Agent.name, drafts).join(Agent).where(*where).order_by(*order)
        rows = db.exec(query.limit(size).offset((number - 1) * size)).all()
        return Page(tuple(_shown(row, name, count) for row, name, count in rows), total, number, size)


def waiting_escalations(database: Database) -> int:
    """How many escalations wait for an answer."""
    with database.reading() as db:
        return int(db.exec(select(func.count()).where(col(SelfReview.state) == ReviewState.ESCALATED)).one())


def review_view(database: Database, review_id: str) -> ReviewView:
    """One self-review with everything. Raises ``NotFound``."""
    with database.reading() as db:
        row = review_row(db, review_id)
        name = db.get_one(Agent, row.agent_id).name
        of_review = select(SelfReviewRound).where(SelfReviewRound.review_id == review_id)
        rounds = db.exec(of_review.order_by(col(SelfReviewRound.number))).all()
    return ReviewView(
        row=_shown(row, name, len(rounds)),
        said=tuple(row.material["said"]),
        results=tuple(
            ResultShown(one.call, one.content, one.failed, number) for one, number in results_in(row.material)
        ),
        drafts=tuple(
            DraftShown(
                number=one.number,
                draft=one.draft,
                at=one.at,
                ok=one.ok,
                problems=problems_of(one),
                fix=one.fix,
                reviewed_by=looked_at_by(one),
                unreviewed=one.unreviewed,
                call_id=one.call_id,
            )
            for one in rounds
        ),
    )


def _shown(row: SelfReview, agent: str, drafts: int) -> ReviewRow:
    return ReviewRow(
        id=row.id,
        state=ReviewState(row.state),
        agent=agent,
        user=row.user,
        task_class=row.task_class,
        task=row.task,
        at=row.at,
        escalated_at=row.escalated_at,
        drafts=drafts,
        answer=answer_of(row),
    )
