"""Other people's transcripts read into ours: Who&When and STAR, from the folder that ``TUTELAGE_CORPUS`` names.

Only the bench reads these forms; the desk does not. Every text is taken over as it stands.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.evidence.corpus import root
from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Role

_TERMINAL = "Computer_terminal"


@dataclass(frozen=True)
class Mistake:
    """A failed run of several agents, and where a person found the mistake."""

    name: str
    transcript: Transcript
    turn: int
    reason: str


def who_and_when() -> Iterator[Mistake]:
    """Who&When: the blamed agent is the assistant, the terminal a tool, every other agent somebody else. The prompts
    that the agents were given come first."""
    for path, row in _rows("who-and-when"):
        prompts = [Message(role=Role.SYSTEM, content=prompt) for prompt in row["system_prompt"].values()]
        blamed = row["history"][int(row["mistake_step"])].get("name") or row["mistake_agent"]
        said = [_of_an_agent(message, blamed) for message in row["history"]]
        turn = len(prompts) + int(row["mistake_step"])
        yield Mistake(path.stem, Transcript(messages=(*prompts, *said)), turn, row["mistake_reason"])


def _of_an_agent(message: dict[str, Any], blamed: str) -> Message:
    name = str(message.get("name") or message["role"])
    if name == blamed:
        return Message(role=Role.ASSISTANT, content=message["content"])
    role = Role.TOOL if name == _TERMINAL else Role.OTHER
    return Message(role=role, content=message["content"], name=name)


def star() -> Iterator[Transcript]:
    """STAR: the wizard is the assistant, the knowledge base a tool; the guide who tells the user what to ask for is
    somebody else. What the wizard typed to get suggestions was said to nobody."""
    for _, row in _rows("star"):
        messages = (_of_an_event(event) for event in row["Events"])
        yield Transcript(messages=tuple(message for message in messages if message is not None))


def _of_an_event(event: dict[str, Any]) -> Message | None:
    match event["Agent"], event["Action"]:
        case "User", "utter":
            return Message(role=Role.USER, content=event["Text"])
        case "Wizard", "utter" | "pick_suggestion":
            return Message(role=Role.ASSISTANT, content=event["Text"])
        case "Wizard", "query":
            call = ToolCall(name=event["APIName"], arguments=event["Constraints"])
            return Message(role=Role.ASSISTANT, tool_calls=(call,))
        case "KnowledgeBase", "return_item":
            item = json.dumps(event.get("Item", {}), ensure_ascii=False)
            return Message(role=Role.TOOL, content=item, name=event["APIName"])
        case "UserGuide", "instruct":
            return Message(role=Role.OTHER, content=event["Text"], name="guide")
    return None


def _rows(source: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    folder = root()
    if folder is None:
        return
    for path in sorted((folder / source).glob("*/*.json")):
        yield path, json.loads(path.read_text(encoding="utf-8"))
