"""A person answers an escalation: once, in words, on record.

Source: Using Feedback and Reflection in Agent Workflows, "Limit Self-Revision": after the last one a person decides.
"""

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.errors import AlreadyDecided, BadInput, NotFound, Refused
from core.governance.people import duties_of
from core.governance.revisions import NEXT, Event
from core.screening.secrets import mask
from core.service.self_review.views import PersonAnswer
from core.store.clock import now
from core.store.database import Database
from core.store.self_review_records import SelfReview
from core.vocabulary import Duty, ReviewState

_LONGEST = 20_000
"""Characters of an answer."""


def answer_escalation(
    database: Database, review_id: str, person: str, text: str, *, at: datetime | None = None
) -> PersonAnswer:
    """Answer an escalation; who, when and the words stay with it, and the agent can read them.

    Raises ``BadInput`` without words, ``NotFound`` for an unknown self-review, ``Refused`` for somebody without the
    duty lead or where nobody was asked, and ``AlreadyDecided`` where it has been answered.
    """
    words = mask(text.strip()).text
    if not words:
        raise BadInput("An answer needs words that the agent can act on. Nothing was stored.")
    if len(words) > _LONGEST:
        raise BadInput(
            f"An answer has {_LONGEST:,} characters at most; this one has {len(words):,}. Nothing was stored."
        )
    moment = at or now()
    with database.writing() as db:
        if Duty.LEAD not in duties_of(db, person).duties:
            raise Refused("not_your_duty", f"{person} lacks the duty lead, so the escalation stays unanswered.")
        waiting = (col(SelfReview.id) == review_id, col(SelfReview.state) == ReviewState.ESCALATED)
        after = NEXT[ReviewState.ESCALATED, Event.PERSON_ANSWERED]
        values = {"state": after, "answer": words, "answered_by": person, "answered_at": moment}
        if not db.connection().execute(update(SelfReview).where(*waiting).values(**values)).rowcount:
            raise _why_not(db, review_id)
    return PersonAnswer(words, person, moment)


def _why_not(db: DatabaseSession, review_id: str) -> Refused | NotFound:
    row = db.get(SelfReview, review_id)
    if row is None:
        return NotFound("self-review", review_id)
    if row.answered_by and row.answered_at:
        when = f"{row.answered_at:%Y-%m-%d %H:%M} UTC"
        return AlreadyDecided(review_id, row.answered_by, when, "answered")
    return Refused("not_escalated", f"{review_id} is {row.state}: nobody was asked, so there is nothing to answer.")
