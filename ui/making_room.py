"""Where an agent has as many instructions as it may: which of them leaves for one more, and why it could."""

import streamlit as st

from core.service.views import Card, CouldLeave
from core.vocabulary import Action, GivesWay
from ui import deciding
from ui.badges import badge
from ui.deciding import Seen
from ui.drawing import draw
from ui.frame import Desk
from ui.pressing import Pressable
from ui.times import moment
from ui.tree import Node, joined, node

MODE = "room"
WITH_A_KEY = 9
"""Those that would be missed least can leave by a key of their own; every other one is found by its reference."""


def room_badges(card: Card) -> list[Node]:
    """Said in the first line, for the box stands below the proof; nothing where there is room."""
    return [badge("no room", "bad")] if card.no_room else []


def room_tree(card: Card) -> list[Node]:
    """A box with those that could leave, ranked, each with its reasons; nothing where there is room."""
    if card.no_room is None:
        return []
    first, others = card.no_room.leaving[:WITH_A_KEY], card.no_room.leaving[WITH_A_KEY:]
    return [
        node(
            "div",
            "finding conflict",
            node("b", "", f"No room · {card.no_room.told}"),
            node("p", "", "Approving asks which one leaves. It is retired with this approval; an undo brings it back."),
            *(_row(place, one) for place, one in enumerate(first, 1)),
            _folded(others) if others else None,
        )
    ]


def _folded(others: tuple[CouldLeave, ...]) -> Node:
    rows = (_row(place, one) for place, one in enumerate(others, WITH_A_KEY + 1))
    return node("details", "fold", node("summary", "", f"{len(others)} more, that would be missed more"), *rows)


def _row(place: int, one: CouldLeave) -> Node:
    owner = f"owner {one.owner}" if one.owner else None
    link = node("button", "link", f"Open {one.ref}", data_press=f"version:{one.id}", type="button")
    return node(
        "div",
        "side",
        node("p", "", node("b", "", f"{place}. {one.ref}: "), one.text),
        node("p", "meta", one.why, " ", joined((f"In force since {moment(one.since)}", owner)), " · ", link),
    )


def show_bar(desk: Desk, card: Card, what: Seen, keys: Pressable, words: str) -> None:
    """Which one leaves: a key for each of the first, and any other by its reference. ``words`` is the field's hint."""
    room = card.no_room
    if room is None:
        return
    draw(node("p", "", f"{room.told}: which one leaves for {what.ref}?"), key="room-head", width="content")
    kept = {"gives_way": GivesWay.NEITHER} if card.contradicts else {}
    ask = (desk.db, desk.person.name, what, Action.APPROVE)
    for at, one in enumerate(room.leaving[:WITH_A_KEY], 1):
        keys.add(str(at), key := f"leaves-{one.id}-{what.key}", Action.APPROVE, decides=True)
        more = {**kept, "makes_room": one.id}
        st.button(one.ref, key=key, shortcut=str(at), help=one.why, on_click=deciding.carry_out, args=ask, kwargs=more)
    if len(room.leaving) > WITH_A_KEY:
        chosen = choose(card, what, room.leaving[WITH_A_KEY:])
        keys.add("0", key := f"leaves-chosen-{what.key}", Action.APPROVE, decides=True)
        more = {**kept, "makes_room": chosen}
        off = chosen is None
        st.button("It leaves", key=key, shortcut="0", disabled=off, on_click=deciding.carry_out, args=ask, kwargs=more)
    if card.contradicts:
        key = deciding.draft_key(what)
        st.text_input(
            "Words", key=key, placeholder=words, label_visibility="collapsed", persist_state="session", width=320
        )


def choose(card: Card, what: Seen, leaving: tuple[CouldLeave, ...] | None = None) -> int | None:
    """The id of the one that was picked from a list; None where none was, or where there is room."""
    if card.no_room is None:
        return None
    by_ref = {f"{one.ref}: {one.text[:60]}": one.id for one in leaving or card.no_room.leaving}
    picked = st.selectbox(
        "Leaves",
        list(by_ref),
        None,
        key=f"leaves-{what.key}",
        placeholder="which one leaves",
        label_visibility="collapsed",
        width=260,
    )
    return by_ref.get(picked or "")
