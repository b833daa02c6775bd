"""What a second opinion says: whether a quote supports an observation, and why.

Critic. It is an opinion: it is stored and shown as one, and decides nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.critic.fields import text_in, tidy
from core.critic.reply_json import objects_in
from core.vocabulary import Support

_LONGEST = 600
"""Characters of a reason that are kept."""


@dataclass(frozen=True)
class SecondOpinion:
    """An answer and its reason; ``UNREADABLE`` where the reply holds none."""

    supports: Support
    why: str


def parse_opinion(reply: str) -> SecondOpinion:
    """The opinion in a reply; none where no object has one of the three answers, or where two differ."""
    said = [_opinion(tidy(found.content)) for found in objects_in(reply).found]
    clear = [one for one in said if one is not None]
    if len({one.supports for one in clear}) == 1:
        return clear[0]
    return SecondOpinion(Support.UNREADABLE, "")


def _opinion(fields: Mapping[str, Any]) -> SecondOpinion | None:
    word = str(fields.get("supports")).strip(" .!").casefold()
    if word not in (Support.YES, Support.PARTLY, Support.NO):
        return None
    return SecondOpinion(Support(word), " ".join(text_in(fields, "why", "reason").split())[:_LONGEST])
