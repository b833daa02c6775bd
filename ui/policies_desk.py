"""The pieces of the Policies page: the list, one policy with its versions, changes that wait, the form for a change."""

import streamlit as st

from core.checks.contract import Policy
from core.governance.policy_files import as_yaml
from core.service.policy_views import (
    PolicyRow,
    PolicyView,
    VersionView,
    drafts_that_wait,
    policy_rows,
    policy_view,
    problems_of_folder,
)
from ui import deciding
from ui.badges import severity_mark
from ui.drawing import draw
from ui.frame import Desk, page_head, problem
from ui.places import choose, chosen, leave_later
from ui.policy_changes import changes_tree
from ui.policy_drafts_desk import show_drafts
from ui.policy_form import show_form
from ui.table import Column, TableRow, table_tree
from ui.times import moment
from ui.tree import Node, joined, node

COLUMNS = (
    Column("Policy", "grow"),
    Column("Version", "keep"),
    Column("Owner", "some"),
    Column("Agents", "some"),
    Column("Look again", "num"),
)
VERSIONS = (Column("Version", "keep"), Column("When", "keep"), Column("Who", "some"), Column("Why", "grow"), Column(""))


def show(desk: Desk) -> None:
    """What waits for a second person above the list on the left; on the right the chosen policy, and the form."""
    rows = policy_rows(desk.db)
    page_head("Policies", _counts(rows))
    for one in problems_of_folder(desk.db):
        problem(one)
    left, right = st.columns([48, 52], gap="medium")
    wanted = chosen("policy")
    known = next((row for row in rows if row.policy.id == wanted), None)
    with left:
        show_drafts(desk, drafts_that_wait(desk.db))
        _show_list(rows, known)
    with right:
        view = policy_view(desk.db, known.policy.id) if known else None
        if view:
            _show_policy(desk, view)
        show_form(desk, view)


def _counts(rows: tuple[PolicyRow, ...]) -> str:
    in_force = sum(not row.withdrawn for row in rows)
    again, drafts = sum(row.waiting for row in rows), sum(row.drafts for row in rows)
    items = f"{again} item{'' if again == 1 else 's'} to be looked at again"
    waiting = f"{drafts} change{' waits' if drafts == 1 else 's wait'}" if drafts else None
    return joined((f"{in_force} in force", items, waiting))


def _show_list(rows: tuple[PolicyRow, ...], known: PolicyRow | None) -> None:
    shown = [_row(row, row == known) for row in rows]
    foot = "A policy outranks every lesson. Its file, or two people on this page, change it; every version stays."
    foot = f"Press a row to open its policy. {foot}" if rows else f"No policy is known yet. {foot}"
    draw(table_tree(COLUMNS, shown, foot=foot), key="policies-table", on_press=_press)


def _row(row: PolicyRow, selected: bool) -> TableRow:
    policy = row.policy
    name = node("div", "", node("b", "", policy.title), node("div", "meta", policy.id))
    version = "withdrawn" if row.withdrawn else f"v{policy.version}"
    state = node("div", "", version, node("div", "meta", policy.date))
    agents = ", ".join(row.agents) or node("span", "meta", "no agent")
    waits = str(row.waiting) if row.waiting else "–"
    return TableRow((name, state, policy.owner, agents, waits), f"policy:{policy.id}", selected)


def _press(value: str) -> None:
    what, _, which = value.partition(":")
    if what == "policy":
        choose("policy", which)
        st.session_state.pop("policy-diff", None)
        deciding.forget_answer()
    elif what == "diff":
        st.session_state["policy-diff"] = which
    elif what == "item":
        _open_item(which)


def _open_item(which: str) -> None:
    """Notes are read on their own page, everything else on Review."""
    if which.startswith("N-"):
        leave_later("critical_notes", note=which.partition(" ")[0], state="all", severity="every severity")
    else:
        leave_later("review", item=which)


def _show_policy(desk: Desk, view: PolicyView) -> None:
    draw(_policy_tree(view), key="policy-text", place=view.row.policy.id, on_press=_press)
    name = f"{view.row.policy.id}.yaml"
    st.download_button("Its file", as_yaml(view.row.policy), name, "application/yaml", on_click="ignore", key="file")


def _policy_tree(view: PolicyView) -> Node:
    policy = view.row.policy
    words = ", ".join(f"“{word}”" for word in policy.words)
    return node(
        "div",
        "onepolicy",
        node("div", "first", severity_mark(policy.severity), node("span", "meta", _about(view))),
        node("p", "title", policy.title),
        node("p", "policytext", policy.text),
        node("p", "meta", f"Words that must not be put forward: {words}") if words else None,
        node("p", "meta", f"Instead: {policy.improvement}") if policy.improvement else None,
        node("p", "meta", joined((policy.trigger, " ".join(f"#{tag}" for tag in policy.tags)))),
        *_waiting(view),
        node("h2", "", "Versions"),
        _versions(view.versions),
        *_difference(view.versions),
    )


def _about(view: PolicyView) -> str:
    policy, state = view.row.policy, "withdrawn" if view.row.withdrawn else f"v{view.row.policy.version}"
    return joined((policy.id, state, policy.date, policy.owner))


def _waiting(view: PolicyView) -> list[Node]:
    if not view.waiting:
        return []
    rows = [
        node(
            "li",
            "",
            node("button", "link", item.ref, data_press=f"item:{item.ref}", type="button"),
            f" {item.headline}",
        )
        for item in view.waiting
    ]
    head = f"Suspended by its change, to be looked at again: {len(rows)}"
    return [node("div", "finding", node("b", "", head), node("ul", "plainlist", *rows))]


def _versions(versions: tuple[VersionView, ...]) -> Node:
    rows = [
        TableRow(
            (
                "withdrawn" if one.withdrawn else f"v{one.policy.version}",
                moment(one.at),
                joined((one.by, one.second), " and "),
                one.reason or one.origin,
                _compare(one, versions[0].policy) if at else "",
            )
        )
        for at, one in enumerate(versions)
    ]
    return table_tree(VERSIONS, rows, foot="" if rows else "It is read from its file and was not recorded yet.")


def _compare(one: VersionView, newest: Policy) -> Node:
    words = f"Compare with v{newest.version}"
    return node("button", "link", words, data_press=f"diff:{one.policy.version}", type="button")


def _difference(versions: tuple[VersionView, ...]) -> list[Node]:
    """What the newest version changes against the chosen one, field by field."""
    wanted = st.session_state.get("policy-diff")
    old = next((one.policy for one in versions if str(one.policy.version) == wanted), None)
    return changes_tree(old, versions[0].policy) if old else []
