"""What the critic is told to do: which model, how it is asked, what it writes, and what it may cost.

Critic. One frozen value without any key, so it may be shown, stored and compared. Money is in the currency that the
prices are written in.
"""

import hashlib
import json
from decimal import ROUND_UP, Decimal
from typing import Any

from pydantic import Field, field_validator

from core.critic.model_settings import Asking
from core.critic.prompts import prompt
from core.critic.writing import DEBRIEFING
from core.vocabulary import Writer

_IN_RECIPE = {"temperature", "token_cap", "largest_token_cap", "reasoning_effort", "context_tokens"}
_IN_RECIPE |= {"overlap_turns", "earlier_tokens", "writers", "second_opinion"}


class CriticSettings(Asking):
    """The critic's settings. Those in ``OF_AN_AGENT`` may be chosen for one agent, too."""

    model: str | None = Field(None, min_length=1, max_length=200)
    """The model's name at the server; None takes ``OPENAI_MODEL``."""

    context_tokens: int = Field(32_000, ge=1_000, le=10_000_000)
    """Tokens of the model's context: a longer transcript is reviewed in overlapping parts."""

    overlap_turns: int = Field(2, ge=0, le=50)
    """Turns that two neighbouring parts share."""

    most_requests: int = Field(60, ge=1, le=10_000)
    """Requests from which a debrief parts nothing further: a server that miscounts would be asked without end."""

    earlier_tokens: int = Field(1_500, ge=0, le=100_000)
    """Tokens at most for what is known of the user's earlier sessions."""

    writers: tuple[Writer, ...] = (Writer.NOTES, Writer.LESSON, Writer.PROCEDURES, Writer.EPISODES)
    """What a debrief writes."""

    second_opinion: bool = False
    """Whether each quote and its observation are shown to the model once more, in a request of their own."""

    only_suspicious: bool = False
    """Whether only sessions go to the model in which a check found something, or that went wrong."""

    price_prompt: Decimal | None = Field(None, ge=0, le=100_000)
    """Price of a million tokens of a prompt; None where it is not known, and then no cost is."""

    price_cached: Decimal | None = Field(None, ge=0, le=100_000)
    """Price of a million tokens that the server had cached; None takes ``price_prompt``."""

    price_completion: Decimal | None = Field(None, ge=0, le=100_000)
    """Price of a million tokens of a reply."""

    currency: str = Field("USD", min_length=1, max_length=8)
    """The currency of the prices."""

    daily_cost: Decimal | None = Field(None, ge=0, le=1_000_000)
    """The most that the requests of one day (UTC) may cost; None sets no cap. It needs prices."""

    daily_tokens: int | None = Field(None, ge=0)
    """The most tokens that the requests of one day (UTC) may use; None sets no cap."""

    debriefs_at_once: int = Field(8, ge=1, le=100)
    """Debriefs that one worker has under way; they mostly wait for their requests."""

    requests_at_once: int = Field(4, ge=1, le=200)
    """Requests at the same time to one server, over all workers."""

    requests_per_minute: int | None = Field(None, ge=1, le=100_000)
    """Requests a minute to one server, over all workers; None sets no limit."""

    @field_validator("writers")
    @classmethod
    def _of_a_debrief(cls, writers: tuple[Writer, ...]) -> tuple[Writer, ...]:
        others = [writer for writer in writers if writer not in DEBRIEFING]
        if others or not writers:
            raise ValueError(f"a debrief writes {', '.join(DEBRIEFING)}, at least one of them")
        return tuple(writer for writer in DEBRIEFING if writer in writers)

    @property
    def how_to_ask(self) -> dict[str, Any]:
        """The fields of ``ModelSettings``, without key and address."""
        given = {name: getattr(self, name) for name in Asking.model_fields}
        return {name: value for name, value in given.items() if value is not None or name == "temperature"}

    def recipe(self, address: str, model: str) -> str:
        """SHA-256 of everything but the material that a debrief's replies depend on."""
        of_prompts = {writer.value: prompt(writer).sha256 for writer in (*self.writers, Writer.OPINION)}
        known = {**self.model_dump(mode="json", include=_IN_RECIPE), "address": address, "model": model}
        text = json.dumps({**known, "prompts": of_prompts}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def cost(self, prompt: int, completion: int, cached: int = 0) -> int | None:
        """What so many tokens cost, in millionths of the currency, rounded up; None where a price is not known."""
        if self.price_prompt is None or self.price_completion is None:
            return None
        of_cached = self.price_prompt if self.price_cached is None else self.price_cached
        fresh = max(0, prompt - cached)
        total = fresh * self.price_prompt + cached * of_cached + completion * self.price_completion
        return int(total.to_integral_value(ROUND_UP))


OF_AN_AGENT = frozenset(
    {"model", "temperature", "token_cap", "largest_token_cap", "reasoning_effort", "context_tokens", "overlap_turns"}
    | {"most_requests", "earlier_tokens", "writers", "second_opinion", "only_suspicious", "timeout"}
    | {"price_prompt", "price_cached", "price_completion"}
)
"""What may be chosen for one agent; caps and the pace of work are the desk's."""
