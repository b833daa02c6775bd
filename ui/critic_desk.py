"""The pieces of the Critic page around its runs: the model in use, how far the work is, the list of debriefs."""

from collections.abc import Sequence

import streamlit as st

from core.service import desk_views
from core.service.critic import views as critic_views
from core.service.critic.desk_views import model_in_use
from core.service.critic.progress import progress
from core.service.critic.shown import RunCounts, RunRow, RunsAsked
from core.service.views import Page
from core.vocabulary import RunState
from ui import deciding
from ui.badges import badge
from ui.critic_words import left_words, many, money_words, server_words, spent_words, state_badge
from ui.drawing import draw
from ui.frame import Desk
from ui.lists import choose_one, export
from ui.places import choose
from ui.table import Column, TableRow, table_tree
from ui.times import short_moment
from ui.tree import Node, node

RUNS, FATES, SETTINGS = "runs", "what became of it", "settings"
EVERY_SECONDS = 2
NOTHING = (
    "The critic has reviewed no session yet.",
    "“Ask the critic…” chooses sessions and shows first what that would take. What it writes waits for a person.",
)
"""What the page says before the first debrief."""
NOBODY = (
    "The critic has reviewed no session yet.",
    "Name a model first, as the box above says; docs/critic.md shows how, also for one that is played on this machine.",
)
"""What it says while no model can be asked."""
COLUMNS = (
    Column("Run", "num"),
    Column("Session", "keep"),
    Column("Agent"),
    Column("State, and why", "grow"),
    Column("Turns read", "num"),
    Column("Requests", "num"),
    Column("Tokens", "num"),
    Column("Cost", "num"),
    Column("Seconds", "num"),
    Column("Items", "num"),
    Column("Queued (UTC)", "keep"),
    Column("By"),
)
EXPORTED = (
    "run",
    "session",
    "agent",
    "user",
    "state",
    "reason",
    "why",
    "detail",
    "answered_from",
    "turns_read",
    "turns",
    "requests",
    "tokens",
    "cost",
    "seconds",
    "items",
    "model",
    "queued_at",
    "started_at",
    "ended_at",
    "attempt",
    "by",
)


def show_head(desk: Desk) -> tuple[bool, str]:
    """Title, model and server, and the choice of part; returns whether a model can be asked, and what was chosen."""
    used = model_in_use(desk.db)
    facts = "no model is in use" if used.why_not else server_words(used.model, used.server)
    with st.container(key="head", horizontal=True, vertical_alignment="center"):
        st.title("Critic", anchor=False, width="content")
        draw(node("p", "meta", facts), key="head-facts", width="content")
        picked = st.segmented_control(
            "Part",
            (RUNS, FATES, SETTINGS),
            default=RUNS,
            required=True,
            key="part",
            bind="query-params",
            label_visibility="collapsed",
        )
    if used.why_not and picked != SETTINGS:
        without = "The desk works without a model, too: the code checks look at every session."
        draw(node("div", "serverbox", node("p", "", used.why_not), node("p", "meta", without)), key="no-model")
    return used.why_not is None, picked or RUNS


def show_progress(desk: Desk, counts: RunCounts) -> None:
    """How far the work is. While something is under way it is looked at again; the page follows when a run moved on."""
    under_way = counts.of(RunState.QUEUED, RunState.RUNNING) > 0

    @st.fragment(run_every=EVERY_SECONDS if under_way else None)
    def looked_at() -> None:
        _draw_progress(desk)
        if critic_views.run_counts(desk.db) != counts:
            st.rerun()

    looked_at()


