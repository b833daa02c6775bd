"""What pages and the command line show, as plain values.

Nothing here is a database row: a page can keep a view as long as it likes. Times are aware and in UTC.
"""

from core.service.views.briefings import BriefingView, Change, ChangedLine, ReadLine, difference
from core.service.views.cards import (
    Card,
    CouldLeave,
    Kin,
    Neighbour,
    NoRoom,
    OpinionView,
    PolicyChange,
    RestsOn,
    Trail,
)
from core.service.views.lists import (
    HistoryRow,
    LastDecision,
    LogRow,
    Narrowed,
    NoteRow,
    NotesAsked,
    Page,
    QueueRow,
    Whose,
    page_within,
    pages_of,
)
from core.service.views.procedures import Mark, PathPoint, ProcedureRow
from core.service.views.quotes import EvidenceRow, Quote, Signal
from core.service.views.sessions import CorrectionRow, FoundItem, SessionRow, SessionView, SessionWords

__all__ = [
    "BriefingView",
    "Card",
    "Change",
    "ChangedLine",
    "CorrectionRow",
    "CouldLeave",
    "EvidenceRow",
    "FoundItem",
    "HistoryRow",
    "Kin",
    "LastDecision",
    "LogRow",
    "Mark",
    "Narrowed",
    "Neighbour",
    "NoRoom",
    "NoteRow",
    "NotesAsked",
    "OpinionView",
    "Page",
    "PathPoint",
    "PolicyChange",
    "ProcedureRow",
    "QueueRow",
    "Quote",
    "ReadLine",
    "RestsOn",
    "SessionRow",
    "SessionView",
    "SessionWords",
    "Signal",
    "Trail",
    "Whose",
    "difference",
    "page_within",
    "pages_of",
]
