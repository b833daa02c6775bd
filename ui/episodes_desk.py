"""The episodes themselves: what happened, on which day, whether it stands, and which beliefs rest on it."""

from collections.abc import Sequence

import streamlit as st

from core.errors import BadInput
from core.screening.invisible import shown as shown_text
from core.service.episode_views import EpisodesAsked, episode_list
from core.service.episodes import episode_number
from core.service.review_views import LONGEST_NUMBER
from core.service.views import Page
from core.service.views.beliefs import EpisodeRow
from core.store.clock import day_in_words
from core.vocabulary import Duty
from ui import deciding
from ui.belief_acts import act_on, ask_for, show_act
from ui.belief_days import choose_days
from ui.belief_marks import OUT, STANDS, WAITS, mark
from ui.belief_tree import ACTS, SOURCES
from ui.drawing import draw
from ui.frame import Desk, empty
from ui.lists import choose_one, export, page_number, turn_pages
from ui.places import choose, chosen, follow
from ui.table import Column, TableRow, table_tree
from ui.tree import Node, joined, node
from ui.wording import NOBODY

STANDINGS = ("stands", "held", "withdrawn")
COLUMNS = (
    Column("Episode", "keep"),
    Column("State", "keep"),
    Column("True from (UTC)", "keep"),
    Column("What happened", "grow"),
    Column("Importance", "num"),
    Column("User", "some"),
    Column("From", "some"),
    Column("Beliefs on it", "keep"),
)
EXPORTED = (
    "episode",
    "text",
    "agent",
    "user",
    "source",
    "importance",
    "true_from",
    "known_from",
    "known_until",
    "held",
    "withdrawn",
    "session",
    "beliefs",
)


def show(desk: Desk, agent: str | None, user: str | None) -> None:
    """The list, newest first, and what a lead can do with the chosen one."""
    above = st.container(key="episodes-above", horizontal=True, vertical_alignment="center")
    with above:
        standing = choose_one("Standing", STANDINGS, "episodes_standing", "whether it stands or not")
        true_at, known_at = choose_days("Known at the end of")
        asked = EpisodesAsked(agent, user, standing, true_at=true_at, known_at=known_at)
        export("episodes", lambda: all_rows(desk, asked))
    page = episode_list(desk.db, asked, page=page_number("episodes_page"))
    if not page.rows:
        empty("No episode fits these filters.", "Each debrief writes episodes; files of them can be brought in, too.")
        deciding.show_answer()
        return
    current = _current(desk, page)
    with above:
        _show_acts(desk, current)
    show_act(desk)
    draw(_table(page, current), key="episodes-table", on_press=_pressed)
    turn_pages(page, "episodes_page")


def _current(desk: Desk, page: Page[EpisodeRow]) -> EpisodeRow:
    """The chosen episode, the one that the address names, wherever it stands; else the first of the list.

    Only what somebody chose stays when the list is narrowed. An act is never offered on another episode than the one
    that was named, unless that is said.
    """
    wanted = chosen("episode")
    found = next((row for row in page.rows if row.ref == wanted), None)
    if found is None and wanted:
        found = _named(desk, wanted)
        if found is None:
            deciding.say(f"There is no episode {shown_text(wanted)}. The first one of the list is shown.", refused=True)
            choose("episode", None)
    return found or page.rows[0]


def _named(desk: Desk, ref: str) -> EpisodeRow | None:
    if len(ref) > len("E-") + LONGEST_NUMBER:
        return None
    try:
        number = episode_number(ref)
    except BadInput:
        return None
    return next(iter(episode_list(desk.db, EpisodesAsked(number=number)).rows), None)


def all_rows(desk: Desk, asked: EpisodesAsked) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Every episode of the list, for an export."""
    page = episode_list(desk.db, asked, page=1, size=1_000_000)
    return EXPORTED, [
        (
            row.ref,
            row.text,
            row.agent,
            row.user,
            row.source,
            row.importance,
            row.true_from,
            row.known_from,
            row.known_until,
            row.held,
            row.withdrawn,
            row.session_ref,
            " ".join(row.cited_by),
        )
        for row in page.rows
    ]


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    if what == "episode":
        choose("episode", which)
        deciding.forget_answer()
        ask_for(None)
    else:
        follow(value)


def _show_acts(desk: Desk, row: EpisodeRow) -> None:
    """What is chosen, and the button of the one act that is possible; where it came from and what rests on it."""
    act = act_on(withdrawn=row.withdrawn is not None, stands=row.held is None)
    if desk.may(Duty.LEAD):
        label = f"{ACTS[act].removesuffix('…')} {row.ref}…"
        st.button(label, key=f"ask-{act}-{row.id}", on_click=_asked, args=(act, row.id))
    draw(node("p", "meta", *_leads(row)), key="episode-leads", on_press=_pressed, width="content")
    deciding.show_answer()


def _asked(act: str, number: int) -> None:
    deciding.forget_answer()
    ask_for(act, number)


def _leads(row: EpisodeRow) -> list[Node]:
    """Links to its session and to the beliefs that rest on it."""
    said: list[Node] = [f"{row.ref} · {SOURCES[row.source]}"]
    named = [("session", row.session_ref)] if row.session_ref else []
    for what, which in (*named, *(("tree", ref) for ref in row.cited_by)):
        said += [" · ", node("button", "link", str(which), data_press=f"{what}:{which}", type="button")]
    return said


def _table(page: Page[EpisodeRow], current: EpisodeRow) -> Node:
    """The list; a chosen one that stands on no row of this page goes before it."""
    here = any(row.id == current.id for row in page.rows)
    shown = page.rows if here else (current, *page.rows)
    rows = [
        TableRow(
            (
                node("b", "", row.ref),
                _standing(row),
                day_in_words(row.true_from),
                _happened(row),
                "–" if row.importance is None else str(row.importance),
                shown_text(row.user or NOBODY),
                row.session_ref or SOURCES[row.source],
                ", ".join(row.cited_by) or "–",
            ),
            press=f"episode:{row.ref}",
            selected=row is current,
        )
        for row in shown
    ]
    apart = "" if here else f"{current.ref} is chosen and stands above them"
    foot = joined((f"{len(page.rows)} of {page.total:,}", apart, "beliefs stand in a list of their own"))
    return table_tree(COLUMNS, rows, foot=foot)


def _standing(row: EpisodeRow) -> Node:
    if row.withdrawn is not None:
        return mark(OUT, "withdrawn")
    return mark(STANDS, "stands") if row.held is None else mark(WAITS, "held")


def _happened(row: EpisodeRow) -> Node:
    text, why = shown_text(row.text), row.withdrawn or row.held
    words = node("del", "", text) if row.withdrawn is not None else text
    return node("span", "", words, node("p", "doubt", shown_text(why)) if why else None)
