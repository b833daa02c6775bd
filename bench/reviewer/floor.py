"""The floor of the framework: one text and one button with a key, served as the desk is served."""

import streamlit as st

st.session_state.setdefault("pressed", 0)


def press() -> None:
    """Another text."""
    st.session_state["pressed"] += 1


st.text(f"pressed {st.session_state['pressed']} times")
st.button("Next", shortcut="a", on_click=press)
