"""The part of the bar about what stands beside an item: near twins that give way, merging, several contraries."""

import streamlit as st

from core.service.views import Card
from core.vocabulary import Action
from ui import deciding, merging_desk
from ui.deciding import Seen
from ui.frame import Desk
from ui.pressing import Pressable

TWINS_WITH_A_KEY = 3
"""Near twins in force that can give way by a key of their own."""


def show_twins(desk: Desk, card: Card, what: Seen, *, off: bool, keys: Pressable) -> None:
    """Beside near twins: approving so that one of those in force gives way, and merging."""
    twins = [] if card.contradicts else [one for one in card.beside if not one.contrary][:TWINS_WITH_A_KEY]
    for at, one in enumerate(twins, 1):
        keys.add(str(at), key := f"gives-way-{one.id}-{what.key}", Action.APPROVE, decides=True)
        st.button(
            f"{one.ref} gives way",
            key=key,
            shortcut=str(at),
            disabled=off,
            on_click=deciding.carry_out,
            args=(desk.db, desk.person.name, what, Action.APPROVE),
            kwargs={"yields": (one.id,)},
        )
    if card.can_be_merged_into:
        keys.add("m", key := f"merge-{what.key}", merging_desk.MODE)
        taken = card.governed.taken_by_another(desk.person.name)
        may = deciding.may_edit(card, desk.person)
        st.button(
            "Merge…",
            key=key,
            shortcut="m",
            disabled=bool(taken) or not may,
            on_click=deciding.open_bar,
            args=(what, merging_desk.MODE),
        )


def show_each(desk: Desk, card: Card, what: Seen, keys: Pressable) -> None:
    """Where several stand beside it: each has an answer of its own."""
    by_ref = {one.ref: one.id for one in card.beside}
    chosen = st.pills(
        "Gives way",
        list(by_ref),
        selection_mode="multi",
        key=f"yields-{what.key}",
        label_visibility="collapsed",
        width="content",
    )
    keys.add("3", key := f"gives-way-chosen-{what.key}", Action.APPROVE, decides=True)
    st.button(
        "Only those give way",
        key=key,
        shortcut="3",
        disabled=not chosen,
        on_click=deciding.carry_out,
        args=(desk.db, desk.person.name, what, Action.APPROVE),
        kwargs={"yields": tuple(by_ref[ref] for ref in chosen)},
    )
