"""A press that reaches the desk in one message with what a listener tells: the page follows it all the same.

Streamlit sends what happens at nearly the same moment as one message, and where a part of it belongs to a fragment it
runs that fragment alone. Callbacks are called then, but nothing else is drawn. So every fragment that listens to the
browser begins with ``follow_presses``. Source: Streamlit 1.67, ``WidgetStateManager.scheduleFlush``.
"""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def follow_presses() -> None:
    """Draw the whole page where a fragment was run alone for a message that holds more than its own."""
    ctx = get_script_run_ctx()
    if ctx is None or not ctx.fragment_ids_this_run:
        return
    state = ctx.session_state._state
    known = state._new_widget_state.widget_metadata
    others = (name for name, of in known.items() if of.fragment_id not in ctx.fragment_ids_this_run)
    if any(name in state._new_widget_state and state._widget_changed(name) for name in others):
        st.rerun()
