"""The words of one message as nodes: lit where evidence stands, very long stretches cut away until asked for.

Promise: the texts of the nodes joined are the message. What a button says comes from an attribute.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.evidence.contract import Span
from core.service.views import Quote
from ui.badges import line_of
from ui.segments import Lit, Segment, segments
from ui.tree import Node, node
from ui.wording import evidence_words

AROUND = 300
"""Characters that stay in sight on both sides of evidence in a message that is cut."""
REST = "rest"
Names = Mapping[int, str]
"""The item behind each number of evidence, where a transcript shows the evidence of several."""


def lit_by_turn(quotes: Iterable[Quote]) -> defaultdict[int, list[Lit]]:
    """For each turn the spans that are lit, framed or underlined there."""
    by_turn: defaultdict[int, list[Lit]] = defaultdict(list)
    for quote in quotes:
        line = line_of(quote)
        for span in places(quote):
            by_turn[span.turn].append(Lit(span, quote.number, line))
        if line != "nearest":
            for gap in quote.grounding.gaps:
                by_turn[gap.turn].append(Lit(gap, quote.number, "gap"))
    return by_turn


def places(quote: Quote) -> tuple[Span, ...]:
    """Where a quote stands, else where it comes nearest."""
    return quote.grounding.spans or quote.grounding.nearest


def text_nodes(content: str, limit: int, lit: Sequence[Lit] = (), names: Names | None = None) -> list[Node]:
    """The message. One much longer than ``limit`` keeps its beginning and what stands around its evidence in sight."""
    hidden = [Lit(span, 0, REST) for span in _cut_away(content, lit, limit)]
    if not lit and not hidden:
        return [content] if content else []
    parts = segments(content, [*lit, *hidden])
    return [one for part in parts for one in _drawn(part, names or {})]


def _cut_away(content: str, lit: Sequence[Lit], limit: int) -> Iterator[Span]:
    if len(content) <= limit * 1.25:
        return
    kept = sorted([(0, limit), *((one.span.start - AROUND, one.span.end + AROUND) for one in lit)])
    reached = 0
    for start, end in [*kept, (len(content), len(content))]:
        if start - reached > AROUND:
            yield Span(0, _at_a_break(content, reached), _at_a_break(content, start))
        reached = max(reached, end)


def _at_a_break(content: str, at: int) -> int:
    """The end of the word that stands here, unless it is a very long one."""
    near = content[at : at + 80]
    return at + next((place for place, character in enumerate(near) if character.isspace()), 0)


def _drawn(part: Segment, names: Names) -> Iterator[Node]:
    lines = sorted({one.line for one in part.lit})
    if REST in lines:
        words = f"show {len(part.text):,} more characters"
        yield node("span", REST, part.text, hidden="until-found")
        yield node("button", "link more", data_more=words, aria_label=words, type="button")
    elif lines:
        yield _marked(part, lines, names)
    else:
        yield part.text


def _marked(part: Segment, lines: list[str], names: Names) -> Node:
    numbers = sorted({one.number for one in part.lit})
    evidence = " ".join(map(str, numbers))
    # Hidden words of a shortened quote are underlined and stay unlit, unless another quote lights them.
    if lines == ["gap"]:
        return node("span", "ev gap", part.text, data_evidence=evidence)
    look = " ".join(("ev", *lines, *(["shared"] if len(numbers) > 1 else [])))
    said = evidence_words(numbers, names)
    return node(
        "mark", look, part.text, data_evidence=evidence, tabindex="0", role="button", aria_description=said, title=said
    )
