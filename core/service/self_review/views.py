"""What an agent is told of one draft, from what is stored about it."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.errors import NotFound
from core.governance.numbers import numbers_in_force
from core.governance.revisions import POSSIBLE, Event, ModelReview
from core.service.self_review.rounds import UNDER_WAY
from core.settings import Settings
from core.store.database import Database
from core.store.self_review_records import SelfReview, SelfReviewRound
from core.vocabulary import ReviewState

BY_CHECKS, BY_MODEL = "checks", "model"
NOT_CONFIGURED, CHECKS_SUFFICE = "not_configured", "checks_suffice"
"""Why the model was not asked; every other reason is one for which it was asked in vain."""


@dataclass(frozen=True)
class Problem:
    """What is wrong with a draft. ``found_by`` is ``checks`` or ``model``; ``words`` are those of the draft."""

    text: str
    found_by: str
    check: str = ""
    words: str = ""


@dataclass(frozen=True)
class PersonAnswer:
    """What a person said to an escalation."""

    text: str
    by: str
    at: datetime


@dataclass(frozen=True)
class Reviewed:
    """What an agent is told of one draft.

    ``round`` is 0 for the first draft, then the number of the revision. ``unreviewed`` says why the model had no part
    in it, None where it had. ``already`` says that this very draft had been sent in before.
    """

    review_id: str
    round: int
    ok: bool
    problems: tuple[Problem, ...]
    fix: str
    revisions_left: int
    state: ReviewState
    reviewed_by: tuple[str, ...]
    model_review: ModelReview | None
    """None while the draft is being reviewed."""
    unreviewed: str | None
    possible: str
    answer: PersonAnswer | None = None
    already: bool = False


def reviewed(
    database: Database, review_id: str, number: int, *, settings: Settings | None = None, already: bool = False
) -> Reviewed:
    """What an agent is told of one draft as it stands now. Raises ``NotFound``."""
    with database.reading() as db:
        row = review_row(db, review_id)
        of_number = SelfReviewRound.review_id == review_id, SelfReviewRound.number == number
        one = db.exec(select(SelfReviewRound).where(*of_number)).first()
        if one is None:
            raise NotFound("draft in this self-review with number", number)
        numbers = settings or numbers_in_force(db)
    state = ReviewState(row.state)
    left = max(0, numbers.self_review_revisions - number) if state is ReviewState.OPEN else 0
    return Reviewed(
        review_id=review_id,
        round=number,
        ok=one.ok,
        problems=problems_of(one),
        fix=one.fix,
        revisions_left=left,
        state=state,
        reviewed_by=looked_at_by(one),
        model_review=model_review(one.unreviewed),
        unreviewed=one.unreviewed,
        possible=_possible(state, one),
        answer=answer_of(row),
        already=already,
    )


def model_review(unreviewed: str | None) -> ModelReview | None:
    """What the model had to do with a draft, from the reason for which it had no part in it; None under way."""
    if unreviewed is None:
        return ModelReview.ANSWERED
    code = unreviewed.partition(":")[0]
    if code == UNDER_WAY:
        return None
    return ModelReview.NOT_ASKED if code in (NOT_CONFIGURED, CHECKS_SUFFICE) else ModelReview.FAILED


def _possible(state: ReviewState, one: SelfReviewRound) -> str:
    """What the agent can do now that has sent in this draft."""
    if state is ReviewState.PASSED and not one.ok:
        return "A later draft of this self-review is good and can be sent."
    ends = {
        ReviewState.PASSED: Event.GOOD,
        ReviewState.ESCALATED: Event.LAST_NOT_GOOD,
        ReviewState.ANSWERED: Event.PERSON_ANSWERED,
    }
    return POSSIBLE[ends.get(state) or (Event.TO_REVISE if one.problems else Event.TO_ASK_AGAIN)]


def review_row(db: DatabaseSession, review_id: str) -> SelfReview:
    """The stored self-review. Raises ``NotFound``."""
    row = db.get(SelfReview, review_id)
    if row is None:
        raise NotFound("self-review", review_id)
    return row


def answer_of(row: SelfReview) -> PersonAnswer | None:
    """What a person answered; None where nobody has."""
    if row.answer is None or row.answered_by is None or row.answered_at is None:
        return None
    return PersonAnswer(row.answer, row.answered_by, row.answered_at)


def problems_of(one: SelfReviewRound) -> tuple[Problem, ...]:
    """What was found in one draft."""
    return tuple(Problem(**problem) for problem in one.problems)


def looked_at_by(one: SelfReviewRound) -> tuple[str, ...]:
    """Who has looked at one draft; nobody yet while that is under way."""
    if one.unreviewed == UNDER_WAY:
        return ()
    return (BY_CHECKS,) if one.unreviewed is not None else (BY_CHECKS, BY_MODEL)
