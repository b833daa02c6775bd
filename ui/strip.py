"""Confidences on a line from 0 to 1 with the threshold in force and the one that is tried.

Shapes say what happens: a full circle stays, an empty one is out, a diamond flips. Places are shares of the width, so
that words keep their size on every screen.
"""

from collections.abc import Sequence
from decimal import Decimal

from core.service.thresholds.different import ProcedureFlip
from ui.tree import Node, node

BASE = 64
"""Height of the line."""


def strip(flips: Sequence[ProcedureFlip], now: Decimal, tried: Decimal) -> Node:
    """The strip. Procedures of one confidence and one fate are one mark, stacked above each other up to three."""
    marks: list[Node] = []
    stacked: dict[Decimal, int] = {}
    for one in flips:
        level = min(stacked.get(one.then, 0), 2)
        stacked[one.then] = level + 1
        marks.append(_mark(one, BASE - 11 - 13 * level))
    return node(
        "svg",
        "strip",
        _text("0", Decimal(0), BASE + 18, "soft"),
        _text("confidence", Decimal("0.5"), BASE + 18, "soft mid"),
        _text("1", Decimal(1), BASE + 18, "soft end"),
        node("line", "", x1="0", x2="100%", y1=str(BASE), y2=str(BASE)),
        *_thresholds(now, tried),
        *marks,
        role="img",
        aria_label=in_words(flips, now, tried),
    )


def in_words(flips: Sequence[ProcedureFlip], now: Decimal, tried: Decimal) -> str:
    """What the strip shows, in words."""
    said = [f"{one.procedure.title} {one.then:.2f} {fate(one)}" for one in flips]
    return f"Threshold now {now:.2f}, tried {tried:.2f}. " + "; ".join(said)


def fate(one: ProcedureFlip) -> str:
    """What the try does with a procedure: ``stays``, ``out``, ``leaves`` or ``enters``."""
    if one.read_now is one.read_then:
        return "stays" if one.read_then else "out"
    return "enters" if one.read_then else "leaves"


def _thresholds(now: Decimal, tried: Decimal) -> list[Node]:
    if now == tried:
        return [_upright(now, "was"), _text(f"now {now:.2f}", now, 10, _away(now, left=now > Decimal("0.5")))]
    low, high = sorted((now, tried))
    names = {now: f"now {now:.2f}", tried: f"{tried:.2f}"}
    lines = [_upright(now, "was"), _upright(tried, "tried")]
    return [*lines, _text(names[low], low, 10, _away(low, left=True)), _text(names[high], high, 10, _away(high))]


def _away(at: Decimal, *, left: bool = False) -> str:
    """The words stand beside their line, on the side that has room."""
    if at < Decimal("0.08"):
        return ""
    return "end" if left or at > Decimal("0.92") else ""


def _upright(at: Decimal, look: str) -> Node:
    return node("line", look, x1=_x(at), x2=_x(at), y1="14", y2=str(BASE))


def _text(words: str, at: Decimal, y: int, look: str) -> Node:
    return node("text", look, words, x=_x(at), y=str(y))


def _mark(one: ProcedureFlip, y: int) -> Node:
    look = fate(one)
    if look in ("leaves", "enters"):
        shape = node("path", "flips" if look == "leaves" else "enters", d="M0 -7 L7 0 L0 7 L-7 0 Z")
    else:
        shape = node("circle", look, cx="0", cy="0", r="5")
    return node("svg", "", shape, x=_x(one.then), y=str(y))


def _x(at: Decimal) -> str:
    return f"{at * 100:.0f}%"
