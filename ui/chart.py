"""Confidence over time: one step line a procedure, with the sessions that moved it and the decisions about it.

The data is made first, as plain values in the order of the events; the figure only draws it. A session that read the
procedure and reported no outcome is a gap in the line, never a bridge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Protocol

import plotly.graph_objects as go

from core.service.views import PathPoint, ProcedureRow
from ui.tree import Node, node

LIMIT = 10
"""Procedures on one chart at most; more lines cannot be told apart."""

DASHES = ("solid", "dot", "dash", "longdash", "dashdot", "longdashdot")
SYMBOLS = {
    "start": "square-open",
    "success": "circle",
    "failure": "x-thin",
    "no outcome": "circle-open",
    "reinstated": "diamond",
}
WORDS = {"start": "start", "no outcome": "read, no outcome"}


@dataclass(frozen=True)
class Palette:
    """The colours of one theme; the same values as in the theme's own tables."""

    ink: str
    soft: str
    hair: str
    shade: str
    lines: tuple[str, ...]


LIGHT = Palette(
    "#23211D",
    "#5C574D",
    "#DDD8CE",
    "rgba(244,242,237,0.9)",
    ("#2B4C7E", "#B54708", "#2F7A4F", "#6B4FA0", "#0E7490", "#9D174D", "#6B665B"),
)
DARK = Palette(
    "#E8E4DB",
    "#B3AC9D",
    "#3B3832",
    "rgba(34,33,30,0.9)",
    ("#7FA6E0", "#E8934A", "#6BBF8E", "#B39DE0", "#5BC0D0", "#F08BB4", "#9C9586"),
)


class Charted(Protocol):
    """What a line needs: a name, where it ends, and its points."""

    @property
    def title(self) -> str:
        """The name at the line's end."""

    @property
    def confidence(self) -> Decimal:
        """The confidence at the line's end."""

    @property
    def path(self) -> Sequence[PathPoint]:
        """The points, in any order; those of one moment say their place."""


@dataclass(frozen=True)
class Series:
    """The path of one procedure as a chart needs it; the lists have one entry an event, oldest first."""

    x: tuple[datetime, ...]
    y: tuple[float | None, ...]
    what: tuple[str, ...]
    sessions: tuple[str, ...]
    active: tuple[bool, ...]


def series(row: Charted) -> Series:
    """The events of a path in the order of time, in UTC; an event without an outcome has no value.

    The start comes first even where sessions that began before it were brought in later.
    """
    path = in_order(row)
    first = min((point.at for point in path), default=None)
    return Series(
        tuple((first if point.what == "start" and first else point.at).astimezone(UTC) for point in path),
        tuple(None if point.value is None else float(point.value) for point in path),
        tuple(point.what for point in path),
        tuple(point.session_ref for point in path),
        tuple(point.in_briefing for point in path),
    )


def in_order(row: Charted) -> list[PathPoint]:
    """The points of a path, the start first, the others by their time, those of one moment by their place."""
    return sorted(row.path, key=lambda point: (point.what != "start", point.at, point.place))


def confidence_figure(rows: Sequence[ProcedureRow], threshold: Decimal, *, dark: bool) -> go.Figure:
    """The chart of at most ``LIMIT`` procedures. A pressed mark reports the session's reference as ``customdata``."""
    colours = DARK if dark else LIGHT
    figure = go.Figure()
    shown = rows[:LIMIT]
    for at, row in enumerate(shown):
        _add_path(figure, row, colours.lines[at % len(colours.lines)], DASHES[at % len(DASHES)])
    _add_threshold(figure, threshold, colours)
    _add_decisions(figure, shown, colours)
    _lay_out(figure, colours)
    return figure


def tried_figure(lines: Sequence[tuple[Charted, Charted]], now: Decimal, tried: Decimal, *, dark: bool) -> go.Figure:
    """The paths of at most ``LIMIT`` procedures by the numbers in force, thin and dashed, and by those that are tried.

    Both lines of a procedure have one colour; marks, names and the shade below the threshold are those of the try.
    """
    colours = DARK if dark else LIGHT
    figure = go.Figure()
    for at, (before, after) in enumerate(lines[:LIMIT]):
        colour = colours.lines[at % len(colours.lines)]
        _add_path(figure, before, colour, "dash", thin=True)
        _add_path(figure, after, colour, "solid")
    _add_threshold(figure, tried, colours)
    if now != tried:
        figure.add_hline(y=float(now), line={"color": colours.soft, "width": 1, "dash": "dot"})
    _lay_out(figure, colours)
    figure.update_layout(height=360, margin={"r": 190}, yaxis={"range": [0, 1.04]})
    _part_names(figure)
    return figure


def _part_names(figure: go.Figure) -> None:
    """Names at line ends of nearly one height stand above each other."""
    names = [one for one in figure.layout.annotations if one.xref != "paper"]
    height = None
    for one in sorted(names, key=lambda name: name.y):
        place = one.y if height is None else max(one.y, height + NAME)
        one.yshift, height = (place - one.y) * 290, place


NAME = 0.055
"""How much of the axis a name at a line's end takes."""


