"""One transcript as a tree: every word as it was said, with the evidence lit.

Turns count from 1. Speakers differ by name, place and surface. What the agent was told and what tools answered is
folded, and opens by itself where it holds evidence.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.evidence.contract import Span
from core.evidence.in_words import speaker_in_words
from core.service.views import Quote, SessionRow
from core.transcripts.message import Message, Transcript
from core.vocabulary import TOLD, Role
from ui.badges import line_of, ring
from ui.segments import Lit, Segment, segments
from ui.times import moment
from ui.tree import Node, joined, node

CUT = 1200
"""Characters of a tool's output that are shown before "show all"."""


def transcript_tree(
    row: SessionRow, transcript: Transcript, quotes: Sequence[Quote], current: int | None, of: int | None = None
) -> Node:
    """The pane: a head that stays, and the turns.

    ``current`` is the number of the quote in full light. ``of`` counts the item's quotes in all sessions, where there
    are more than those that stand here.
    """
    lit = _lit_by_turn(quotes)
    answered = _calls_answered(transcript)
    turns = [
        _turn(index, message, lit[index], _quotes_of(quotes, index), answered)
        for index, message in enumerate(transcript.messages)
    ]
    body = turns or [node("p", "aside", "This transcript holds no turn.")]
    return node(
        "div", "pane words", _head(row, of or len(quotes), current), node("div", "scroll", *body, data_scroll=True)
    )


def excerpt_tree(transcript: Transcript, quotes: Sequence[Quote]) -> Node:
    """Only the turns that hold evidence, each after the turn before it."""
    lit = _lit_by_turn(quotes)
    answered = _calls_answered(transcript)
    wanted = sorted({turn for lighted in lit for turn in (lighted - 1, lighted) if turn >= 0})
    return node(
        "div",
        "words excerpt",
        *(_turn(i, transcript.messages[i], lit[i], _quotes_of(quotes, i), answered) for i in wanted),
    )


def _head(row: SessionRow, quotes: int, current: int | None) -> Node:
    said = joined((row.agent, row.user, moment(row.started_at), row.outcome and f"outcome: {row.outcome}"))
    count = f"Evidence {current or 1} of {quotes}" if quotes else "no evidence in this session"
    key = node("kbd", "", "N") if quotes > 1 else None
    return node(
        "div",
        "head",
        node(
            "span",
            "who",
            node("button", "", node("b", "", row.ref), data_press=f"session:{row.ref}", type="button"),
            f" · {said}",
        ),
        node("span", "count", node("span", "", count, data_count=str(quotes)), key),
    )


def _quotes_of(quotes: Sequence[Quote], turn: int) -> list[Quote]:
    def stands(quote: Quote) -> bool:
        found = quote.grounding
        return any(span.turn == turn for span in found.spans or found.nearest)

    return [quote for quote in quotes if stands(quote)]


def _lit_by_turn(quotes: Iterable[Quote]) -> defaultdict[int, list[Lit]]:
    by_turn: defaultdict[int, list[Lit]] = defaultdict(list)
    for quote in quotes:
        line = line_of(quote)
        for span in _places(quote):
            by_turn[span.turn].append(Lit(span, quote.number, line))
        if line != "nearest":
            for gap in quote.grounding.gaps:
                by_turn[gap.turn].append(Lit(gap, quote.number, "gap"))
    return by_turn


def _places(quote: Quote) -> tuple[Span, ...]:
    return quote.grounding.spans or quote.grounding.nearest


def _calls_answered(transcript: Transcript) -> dict[int, tuple[int, str]]:
    """For each tool's turn the turn and the text of the call that it answers, by id, else in the order of the calls."""
    waiting: list[tuple[int, str | None, str, str]] = []
    answered: dict[int, tuple[int, str]] = {}
    for turn, message in enumerate(transcript.messages):
        waiting += [(turn, call.id, call.name, call.shown) for call in message.tool_calls]
        if message.role is Role.TOOL and waiting:
            at = _position(waiting, message)
            if at is not None:
                calling, _, _, shown = waiting.pop(at)
                answered[turn] = (calling, shown)
    return answered


def _position(waiting: list[tuple[int, str | None, str, str]], message: Message) -> int | None:
    for at, (_, call_id, name, _) in enumerate(waiting):
        if message.tool_call_id is not None and call_id is not None:
            if call_id == message.tool_call_id:
                return at
        elif message.name in (None, name):
            return at
    return None


