"""Keeps which quotes of an item a person has looked at in their transcript.

What a page puts into the light is known here. What is walked to or pressed in the browser is collected there by a small
script and told once the reader rests, or with the next press; only this fragment runs then, not the page.
"""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.governance.looking import mark_opened
from core.service.views import Quote
from core.store.database import Database
from ui.frame import Desk
from ui.signing_in import who_is_here
from ui.whole import follow_presses

KEY = "opening"
_OPENING = st.components.v2.component(
    "tutelage_opening", js=Path(__file__).with_name("opening.js").read_text(encoding="utf-8")
)


def keep_opened(desk: Desk, item_id: int, lit: Quote | None, here: Sequence[Quote]) -> None:
    """Keep that ``lit`` was looked at, and listen for the quotes ``here``, whose words stand in what is shown."""
    if lit is not None:
        mark_opened(desk.db, item_id, desk.person.name, [lit.id])
    if len(here) > 1 or (here and lit is None):
        _listen(desk, item_id, {str(quote.number): quote.id for quote in here})


@st.fragment
def _listen(desk: Desk, item_id: int, quotes: dict[str, int]) -> None:
    def seen() -> None:
        if who_is_here(desk.db) == desk.person:
            take_seen(desk.db, desk.person.name)

    follow_presses()
    _OPENING(key=KEY, data={"item": item_id, "quotes": quotes}, on_seen_change=seen)


def take_seen(db: Database, person: str) -> None:
    """Keep what the browser has just told; a decision asks, too: it may arrive together with it."""
    state = st.session_state.get(KEY)
    told = state.get("seen") if state else None
    if not isinstance(told, dict):
        return
    item, ids = told.get("item"), told.get("quotes")
    if isinstance(item, int) and isinstance(ids, list):
        mark_opened(db, item, person, [one for one in ids if isinstance(one, int)])
