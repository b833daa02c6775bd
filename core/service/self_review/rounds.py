"""The rounds of a self-review in the store: who reviews a draft now, and what came of it.

A round is claimed before the model is asked and settled afterwards, each with one conditional write, so that two calls
at once make one round, and no transaction is open while a model thinks. A claim whose process died is taken over.
"""

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound, Refused
from core.governance.revisions import Became
from core.service.self_review.asked import Asked
from core.service.self_review.material import NOTHING, is_more, with_more
from core.settings import Settings
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.self_review_records import SelfReview, SelfReviewRound
from core.vocabulary import ReviewState

UNDER_WAY = "under_way"
"""What stands in ``unreviewed`` while a draft is being reviewed."""

LEASE = timedelta(minutes=30)
"""After which a claim counts as left behind: longer than the model's door may wait and repeat."""

_ATTEMPTS = 5
"""Transactions that may lose against others before that is an error."""


@dataclass(frozen=True)
class Claim:
    """The right to review one draft. ``before`` is the reason for which an earlier look at it gave no answer."""

    review_id: str
    number: int
    round_id: int
    at: datetime
    before: str | None = None

    @property
    def about(self) -> str:
        """How the calls of the model for this round are named."""
        return f"{self.review_id}.{self.number}"


@dataclass(frozen=True)
class Settled:
    """A round that needs no review: it has one, or another call is at it."""

    review_id: str
    number: int
    under_way: bool


def claim(database: Database, agent_id: int, asked: Asked, at: datetime, settings: Settings) -> Claim | Settled:
    """The right to review a draft, or the round in which it was reviewed.

    Raises ``NotFound`` for a self-review that this agent does not have, and ``Refused`` where no further draft can be
    reviewed.
    """
    for _ in range(_ATTEMPTS - 1):
        with suppress(IntegrityError):
            return _claimed(database, agent_id, asked, at, settings)
    return _claimed(database, agent_id, asked, at, settings)


def _claimed(database: Database, agent_id: int, asked: Asked, at: datetime, settings: Settings) -> Claim | Settled:
    """One try in one transaction; an ``IntegrityError`` says that another call was first."""
    with database.writing() as db:
        return _claim(db, _review(db, agent_id, asked, at, settings), asked, at, settings)


def settle(
    database: Database,
    mine: Claim,
    became: Became,
    at: datetime,
    *,
    problems: list[dict[str, str]],
    fix: str,
    call_id: int | None,
    unreviewed: str | None,
) -> None:
    """Write what came of a claimed round, and where the self-review stands now; nothing where the claim was lost."""
    values = {
        "ok": became.ok,
        "problems": problems,
        "fix": fix,
        "call_id": call_id,
        "unreviewed": unreviewed,
        "at": at,
    }
    with database.writing() as db:
        held = (col(SelfReviewRound.id) == mine.round_id, col(SelfReviewRound.at) == mine.at)
        still = col(SelfReviewRound.unreviewed) == UNDER_WAY
        if not db.connection().execute(update(SelfReviewRound).where(*held, still).values(**values)).rowcount:
            return
        stands: dict[str, object] = {"state": became.state}
        if became.state is ReviewState.ESCALATED:
            stands["escalated_at"] = at
        is_open = (col(SelfReview.id) == mine.review_id, col(SelfReview.state) == ReviewState.OPEN)
        db.connection().execute(update(SelfReview).where(*is_open).values(**stands))


def release(database: Database, mine: Claim) -> None:
    """Give a claim back as it was found, so that the draft can be sent again at once."""
    with database.writing() as db:
        row = db.get(SelfReviewRound, mine.round_id)
        if row is None or row.unreviewed != UNDER_WAY or row.at != mine.at:
            return
        if mine.before is not None:
            row.unreviewed = mine.before
            db.add(row)
            return
        db.delete(row)
        db.flush()
        if not _rounds(db, mine.review_id):
            db.delete(db.get_one(SelfReview, mine.review_id))


def times_asked(database: Database, about: str) -> int:
    """How often the model was asked about one round."""
    with database.reading() as db:
        return int(db.exec(select(func.count()).where(col(CriticCall.about) == about)).one())


