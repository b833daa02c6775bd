"""The pieces of the Bring in page: the file, the dry run, the import with its progress, the debrief after it."""

from dataclasses import dataclass

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.service.bring_in import bring_in, dry_run
from core.service.critic.desk_views import model_in_use
from core.service.critic.runs import MAY_START
from core.service.debrief import DebriefReport, debrief
from core.service.import_report import ImportReport
from core.transcripts.formats import Format
from ui.critic_start import estimated, offer
from ui.critic_words import estimate_rests_on, estimate_words, many
from ui.drawing import draw
from ui.frame import Desk
from ui.table import Column, TableRow, table_tree
from ui.tree import Node, joined, node

DETECT = "detect it"
ROWS_SHOWN = 200
CAME_IN = ("new", "extended", "corrected")


@dataclass(frozen=True)
class Wanted:
    """A file and how to read it."""

    data: bytes
    name: str
    format: Format | None
    agent: str | None
    correct: bool


def ask_for_file(limit: int) -> UploadedFile | None:
    """The file. Its type and size, ``limit`` bytes at most, are judged by the reader, not by the browser."""
    megabytes = limit // 1_000_000
    return st.file_uploader(
        f"A file of sessions: {', '.join(one.value for one in Format)}; up to {megabytes} MB", key="file"
    )


def ask_how(upload: UploadedFile) -> Wanted:
    """The format, where it should not be detected, and the agent, where the file names none."""
    with st.container(key="filters", horizontal=True, vertical_alignment="bottom"):
        names = {DETECT: None} | {one.value: one for one in Format}
        picked = st.selectbox("Format", list(names), key="format", width=240)
        agent = st.text_input("Agent, for sessions that name none", key="import_agent", width=260)
        correct = st.checkbox(
            "Correct sessions that are here with other words",
            key="import_correct",
            help="The words of the file take the place of the old ones. Quotes follow their words; what cannot is "
            "marked stale and leaves the briefing.",
        )
    return Wanted(upload.getvalue(), upload.name, names[picked], (agent or "").strip() or None, correct)


def show_dry_run(desk: Desk, wanted: Wanted) -> None:
    """What would come in."""
    report = dry_run(
        desk.db, wanted.data, wanted.name, format=wanted.format, agent=wanted.agent, correct=wanted.correct
    )
    draw(_report_tree(report), key="dry-run")


def bring_in_when_asked(desk: Desk, wanted: Wanted) -> None:
    """The button; while it works it shows how far it is."""
    if not st.button("Bring in and debrief", key="bring-in", type="primary"):
        return
    bar = st.progress(0.0, "Reading")

    def stored(done: int, of: int) -> None:
        bar.progress(done / max(of, 1), f"{done:,} of {of:,} records stored")

    def looked_at(done: int, of: int) -> None:
        bar.progress(done / max(of, 1), f"{done:,} of {of:,} sessions debriefed")

    report = bring_in(
        desk.db,
        wanted.data,
        wanted.name,
        format=wanted.format,
        agent=wanted.agent,
        correct=wanted.correct,
        by=desk.person.name,
        progress=stored,
    )
    debriefed = debrief(desk.db, None, progress=looked_at)
    st.session_state["last_import"] = (report, debriefed)
    st.rerun()


def show_last_report(desk: Desk) -> None:
    """What became of the last file that was brought in here."""
    last: tuple[ImportReport, DebriefReport] | None = st.session_state.get("last_import")
    if last is None:
        return
    report, debriefed = last
    said = [node("p", "", debriefed.summary)]
    said += [node("p", "meta", f"{ref} skipped: {why}") for ref, why in debriefed.skipped[:ROWS_SHOWN]]
    tree = node("div", "", _report_tree(report), node("h3", "", "Debrief"), *said)
    draw(tree, key="last-import")
    _offer_critic(desk, tuple(dict.fromkeys(row.ref for row in report.rows if row.what in CAME_IN)))


def _offer_critic(desk: Desk, refs: tuple[str, ...]) -> None:
    """Where a model is configured, what its review of these sessions would take, and the way to start it."""
    if not refs or not desk.may(*MAY_START) or model_in_use(desk.db).why_not:
        return
    found = estimated(desk, refs)
    if not found.sessions:
        return
    words = (node("p", "", estimate_words(found)), node("p", "meta", estimate_rests_on(found)))
    draw(node("div", "estimate", node("h3", "", "The critic"), *words), key="critic-estimate")
    which = "this session" if found.sessions == 1 else f"these {many(found.sessions, 'session')}"
    if st.button(f"Ask the critic about {which}…", key="offer-critic"):
        offer(refs)


def _report_tree(report: ImportReport) -> Node:
    head = "Dry run: nothing is stored yet" if report.dry_run else "Brought in"
    facts = joined((report.file, report.summary, f"{report.blank} blank lines" if report.blank else None))
    return node(
        "div",
        "report",
        node("h3", "", head),
        node("p", "", facts),
        *([_errors(report)] if report.errors else []),
        table_tree(_COLUMNS, _rows(report), foot=_foot(report)) if report.rows else None,
    )


_COLUMNS = (Column("Place", "num"), Column("What", "keep"), Column("Session", "keep"), Column("Remark", "grow"))


def _rows(report: ImportReport) -> list[TableRow]:
    return [TableRow((str(row.place), row.what, row.ref, row.detail)) for row in report.rows[:ROWS_SHOWN]]


def _foot(report: ImportReport) -> str:
    more = len(report.rows) - ROWS_SHOWN
    return f"and {more:,} further records" if more > 0 else ""


def _errors(report: ImportReport) -> Node:
    shown: list[Node] = [node("p", "", error) for error in report.errors[:ROWS_SHOWN]]
    return node("div", "finding conflict", node("b", "", f"{len(report.errors):,} records could not be read"), *shown)
