"""One transcript as a tree: every word as it was said, with the evidence lit.

Turns count from 1, and the number of each is a link to it. Speakers differ by name, place and surface. What the agent
was told and what tools answered is folded, and opens by itself where it holds evidence.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

from core.evidence.in_words import SPEAKERS, speaker_in_words
from core.service.views import Quote, SessionRow
from core.transcripts.message import Transcript
from core.vocabulary import TOLD
from ui.badges import line_of, ring
from ui.calls import calls_of
from ui.lit_text import Names, lit_by_turn, places
from ui.places import address
from ui.times import moment
from ui.tree import Node, joined, node
from ui.turns import EXCERPT, SPEECH, Turn, turn_body

RINGS = 6
"""Rings that stand beside a turn; more are counted."""


def transcript_tree(
    row: SessionRow,
    transcript: Transcript,
    quotes: Sequence[Quote],
    *,
    of: int | None = None,
    names: Names | None = None,
) -> Node:
    """The pane: a head that stays, and the turns. Which quote is in the light is no part of it.

    ``of`` counts the item's quotes in all sessions, where there are more than those that stand here. ``names`` says
    whose evidence each number is, where several items have some.
    """
    drawn = _turns(row, transcript, quotes, names or {})
    body = [drawn(index) for index in range(len(transcript.messages))]
    empty = None if body else node("p", "aside", "This transcript holds no turn.")
    label = f"Transcript, {len(body):,} turns"
    scroll = node("div", "scroll", *body, empty, data_scroll=True, tabindex="0", role="region", aria_label=label)
    return node("div", "pane words", _head(row, of or len(quotes), is_link=names is None), scroll)


def excerpt_tree(row: SessionRow, transcript: Transcript, quotes: Sequence[Quote]) -> Node:
    """Only the turns that hold evidence, each after the turn before it."""
    drawn = _turns(row, transcript, quotes, {}, EXCERPT)
    lit = {place.turn for quote in quotes for place in places(quote)}
    wanted = sorted({turn for lighted in lit for turn in (lighted - 1, lighted) if turn >= 0})
    return node("div", "words excerpt", *(drawn(index) for index in wanted))


def _head(row: SessionRow, quotes: int, *, is_link: bool) -> Node:
    said = joined((row.agent, row.user, moment(row.started_at), row.outcome and f"outcome: {row.outcome}"))
    count = f"Evidence 1 of {quotes}" if quotes else "no evidence in this session"
    ref: Node = node("b", "", row.ref)
    if is_link:
        ref = node("button", "", ref, data_press=f"session:{row.ref}", type="button")
    return node(
        "div",
        "head",
        node("h2", "who", ref, f" · {said}"),
        node(
            "span",
            "count",
            node("span", "", count, data_count=str(quotes), aria_live="polite"),
            node("kbd", "", "N") if quotes > 1 else None,
        ),
    )


def _turns(
    row: SessionRow, transcript: Transcript, quotes: Sequence[Quote], names: Names, limit: int = SPEECH
) -> Callable[[int], Node]:
    lit, calls, here = lit_by_turn(quotes), calls_of(transcript), _quotes_by_turn(quotes)
    link = address("sessions", session=row.ref, turn="")

    def drawn(index: int) -> Node:
        turn = Turn(index, transcript.messages[index], lit[index], limit)
        return _turn(turn, _gutter(turn, here[index], link, names), turn_body(turn, calls, names), here[index])

    return drawn


def _quotes_by_turn(quotes: Sequence[Quote]) -> defaultdict[int, list[Quote]]:
    by_turn: defaultdict[int, list[Quote]] = defaultdict(list)
    for quote in quotes:
        for turn in dict.fromkeys(span.turn for span in (*quote.grounding.spans, *quote.grounding.nearest)):
            by_turn[turn].append(quote)
    return by_turn


def _turn(turn: Turn, gutter: Node, body: list[Node], quotes: Sequence[Quote]) -> Node:
    return node(
        "article",
        " ".join(("turn", *_looks(turn))),
        gutter,
        node("div", "said", *body),
        data_anchor=f"t{turn.index + 1}",
        data_evidence=" ".join(str(quote.number) for quote in quotes),
        aria_label=f"turn {turn.index + 1}, {SPEAKERS[turn.message.role]}",
    )


def _looks(turn: Turn) -> list[str]:
    look = "told" if turn.message.role in TOLD else str(turn.message.role)
    if not turn.lit:
        return [look]
    return [look, "near" if all(one.line == "nearest" for one in turn.lit) else "lit"]


def _gutter(turn: Turn, quotes: Sequence[Quote], link: str, names: Names) -> Node:
    number = str(turn.index + 1)
    more = len(quotes) - RINGS
    rings = [ring(quote, name=names.get(quote.number, "")) for quote in quotes[:RINGS]]
    return node(
        "div",
        "gutter",
        node("b", "", speaker_in_words(turn.message), dir="auto"),
        node("a", "", f"turn {number}", href=link + number, data_link=number),
        node("span", "rings", *rings, node("span", "", f"+{more}") if more > 0 else None) if quotes else None,
        node("span", "", "nearest") if any(line_of(quote) == "nearest" for quote in quotes) else None,
    )