def _draw_progress(desk: Desk) -> None:
    now_so = progress(desk.db)
    worker = f"{many(now_so.workers, 'worker')} {'is' if now_so.workers == 1 else 'are'} alive"
    if not now_so.workers:
        waits = ": what is queued waits for one, the desk's own or python -m core work" if now_so.under_way else ""
        worker = f"no worker is alive{waits}"
    rests = " · estimated from the newest requests · closing this page stops nothing" if now_so.under_way else ""
    look = "warned" if now_so.under_way and not now_so.workers else ""
    tree = node(
        "div",
        "progress",
        node("p", "", left_words(now_so)),
        node("p", "meta", node("span", look, worker), f" · {spent_words(now_so)}{rests}"),
        role="status",
    )
    draw(tree, key="critic-progress")


def filters(desk: Desk, counts: RunCounts) -> RunsAsked:
    """State, agent and reason, in the address; the export of what fits them."""
    state = choose_one("State", [str(one) for one in RunState], "run_state", "every state")
    agent = choose_one("Agent", desk_views.agents(desk.db), "run_agent", "every agent")
    reason = choose_one("Reason", critic_views.reasons_in_use(desk.db), "run_reason", "every reason")
    asked = RunsAsked(RunState(state) if state else None, agent, reason)
    export("runs", lambda: all_rows(desk, asked))
    draw(_counts_tree(counts), key="run-counts", width="content", on_press=_narrow)
    return asked


def _counts_tree(counts: RunCounts) -> Node:
    """How many stand where; pressed, the list shows these alone."""
    parts: list[Node] = []
    for state in RunState:
        if found := counts.of(state):
            said = f"{found:,} {state}"
            parts += [" · "] * bool(parts)
            parts.append(node("button", "link", said, data_press=f"state:{state}", type="button"))
    return node("p", "meta", *parts)


def _narrow(value: str) -> None:
    st.session_state["run_state"] = value.partition(":")[2]


def all_rows(desk: Desk, asked: RunsAsked) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """Every debrief of the filters, for an export."""
    page = critic_views.run_list(desk.db, asked, page=1, size=1_000_000)
    return EXPORTED, [_exported(row) for row in page.rows]


def _exported(row: RunRow) -> Sequence[object]:
    who = (row.id, row.session_ref, row.agent, row.user, row.state, row.reason, row.why, row.detail, row.answered_from)
    used = (row.turns_read, row.turns, row.requests, row.tokens, row.cost, row.seconds, row.items, row.model)
    return (*who, *used, row.queued_at, row.started_at, row.ended_at, row.attempt, row.by)


def show_list(desk: Desk, page: Page[RunRow]) -> None:
    """One page of debriefs; a whole row is pressed."""
    rows = [_row(desk, row) for row in page.rows]
    foot = f"{len(rows)} of {page.total:,}" if rows else "No debrief fits these filters."
    draw(node("div", "runs", table_tree(COLUMNS, rows, foot=foot)), key="runs-table", on_press=_pressed)


def _row(desk: Desk, row: RunRow) -> TableRow:
    cells: tuple[Node, ...] = (
        node("b", "", str(row.id)),
        row.session_ref,
        row.agent,
        state_and_why(row),
        f"{row.turns_read} of {row.turns}" if row.covered else "–",
        _requests(row),
        f"{row.tokens:,}" if row.requests else "–",
        money_words(row.cost) if row.answered else "–",
        "–" if row.seconds is None else f"{row.seconds:,.1f}",
        str(row.items) if row.requests else "–",
        short_moment(row.queued_at, desk.now),
        row.by,
    )
    return TableRow(cells, press=f"run:{row.id}")


def _requests(row: RunRow) -> str:
    if row.answered != row.requests:
        return f"{row.answered} of {row.requests}"
    return str(row.requests) if row.requests else "–"


def state_and_why(row: RunRow) -> Node:
    """The state, what came of it in words, and whose answers were used again."""
    again = badge(f"answered from run {row.answered_from}") if row.answered_from else None
    return node("span", "state", state_badge(row.state), again, node("span", "", row.why) if row.why else None)


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    if what == "run":
        deciding.forget_answer()
        choose("request", None)
        choose("run", which)
