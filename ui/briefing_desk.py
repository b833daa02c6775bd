"""The pieces of the Briefing page: for whom, the lines with their reasons, the total and what was left out."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import streamlit as st

from core.governance.days import end_of
from core.service import desk_views
from core.service.views import BriefingView, Narrowed, QueueRow, ReadLine
from ui.drawing import draw
from ui.frame import Desk
from ui.lists import choose_day
from ui.times import stamp, zone_of_reader
from ui.tree import Node, node

NOTHING = "nothing more"


@dataclass(frozen=True)
class Asked:
    """For whom and for which task a briefing is shown; ``with_item`` waits and is shown as if it were approved.

    ``as_of`` is the last moment of an earlier day in the reader's zone; then nothing is shown as if it were approved.
    """

    agent: str
    user: str | None
    task_class: str | None
    task: str
    with_item: QueueRow | None
    as_of: datetime | None = None
    zone: str = "UTC"


def ask(desk: Desk, agents: Sequence[str]) -> Asked:
    """The fields above the briefing, all of them in the address. An earlier day is meant in the reader's zone."""
    zone = zone_of_reader(st.context.timezone)
    with st.container(key="filters", horizontal=True, vertical_alignment="bottom"):
        agent = st.selectbox("Agent", agents, key="briefing_agent", bind="query-params", width=200)
        users = ["nobody in particular", *desk_views.users(desk.db, agent)]
        user = st.selectbox("User", users, key="briefing_user", bind="query-params", width=200)
        classes = ["any", *desk_views.task_classes(desk.db, agent)]
        task_class = st.selectbox("Task class", classes, key="task_class", bind="query-params", width=180)
        task = st.text_input("Task, in the words of the user", key="task", bind="query-params", width=320)
        day = choose_day(f"As of the end of ({zone})", "as_of")
        as_of = None if day is None else end_of(day, zone)
        item = _choose_item(desk, agent) if as_of is None else None
    return Asked(
        agent,
        None if user == users[0] else user,
        None if task_class == classes[0] else task_class,
        task or "",
        item,
        as_of,
        zone,
    )


def _choose_item(desk: Desk, agent: str) -> QueueRow | None:
    waiting = desk_views.review_queue(desk.db, person=desk.person.name, narrowed=Narrowed(agent=agent)).rows
    by_ref = {row.ref: row for row in waiting}
    ref = st.selectbox("As if approved", [NOTHING, *by_ref], key="with_item", bind="query-params", width=200)
    return by_ref.get(ref)


def show_lines(briefing: BriefingView, as_of: datetime | None = None) -> None:
    """Text as the agent reads it, why it is in, tokens."""
    if not briefing.lines:
        nothing = "The agent reads nothing: it has no base prompt and nothing is approved."
        then = "Nothing is known that the agent would have read."
        draw(node("p", "meta", then if as_of else nothing), key="briefing-lines")
        return
    head = node("tr", "", *(node("th", look, title, scope="col") for title, look in _HEADS))
    rows = [_row(line) for line in briefing.lines]
    tree = node("table", "", node("thead", "", head), node("tbody", "", *rows))
    draw(tree, key="briefing-lines")


_HEADS = (("What the agent reads", ""), ("Why it is in", ""), ("Tokens", "num"))


def _as_of(briefing: BriefingView, asked: Asked) -> list[Node]:
    """Of which moment this is, and what is not known any more."""
    if asked.as_of is None:
        return []
    moment = node("p", "", node("b", "", "As of "), stamp(asked.as_of, asked.zone), ", by the log")
    remarks: list[Node] = [node("p", "", one) for one in briefing.remarks]
    return [moment, *([node("h3", "", "Not known any more"), *remarks] if remarks else [])]


def _row(line: ReadLine) -> Node:
    look = " ".join(word for word, on in (("mono", True), ("new", line.new), ("heading", line.heading)) if on)
    why = f"{line.item}: {line.why}" if line.item else line.why
    return node(
        "tr",
        "",
        node("td", look, line.text, data_title="Reads"),
        node("td", "", why, data_title="Why"),
        node("td", "num", str(line.tokens), data_title="Tokens"),
    )


def show_side(briefing: BriefingView, asked: Asked) -> None:
    """The total, what was left out and why, and the messages as a file."""
    added = sum(line.tokens for line in briefing.lines if line.new)
    tail = f" tokens; {added} of them would be new" if added else " tokens, about four characters each"
    item = asked.with_item
    shown = node("p", "", node("b", "", f"{item.ref} as if approved: "), item.headline) if item else None
    left: list[Node] = [node("p", "", one) for one in briefing.left_out]
    tree = node(
        "div",
        "plainlist",
        *_as_of(briefing, asked),
        node("div", "figure", node("b", "", f"{briefing.tokens:,}"), node("span", "meta", tail)),
        shown,
        node("h3", "", "Left out, and why"),
        *(left or [node("p", "meta", "Nothing was left out.")]),
    )
    draw(tree, key="briefing-side")
    text = json.dumps(list(briefing.messages), ensure_ascii=False, indent=2)
    st.download_button("Messages as JSON", text, f"briefing-{asked.agent}.json", "application/json", on_click="ignore")
