"""What stands under a quote that is in doubt: why, what differs, and what a person can settle with a click.

A press is ``place:QUOTE:TURN:START:END`` for one of several places, or ``gap:QUOTE`` for words that were left out.
"""

from collections.abc import Sequence

from core.evidence.contract import Span
from core.service.views import Quote
from core.transcripts.message import Transcript
from core.vocabulary import Verdict
from ui.badges import word_diff
from ui.tree import Node, node

AROUND = 48
"""Characters of context on either side of a place."""

COMPARED = (Verdict.ALTERED, Verdict.NOT_FOUND)


def doubts(quote: Quote, transcript: Transcript | None, *, settles: bool) -> list[Node]:
    """Why the words may not be what they seem; ``settles`` draws the buttons for a person who may decide."""
    found, pressed = quote.grounding, str(quote.id) if settles else ""
    if quote.found:
        flags: list[Node] = [node("p", "doubt", flag.text) for flag in found.flags]
        several = found.verdict is Verdict.AMBIGUOUS
        return [*flags, _places(found.places, transcript, pressed)] if several else flags
    said = [quote.stale] if quote.stale else [reason.text for reason in found.reasons]
    reasons: list[Node] = [node("p", "", text) for text in said]
    return [
        node("div", "finding conflict", *_difference(quote, transcript), *reasons, _way_out(quote, transcript, pressed))
    ]


def _way_out(quote: Quote, transcript: Transcript | None, pressed: str) -> Node | None:
    if quote.stale and quote.grounding.places:
        return _places(quote.grounding.places, transcript, pressed)
    if pressed and quote.grounding.waits_for_a_reader and not quote.stale:
        return _button("The words left out keep the meaning", f"gap:{pressed}")
    return None


def _places(places: Sequence[tuple[Span, ...]], transcript: Transcript | None, pressed: str) -> Node:
    return node("ul", "places", *(_place(place, transcript, pressed) for place in places), aria_label="Where it stands")


def _place(place: tuple[Span, ...], transcript: Transcript | None, pressed: str) -> Node:
    first, turn = place[0], f"turn {place[0].turn + 1}"
    press = f"place:{pressed}:{first.turn}:{first.start}:{first.end}"
    button = _button(f"It is this one, {turn}", press) if pressed else node("span", "meta", turn)
    return node("li", "", node("span", "around", *_around(place, transcript)), button)


def _around(place: tuple[Span, ...], transcript: Transcript | None) -> list[Node]:
    if transcript is None:
        return []
    content, start, end = transcript.messages[place[0].turn].content, place[0].start, place[-1].end
    before, after = content[max(0, start - AROUND) : start], content[end : end + AROUND]
    return [
        "…" * (start > AROUND),
        before,
        node("b", "", content[start:end]),
        after,
        "…" * (end + AROUND < len(content)),
    ]


def _button(words: str, press: str) -> Node:
    return node("button", "link", words, data_press=press, type="button")


def _difference(quote: Quote, transcript: Transcript | None) -> list[Node]:
    near = quote.grounding.nearest
    if transcript is None or not near or quote.grounding.verdict not in COMPARED:
        return []
    source = " … ".join(transcript.messages[s.turn].content[s.start : s.end] for s in near)
    return [
        node("b", "", f"Nearest is turn {near[0].turn + 1}; the quote differs"),
        node("p", "", "Struck out stands only in the transcript, underlined only in the quote."),
        node("p", "", "“", *word_diff(source, quote.text), "”"),
    ]
