"""How beliefs come about: how far each user is from the next run, the last runs, and what was dropped and why."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import TutelageError
from core.screening.invisible import shown as shown_text
from core.service.consolidation.views import belief_run, belief_runs, belief_sums
from core.service.critic.runs import MAY_START
from core.service.episodes import look_for_beliefs
from core.service.jobs import nudge
from core.service.views.beliefs import BeliefRunRow, BeliefRunView, SumRow
from ui import deciding
from ui.critic_words import many, state_badge
from ui.drawing import draw
from ui.frame import Desk, empty
from ui.lists import page_number, turn_pages
from ui.places import choose, chosen, follow
from ui.signing_in import still_here
from ui.table import Column, TableRow, table_tree
from ui.times import short_moment
from ui.tree import Node, joined, node
from ui.wording import NOBODY

SUMS = (
    Column("Agent", "keep"),
    Column("User", "keep"),
    Column("Importance so far", "num"),
    Column("Of high importance", "num"),
    Column("Runs", "num"),
    Column("Last run (UTC)", "keep"),
    Column("What is next", "grow"),
)
RUNS = (
    Column("Run", "num"),
    Column("Agent", "keep"),
    Column("User", "keep"),
    Column("State"),
    Column("Queued (UTC)", "keep"),
    Column("By", "some"),
    Column("Importance", "num"),
    Column("Questions", "num"),
    Column("Beliefs", "num"),
    Column("What came of it", "grow"),
)
SHOWN = 8
"""Sums that the page shows, the nearest first; the filters lead to any other."""


def show(desk: Desk, agent: str | None, user: str | None) -> None:
    """Sums, the button that has beliefs drawn now, and the runs."""
    sums = belief_sums(desk.db, agent, user, most=SHOWN)
    if sums:
        at = chosen("sum")
        current = next((one for one in sums if _key(one) == at), sums[0])
        draw(_sums_tree(desk, sums, current), key="belief-sums", on_press=_pressed)
        _show_act(desk, current)
    else:
        empty(*_nothing_counted(agent, user))
        deciding.show_answer()
    page = belief_runs(desk.db, agent=agent, user=user, page=page_number("runs_page"), size=20)
    draw(_runs_tree(desk, page.rows), key="belief-runs", on_press=_pressed)
    turn_pages(page, "runs_page")
    _show_run(desk, page.rows)


def _nothing_counted(agent: str | None, user: str | None) -> tuple[str, str]:
    """What stands where no sum does; episodes that are held count for none."""
    if agent is None:
        said = "No episode has been counted yet."
    else:
        said = "No episode has been counted for this agent" + (" yet." if user is None else " and user yet.")
    return said, "Each debrief writes episodes; the importance of those that are not held adds up for each user."


def _key(row: SumRow) -> str:
    return f"{row.agent}/{row.user or ''}"


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    if what in ("sum", "run"):
        deciding.forget_answer()
        choose(what, which)
    else:
        follow(value)


def _sums_tree(desk: Desk, sums: Sequence[SumRow], current: SumRow) -> Node:
    rows = [
        TableRow(
            (
                row.agent,
                shown_text(row.user or NOBODY),
                f"{row.total} of {row.threshold}",
                f"{row.high} of {row.floor}",
                str(row.runs),
                short_moment(row.last_run_at, desk.now) if row.last_run_at else "–",
                _next(row),
            ),
            press=f"sum:{_key(row)}",
            selected=row is current,
        )
        for row in sums
    ]
    more = f"The nearest {SHOWN}; others by agent and user. " if len(sums) == SHOWN else ""
    foot = "A run is queued where the importance reaches its sum; it concludes nothing from too few episodes."
    head = node("h2", "", "How far each user is")
    return node("section", "", head, table_tree(SUMS, rows, foot=more + foot))


def _next(row: SumRow) -> str:
    if row.waits:
        return f"{row.waits[:1].upper()}{row.waits[1:]}."
    if row.under_way is not None:
        return f"Run {row.under_way} is under way."
    return f"A run at {row.threshold}."


def _show_act(desk: Desk, row: SumRow) -> None:
    """Drawing beliefs of the chosen user now, whatever the sum is."""
    with st.container(key="belief-draw", horizontal=True, vertical_alignment="center"):
        if desk.may(*MAY_START):
            label = f"Draw beliefs now: {row.user or NOBODY}"
            st.button("Draw beliefs now", key="draw-beliefs", help=label, on_click=_draw, args=(desk, row))
        draw(node("p", "meta", f"{row.agent} · {shown_text(row.user or NOBODY)}"), key="draw-whose", width="content")
        deciding.show_answer()


def _draw(desk: Desk, row: SumRow) -> None:
    try:
        still_here()
        run = look_for_beliefs(desk.db, row.agent, row.user, by=desk.person.name)
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    nudge()
    deciding.say(f"Run {run} is queued.")


def _runs_tree(desk: Desk, runs: tuple[BeliefRunRow, ...]) -> Node:
    rows = [
        TableRow(
            (
                str(row.id),
                row.agent,
                shown_text(row.user or NOBODY),
                state_badge(row.state),
                short_moment(row.queued_at, desk.now),
                row.by,
                str(row.importance),
                str(row.questions),
                str(row.beliefs),
                came_of_it(row),
            ),
            press=f"run:{row.id}",
            selected=str(row.id) == chosen("run"),
        )
        for row in runs
    ]
    head = node("h2", "", "Runs")
    if not rows:
        return node("section", "", head, node("p", "meta", "No run has drawn beliefs yet."))
    return node("section", "runs", head, table_tree(RUNS, rows))


def came_of_it(row: BeliefRunRow) -> str:
    """What a run brought, what was dropped with each reason, and why it ended as it did."""
    dropped = [f"{count} dropped: {why.replace('_', ' ')}" for why, count in row.dropped.items()]
    return joined(
        (
            many(row.beliefs, "new belief") if row.beliefs else "",
            f"{row.known} known already" if row.known else "",
            *dropped,
            f"{many(row.skipped, 'question')} skipped" if row.skipped else "",
            f"{row.beyond} beyond the limit" if row.beyond else "",
            shown_text(row.detail),
        )
    )


def _show_run(desk: Desk, runs: tuple[BeliefRunRow, ...]) -> None:
    wanted = chosen("run") or ""
    if wanted not in {str(row.id) for row in runs}:
        return
    draw(run_tree(belief_run(desk.db, int(wanted))), key="belief-run", place=wanted, on_press=_pressed)


def run_tree(view: BeliefRunView) -> Node:
    """A run by its questions: which episodes were shown for each, by which factors, and what became of each belief."""
    head = node("h2", "", f"Run {view.row.id}, question by question")
    if not view.questions:
        return node("section", "", head, node("p", "meta", "It came to no question."))
    return node("section", "", head, *(_question(one) for one in view.questions))


def _question(said: Mapping[str, Any]) -> Node:
    columns = (Column("Episode", "keep"), Column("What happened", "grow"), *(
        Column(name, "num") for name in ("Recency", "Importance", "Similarity", "Score")
    ))  # fmt: skip
    rows = [
        TableRow((each["ref"], shown_text(each["text"]), *(f"{each[name]:.3f}" for name in FACTORS)))
        for each in said["episodes"]
    ]
    skipped = f"Skipped: {said['skipped']}." if said["skipped"] else ""
    became = [_became(each) for each in said["became"]]
    return node(
        "div",
        "questionrun",
        node("p", "asked", shown_text(str(said["question"]))),
        node("p", "meta", skipped) if skipped else None,
        table_tree(columns, rows),
        node("div", "became", *became) if became else None,
    )


FACTORS = ("recency", "importance", "similarity", "score")


def _became(one: Mapping[str, Any]) -> Node:
    text = shown_text(str(one.get("text") or "a text that is not kept"))
    ref = one.get("ref")
    if ref:
        link = node("button", "link", str(ref), data_press=f"item:{ref}", type="button")
        return node("p", "", link, f" {text}")
    return node("p", "", node("del", "", text), node("span", "meta", f" {one['what']}: {one.get('why', '')}"))
