"""Deciding several at once on the page: what is chosen, the step that asks before anything is decided, the answers.

Nothing is chosen by itself. What was previewed goes along with the press: whatever moved on since is refused alone.
"""

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from core.errors import TutelageError
from core.governance.bulk import (
    Asks,
    Became,
    Together,
    Would,
    asks,
    carry_out,
    new_batch,
    preview,
    undo_batch,
    would_be,
)
from core.governance.desk_settings import desk_settings
from core.service.bulk_views import BulkRow
from core.service.views import Narrowed, Page
from core.vocabulary import Action
from ui import deciding
from ui.deciding import LABELS
from ui.drawing import draw
from ui.frame import Desk
from ui.places import follow
from ui.signing_in import still_here
from ui.table import Column, TableRow, table_tree
from ui.tree import node

STEP, CHOSEN, TOLD = "bulk-step", "bulk-chosen", "bulk-told"
COLUMNS = (Column("Item", "keep"), Column("What it says", "grow"), Column("What would become of it", "some"))


@dataclass(frozen=True)
class Step:
    """What is to be confirmed: the act, under which filters it was chosen, and what it would do."""

    action: Action
    narrowed: Narrowed
    would: tuple[Would, ...]

    @property
    def can(self) -> tuple[Would, ...]:
        """What would be decided."""
        return tuple(one for one in self.would if one.can)


def chosen(action: Action, narrowed: Narrowed) -> set[int]:
    """The items that are chosen for an act under these filters; another act or other filters begin with none."""
    kept = st.session_state.get(CHOSEN)
    if kept is None or kept[:2] != (action, narrowed):
        kept = st.session_state[CHOSEN] = (action, narrowed, set())
    found: set[int] = kept[2]
    return found


def toggle(action: Action, narrowed: Narrowed, item_id: int) -> None:
    """Choose an item, or choose it no more."""
    chosen(action, narrowed).symmetric_difference_update({item_id})


def is_confirming(action: Action, narrowed: Narrowed) -> bool:
    """Whether the step that asks is open for this act under these filters."""
    step = st.session_state.get(STEP)
    return step is not None and (step.action, step.narrowed) == (action, narrowed)


def show_bar(desk: Desk, page: Page[BulkRow], action: Action, narrowed: Narrowed) -> None:
    """The bar below the table: how many are chosen, choosing all that can, and the act."""
    can = [row.id for row in page.rows if not row.why_not]
    picked = chosen(action, narrowed)
    with st.bottom, st.container(key="bulk-bar", horizontal=True, vertical_alignment="center"):
        st.button(
            f"{LABELS[action]} {len(picked)}…",
            key="bulk-act",
            type="primary",
            disabled=not picked,
            on_click=_look,
            args=(desk, action, narrowed),
        )
        st.button(
            f"Choose all that can ({len(can)})", key="bulk-all", disabled=not can, on_click=picked.update, args=(can,)
        )
        st.button("Choose none", key="bulk-none", disabled=not picked, on_click=picked.clear)
        deciding.show_answer()


def show_confirmation(desk: Desk) -> None:
    """What the act would do to each chosen item, and the question before it is done."""
    step: Step = st.session_state[STEP]
    rows = [
        TableRow(
            (
                node("button", "link", one.ref, data_press=f"item:{one.ref}", type="button"),
                node("span", "lines", one.headline),
                would_be(step.action) if one.can else node("span", "meta", f"stays as it is: {one.why_not}"),
            )
        )
        for one in sorted(step.would, key=lambda each: each.can)
    ]
    draw(node("h2", "", _counted(step)), key="bulk-counts")
    draw(table_tree(COLUMNS, rows), key="bulk-confirm", on_press=follow)
    with st.bottom, st.container(key="bulk-bar", horizontal=True, vertical_alignment="center"):
        _say_why(desk, step.action, asks(step.action))
        st.button(
            f"{LABELS[step.action]} {len(step.can)}",
            key="bulk-do",
            type="primary",
            shortcut="ctrl+enter",
            disabled=not step.can,
            on_click=_carry_out,
            args=(desk,),
        )
        st.button("Back", key="bulk-back", shortcut="esc", type="tertiary", on_click=_back)
        deciding.show_answer()


