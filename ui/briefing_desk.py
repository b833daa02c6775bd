"""The pieces of the Briefing page: for whom, the lines with their reasons, the total and what was left out."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import streamlit as st

from core.briefing.asked import Asked
from core.governance.days import end_of, zone_named
from core.service import desk_views
from core.service.briefing_views import Shown
from core.service.views import BriefingView, Change, Narrowed, QueueRow, ReadLine, difference
from core.store.clock import now
from ui.drawing import draw
from ui.frame import Desk
from ui.lists import choose_day
from ui.times import stamp, zone_of_reader
from ui.tree import Node, node
from ui.wording import NOBODY

NOTHING = "nothing more"
ALONE, YESTERDAY, DAY_BEFORE = "nothing", "the end of yesterday", "the end of the day before"
WITHOUT = "this without "
PARTS = {
    "base": "Base prompt",
    "procedures": "Procedures",
    "notes": "Notes",
    "lessons": "Lessons",
    "reflections": "Reflections",
    "beliefs": "Beliefs",
}
"""What the desk calls the parts of a briefing."""


@dataclass(frozen=True)
class Chosen:
    """For whom and for which task a briefing is shown; ``with_item`` waits and is shown as if it were approved.

    ``as_of`` is the last moment of an earlier day in the reader's zone; then nothing is shown as if it were approved.
    """

    asked: Asked
    with_item: QueueRow | None
    as_of: datetime | None = None
    zone: str = "UTC"

    @property
    def how(self) -> Shown:
        """How the desk is asked for it."""
        return Shown(with_item=self.with_item.id if self.with_item else None, as_of=self.as_of)


@dataclass(frozen=True)
class Compared:
    """Another briefing beside the one that is shown, and what lines are called that only one of the two has."""

    other: BriefingView
    only_here: str
    only_there: str


def ask(desk: Desk, agents: Sequence[str]) -> Chosen:
    """The fields above the briefing, all of them in the address. An earlier day is meant in the reader's zone."""
    zone = zone_of_reader(st.context.timezone)
    with st.container(key="filters", horizontal=True, vertical_alignment="bottom"):
        agent = st.selectbox("Agent", agents, key="briefing_agent", bind="query-params", width=200)
        users = [NOBODY, *desk_views.users(desk.db, agent)]
        user = st.selectbox("User", users, key="briefing_user", bind="query-params", width=200)
        classes = ["any", *desk_views.task_classes(desk.db, agent)]
        task_class = st.selectbox("Task class", classes, key="task_class", bind="query-params", width=180)
        task = st.text_input("Task, in the words of the user", key="task", bind="query-params", width=320)
        day = choose_day(f"As of the end of ({zone})", "as_of")
        as_of = None if day is None else end_of(day, zone)
        item = _choose_item(desk, agent) if as_of is None else None
    about = (None if user == NOBODY else user, None if task_class == classes[0] else task_class, task or "")
    return Chosen(Asked(agent, *about), item, as_of, zone)


def compare(desk: Desk, chosen: Chosen, briefing: BriefingView) -> Compared | None:
    """The choice of another briefing to hold beside this one: of the day before, or this without one of its items."""
    refs = list(dict.fromkeys(line.item for line in briefing.lines if line.item))
    earlier, other_words = (YESTERDAY, DAY_BEFORE) if chosen.as_of is None else (DAY_BEFORE, YESTERDAY)
    if st.session_state.get("compare", st.query_params.get("compare")) == other_words:
        st.session_state["compare"] = earlier  # the same choice, in the words of the day that is looked at
    options = [ALONE, earlier, *(f"{WITHOUT}{ref}" for ref in refs)]
    picked = st.selectbox("Compare with", options, key="compare", bind="query-params", width=240)
    if picked == earlier:
        day = (chosen.as_of or now()).astimezone(zone_named(chosen.zone)).date() - timedelta(days=1)
        other = desk_views.briefing_view(desk.db, chosen.asked, Shown(as_of=end_of(day, chosen.zone)))
        since = "yesterday" if chosen.as_of is None else "the day before"
        return Compared(other, f"new since {since}", "no longer read")
    if picked is not None and picked.startswith(WITHOUT):
        ref = picked.removeprefix(WITHOUT)
        item = next((line.item_id for line in briefing.lines if line.item == ref), None)
        other = desk_views.briefing_view(desk.db, chosen.asked, replace(chosen.how, without=item))
        return Compared(other, f"only with {ref}", f"only without {ref}")
    return None


