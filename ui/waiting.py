"""What waits, in words that lead there: on every page beside who is here, in the list, and in the window's title."""

from datetime import datetime

from core.service.counting import Count
from core.service.queue_counts import QueueCounts
from core.service.views import QueueRow
from ui.places import address
from ui.times import age
from ui.tree import Node, joined, node
from ui.wording import SCOPES_SHORT, SEVERITIES

EVERYTHING = {"whose": "anybody's", "only": "everything"}
"""What the two filters say while they narrow nothing."""

REVIEW = address("review", **EVERYTHING)
UNREAD = address("review", **{**EVERYTHING, "only": "unread"})
OVERDUE = address("review", **{**EVERYTHING, "only": "overdue"})
MINE = address("review", **{**EVERYTHING, "whose": "mine"})
NOTES = address("critical_notes", state="open and held", severity="critical")


def waits_tree(counts: QueueCounts) -> Node | None:
    """``7 wait · 3 unread · 2 overdue · 1 yours``, each a link; for an auditor the critical notes. None for nothing."""
    review = (
        (counts.waiting, "waits" if counts.waiting.number == 1 else "wait", REVIEW),
        (counts.unread, "unread", UNREAD),
        (counts.overdue, "overdue", OVERDUE),
        (counts.mine, "yours", MINE),
    )
    notes = (
        (counts.critical, "critical note" if counts.critical.number == 1 else "critical notes", NOTES),
        (counts.critical_overdue, "overdue", NOTES),
    )
    said = [_link(number, words, link) for number, words, link in _asked(counts, review, notes) if number]
    spaced = [part for one in said for part in (" · ", one)][1:]
    return node("span", "waits", *spaced) if said else None


def _asked(
    counts: QueueCounts, review: tuple[tuple[Count, str, str], ...], notes: tuple[tuple[Count, str, str], ...]
) -> tuple[tuple[Count, str, str], ...]:
    return notes if counts.decides_notes_only else review


def _link(number: Count, words: str, link: str) -> Node:
    late = " late" if words == "overdue" else ""
    return node("a", f"link{late}", f"{number} {words}", href=link, data_press=link)


def title_of_window(page: str, counts: QueueCounts) -> str:
    """``(3 · 2 overdue) Review · Tutelage``."""
    said = counts.in_title
    return f"({said}) {page} · Tutelage" if said else f"{page} · Tutelage"


def overdue_mark(row: QueueRow, now: datetime) -> Node | None:
    """``overdue 2 d`` with a shape of its own; None for what is not."""
    if row.due_at is None or now < row.due_at:
        return None
    late = age(row.due_at, now)
    return node("b", "late", node("i", "shape", aria_hidden="true"), f"overdue {late}" if late != "now" else "overdue")


def why_here(row: QueueRow, now: datetime) -> str:
    """Why an item stands where it stands: ``critical × one task class × 3 sessions, waits 4 d``."""
    severity = SEVERITIES.get(row.severity, row.severity).lower()
    reach = f"{row.sessions:,} session{'' if row.sessions == 1 else 's'}"
    counts = joined((severity, SCOPES_SHORT[row.scope], reach), " × ")
    return f"{counts}, waits {age(row.queued_at, now)}" if row.queued_at else counts
