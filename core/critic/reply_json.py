"""The JSON objects in a reply, whatever stands around them: fences, prose, reasoning.

Critic. What a model thought aloud is not its answer: objects before the end of its reasoning do not count. Inside a
string, the marks of reasoning are words like others, since evidence may quote them.
"""

import re
from dataclasses import dataclass
from typing import Any

from core.critic.lenient_json import BrokenJson, decode

_OPENS = re.compile(r"<(?:think|thinking|thought|reasoning)>|◁think▷", re.I)
_CLOSES = re.compile(r"</(?:think|thinking|thought|reasoning)>|◁/think▷|<\|channel\|>final<\|message\|>", re.I)

_LIKE_AN_OBJECT = re.compile(r"\{\s*[\"']\w+[\"']\s*:")

_MOST_IN_VAIN = 2_000_000
"""Characters that are read at most without finding an object: a reply may be made to be slow."""


@dataclass(frozen=True)
class InReply:
    """An object in a reply: its content and its place, and whether its JSON had to be forgiven something."""

    content: dict[str, Any]
    start: int
    end: int
    repaired: bool


@dataclass(frozen=True)
class Objects:
    """The objects of a reply in order, those inside others left out.

    ``broken`` says where and why reading stopped of what begins like an object and is none, each place once.
    """

    found: tuple[InReply, ...]
    broken: tuple[str, ...]
    unfinished: bool
    """Whether the reply ends in the middle of its reasoning."""
    beside: str = ""
    """What stands in the answer beside its objects, these blanked out."""


def objects_in(reply: str) -> Objects:
    """The objects of a reply that stand after its reasoning."""
    found, broken = _scanned(reply)
    outside = _blanked(reply, found)
    answer_from = max((tag.end() for tag in _CLOSES.finditer(outside)), default=0)
    opened = _OPENS.search(outside, answer_from)
    answer_to = opened.start() if opened else len(reply)
    said = tuple(each for each in found if answer_from <= each.start < answer_to)
    wrong = dict.fromkeys(why for place, why in broken if answer_from <= place < answer_to)
    return Objects(said, tuple(wrong), opened is not None, outside[answer_from:answer_to])


def _scanned(reply: str) -> tuple[list[InReply], list[tuple[int, str]]]:
    """Every object from the left, and the places that look like one and are none."""
    found: list[InReply] = []
    broken: list[tuple[int, str]] = []
    at, in_vain = reply.find("{"), 0
    while at >= 0 and in_vain < _MOST_IN_VAIN:
        try:
            decoded = decode(reply, at)
            found.append(InReply(decoded.value, at, decoded.end, decoded.repaired))
            at = reply.find("{", decoded.end)
        except BrokenJson as error:
            if _LIKE_AN_OBJECT.match(reply, at):
                broken.append((at, str(error)))
            in_vain += error.place - at
            at = reply.find("{", at + 1)
    return found, broken


def _blanked(reply: str, found: list[InReply]) -> str:
    """The reply with its objects blanked out, every place as it was."""
    parts: list[str] = []
    at = 0
    for each in found:
        parts += [reply[at : each.start], " " * (each.end - each.start)]
        at = each.end
    return "".join([*parts, reply[at:]])
