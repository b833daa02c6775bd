"""The pieces of the Buffer page: what the next trial reads, each reflection with its trials left, twins, compaction."""

from dataclasses import dataclass

import streamlit as st

from core.errors import TutelageError
from core.memory.buffer_file import Buffered, left_in_words
from core.service import buffer_views, desk_views
from core.service.buffer_views import BufferView
from core.service.consolidation.buffer import queue_compaction
from core.service.critic.runs import MAY_START
from core.service.jobs import nudge
from core.vocabulary import Kind, Scope
from ui import deciding
from ui.critic_words import many
from ui.drawing import draw
from ui.frame import Desk
from ui.places import address, visit
from ui.signing_in import still_here, while_here
from ui.table import Column, TableRow, table_tree
from ui.times import stamp
from ui.tree import Node, joined, node
from ui.waiting import EVERYTHING
from ui.wording import NOBODY

CELLS = 10
"""Cells of the shape that shows how long a reflection still lives."""


@dataclass(frozen=True)
class Asked:
    """Whose buffer is shown: of an agent and a task class, and for which user, if for one."""

    agent: str
    task_class: str
    user: str | None


def ask(desk: Desk, agents: tuple[str, ...]) -> Asked | None:
    """The fields above the buffer, in the address; None for an agent without a task class."""
    with st.container(key="filters", horizontal=True, vertical_alignment="bottom"):
        agent = st.selectbox("Agent", agents, key="buffer_agent", bind="query-params", width=200)
        classes = desk_views.task_classes(desk.db, agent)
        if not classes:
            return None
        filled = [one for one in buffer_views.classes_with_a_buffer(desk.db, agent) if one in classes]
        ordered = [*filled, *(one for one in classes if one not in filled)]
        task_class = st.selectbox("Task class", ordered, key="buffer_class", bind="query-params", width=220)
        users = [NOBODY, *buffer_views.users_with_a_reflection(desk.db, agent)]
        user = st.selectbox("User", users, key="buffer_user", bind="query-params", width=200)
    return Asked(agent, task_class, None if user == NOBODY else user)


def view_of(desk: Desk, asked: Asked) -> BufferView:
    """The buffer as it is now."""
    return buffer_views.buffer_view(desk.db, asked.agent, asked.task_class, user=asked.user)


def show_block(view: BufferView) -> None:
    """The block exactly as the next trial reads it."""
    draw(node("h3", "", "The next trial reads"), key="buffer-reads")
    if view.block:
        draw(node("div", "verbatim", view.block), key="buffer-block")
    else:
        none_here = "No reflection is in force here, so the next trial reads none. "
        nothing = "The next trial reads none of the reflections below. " if view.rows else none_here
        link = address("review", **EVERYTHING, kind=Kind.LESSON)
        wait = node("a", "link", "Those that wait stand in Review", href=link, data_press=link)
        draw(node("p", "meta", nothing, wait), key="buffer-block", on_press=visit)


def show_reflections(view: BufferView) -> None:
    """Every reflection that the next trial could read, with the trials that it has left."""
    if not view.rows:
        return
    columns = (Column("Reflection", "grow"), Column("Holds for"), Column("From trial"), Column("Trials left", "some"))
    rows = [TableRow((_said(row, view), _reach(row), _trial(row), _left(row, view.lives_for))) for row in view.rows]
    foot = f"The newest approval first. Each lives for {many(view.lives_for, 'trial')} of its task class; "
    foot += f"{view.task_class} has had {view.trials:,}."
    draw(table_tree(columns, rows, foot=foot), key="buffer-table")


def show_budget(desk: Desk, view: BufferView) -> None:
    """Whether the buffer is over its budget, which reflections are alike, and what is done about it."""
    how = "over the budget" if view.over else "within the budget"
    counted = f"{many(view.in_force, 'reflection')} in force, {how} of {view.budget}"
    draw(node("h3", "", joined((counted, view.further_in_words), ", ")), key="buffer-budget")
    draw(_alike(view), key="buffer-alike")
    _show_button(desk, view)
    deciding.show_answer()
    if view.runs:
        draw(_runs(view), key="buffer-runs")
    if view.advice:
        draw(node("p", "meta", view.advice), key="buffer-advice")


