"""What the tests of the critic ask, and a clock that does not wait."""

from datetime import UTC, datetime, timedelta
from itertools import count

from core.critic.answer import Request, Said, Shape
from core.critic.waiting import Clock

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
KEY = "sk-invented-0123456789"

ASKED = Request(
    messages=(Said(role="system", content="Review. Answer in JSON."), Said(role="user", content="A transcript.")),
    shape=Shape(name="review", schema_={"type": "object"}),
)


class Waits:
    """A clock that stands at noon, counts a second a look, and writes down what it was asked to wait."""

    def __init__(self, chance: float = 0.0) -> None:
        self.asked: list[float] = []
        seconds = count()
        self.clock = Clock(self._now, lambda: float(next(seconds)), self.asked.append, lambda: chance)

    def _now(self) -> datetime:
        return NOON + timedelta(seconds=sum(self.asked))