def _turn(
    turn: int, message: Message, lit: list[Lit], quotes: list[Quote], answered: dict[int, tuple[int, str]]
) -> Node:
    look = "told" if message.role in TOLD else str(message.role)
    light = ""
    if lit:
        light = " near" if all(one.line == "nearest" for one in lit) else " lit"
    return node(
        "section",
        f"turn {look}{light}",
        _gutter(turn, message, quotes),
        node("div", "said", *_said(turn, message, lit, answered)),
        data_anchor=f"t{turn + 1}",
        data_evidence=" ".join(str(quote.number) for quote in quotes),
    )


def _gutter(turn: int, message: Message, quotes: list[Quote]) -> Node:
    near = any(line_of(quote) == "nearest" for quote in quotes)
    return node(
        "div",
        "gutter",
        node("b", "", speaker_in_words(message)),
        node("span", "", f"turn {turn + 1}"),
        node("span", "rings", *(ring(quote) for quote in quotes)) if quotes else None,
        node("span", "", "nearest") if near else None,
    )


def _said(turn: int, message: Message, lit: list[Lit], answered: dict[int, tuple[int, str]]) -> list[Node]:
    if message.role in TOLD:
        words = f"{len(message.content.split()):,} words · told to the agent, not said by it"
        return [_folded(node("span", "", words), _text(message.content, lit), bool(lit))]
    if message.role is Role.TOOL:
        return [_tool(turn, message, lit, answered)]
    calls = [_call(turn, at, message, answered) for at in range(len(message.tool_calls))]
    if not message.content and not calls:
        return [node("p", "aside", "said nothing")]
    return [node("div", "speech", *_text(message.content, lit), dir="auto") if message.content else "", *calls]


def _call(turn: int, at: int, message: Message, answered: dict[int, tuple[int, str]]) -> Node:
    call = message.tool_calls[at]
    answer = next((t + 1 for t, (calling, shown) in answered.items() if calling == turn and shown == call.shown), None)
    link = _go(f"answer in turn {answer}", answer) if answer else node("span", "aside", "no answer came")
    return node("div", "call", node("code", "", *_cut(call.shown, 400)), " ", link)


def _tool(turn: int, message: Message, lit: list[Lit], answered: dict[int, tuple[int, str]]) -> Node:
    calling = answered.get(turn)
    name = calling[1] if calling else f"{message.name or 'a tool'} answered"
    summary = node(
        "span",
        "callname",
        node("code", "", name if len(name) <= 200 else name[:200] + "…"),
        node("b", "failed", " → reported an error") if message.failed else "",
        _go(f"called in turn {calling[0] + 1}", calling[0] + 1) if calling else None,
    )
    if not message.content:
        return node("p", "aside", summary, " · answered with nothing")
    body = _text(message.content, lit) if lit else _cut(message.content, CUT)
    return _folded(summary, body, bool(lit))


def _folded(summary: Node, body: list[Node], is_open: bool) -> Node:
    return node("details", "fold", node("summary", "", summary), node("pre", "", *body, dir="auto"), open=is_open)


def _go(words: str, turn: int) -> Node:
    return node("button", "link", words, data_turn=f"t{turn}", type="button")


def _cut(text: str, at: int) -> list[Node]:
    if len(text) <= at * 1.25:
        return [text] if text else []
    return [text[:at], node("span", "rest", text[at:], hidden=True), _more(len(text))]


def _more(characters: int) -> Node:
    # The words of the button come from an attribute, so that the texts of the tree stay the transcript's own.
    return node("button", "link more", data_more=f"show all {characters:,} characters", type="button")


def _text(content: str, lit: list[Lit]) -> list[Node]:
    return [_segment(segment) for segment in segments(content, lit)]


def _segment(segment: Segment) -> Node:
    if not segment.lit:
        return segment.text
    lines = sorted({one.line for one in segment.lit})
    numbers = " ".join(str(one.number) for one in segment.lit)
    # Hidden words of a shortened quote are underlined and stay unlit, unless another quote lights them.
    tag = "span" if lines == ["gap"] else "mark"
    return node(tag, " ".join(("ev", *lines)), segment.text, data_evidence=numbers)
