"""What stands in one turn of a transcript: speech, calls of tools, their answers, and what the agent was told."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.transcripts.message import Message
from core.vocabulary import TOLD, Role
from ui.calls import Calls
from ui.lit_text import Names, text_nodes
from ui.segments import Lit
from ui.tree import Node, node

SPEECH, EXCERPT, OUTPUT, CALL, NAME = 6000, 900, 1200, 400, 200
"""Characters in sight before "show more": of speech and prompts, also in an excerpt; of a tool's output; of a call, and
of one as a title."""


@dataclass(frozen=True)
class Turn:
    """One message with the evidence that stands in it; ``index`` is its turn, from 0.

    ``limit`` is how many characters of speech stay in sight.
    """

    index: int
    message: Message
    lit: Sequence[Lit]
    limit: int = SPEECH


def turn_body(turn: Turn, calls: Calls, names: Names) -> list[Node]:
    """What was said, in full."""
    message = turn.message
    if message.role in TOLD:
        return [_told(turn, names)]
    if message.role is Role.TOOL:
        return [_answer(turn, calls, names)]
    made = [_call(turn.index, place, message, calls) for place in range(len(message.tool_calls))]
    if message.content:
        words = text_nodes(message.content, turn.limit, turn.lit, names)
        return [node("div", "speech", *words, dir="auto"), *made]
    return made or [node("p", "aside", "said nothing")]


def _told(turn: Turn, names: Names) -> Node:
    words = f"{len(turn.message.content.split()):,} words · told to the agent, not said by it"
    body = text_nodes(turn.message.content, turn.limit, turn.lit, names)
    return _folded(node("span", "", words), body, bool(turn.lit))


def _call(index: int, place: int, message: Message, calls: Calls) -> Node:
    answer = calls.answers.get((index, place))
    link = node("span", "aside", "no answer came") if answer is None else _go("answer in turn", answer)
    code = node("code", "", *text_nodes(message.tool_calls[place].shown, CALL), dir="auto")
    return node("div", "call", code, " ", link)


def _answer(turn: Turn, calls: Calls, names: Names) -> Node:
    message, made = turn.message, calls.made.get(turn.index)
    title = made.call.shown if made else f"{message.name or 'a tool'} answered"
    summary = node(
        "span",
        "callname",
        node("code", "", title if len(title) <= NAME else title[:NAME] + "…", dir="auto"),
        node("b", "failed", " → reported an error") if message.failed else None,
        _go("called in turn", made.turn) if made else None,
    )
    if not message.content:
        return node("p", "aside", summary, " · answered with nothing")
    return _folded(summary, text_nodes(message.content, OUTPUT, turn.lit, names), bool(turn.lit))


def _folded(summary: Node, body: list[Node], is_open: bool) -> Node:
    return node("details", "fold", node("summary", "", summary), node("pre", "", *body, dir="auto"), open=is_open)


def _go(words: str, turn: int) -> Node:
    return node("button", "link", f"{words} {turn + 1}", data_turn=str(turn + 1), type="button")
