"""The runs of the critic as values that pages and commands show.

Money is in ``Decimal`` of the currency that the settings name, times are aware and in UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from core.critic.answer import RunStatus
from core.vocabulary import CallState, RunState, Writer

REASONS: Mapping[str, str] = {
    **{status.value: status.in_words for status in RunStatus if status is not RunStatus.OK},
    "unreadable": "The reply was not in the form that was asked for.",
    "spending_cap": "The spending cap of the day was reached.",
    "taken_back": "It was taken back before it began.",
    "nothing_suspicious": "The checks found nothing, and only suspicious sessions go to the model.",
    "external_failure": "The session failed outside the agent.",
    "transcript_changed": "The transcript has changed since it was queued.",
    "fault": "A fault of the desk itself.",
    "key_refused": "The server does not accept the key.",
    "model_not_found": "The server knows no such model.",
    "quota_spent": "The account has no credit left.",
    "model_busy": "The server was busy, also after waiting.",
    "model_unreachable": "The server could not be reached.",
    "model_not_configured": "No model is configured.",
    "reply_not_understood": "What came back is no chat completion.",
    "json_validate_failed": "The server refused the JSON that the model wrote, twice.",
}
"""Why a run or a request ended without a reply that can be read, by its code."""


def reason_in_words(code: str | None) -> str:
    """What a person is told of a code; a server's own code is shown as it is."""
    return REASONS.get(code or "", f"The server said “{code}”." if code else "")


@dataclass(frozen=True)
class RunRow:
    """One debrief in a list."""

    id: int
    session_id: int
    session_ref: str
    agent: str
    user: str | None
    state: RunState
    reason: str | None
    detail: str
    by: str
    queued_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    attempt: int
    requests: int
    answered: int
    tokens: int
    cost: Decimal | None
    model: str
    items: int
    """Items that were written in it, or found again."""
    answered_from: int | None = None
    turns: int = 0
    turns_read: int = 0
    """Turns that were read whole; 0 where none was, or before it is over."""
    covered: str = ""
    """Which turns were read, in words."""
    is_current: bool = True
    """Whether the transcript is still the one that was read."""

    @property
    def why(self) -> str:
        """Why it is where it is, in words; empty where it is done."""
        return reason_in_words(self.reason)

    @property
    def seconds(self) -> float | None:
        """From its beginning to its end."""
        if self.started_at is None or self.ended_at is None:
            return None
        return (self.ended_at - self.started_at).total_seconds()


@dataclass(frozen=True)
class CallView:
    """One request whole: what was sent, what came back, and what was made of it."""

    id: int
    writer: Writer
    turns: str
    about: str
    after: int | None
    state: CallState
    status: str
    detail: str
    prompt_sha256: str
    prompt: str
    prompt_is_current: bool
    messages: tuple[tuple[str, str], ...]
    """Role and content of what followed the prompt."""
    parameters: dict[str, Any]
    sent: dict[str, Any]
    model: str
    reply: str
    tokens: dict[str, int | None]
    cost: Decimal | None
    seconds: float | None
    attempts: tuple[dict[str, Any], ...]
    became: tuple[dict[str, Any], ...]
    """Each part of the reply: ``place``, ``what`` became of it, ``text``; ``ref`` with its ``status``, or ``why``."""
    unreadable: tuple[tuple[int, str], ...]
    cut: int
    asked_once_more: bool
    """Whether its reply could not be kept, and another request took its place."""
    asked_at: datetime | None
    answered_from: tuple[int, int] | None
    """Run and request whose answer was used again."""

    @property
    def why(self) -> str:
        """Why there is no reply to be read, in words; empty where there is one."""
        return "" if self.status in ("", RunStatus.OK) else reason_in_words(self.status)


@dataclass(frozen=True)
class RunView:
    """One debrief whole."""

    row: RunRow
    server: str
    recipe: str
    settings: dict[str, Any]
    covered: str
    """Which turns were read, in words."""
    addressed: tuple[tuple[int, str, str, str], ...]
    """Passages that speak to whoever reviews: turn from 1 (0 beside the session), part, words, why."""
    remarks: tuple[str, ...]
    calls: tuple[CallView, ...]
    currency: str


@dataclass(frozen=True)
class RunsAsked:
    """Which runs are asked for; None narrows nothing."""

    state: RunState | None = None
    agent: str | None = None
    reason: str | None = None
    session_id: int | None = None


ALL_RUNS = RunsAsked()


@dataclass(frozen=True)
class RunCounts:
    """How many runs stand in each state."""

    by_state: Mapping[RunState, int] = field(default_factory=dict)

    def of(self, *states: RunState) -> int:
        """How many stand in one of these."""
        return sum(self.by_state.get(state, 0) for state in states)
