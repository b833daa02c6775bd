"""A part of the Critic page: what became of what each prompt and each check wrote, and why it was turned down."""

from collections.abc import Sequence

from core.service.critic.reasons import Fate, fates
from ui.drawing import draw
from ui.frame import Desk, empty
from ui.lists import export
from ui.table import Column, TableRow, table_tree
from ui.tree import Node, node

MOST = 3
"""Reasons that a row shows; the export has all."""
COLUMNS = (
    Column("Written by", "keep"),
    Column("Written", "num"),
    Column("Waits", "num"),
    Column("Approved", "num"),
    Column("Turned down", "num"),
    Column("Reasons most named", "grow"),
)
EXPORTED = (
    "wrote",
    "prompt_sha256",
    "current",
    "written",
    "waits",
    "approved",
    "approved_share",
    "turned_down",
    "reopened",
    "appealed",
    "reasons",
)
NOTHING = ("Nothing was written yet.", "Sessions that are brought in are checked at once; the critic is asked here.")
FOOT = "Of notes, those count as approved that were resolved. What was taken back does not count."


def show_fates(desk: Desk) -> None:
    """One row for every prompt and every version of a check."""
    found = fates(desk.db)
    if not found:
        empty(*NOTHING)
        return
    export("reasons", lambda: _all_rows(found))
    draw(table_tree(COLUMNS, [_row(one) for one in found], foot=FOOT), key="fates-table")


def _row(one: Fate) -> TableRow:
    share = "–" if one.approved_share is None else f"{one.approved:,} · {one.approved_share:.0%}"
    reasons = " · ".join(f"{named.count:,} × {named.words}" for named in one.reasons[:MOST])
    again = [f"{count:,} {what}" for count, what in ((one.appealed, "appealed"), (one.reopened, "reopened")) if count]
    return TableRow(
        (
            _writer(one),
            f"{one.written:,}",
            f"{one.waits:,}",
            share,
            f"{one.turned_down:,}",
            " · ".join((reasons or "–", *again)),
        )
    )


def _writer(one: Fate) -> Node:
    if one.prompt_sha256 is None:
        return one.wrote
    since = "" if one.current else ", changed since"
    return node("span", "", one.wrote, node("span", "meta", f" {one.prompt_sha256[:8]}{since}"))


def _all_rows(found: Sequence[Fate]) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    return EXPORTED, [_exported(one) for one in found]


def _exported(one: Fate) -> Sequence[object]:
    who = (one.wrote, one.prompt_sha256, one.current, one.written, one.waits, one.approved, one.approved_share)
    said = "; ".join(f"{named.count} × {named.words} ({named.code})" for named in one.reasons)
    return (*who, one.turned_down, one.reopened, one.appealed, said)
