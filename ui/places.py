"""Where the pages are, and how one leads to another. An address names what is shown, so every item has a link."""

from pathlib import Path
from typing import NoReturn

import streamlit as st

PAGES = Path(__file__).resolve().parent.parent / "pages"


def go(page: str, **query: str) -> NoReturn:
    """Leave for another page of the desk: ``go("sessions", session="S-0001", turn="5")``."""
    st.switch_page(PAGES / f"{page}.py", query_params=query)


def name_in_url(name: str, value: str | None) -> None:
    """Let the address name what is shown; ``None`` takes the name out of it."""
    if value is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def chosen(name: str) -> str | None:
    """What was chosen on this page, else what the address names; reading it makes it the choice."""
    key = f"chosen-{name}"
    if key not in st.session_state or st.query_params.get(name) not in (None, st.session_state[key]):
        st.session_state[key] = st.query_params.get(name)
    value = st.session_state[key]
    return str(value) if value else None


def choose(name: str, value: str | None) -> None:
    """Make a choice, in the address too."""
    st.session_state[f"chosen-{name}"] = value
    name_in_url(name, value)
