"""From a session to the request that a writer of the critic sends.

Critic, before the door to the model. The system message is the writer's prompt and nothing else. All that comes from
outside is data, as JSON in one user message: what changes least stands first, and each turn is an object on a line of
its own. The same material gives the same bytes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.critic.answer import Request, Said, Shape
from core.critic.material import EarlierSession, KnownFact, Material, MaterialPolicy
from core.critic.parts import Part, whole_part
from core.critic.plain_json import in_lines, one_line
from core.critic.prompts import Prompt, prompt
from core.critic.shapes import SHAPES
from core.critic.tokens import estimate, prompt_estimate
from core.critic.turn_data import turn_data
from core.settings import DEFAULTS, Settings
from core.vocabulary import Writer

DEBRIEFING = (Writer.NOTES, Writer.LESSON, Writer.REFLECTION, Writer.PROCEDURES, Writer.EPISODES)
"""The writers that read a session."""

KNOWS_THE_USER = frozenset({Writer.NOTES})
"""Writers that are given the user's facts and earlier sessions; what the others write must not be about one user."""


def request_for(
    writer: Writer,
    material: Material,
    part: Part | None = None,
    *,
    settings: Settings = DEFAULTS,
    instead: Prompt | None = None,
) -> Request:
    """What ``writer`` asks the model about a session, or about a part of it.

    ``instead`` takes the place of the writer's own prompt.
    """
    known = _about_the_user(material, settings) if writer in KNOWS_THE_USER else {}
    data = {
        **_about_the_agent(material),
        **known,
        "task": material.task,
        "feedback": [_without_empty(signal.model_dump(mode="json")) for signal in material.feedback],
        **_turns(material, part or whole_part(material.transcript)),
    }
    return request_of(instead or prompt(writer), data, SHAPES[writer])


def tokens_beside_the_turns(writer: Writer, material: Material, settings: Settings = DEFAULTS) -> int:
    """Tokens of a request without any turn, roughly; a budget for the parts of a transcript leaves room for them."""
    none = Part(0, 0, len(material.transcript.messages), 0)
    return prompt_estimate(request_for(writer, material, none, settings=settings))


def request_of(first: Prompt, data: Mapping[str, Any], shape: Shape) -> Request:
    """A request with a prompt, and behind it data in one message."""
    return Request(
        messages=(Said(role="system", content=first.text), Said(role="user", content=in_lines(data))), shape=shape
    )


def policies_data(policies: Iterable[MaterialPolicy]) -> list[dict[str, Any]]:
    """Policies as the model reads them."""
    return [policy.model_dump() for policy in policies]


def facts_data(facts: Iterable[KnownFact]) -> list[dict[str, Any]]:
    """What is known of a user as the model reads it."""
    return [fact.model_dump() for fact in facts]


def _about_the_agent(material: Material) -> dict[str, Any]:
    record = material.agent
    return {
        "agent": {"name": record.name, "base_prompt": record.base_prompt},
        "policies": policies_data(record.policies),
        "task_class": record.task_class,
    }


def _about_the_user(material: Material, settings: Settings) -> dict[str, Any]:
    earlier = _within(material.earlier, settings.earlier_sessions_tokens)
    facts = _newest_within(material.facts, settings.facts_tokens)
    left_out = len(material.facts) - len(facts)
    return {
        "user_facts": facts_data(facts),
        **({"user_facts_left_out": left_out} if left_out else {}),
        "earlier_sessions": earlier,
        "earlier_sessions_left_out": len(material.earlier) - len(earlier),
    }


def _newest_within(facts: Sequence[KnownFact], budget: int) -> Sequence[KnownFact]:
    """The newest facts that fit, oldest first as they came."""
    at = len(facts)
    while at and (tokens := estimate(one_line(facts[at - 1].model_dump())) + 2) <= budget:
        at, budget = at - 1, budget - tokens
    return facts[at:]


def _within(earlier: Iterable[EarlierSession], budget: int) -> list[dict[str, Any]]:
    """The newest sessions first, each whole; one that does not fit is left out, and an older, shorter one may fit."""
    chosen: list[dict[str, Any]] = []
    for session in sorted(earlier, key=lambda each: (each.started_at, each.ref), reverse=True):
        data = session.model_dump(mode="json") | {"started_at": session.started_at.date().isoformat()}
        tokens = estimate(one_line(data)) + 2
        if tokens <= budget:
            chosen.append(data)
            budget -= tokens
    return chosen


def _turns(material: Material, part: Part) -> dict[str, Any]:
    messages = material.transcript.messages
    return {
        "turns_in_session": part.of,
        "turns_shown": {"from": part.start + 1, "to": part.stop} if part.stop > part.start else None,
        "shown_without_its_middle": None if part.cut is None else part.cut + 1,
        "transcript": [turn_data(messages[turn], turn, part.ends) for turn in range(part.start, part.stop)],
    }


def _without_empty(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "")}
