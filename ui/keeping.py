"""Keeps what a person types while they type it, so that a refresh or a crash of either side loses nothing.

A small script listens to the fields of the item on the screen and sends their words a tenth of a second after the last
key; only this fragment runs then, not the page.
"""

from pathlib import Path

import streamlit as st

from core.governance.kept_words import forget_words, keep_words
from ui import deciding
from ui.deciding import BAR, Seen
from ui.frame import Desk
from ui.signing_in import who_is_here
from ui.whole import follow_presses

_KEEPING = st.components.v2.component(
    "tutelage_keeping", js=Path(__file__).with_name("keeping.js").read_text(encoding="utf-8")
)


@st.fragment
def keep_while_typing(desk: Desk, what: Seen) -> None:
    """Keep the words in the fields of this item, for this person, as they are typed."""

    def typed() -> None:
        words = st.session_state["keeping"].get("typed")
        if isinstance(words, dict) and who_is_here(desk.db) == desk.person:
            keep_words(desk.db, what.item_id, desk.person.name, _by_field(what, words))

    follow_presses()
    fields = [f"st-key-{deciding.draft_key(what, field)}" for field in deciding.fields_of(what)]
    _KEEPING(key="keeping", data={"fields": fields}, on_typed_change=typed)


def give_up(desk: Desk, what: Seen) -> None:
    """Forget what was typed about an item."""
    forget_words(desk.db, what.item_id, desk.person.name)
    for field in deciding.fields_of(what):
        st.session_state.pop(deciding.draft_key(what, field), None)
    deciding.close_bar()


def _by_field(what: Seen, words: dict[str, object]) -> dict[str, str]:
    """The words by the names of their fields; words of fields of another item came too late and are left out."""
    found: dict[str, str] = {}
    for field in deciding.fields_of(what):
        text = words.get(f"st-key-{deciding.draft_key(what, field)}")
        if isinstance(text, str):
            found[field] = text
    mode = deciding.bar_mode(what)
    return {**found, BAR: mode if any(found.values()) else ""} if found else {}
