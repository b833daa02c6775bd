"""How the Beliefs page marks where a belief or an episode stands: a shape and a word, and colour besides."""

from core.service.views.beliefs import BeliefRow, SourceNode
from core.vocabulary import Status
from ui.tree import Node, node

STANDS, WAITS, OUT = "stands", "waits", "out"
"""The three shapes: filled, hollow, broken."""

_LOOKS = {Status.ACTIVE: STANDS, Status.PROPOSED: WAITS, Status.HELD: WAITS}
_WORDS = {Status.ACTIVE: "in force"}


def mark(look: str, words: str) -> Node:
    """A shape with its words."""
    return node("span", f"stand {look}", node("i", "shape", aria_hidden="true"), node("b", "", words))


def belief_mark(row: BeliefRow) -> Node:
    """Where a belief stands; one that a source took out is stale, whatever waits for a person."""
    status = Status(row.status)
    words = _WORDS.get(status, str(status))
    return mark(OUT, f"stale, {words}") if row.is_stale else mark(_LOOKS.get(status, OUT), words)


def standing_words(row: BeliefRow) -> str:
    """How many of its sources stand: ``3 sources``, ``2 of 3 sources stand``."""
    if row.rests_on_enough:
        return f"{row.cites} sources"
    return f"{row.standing} of {row.cites} sources stand"


def source_mark(one: SourceNode) -> Node:
    """Where an episode stands, or a belief that is cited."""
    if one.stands:
        return mark(STANDS, "stands")
    return mark(WAITS if one.known_until is None else OUT, one.why_not.partition(":")[0] or "does not count yet")
