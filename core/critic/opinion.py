"""What a second opinion says: whether a quote supports an observation, and why.

Critic. It is an opinion: it is stored and shown as one, and decides nothing.
"""

from dataclasses import dataclass

from core.critic.fields import text_in
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
    """The opinion in a reply; of several objects the first that has an answer."""
    for found in objects_in(reply).found:
        said = found.content.get("supports")
        word = "yes" if said is True else "no" if said is False else str(said).strip(" .!").casefold()
        if word in (Support.YES, Support.PARTLY, Support.NO):
            return SecondOpinion(Support(word), " ".join(text_in(found.content, "why", "reason").split())[:_LONGEST])
    return SecondOpinion(Support.UNREADABLE, "")