def _add_path(figure: go.Figure, row: Charted, colour: str, dash: str, *, thin: bool = False) -> None:
    line = series(row)
    figure.add_scatter(
        x=line.x,
        y=line.y,
        mode="lines",
        connectgaps=False,
        hoverinfo="skip",
        showlegend=False,
        line={"shape": "hv", "color": colour, "width": 1.5 if thin else 2, "dash": dash},
    )
    if thin:
        return
    held = _held(line.y)
    figure.add_scatter(
        x=line.x,
        y=held,
        mode="markers",
        customdata=line.sessions,
        text=[_hover(row, line, held, at) for at in range(len(held))],
        hoverinfo="text",
        showlegend=False,
        marker={
            "symbol": [SYMBOLS.get(what, "circle") for what in line.what],
            "size": 10,
            "color": colour,
            "line": {"width": 2, "color": colour},
        },
    )
    if held:
        words = _plain(f"{row.title}  {row.confidence:.2f}")
        figure.add_annotation(
            x=line.x[-1], y=held[-1], text=words, xanchor="left", xshift=10, showarrow=False, font={"color": colour}
        )


def _held(values: Sequence[float | None]) -> list[float]:
    """The value that holds at each event: its own, else the last one before it."""
    held: list[float] = []
    for value in values:
        held.append(value if value is not None else held[-1] if held else 0.0)
    return held


def _hover(row: Charted, line: Series, held: Sequence[float], at: int) -> str:
    what = WORDS.get(line.what[at], line.what[at])
    where = f" · {line.sessions[at]}" if line.sessions[at] else ""
    return _plain(f"{row.title} {held[at]:.2f} · {what}{where} · {line.x[at]:%d %b %Y, %H:%M} UTC")


def _plain(text: str) -> str:
    """Plotly reads a few HTML tags in its texts; these words are to be read as they are."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _add_threshold(figure: go.Figure, threshold: Decimal, colours: Palette) -> None:
    figure.add_hrect(y0=0, y1=float(threshold), fillcolor=colours.shade, line_width=0, layer="below")
    figure.add_hline(y=float(threshold), line={"color": colours.soft, "width": 1.5, "dash": "dash"})
    figure.add_annotation(
        xref="paper",
        x=0.01,
        y=float(threshold),
        yanchor="top",
        text=f"{threshold:.2f} · read from here up",
        xanchor="left",
        showarrow=False,
    )


def _add_decisions(figure: go.Figure, rows: Sequence[ProcedureRow], colours: Palette) -> None:
    marks = sorted(((mark.at, mark.text) for row in rows for mark in row.marks), key=lambda one: one[0])
    for level, (at, words) in enumerate(marks):
        figure.add_shape(
            type="line",
            x0=at,
            x1=at,
            y0=0,
            y1=1.04 + 0.05 * (level % 3),
            line={"color": colours.soft, "width": 1, "dash": "dot"},
        )
        figure.add_annotation(
            x=at, y=1.06 + 0.05 * (level % 3), text=f"◆ {_plain(words)}", xanchor="left", xshift=-5, showarrow=False
        )


def _lay_out(figure: go.Figure, colours: Palette) -> None:
    axis = {"color": colours.soft, "gridcolor": colours.hair, "zeroline": False, "linecolor": colours.hair}
    figure.update_layout(
        height=520,
        margin={"l": 40, "r": 120, "t": 20, "b": 50},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "Source Sans, sans-serif", "size": 12, "color": colours.soft},
        xaxis={
            **axis,
            "title": {"text": "start of the session, UTC", "font": {"size": 12}},
            "showgrid": False,
            "tickformat": "%-d %b\n%Y",
        },
        yaxis={**axis, "range": [0, 1.22], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        hoverlabel={"font": {"family": "Source Sans, sans-serif"}},
        dragmode=False,
        clickmode="event+select",
    )


def spark(row: ProcedureRow, threshold: Decimal) -> Node:
    """A small step line of the path with the threshold dashed, 150 by 24; its words are in the label."""
    values = [point.value for point in in_order(row)]
    label = f"confidence {row.confidence:.2f}, threshold {threshold:.2f}"
    limit = _height(threshold)
    return node(
        "svg",
        "spark" if row.in_briefing else "spark out",
        node("line", "", x1="0", x2="150", y1=limit, y2=limit),
        node("path", "", d=_steps(values)),
        node("circle", "", cx="150", cy=_height(row.confidence), r="3"),
        viewBox="0 0 150 24",
        role="img",
        aria_label=label,
    )


def _steps(values: Sequence[Decimal | None]) -> str:
    """The path data of a step line; a missing value lifts the pen."""
    width = 150 / max(1, len(values))
    parts, down = [], False
    for at, value in enumerate(values):
        if value is None:
            down = False
            continue
        left, right, height = f"{at * width:.1f}", f"{(at + 1) * width:.1f}", _height(value)
        parts.append(f"{'L' if down else 'M'}{left} {height} L{right} {height}")
        down = True
    return " ".join(parts)


def _height(value: Decimal) -> str:
    return f"{22 - 20 * float(value):.1f}"
