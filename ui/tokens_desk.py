"""The tokens of agents on Settings and people: make one and see it once, who has which, revoke."""

from collections.abc import Sequence
from datetime import date

import streamlit as st

from core.governance.tokens import TokenView, expiry, make_token, revoke_token, tokens
from core.service import desk_views
from core.vocabulary import Duty, Verb
from ui import deciding
from ui.drawing import draw
from ui.frame import Desk
from ui.table import Column, TableRow, table_tree
from ui.telling import told
from ui.times import age, moment
from ui.tree import Node, node

COLUMNS = (
    Column("Token", "keep"),
    Column("Agent", "keep"),
    Column("May ask for", "grow"),
    Column("Used", "keep"),
    Column("State", "keep"),
    Column(""),
)
NEW, ASKED = "made-token", "revoking-token"
EXPLAINED = (
    "An agent shows its token at /api as “Authorization: Bearer …”. A token may ask for what is listed, for its one "
    "agent; no token can decide anything."
)


def show(desk: Desk) -> None:
    """Every token, and the form for another."""
    known = tokens(desk.db, at=desk.now)
    left, right = st.columns([62, 38], gap="medium")
    with left:
        rows = [_row(desk, one) for one in known]
        foot = EXPLAINED if rows else f"No token was made yet. {EXPLAINED}"
        draw(table_tree(COLUMNS, rows, foot=foot), key="tokens-table", on_press=lambda press: _pressed(desk, press))
    with right:
        _show_made()
        _show_form(desk, desk_views.agents(desk.db))


def _row(desk: Desk, one: TokenView) -> TableRow:
    made = node("div", "meta", f"…{one.hint} · made by {one.by}, {moment(one.at)}")
    name = node("div", "", node("b", "", one.name), made)
    until = f"until {moment(one.expires_at)}" if one.expires_at and one.state == "valid" else ""
    state = node("div", "", one.state, node("div", "meta", until) if until else None)
    used = age(one.used_at, desk.now) if one.used_at else "never"
    revoke = _revoke(one) if one.state == "valid" and desk.may(Duty.DEVELOPER) else ""
    return TableRow((name, one.agent, ", ".join(one.verbs), used, state, revoke))


def _revoke(one: TokenView) -> Node:
    if st.session_state.get(ASKED) != one.name:
        return node("button", "link", "Revoke…", data_press=f"ask:{one.name}", type="button")
    return node(
        "div",
        "",
        node("button", "link", "Revoke for good", data_press=f"revoke:{one.name}", type="button"),
        " ",
        node("button", "link", "Back", data_press="ask:", type="button"),
    )


def _pressed(desk: Desk, press: str) -> None:
    act, _, name = press.partition(":")
    st.session_state[ASKED] = name if act == "ask" else None
    if act == "revoke":
        told(
            lambda: revoke_token(desk.db, name, by=desk.person.name),
            f"The token “{name}” is refused from now on.",
        )


def _show_made() -> None:
    """The token that was just made: it is shown until it was taken, and never again."""
    made = st.session_state.get(NEW)
    if not made:
        return
    draw(
        node("p", "finding", "This is the only time that the token is shown. Only its hash is stored."), key="told-once"
    )
    st.code(made, language=None, wrap_lines=True)
    st.button("I have it", key="token-taken", on_click=lambda: st.session_state.pop(NEW, None))


def _show_form(desk: Desk, agents: Sequence[str]) -> None:
    draw(node("h2", "", "Make a token"), key="token-head")
    if not desk.may(Duty.DEVELOPER):
        draw(
            node("p", "meta", f"{desk.person.name} reads here; a developer makes and revokes tokens."), key="reads-only"
        )
        return
    if not agents:
        draw(node("p", "meta", "A token stands for one agent, and no agent is known yet."), key="no-agent")
        return
    st.text_input("Name", key="draft-token-name", max_chars=80, placeholder="Where it is kept, such as: nightly job")
    st.selectbox("Agent", agents, key="token-agent")
    st.multiselect("May ask for", list(Verb), [Verb.BRIEFING, Verb.OUTCOMES], key="token-verbs")
    st.date_input(
        "Expires at the end of (UTC; empty: never)",
        None,
        key="token-until",
        min_value=desk.now.date(),
        format="YYYY-MM-DD",
    )
    st.button("Make the token", key="save-token", type="primary", on_click=_make, args=(desk,))
    deciding.show_answer()


def _make(desk: Desk) -> None:
    state = st.session_state
    name, until = str(state.get("draft-token-name") or ""), state.get("token-until")

    def made() -> None:
        state[NEW] = make_token(
            desk.db,
            name=name,
            agent=str(state.get("token-agent") or ""),
            verbs=[Verb(verb) for verb in state.get("token-verbs") or ()],
            by=desk.person.name,
            expires_at=expiry(until) if isinstance(until, date) else None,
        )

    if told(made, f"The token “{name.strip()}” is made."):
        state["draft-token-name"] = ""
