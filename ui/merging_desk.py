"""Merging on the Review page: both texts as a word diff, the fields of the merged one, and the bar below."""

import streamlit as st

from core.governance.merging import Merging, merge
from core.screening.invisible import shown
from core.service import desk_views
from core.service.views import Card, Neighbour
from core.store.database import Database
from core.vocabulary import Kind
from ui import deciding
from ui.badges import word_diff
from ui.deciding import FIELDS, Seen
from ui.drawing import draw
from ui.frame import Desk
from ui.pressing import Pressable
from ui.tree import Node, node

MODE = "merge"
"""What the bar asks while two are merged."""


def other_half(card: Card, what: Seen) -> Neighbour | None:
    """Into what it is merged: the chosen twin, else the first; None where there is none any more."""
    can = card.can_be_merged_into
    wanted = st.session_state.get(_into_key(what))
    return next((one for one in can if one.ref == wanted), can[0] if can else None)


def show_fields(desk: Desk, card: Card, what: Seen) -> None:
    """Pane 2 while two are merged: what differs, and the words of the merged text, the longer one to begin with."""
    half = other_half(card, what)
    if half is None:
        draw(node("p", "meta", f"Nothing is left into which {card.ref} could be merged."), key="merge-head")
        return
    draw(node("h2", "", f"Merge {card.ref} into {half.ref}"), key="merge-head")
    if len(card.can_be_merged_into) > 1:
        refs = [one.ref for one in card.can_be_merged_into]
        st.selectbox("Into", refs, key=_into_key(what), on_change=_forget_fields, args=(what,))
    other = desk_views.card(desk.db, half.id, person=desk.person.name)
    draw(_both(card, other, half), key="merge-both")
    for field, label in FIELDS[card.kind]:
        key = merge_key(what, field)
        st.session_state.setdefault(key, _first_words(field, card, other))
        if field in ("title", "tags"):
            st.text_input(label, key=key, persist_state="session")
        else:
            st.text_area(label, key=key, height=140, persist_state="session")


def show_bar(desk: Desk, card: Card, what: Seen, keys: Pressable) -> None:
    """The bar while two are merged."""
    half = other_half(card, what)
    keys.add("ctrl+enter", f"save-merge-{what.key}", MODE)
    st.button(
        f"Merge into {half.ref}" if half else "Merge",
        key=f"save-merge-{what.key}",
        type="primary",
        shortcut="ctrl+enter",
        disabled=half is None,
        on_click=save_merge,
        args=(desk.db, desk.person.name, what, half),
    )
    stays = f"{half.ref} stays in force until then" if half and half.since else "both stand aside for it"
    said = deciding.last_answer()
    words = said.text if said else f"It waits for somebody's approval; {stays}. It has the proof of both."
    draw(node("p", "answer no" if said and said.refused else "answer", words, role="status"), key="answer-line")


def merge_key(what: Seen, field: str) -> str:
    """The key of a field of the text into which it is merged."""
    return deciding.draft_key(what, f"merge-{field}")


def save_merge(db: Database, person: str, what: Seen, half: Neighbour | None) -> None:
    """Merge the item on the screen into another one, in the words of the fields."""
    if half is None:
        return
    changes = {
        field: deciding.field_value(field, st.session_state.get(merge_key(what, field)))
        for field, _ in FIELDS[what.kind]
    }
    asked = Merging(what.item_id, half.id, what.revision, half.revision)
    if deciding.ask_desk(lambda: merge(db, asked, person=person, changes=changes), db, person, what):
        deciding.leave(what)


def _both(card: Card, other: Card, half: Neighbour) -> Node:
    rows = [
        node("p", "", node("span", "meta", f"{name}: " if name else ""), *word_diff(shown(theirs), shown(mine)))
        for name, theirs, mine in _pairs(card, other)
    ]
    return node("section", "versions", node("b", "", f"From {half.ref}, {half.status}, to {card.ref}"), *rows)


def _pairs(card: Card, other: Card) -> list[tuple[str, str, str]]:
    pairs = [("", other.text, card.text)]
    if card.kind is Kind.PROCEDURE:
        pairs = [("Title", other.title, card.title), ("When", other.trigger, card.trigger), *pairs]
    return pairs


def _first_words(field: str, card: Card, other: Card) -> str:
    """What a field begins with: the longer of the two, and for tags those of both, three at most."""
    if field == "tags":
        return ", ".join(list(dict.fromkeys((*other.tags, *card.tags)))[:3])
    mine, theirs = (str(getattr(one, "text" if field == "instruction" else field)) for one in (card, other))
    return mine if len(mine) > len(theirs) else theirs


def _into_key(what: Seen) -> str:
    return f"merge-into-{what.key}"


def _forget_fields(what: Seen) -> None:
    """The words begin anew beside another half."""
    for field, _ in FIELDS[what.kind]:
        st.session_state.pop(merge_key(what, field), None)
