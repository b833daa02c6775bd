"""The right side of Thresholds: what would have been different, in figures, lines, paths and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import streamlit as st

from core.memory.confidence import Path
from core.service.thresholds import Different
from core.service.thresholds.different import ProcedureFlip
from core.service.thresholds.gates import Against
from core.service.thresholds.happened import PastBriefing
from core.service.thresholds.lines import BriefingFlip
from core.service.views import PathPoint
from core.settings import Settings
from core.vocabulary import Kind
from ui.chart import tried_figure
from ui.drawing import draw
from ui.strip import fate, strip
from ui.table import Column, TableRow, table_tree
from ui.times import moment
from ui.tree import Node, joined, node

BRIEFINGS, OTHERS = 12, 4
"""Kinds of difference of which the lines are shown, and briefings of one kind that are named besides the newest."""

PATHS = 5
"""Procedures whose paths are drawn, those that flip first; each has two lines."""

PROCEDURES = (
    Column("Procedure", "grow"),
    Column("Confidence", "num"),
    Column("+ / −", "num"),
    Column("People said last"),
)
LINES = (Column("Note or lesson", "grow"), Column("Enters", "num"), Column("Leaves", "num"))
VERDICTS = (
    Column("", "keep"),
    Column("Precision", "num"),
    Column("Recall", "num"),
    Column("Kept, people kept", "num"),
    Column("Kept, people refused", "num"),
    Column("Dropped, people kept", "num"),
)
FLIPS = (Column("What the agent read and would have read", "grow"), Column("Why", "some"), Column("Tokens", "num"))
GATES = {
    Kind.PROCEDURE: "Procedures: read by their confidence now",
    Kind.NOTE: "Notes: read by severity and quotes",
    Kind.LESSON: "Lessons: no near twin beside them",
}


@dataclass(frozen=True)
class Line:
    """One path as the chart needs it."""

    title: str
    confidence: Decimal
    path: tuple[PathPoint, ...]


def show(other: Different) -> None:
    """All of it, the figures first."""
    draw(node("h2", "", "What would have been different"), key="different-head")
    draw(_figures(other), key="different-figures")
    if other.procedures:
        now, tried = other.now.procedure_threshold, other.draft.procedure_threshold
        draw(strip(other.procedures, now, tried), key="different-strip")
        draw(node("p", "meta", "● stays · ○ is not read · ◇ flips"), key="strip-legend")
        _show_paths(other)
    draw(_entering(other), key="different-procedures")
    draw(_verdicts(other), key="different-verdicts")
    draw(_briefings(other), key="different-briefings")


def _figures(other: Different) -> Node:
    now, then = other.procedures_read
    means = other.mean_notes()
    notes = f"{means[0]} → {means[1]}" if means else "none yet"
    figures = (
        ("Procedures read", f"{now} → {then}", ""),
        ("Past briefings that differ", str(len(other.differing)), f" of {other.briefings}"),
        ("Notes read, mean", notes, ""),
        ("Queue items flipped", str(other.queue()), f" of {len(other.past.queue):,}"),
    )
    return node("div", "tries", *(_figure(*one) for one in figures))


def _figure(title: str, value: str, of: str) -> Node:
    return node("div", "figure", node("h3", "", title), node("b", "", value), node("span", "meta", of) if of else None)


def _show_paths(other: Different) -> None:
    """The paths of the procedures that the try moves most; by the numbers in force thin, as tried solid."""
    chosen = sorted(other.procedures, key=lambda one: (one.read_now is one.read_then, one.now == one.then))[:PATHS]
    lines = [(_line(one, one.procedure.path, other.now), _line(one, one.path, other.draft)) for one in chosen]
    figure = tried_figure(
        lines,
        other.now.procedure_threshold,
        other.draft.procedure_threshold,
        dark=st.context.theme.type == "dark",
    )
    said = "; ".join(f"{one.procedure.title}: now {one.now:.2f}, with {one.then:.2f}" for one in chosen)
    st.plotly_chart(figure, theme=None, key="different-paths", config={"displayModeBar": False}, alt=said)
    legend = "thin, dashed: by the numbers in force · solid: as tried · shaded: not read"
    draw(node("p", "meta", legend), key="paths-legend")


def _line(one: ProcedureFlip, path: Path, numbers: Settings) -> Line:
    points = tuple(
        PathPoint(
            step.happened.at,
            step.happened.event,
            step.value,
            step.held >= numbers.procedure_threshold,
            step.happened.session,
            step.happened.session_ref,
            place,
        )
        for place, step in enumerate(path.steps)
    )
    return Line(one.procedure.title, path.now, points)


def _entering(other: Different) -> Node:
    """Procedures that flip, or whose confidence moves; notes and lessons of the next briefings."""
    flips = [one for one in other.procedures if one.read_now is not one.read_then or one.now != one.then]
    parts: list[Node] = []
    if flips:
        parts.append(table_tree(PROCEDURES, [_procedure(one) for one in flips]))
    lines = other.enters_and_leaves
    if lines:
        rows = [TableRow((_named(key, text), str(enters), str(leaves))) for key, text, enters, leaves in lines]
        foot = f"In the next briefings of the {len(other.past.upcoming)} agents and users that were here last."
        parts.append(table_tree(LINES, rows, foot=foot))
    nothing = node("p", "meta", "No procedure, note or lesson would enter or leave a briefing now.")
    return node("div", "", *(parts or [nothing]))


def _named_briefing(one: PastBriefing) -> str:
    return joined((one.receipt, joined((one.agent, one.user), ", "), moment(one.at)))


def _named(key: str, text: str) -> Node:
    return node("span", "", node("b", "", key), f" {text.removeprefix('- ')}")


def _procedure(one: ProcedureFlip) -> TableRow:
    what = fate(one)
    name = node(
        "span", "", node("b", what, f"{what} "), one.procedure.title, node("span", "meta", f" {one.procedure.ref}")
    )
    value = f"{one.then:.2f}" if one.now == one.then else f"{one.now:.2f} → {one.then:.2f}"
    counts = f"{one.procedure.path.successes} / {one.procedure.path.failures}"
    return TableRow((name, value, counts, one.procedure.verdict))


def _verdicts(other: Different) -> Node:
    verdicts = sum(other.against(other.now, kind).verdicts for kind in Kind)
    head = node("h2", "spaced", f"Against what people decided ({verdicts:,} human verdicts)")
    if not verdicts:
        return node("div", "", head, node("p", "meta", "Nobody has decided about anything yet."))
    rows = [
        row
        for kind in GATES
        if other.against(other.now, kind).verdicts
        for row in (
            TableRow((node("b", "", GATES[kind]), "", "", "", "", "")),
            _verdict("now", other.against(other.now, kind)),
            _verdict("with these", other.against(other.draft, kind)),
        )
    ]
    return node("div", "", head, table_tree(VERDICTS, rows))


def _verdict(name: str, one: Against) -> TableRow:
    few = node("span", "meta", f"too few to say ({one.verdicts})")
    shares = [few if share is None else f"{share:.2f}" for share in (one.precision, one.recall)]
    return TableRow((name, *shares, str(one.kept_kept), str(one.kept_refused), str(one.dropped_kept)))


def _briefings(other: Different) -> Node:
    head = node("h2", "spaced", "Briefings that differ")
    flips = other.alike(BRIEFINGS)
    if not flips:
        looked = (
            f"None of the {other.briefings:,} newest briefings." if other.briefings else "No briefing was read yet."
        )
        return node("div", "", head, node("p", "meta", looked))
    more = len(other.differing) - sum(1 + len(others) for _, others in flips)
    foot = f"{more:,} more differ in other lines." if more > 0 else ""
    return node("div", "", head, table_tree(FLIPS, [_briefing(*one) for one in flips], foot=foot))


def _briefing(one: BriefingFlip, others: Sequence[PastBriefing]) -> TableRow:
    """The newest briefing of those in which the same lines differ, and which the others are."""
    lines: Sequence[Node] = [node("ins" if line.enters else "del", "", line.text) for line in one.lines]
    why = [node("p", "", f"{line.key}: {line.why}") for line in one.lines]
    same = "; ".join(map(_named_briefing, others[:OTHERS]))
    more = f" and {len(others) - OTHERS:,} more" if len(others) > OTHERS else ""
    many = "another one" if len(others) == 1 else f"{len(others):,} others"
    also = node("p", "meta", f"The same lines in {many}: {same}{more}") if others else None
    who = node("p", "meta", _named_briefing(one.briefing))
    text = node("div", "", who, node("div", "changed", *lines), also)
    tokens = f"{one.tokens:+,}".replace("-", "−") if one.tokens else "0"
    return TableRow((text, node("div", "", *why), tokens))
