"""The lease of the item on the screen: a sign of life while the page is open, and the item once it is free."""

import streamlit as st

from core.governance.leases import Held, beat
from ui.frame import Desk
from ui.signing_in import who_is_here

BEAT = "30s"


def show_lease(desk: Desk, item_id: int, held: Held | None) -> None:
    """Keep the lease alive while it is this person's; where it is another's, look again until the item is free."""
    if held is None:
        return

    @st.fragment(run_every=BEAT)
    def alive() -> None:
        if st.session_state.get("leased") != (item_id, held):
            st.session_state["leased"] = (item_id, held)  # the page has just asked
            return
        if who_is_here(desk.db) != desk.person:
            st.rerun()
        has_it = beat(desk.db, item_id, desk.person.name)
        if held.person != desk.person.name and (has_it is None or has_it.person == desk.person.name):
            st.rerun()

    alive()
