"""What is asked of the desk, what it answers, and what it writes."""

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from core.vocabulary import Action, Cause, EpisodeAct, GivesWay, Status

DONE = {
    Action.APPROVE: "approved",
    Action.REJECT: "rejected",
    Action.RESOLVE: "resolved",
    Action.DISMISS: "dismissed",
    Action.RELEASE: "released",
    Action.SUSPEND: "suspended",
    Action.REINSTATE: "reinstated",
    Action.RETIRE: "retired",
    Action.REOPEN: "reopened",
    Action.SUPERSEDE: "superseded",
    Action.ROLL_BACK: "rolled back to",
    Action.ENDORSE: "endorsed",
    Action.APPEAL: "appealed",
    Action.GRANT: "granted another look",
    Action.DENY: "denied another look",
    Action.EDIT: "edited",
    Action.PROPOSE: "proposed",
    Action.UNDO: "put back",
    Action.MERGE: "merged",
    Action.EXPIRE: "expired",
}
DONE_WITH_EPISODES = {
    EpisodeAct.WITHDRAW: "withdrawn",
    EpisodeAct.RESTORE: "restored",
    EpisodeAct.RELEASE: "released",
}


@dataclass(frozen=True)
class Request:
    """What a person asks for: the act, and what was on their screen when they asked.

    ``hash_seen`` is the hash of the card (``screen_hash``); ``shown_at`` says when it first came on the screen, None
    where there was none.
    """

    item_id: int
    action: Action
    person: str
    revision_seen: int
    hash_seen: str
    reason: str | None = None
    text: str = ""
    confidence: Decimal | None = None
    gives_way: GivesWay | None = None
    """The choice between this item and all those in force that it contradicts; keeping both needs ``text``."""
    yields: tuple[int, ...] | None = None
    """The same choice one by one: by id, the twins and contraries in force that give way; a contrary that is not named
    stays, which needs ``text``. None where the choice is ``gives_way``, or none was made."""
    shown_at: datetime | None = None
    batch: str | None = None
    """What it is decided together with; None for a decision of its own."""
    makes_room: int | None = None
    """By id, the instruction in force that is retired so that there is room for this one; None where none is named."""


@dataclass(frozen=True)
class Decided:
    """What became of a request.

    ``decision_id`` is 0 where nothing was decided yet: what somebody said about a blind item waits for another's.
    ``already`` says that this very decision stood before; ``item_id`` is the version that an edit made, else 0.
    """

    decision_id: int
    ref: str
    status: str
    text: str
    already: bool = False
    item_id: int = 0


@dataclass(frozen=True)
class Act:
    """One change of status to be written."""

    action: Action
    after: Status
    by: str
    at: datetime
    rule: str | None = None
    reason: str | None = None
    text: str = ""
    self_approved: bool = False
    hash_before: str | None = None
    confidence: Decimal | None = None
    cause: int | None = None
    undoes: int | None = None
    suspended_for: Cause = Cause.PERSON
    """Why, where the act suspends or holds."""
    screen: str | None = None
    toward: Action | None = None
    batch: str | None = None
    waits_since: datetime | None = None
    """Since when it waits after the act, where that is not the moment of the act."""
    also: dict[str, object] = field(default_factory=dict)
    """Other columns that change with the status."""
    looked_ms: int | None = None
    opened: int | None = None
    """For how long it had been on the screen, and how many of its quotes had been looked at in their transcript."""


def done(action: str) -> str:
    """What became of an item, after an act that may be unknown here: ``rolled back to``."""
    return DONE[Action(action)] if action in set(Action) else in_words(action)


def in_words(action: str) -> str:
    """An act as it stands in a sentence: ``roll back``."""
    return action.replace("_", " ")