def _choose_item(desk: Desk, agent: str) -> QueueRow | None:
    """An item of the agent that waits: one of those that come first, or the one that the address names."""
    person, narrowed = desk.person.name, Narrowed(agent=agent)
    page = desk_views.review_queue(desk.db, person=person, narrowed=narrowed)
    by_ref = {row.ref: row for row in page.rows}
    wanted = str(st.session_state.get("with_item") or st.query_params.get("with_item", NOTHING))
    if wanted not in (NOTHING, *by_ref):
        named = desk_views.waiting_item(desk.db, wanted, person=person, narrowed=narrowed)
        by_ref |= {wanted: named} if named else {}
    options = [NOTHING, *by_ref]
    told = f"The first {page.size} of {page.total:,}; name another in the address." if page.pages > 1 else None
    ref = st.selectbox("As if approved", options, key="with_item", bind="query-params", width=200, help=told)
    return by_ref.get(ref)


def show_lines(briefing: BriefingView, beside: Compared | None = None, as_of: datetime | None = None) -> None:
    """Text as the agent reads it, why it is in, tokens; beside another briefing also what only one of the two has."""
    if not briefing.lines and not (beside and beside.other.lines):
        nothing = "The agent reads nothing: it has no base prompt and nothing is approved."
        then = "Nothing is known that the agent would have read."
        draw(node("p", "meta", then if as_of else nothing), key="briefing-lines")
        return
    head = node("tr", "", *(node("th", look, title, scope="col") for title, look in _HEADS))
    if beside is None:
        rows = [_row(line) for line in briefing.lines]
    else:
        said = {Change.SAME: "", Change.NEW: beside.only_here, Change.GONE: beside.only_there}
        changed = difference(beside.other, briefing)
        rows = [_row(one.line, one.change, said[one.change]) for one in changed]
    tree = node("table", "", node("thead", "", head), node("tbody", "", *rows))
    draw(tree, key="briefing-lines")


_HEADS = (("What the agent reads", ""), ("Why it is in", ""), ("Tokens", "num"))


def _as_of(briefing: BriefingView, chosen: Chosen) -> list[Node]:
    """Of which moment this is, and what is not known any more."""
    remarks: list[Node] = [node("p", "", one) for one in briefing.remarks]
    if chosen.as_of is None:
        return remarks
    moment = node("p", "", node("b", "", "As of "), stamp(chosen.as_of, chosen.zone), ", by the log")
    return [moment, *([node("h3", "", "To be known"), *remarks] if remarks else [])]


def _row(line: ReadLine, change: Change = Change.SAME, said: str = "") -> Node:
    new = line.new or change is Change.NEW
    look = " ".join(word for word, on in (("mono", True), ("new", new), ("heading", line.heading)) if on)
    why = f"{line.item}: {line.why}" if line.item else line.why
    text = node("del", "gone", line.text) if change is Change.GONE else line.text
    return node(
        "tr",
        "",
        node("td", look, text, data_title="Reads"),
        node("td", "", *([node("b", "", said), ". "] if said else []), why, data_title="Why"),
        node("td", "num", str(line.tokens), data_title="Tokens"),
    )


def show_side(briefing: BriefingView, chosen: Chosen) -> None:
    """The total of the budget, the tokens of each part, what just missed, what was left out, the messages as a file."""
    added = sum(line.tokens for line in briefing.lines if line.new)
    of = f" of {briefing.budget:,} tokens, about four characters each"
    item = chosen.with_item
    tree = node(
        "div",
        "plainlist",
        *_as_of(briefing, chosen),
        node("div", "figure", node("b", "", f"{briefing.tokens:,}"), node("span", "meta", of)),
        node("p", "", f"{added} of them would be new.") if added else None,
        _parts(briefing),
        node("p", "", node("b", "", f"{item.ref} as if approved: "), item.headline) if item else None,
        *_listed("Just missed", briefing.missed, "Nothing just missed."),
        *_listed("Left out, and why", briefing.left_out, "Nothing was left out."),
        node("p", "meta", GIVES_WAY),
    )
    draw(tree, key="briefing-side")
    text = json.dumps(list(briefing.messages), ensure_ascii=False, indent=2)
    st.download_button(
        "Messages as JSON", text, f"briefing-{chosen.asked.agent}.json", "application/json", on_click="ignore"
    )


GIVES_WAY = (
    "Beyond the budget, beliefs give way first, then the oldest reflections, lessons, the least confident procedures "
    "and the mildest notes; the base prompt and critical notes never do."
)


def _parts(briefing: BriefingView) -> Node:
    """Tokens of each part."""
    rows = [
        node("tr", "", node("td", "", PARTS[part]), node("td", "num", f"{tokens:,}"))
        for part, tokens in briefing.tokens_by_part.items()
    ]
    return node("table", "", node("tbody", "", *rows))


def _listed(title: str, lines: Sequence[str], nothing: str) -> list[Node]:
    return [node("h3", "", title), *([node("p", "", one) for one in lines] or [node("p", "meta", nothing)])]