def _review(db: DatabaseSession, agent_id: int, asked: Asked, at: datetime, settings: Settings) -> SelfReview:
    """The self-review that is named, or the one that the same request began a while ago, or a new one."""
    if asked.review:
        row = db.get(SelfReview, asked.review)
        if row is None or row.agent_id != agent_id:
            raise NotFound("self-review", asked.review)
        _refuse_another_task(row, asked)
        return row
    window = settings.self_review_retry_minutes * 60
    now_at = int(at.timestamp() // window)
    for slot in (now_at, now_at - 1):
        known = db.get(SelfReview, _id(agent_id, asked, slot))
        if known is not None and (at - known.at).total_seconds() <= window:
            return known
    row = SelfReview(
        id=_id(agent_id, asked, now_at),
        agent_id=agent_id,
        user=asked.user,
        task_class=asked.task_class,
        task=asked.task,
        material=dict(NOTHING),
        state=ReviewState.OPEN,
        at=at,
    )
    db.add(row)
    db.flush()
    return row


def _id(agent_id: int, asked: Asked, slot: int) -> str:
    """A reference that the same request makes again within one stretch of time, whoever sends it."""
    return f"SR-{hashlib.sha256(f'{agent_id} {slot} {asked.digest}'.encode()).hexdigest()[:10]}"


def _refuse_another_task(row: SelfReview, asked: Asked) -> None:
    for name in ("task", "user", "task_class"):
        said = getattr(asked, name)
        if said and said != getattr(row, name):
            what = name.replace("_", " ")
            text = f"{row.id} is of another {what}: “{getattr(row, name)}”. It can be left out, or a new one begun."
            raise Refused("another_task", text)


def _claim(db: DatabaseSession, review: SelfReview, asked: Asked, at: datetime, settings: Settings) -> Claim | Settled:
    rounds = _rounds(db, review.id)
    brings_more = is_more(review.material, asked)
    same = next((one for one in reversed(rounds) if one.draft == asked.draft), None)
    if same is not None and not brings_more:
        return _again(db, review, same, rounds[-1] is same, at, settings)
    if review.state != ReviewState.OPEN:
        raise Refused(review.state, _closed(review))
    last = rounds[-1] if rounds else None
    if last is not None and last.unreviewed == UNDER_WAY:
        if at - last.at < LEASE:
            text = f"Another draft of {review.id} is being reviewed; this one can be sent in when that is done."
            raise Refused(UNDER_WAY, text)
        db.delete(last)
        db.flush()
        rounds = rounds[:-1]
    number = len(rounds)
    review.material = with_more(review.material, asked, number)
    row = SelfReviewRound(
        review_id=review.id, number=number, draft=asked.draft, ok=False, problems=[], unreviewed=UNDER_WAY, at=at
    )
    db.add_all([review, row])
    db.flush()
    return Claim(review.id, number, row.id or 0, at)


def _again(
    db: DatabaseSession, review: SelfReview, row: SelfReviewRound, is_last: bool, at: datetime, settings: Settings
) -> Claim | Settled:
    """The same draft once more: its answer, or another try where the model gave none and may be asked again."""
    under_way = row.unreviewed == UNDER_WAY
    left_behind = under_way and at - row.at >= LEASE
    unread = not (under_way or row.ok or row.problems) and review.state == ReviewState.OPEN and is_last
    if not (left_behind or unread):
        return Settled(review.id, row.number, under_way)
    held = (col(SelfReviewRound.id) == row.id, col(SelfReviewRound.at) == row.at)
    values = {"unreviewed": UNDER_WAY, "at": at}
    taken = db.connection().execute(update(SelfReviewRound).where(*held).values(**values)).rowcount
    if not taken:
        return Settled(review.id, row.number, under_way=True)
    return Claim(review.id, row.number, row.id or 0, at, None if left_behind else row.unreviewed)


def _rounds(db: DatabaseSession, review_id: str) -> list[SelfReviewRound]:
    of_review = select(SelfReviewRound).where(SelfReviewRound.review_id == review_id)
    return list(db.exec(of_review.order_by(col(SelfReviewRound.number))).all())


def _closed(review: SelfReview) -> str:
    begin = "Another draft can be sent in as a new self-review, without a reference."
    if review.state == ReviewState.PASSED:
        return f"{review.id} has passed: the draft that was good can be sent. {begin}"
    if review.state == ReviewState.ANSWERED:
        return f"{review.id} was answered by {review.answered_by}: the answer can be read under it. {begin}"
    return f"{review.id} waits for a person, who sees it on the desk; the answer can be read under it. {begin}"
