"""The request for one reflection in the place of several that say nearly the same.

Critic, before the door to the model. Source: Reflexion buffer, "Compaction".
"""

from collections.abc import Sequence

from core.critic.answer import Request
from core.critic.prompts import prompt
from core.critic.shapes import COMPACTION
from core.critic.writing import request_of
from core.vocabulary import Writer


def compaction_of(agent: str, task_class: str, reflections: Sequence[tuple[str, Sequence[str]]]) -> Request:
    """Texts with their tags, the newest first, to be said as one."""
    said = [{"text": text, "tags": list(tags)} for text, tags in reflections]
    data = {"agent": agent, "task_class": task_class, "reflections": said}
    return request_of(prompt(Writer.COMPACTION), data, COMPACTION)
