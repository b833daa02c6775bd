"""The JSON objects in a reply, whatever stands around them: fences, prose, reasoning.

Critic. What a model thought aloud is not its answer: objects before the end of its reasoning do not count. Inside a
string, the marks of reasoning are words like others, since evidence may quote them.
"""

import re
from dataclasses import dataclass
from typing import Any

from core.critic.lenient_json import BrokenJson, Decoded, TooDeep, decode_leniently, decode_strictly

_OPENS = re.compile(r"<(?:think|thinking|thought|reasoning)>|◁think▷", re.I)
_CLOSES = re.compile(r"</(?:think|thinking|thought|reasoning)>|◁/think▷|<\|channel\|>final<\|message\|>", re.I)

_OBJECT = re.compile(r"\{(?=\s*+[\"'}])")
_LIKELY = re.compile(r"\{(?=\s*+(?:[\"'}]|[“”„]?\w++[”“]?\s*+:))")
_BLANKS = re.compile(r"\s*+")
_LIKE_AN_OBJECT = re.compile(r"\{\s*+[\"'“”„]?\w++[\"'“”]?\s*+:")
"""Also with names without quotation marks: what a model meant to say must not look as if it had said nothing."""

LONGEST = 1_000_000
"""Characters of a reply that is read at all. The longest that a model writes in one answer are some 500,000."""

_MOST_WORK = 400_000
"""Characters that are read at most with faults or in vain: a reply may be made to be slow."""

_STRICT_WORK, _ATTEMPT = 5, 40
"""Characters read strictly that cost as much as one that is read leniently, and what each attempt costs besides."""

_MOST_BROKEN = 10
"""Broken places that are named; the rest is counted."""


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

    ``broken`` says where and why reading stopped of what begins like an object and is none, each place once, the first
    ten; ``broken_besides`` counts the others.
    """

    found: tuple[InReply, ...]
    broken: tuple[str, ...]
    unfinished: bool
    """Whether the reply ends in the middle of its reasoning."""

    beside: str = ""
    """What stands in the answer beside its objects, these blanked out."""

    broken_besides: int = 0
    too_long: bool = False
    """Whether nothing was read since the reply is longer than any that is."""


def objects_in(reply: str) -> Objects:
    """The objects of a reply that stand after its reasoning; of one that is a JSON string, those in that string."""
    if len(reply) > LONGEST:
        return Objects((), (), unfinished=False, too_long=True)
    inner = _in_a_string(reply)
    reply = reply if inner is None else inner
    scan = _Scan(reply)
    outside = _blanked(reply, scan.found)
    answer_from = max((tag.end() for tag in _CLOSES.finditer(outside)), default=0)
    opened = _OPENS.search(outside, answer_from)
    answer_to = opened.start() if opened else len(reply)
    said = tuple(each for each in scan.found if answer_from <= each.start < answer_to)
    wrong = tuple(dict.fromkeys(why for place, why in scan.broken if answer_from <= place < answer_to))
    besides, beside = max(0, len(wrong) - _MOST_BROKEN), outside[answer_from:answer_to]
    return Objects(said, wrong[:_MOST_BROKEN], unfinished=opened is not None, beside=beside, broken_besides=besides)


def why_nothing(reply: str, objects: Objects, expected: str) -> str:
    """Why a reply holds nothing that was asked for, which is an object with ``expected``."""
    if not reply.strip():
        return "empty reply"
    if objects.too_long:
        return f"the reply has {len(reply):,} characters; at most {LONGEST:,} are read"
    if objects.unfinished:
        return "the reply ends in the middle of its reasoning"
    if objects.broken:
        return f"broken JSON: {objects.broken[0]}"
    return f"not an object with key {expected}"


class _Scan:
    """Every object from the left, and the places that look like one and are none.

    ``work`` grows with what is read leniently or in vain, and ends the scan: its time is linear, whatever the reply.
    """

    def __init__(self, reply: str) -> None:
        self.reply, self.work, self.strictly = reply, 0, True
        self.found: list[InReply] = []
        self.broken: list[tuple[int, str]] = []
        at = 0
        while (begin := _LIKELY.search(reply, at)) is not None:
            at = begin.start()
            if self.work >= _MOST_WORK:
                self.broken.append((at, f"too much is broken; nothing is read from character {at + 1} on"))
                return
            at = self._end_of_one(at)

    def _end_of_one(self, at: int) -> int:
        """Reads the object at a place, and gives the place to go on from."""
        try:
            if _OBJECT.match(self.reply, at) is None:
                raise BrokenJson(self._name_at(at), "a name in quotation marks")
            decoded = self._decoded(at)
        except BrokenJson as error:
            if _LIKE_AN_OBJECT.match(self.reply, at):
                self.broken.append((at, str(error)))
            return at + 1
        self.found.append(InReply(decoded.value, at, decoded.end, decoded.repaired))
        return decoded.end

    def _decoded(self, at: int) -> Decoded:
        """The object at a place; what was read and was none is added to the work."""
        self.work += _ATTEMPT
        if self.strictly:
            try:
                return decode_strictly(self.reply, at)
            except TooDeep:
                self.strictly = False
            except BrokenJson as error:
                self.work += (error.place - at) // _STRICT_WORK
        try:
            decoded = decode_leniently(self.reply, at, at + max(0, _MOST_WORK - self.work))
        except BrokenJson as error:
            self.work += error.place - at
            raise
        self.work += decoded.end - at
        return decoded

    def _name_at(self, at: int) -> int:
        blanks = _BLANKS.match(self.reply, at + 1)
        return blanks.end() if blanks else at + 1


def _in_a_string(reply: str) -> str | None:
    """The text of a reply that is one JSON string; None for any other."""
    text = reply.strip()
    if not text.startswith('"{') and not text.startswith('"['):
        return None
    try:
        decoded = decode_strictly(text, 0)
    except BrokenJson:
        return None
    return decoded.value if decoded.end == len(text) else None


def _blanked(reply: str, found: list[InReply]) -> str:
    """The reply with its objects blanked out, every place as it was."""
    parts: list[str] = []
    at = 0
    for each in found:
        parts += [reply[at : each.start], " " * (each.end - each.start)]
        at = each.end
    return "".join([*parts, reply[at:]])
