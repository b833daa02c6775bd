"""Saying whose turn it is: a small form that opens beside what it is about."""

import streamlit as st

from core.governance.assignments import assign, may_assign, who_may_decide
from core.service.views import Card
from ui.frame import Desk
from ui.telling import told

ANYBODY = "anybody"


def show_assigning(desk: Desk, card: Card, place: str) -> None:
    """The button "Assign…" for whoever may say so; ``place`` tells two of them on one page apart."""
    if desk.person.single_operator or not card.governed.waits or not may_assign(card.kind, card.gravest, desk.person):
        return
    key = f"assign-{place}-{card.id}"
    popover = st.popover("Assign…", type="tertiary", key=key, on_change="rerun")
    if popover.open:
        with popover:
            _form(desk, card, key)


def _form(desk: Desk, card: Card, key: str) -> None:
    people = [ANYBODY, *who_may_decide(desk.db, card.id)]
    has_it = card.governed.assignee or ANYBODY
    at = people.index(has_it) if has_it in people else 0
    st.selectbox(f"Who is to decide about {card.ref}", people, at, key=f"{key}-who")
    st.text_input("Why, optional", key=f"draft-{key}-why", placeholder="stays in the log")
    st.button("Assign", key=f"{key}-go", on_click=_assign, args=(desk, card, key))


def _assign(desk: Desk, card: Card, key: str) -> None:
    picked = str(st.session_state.get(f"{key}-who") or ANYBODY)
    person = None if picked == ANYBODY else picked
    why = str(st.session_state.get(f"draft-{key}-why") or "")
    done = f"{card.ref} is {'anybody’s' if person is None else f'for {person}'} to decide."
    if told(lambda: assign(desk.db, [card.id], person, by=desk.person.name, reason=why), done):
        st.session_state[key] = False
