"""The two sides of a comparison: with which prompt, model and parameters each asks, and in what they differ.

Before the requests. Whatever a side does not choose is what is in force for the agent whose session it is.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlmodel import Session as DatabaseSession

from core.critic.answer import Said
from core.critic.critic_settings import CriticSettings
from core.critic.model_settings import ModelSettings
from core.critic.prompts import Prompt, prompt, prompt_in
from core.critic.tokens import estimate
from core.errors import BadInput
from core.service.critic.calls import PARAMETERS, Planned
from core.service.critic.plan import Plan
from core.service.critic.settings import model_settings, settings_of
from core.store.records import Agent, AgentSession
from core.vocabulary import Writer

A, B = "a", "b"


@dataclass(frozen=True)
class Side:
    """One way of writing. ``prompt`` None is the desk's own; ``chosen`` are settings of the critic, such as ``model``.

    A temperature of None leaves it to the server; one that is not among ``chosen`` is the one in force.
    """

    prompt: Path | None = None
    chosen: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SideWay:
    """How one side asks about the sessions of one agent."""

    prompt: Prompt
    prompt_name: str
    settings: CriticSettings
    model: ModelSettings

    def asked_with(self, planned: Planned) -> Planned:
        """A planned request, with this side's prompt in front."""
        first = Said(role="system", content=self.prompt.text)
        messages = (first, *planned.request.messages[1:])
        return replace(planned, request=planned.request.model_copy(update={"messages": messages}))

    @property
    def in_words(self) -> dict[str, str]:
        """What a reply depends on beside the session, as people read it."""
        said = self.model.model_dump(mode="json", include=PARAMETERS)
        words = {
            name.replace("_", " "): "left to the server" if said[name] is None else str(said[name]) for name in said
        }
        return {"prompt": f"{self.prompt_name} ({self.prompt.sha256[:8]})", **words}


Ways = tuple[SideWay, SideWay]


@dataclass(frozen=True)
class Difference:
    """What the sides do not have in common."""

    what: str
    a: str
    b: str


def ways_of(
    db: DatabaseSession, agents: Iterable[int], writer: Writer, sides: tuple[Side, Side], environ: Mapping[str, str]
) -> dict[int, Ways]:
    """How each side asks, by agent. Raises ``BadInput`` for a prompt or setting, and ``ModelNotConfigured``."""
    prompts = [prompt(writer) if side.prompt is None else _own(side.prompt, writer) for side in sides]
    ways: dict[int, Ways] = {}
    for agent in agents:
        in_force = settings_of(db, agent)
        a, b = (_way(in_force, side, used, environ) for side, used in zip(sides, prompts, strict=True))
        ways[agent] = (a, b)
    return ways


def differences_of(db: DatabaseSession, ways: Mapping[int, Ways], *, repeat: bool) -> tuple[Difference, ...]:
    """In what the sides differ. Raises ``BadInput`` where they do not and b would get the replies of a."""
    found: dict[str, None] = {}
    for agent, (a, b) in ways.items():
        differ = [what for what in a.in_words if _told(a, what) != _told(b, what)]
        if not differ and not repeat:
            name = db.get_one(Agent, agent).name
            raise BadInput(
                f"Both sides ask the same about the sessions of {name}, so b would be given the replies of a. "
                "A prompt, a model or a temperature can be named for one side, or --repeat asks b anew."
            )
        found |= dict.fromkeys(differ)
    return tuple(
        Difference(what, *(_joined(pair[side].in_words[what] for pair in ways.values()) for side in (0, 1)))
        for what in found
    )


def requests_of(
    db: DatabaseSession, session: AgentSession, writer: Writer, ways: Ways
) -> list[tuple[Planned, Planned]]:
    """The requests of both sides about one session, over the same parts of the same material; none where none is due.

    A prompt longer than the desk's own makes the parts smaller, for both.
    """
    longer = max(estimate(way.prompt.text) for way in ways) - estimate(prompt(writer).text)
    shared = ways[0].settings.model_copy(
        update={
            "writers": (writer,),
            "token_cap": max(way.settings.token_cap for way in ways),
            "context_tokens": ways[0].settings.context_tokens - max(0, longer),
        }
    )
    planned = Plan(db, session, shared, ways[0].model).first()
    return [(ways[0].asked_with(one), ways[1].asked_with(one)) for one in planned]


def _told(way: SideWay, what: str) -> str:
    return way.prompt.sha256 if what == "prompt" else way.in_words[what]


def _joined(values: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(values))


def _way(in_force: CriticSettings, side: Side, used: Prompt, environ: Mapping[str, str]) -> SideWay:
    wrong = sorted(side.chosen.keys() - PARAMETERS)
    if wrong:
        possible = _listed(sorted(PARAMETERS))
        raise BadInput(f"{_listed(wrong)} cannot differ in a comparison; {possible} can. Nothing was asked.")
    try:
        settings = CriticSettings.model_validate({**in_force.model_dump(), **side.chosen})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        what = ".".join(map(str, first["loc"]))
        raise BadInput(f"{what} cannot be {first['input']!r}: {first['msg']}. Nothing was asked.") from error
    name = "the desk's own" if side.prompt is None else side.prompt.name
    return SideWay(used, name, settings, model_settings(settings, environ))


def _own(file: Path, writer: Writer) -> Prompt:
    try:
        found = prompt_in(file, writer)
    except OSError as error:
        raise BadInput(f"The prompt {file} cannot be read: {error.strerror}. Nothing was asked.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"The prompt {file} is no text in UTF-8. Nothing was asked.") from error
    if not found.text.strip():
        raise BadInput(f"The prompt {file} is empty. Nothing was asked.")
    return found


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)