def _counted(step: Step) -> str:
    """``12 would be approved, 2 stay as they are``."""
    stay = len(step.would) - len(step.can)
    rest = f", {stay} {'stays as it is' if stay == 1 else 'stay as they are'}" if stay else ""
    return f"{len(step.can)} {would_be(step.action)}{rest}"


def _say_why(desk: Desk, action: Action, needed: Asks) -> None:
    if needed.reason:
        settings, _ = desk_settings(desk.db)
        words = {one.code: one.words for one in settings.reasons(action)}
        st.selectbox(
            "Reason",
            list(words),
            index=None,
            key="bulk-reason",
            format_func=words.__getitem__,
            placeholder="because they are…",
            label_visibility="collapsed",
            width=230,
        )
    hint = "needed, stays in the log" if needed.text else "Words for the log, optional"
    st.text_input("Words", key="draft-bulk-words", placeholder=hint, label_visibility="collapsed", width=320)


def _look(desk: Desk, action: Action, narrowed: Narrowed) -> None:
    """Ask what the act would do to everything that is chosen."""
    deciding.forget_answer()
    try:
        would = preview(desk.db, Together(action, desk.person.name), sorted(chosen(action, narrowed)))
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    st.session_state[STEP] = Step(action, narrowed, would)


def _carry_out(desk: Desk) -> None:
    """Decide about each item that can be, and show what became of them."""
    step: Step = st.session_state[STEP]
    needed = asks(step.action)
    said = Together(step.action, desk.person.name)
    words = str(st.session_state.get("draft-bulk-words") or "")
    reason = st.session_state.get("bulk-reason") if needed.reason else None
    if (needed.reason and reason is None) or (needed.text and not words.strip()):
        what = "one of the reasons must be named" if needed.reason else "a reason must be written"
        deciding.say(f"To {step.action} several, {what}. Nothing was decided.", refused=True)
        return
    _told(desk, replace(said, reason=reason, text=words), step)


def _told(desk: Desk, said: Together, step: Step) -> None:
    batch = new_batch()
    try:
        still_here()
        became = carry_out(desk.db, said, step.can, batch=batch)
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    left = tuple(
        Became(one.item_id, one.ref, False, f"It stays as it is: {one.why_not}.") for one in step.would if not one.can
    )
    _remember(batch, (*became, *left))
    st.query_params["batch"] = batch
    _back()
    for key in (CHOSEN, "draft-bulk-words", "bulk-reason"):
        st.session_state.pop(key, None)


def undo(desk: Desk, batch: str) -> None:
    """Take back whatever of a batch can be."""
    try:
        still_here()
        _remember(batch, undo_batch(desk.db, batch, desk.person.name))
    except TutelageError as error:
        deciding.say(str(error), refused=True)


def leave_batch() -> None:
    """Back to choosing."""
    st.query_params.pop("batch", None)


def _remember(batch: str, became: tuple[Became, ...]) -> None:
    st.session_state[TOLD] = (batch, became)


def told_of(batch: str) -> dict[int, str]:
    """What the desk answered about each item of a batch, by id; nothing after the page was left."""
    name, became = st.session_state.get(TOLD, ("", ()))
    return {one.item_id: one.text for one in became} if name == batch else {}


def refused_of(told: dict[int, str], known: dict[int, Any]) -> list[tuple[str, str]]:
    """Reference and answer of the items that got no decision in it."""
    _, became = st.session_state.get(TOLD, ("", ()))
    return [(one.ref, one.text) for one in became if one.item_id in told and one.item_id not in known]


def _back() -> None:
    st.session_state.pop(STEP, None)