def show_soon(view: BufferView) -> None:
    """What will soon be read no more."""
    lines = [node("p", "", node("b", "", one.ref), f" {left_in_words(one.ttl_remaining)}") for one in view.soon]
    none = node("p", "meta", "Nothing expires soon.")
    draw(node("div", "", node("h3", "", "Expires soon"), *(lines or [none])), key="buffer-soon")


def show_file(desk: Desk, asked: Asked) -> None:
    """What the next trial could read as a JSON file, made when it is pressed for."""
    made = while_here(lambda: buffer_views.buffer_json(desk.db, asked.agent, asked.task_class, user=asked.user))
    name = f"buffer-{asked.task_class}.json"
    st.download_button("Buffer as JSON", made, name, "application/json", on_click="ignore", key="buffer-json")


def _said(row: Buffered, view: BufferView) -> Node:
    read = "" if row.ref in view.read else "summed up in one line" if row.ref in view.summed_up else "not read"
    tags = " ".join(f"#{tag}" for tag in row.tags)
    small = joined((row.ref, read, tags))
    return node("span", "", row.text, node("span", "meta", f" {small}"))


def _reach(row: Buffered) -> str:
    if row.scope == Scope.USER:
        return f"user {row.user}"
    return "every task" if row.scope == Scope.AGENT else row.task_class


def _trial(row: Buffered) -> Node:
    when = stamp(row.created_at, st.context.timezone) if row.created_at else ""
    number = f"trial {row.trial}" if row.trial else ""
    return node("span", "", joined((row.trial_id, number)), node("span", "meta", f" {when}"))


def _left(row: Buffered, lives_for: int) -> Node:
    """The trials left in words, and as cells of which the full ones are left."""
    full = min(CELLS, -(-row.ttl_remaining * CELLS // lives_for))
    shape = node("span", "", "▮" * full + "▯" * (CELLS - full), aria_hidden="true")
    return node("span", "", shape, f" {left_in_words(row.ttl_remaining)}")


def _alike(view: BufferView) -> Node:
    found = [
        node("p", "", node("b", "", ", ".join(one.refs)), " say nearly the same: ", node("span", "quotation", one.text))
        for one in view.clusters
    ]
    apart = [node("p", "meta", why) for why in view.kept_apart]
    none = node("p", "meta", "No two of them say nearly the same.")
    return node("div", "", *(found or ([] if apart else [none])), *apart)


def _show_button(desk: Desk, view: BufferView) -> None:
    """The button that queues a compaction; why there is none stands in its place."""
    if view.under_way:
        return
    if not desk.may(*MAY_START):
        words = f"{desk.person.name} reads here; a buffer is made smaller by a lead or a developer."
        draw(node("p", "meta", words), key="buffer-may-not")
        return
    hint = "What comes of it is proposed; every reflection stays in force until a person has approved it."
    st.button(
        "Bring twins together",
        key="buffer-compact",
        on_click=_compact,
        args=(desk, view.agent, view.task_class),
        disabled=not view.clusters,
        type="primary" if view.over else "secondary",
        help=hint,
    )


def _compact(desk: Desk, agent: str, task_class: str) -> None:
    try:
        still_here(*MAY_START)
        queued = queue_compaction(desk.db, agent, task_class, by=desk.person.name)
        deciding.say("The compaction is queued." if queued else "A compaction of this buffer is under way already.")
    except TutelageError as error:
        deciding.say(str(error), refused=True)
    nudge()


def _runs(view: BufferView) -> Node:
    lines = [
        node(
            "p",
            "",
            node("b", "", run.state),
            f" {stamp(run.queued_at, st.context.timezone)}, by {run.by}. ",
            run.detail,
        )
        for run in view.runs
    ]
    return node("div", "", node("h3", "", "Compactions"), *lines)
