"""What becomes of a reviewed draft, and of the self-review that it belongs to: one table and one rule.

Source: Using Feedback and Reflection in Agent Workflows, "Limit Self-Revision". A draft is good only if nobody who was
to look at it found anything; whoever was to look and could not has not called it good.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.settings import DEFAULTS, Settings
from core.vocabulary import ReviewState


class ModelReview(StrEnum):
    """What the model had to do with one draft."""

    ANSWERED = "answered"
    NOT_ASKED = "not_asked"
    """No critic is configured, or the settings leave it alone where the checks have found something."""
    FAILED = "failed"
    """It was to be asked, and no answer came that could be read."""


class Event(StrEnum):
    """What happened to a self-review."""

    GOOD = "good"
    TO_REVISE = "to_revise"
    TO_ASK_AGAIN = "to_ask_again"
    LAST_NOT_GOOD = "last_not_good"
    NEVER_READ = "never_read"
    SPEAKS_TO_REVIEWER = "speaks_to_reviewer"
    """The agent was given words that speak to whoever reviews, so that a model's “good” does not count by itself."""
    PERSON_ANSWERED = "person_answered"


NEXT: Mapping[tuple[ReviewState, Event], ReviewState] = {
    (ReviewState.OPEN, Event.GOOD): ReviewState.PASSED,
    (ReviewState.OPEN, Event.TO_REVISE): ReviewState.OPEN,
    (ReviewState.OPEN, Event.TO_ASK_AGAIN): ReviewState.OPEN,
    (ReviewState.OPEN, Event.LAST_NOT_GOOD): ReviewState.ESCALATED,
    (ReviewState.OPEN, Event.NEVER_READ): ReviewState.ESCALATED,
    (ReviewState.OPEN, Event.SPEAKS_TO_REVIEWER): ReviewState.ESCALATED,
    (ReviewState.ESCALATED, Event.PERSON_ANSWERED): ReviewState.ANSWERED,
}
"""Every step that there is. Passed and answered are ends: another draft belongs to a self-review of its own."""

POSSIBLE: Mapping[Event, str] = {
    Event.GOOD: "The draft can be sent.",
    Event.TO_REVISE: "The draft can be revised and sent in again under this reference.",
    Event.TO_ASK_AGAIN: "The same draft can be sent in again, which is no revision; so can another.",
    Event.LAST_NOT_GOOD: "A person was asked; the answer can be read under this reference.",
    Event.NEVER_READ: "A person was asked; the answer can be read under this reference.",
    Event.SPEAKS_TO_REVIEWER: "A person was asked; the answer can be read under this reference.",
    Event.PERSON_ANSWERED: "A person has answered; the answer can be read under this reference.",
}
"""What an agent is told that it can do now."""


@dataclass(frozen=True)
class Became:
    """What became of a draft."""

    ok: bool
    event: Event
    revisions_left: int

    @property
    def state(self) -> ReviewState:
        """Where the self-review stands then."""
        return NEXT[ReviewState.OPEN, self.event]


def became(
    number: int,
    *,
    problems: int,
    model: ModelReview,
    asked: int = 1,
    addressed: bool = False,
    settings: Settings = DEFAULTS,
) -> Became:
    """What becomes of draft ``number`` (0 is the first) with so many problems, the model having been asked so often.

    ``problems`` are those that a revision can mend; ``addressed`` says that what the agent was given speaks to the
    reviewer, which none can.
    """
    left = max(0, settings.self_review_revisions - number)
    if not (problems or addressed) and model is not ModelReview.FAILED:
        return Became(True, Event.GOOD, left)
    if not left:
        return Became(False, Event.LAST_NOT_GOOD, 0)
    if problems:
        return Became(False, Event.TO_REVISE, left)
    if addressed:
        return Became(False, Event.SPEAKS_TO_REVIEWER, left)
    if asked >= settings.self_review_tries:
        return Became(False, Event.NEVER_READ, left)
    return Became(False, Event.TO_ASK_AGAIN, left)


def picture() -> str:
    """The table as a state diagram in Mermaid, as it stands in docs/self-review.md."""
    steps = [f"    {before} --> {after}: {event.replace('_', ' ')}" for (before, event), after in NEXT.items()]
    ends = [f"    {state} --> [*]" for state in ReviewState if state not in {before for before, _ in NEXT}]
    return "\n".join(["```mermaid", "stateDiagram-v2", f"    [*] --> {ReviewState.OPEN}", *steps, *ends, "```"])
