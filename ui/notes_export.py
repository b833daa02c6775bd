"""The exports of the Critical notes page: notes, their quotes and evidence bundles, made when they are asked for."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.service import desk_views
from core.service.bundle import MOST, bundle
from core.service.views import NoteRow, NotesAsked
from core.vocabulary import Duty
from ui.drawing import draw
from ui.evidence_export import evidence_table
from ui.frame import Desk
from ui.lists import download
from ui.signing_in import while_here
from ui.tree import node

KEPT = "One HTML file that opens without a network and checks itself. That it was made stands in the log."
EXPORTED = (
    "note",
    "state",
    "severity",
    "dimension",
    "session_started_at",
    "agent",
    "user",
    "observation",
    "session",
    "case",
    "evidence",
    "closed_by",
)

WHO = (Duty.AUDITOR, Duty.ADMIN)


def show_exports(desk: Desk, asked: NotesAsked) -> None:
    """Everything of the filter: CSV and JSON lines of the notes and of their quotes, and one bundle."""
    with st.popover("Export", key="export-notes"), st.container(width=330):
        draw(node("p", "meta", "Notes"), key="export-of-notes")
        download("notes", lambda: all_rows(desk, asked))
        draw(node("p", "meta", "Their quotes"), key="export-of-quotes")
        download("evidence", lambda: evidence_table(desk_views.evidence_of_notes(desk.db, asked)))
        draw(node("p", "meta", f"Evidence bundle of these notes, {MOST} at most. {KEPT}"), key="export-of-bundle")
        _download(desk, "Evidence bundle", asked, "evidence.html", "bundle-all")


def show_bundle(desk: Desk, row: NoteRow) -> None:
    """The bundle of one note."""
    _download(desk, "Evidence bundle", row.id, f"{row.ref}.html", f"bundle-{row.id}", kind="tertiary")


def all_rows(desk: Desk, asked: NotesAsked) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Every note of the filter, for an export."""
    page = desk_views.notes(desk.db, asked, page=1, size=1_000_000)
    return EXPORTED, [_exported(row) for row in page.rows]


def _exported(row: NoteRow) -> Sequence[object]:
    said = (row.agent, row.user, row.observation, row.session_ref, row.case, row.evidence, row.closed_by)
    return (row.ref, row.status, row.severity, row.dimension, row.when, *said)


def _download(desk: Desk, label: str, what: int | NotesAsked, name: str, key: str, kind: Any = "secondary") -> None:
    if not desk.may(*WHO):
        return
    made = while_here(lambda: bundle(desk.db, what, by=desk.person.name))
    st.download_button(label, made, name, "text/html", on_click="ignore", key=key, type=kind)
