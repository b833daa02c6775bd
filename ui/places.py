"""Where the pages are, and how one leads to another. An address names what is shown, so every item has a link."""

from pathlib import Path
from typing import NoReturn
from urllib.parse import parse_qsl, urlencode

import streamlit as st

PAGES = Path(__file__).resolve().parent.parent / "pages"

FILTERS = frozenset({"did", "evidence", "kind", "only", "part", "severity", "state", "view", "whose"})
"""What lists are narrowed by: widgets that stand in the address under their own names."""


def address(page: str, **query: str) -> str:
    """A link to a page of the desk that holds wherever the desk is mounted: ``sessions?session=S-0001&turn=5``."""
    return f"{page}?{urlencode(query)}"


def go(page: str, **query: str) -> NoReturn:
    """Leave for another page of the desk: ``go("sessions", session="S-0001", turn="5")``."""
    st.switch_page(PAGES / f"{page}.py", query_params=query)


def leave_later(page: str, **query: str) -> None:
    """Leave at the next run of the script, by ``leave_when_asked``: a callback cannot."""
    st.session_state["leave_for"] = (page, query)


def leave_when_asked() -> None:
    """Go where the last press leads, if it leads away."""
    leaves = st.session_state.pop("leave_for", None)
    if leaves is not None:
        page, query = leaves
        go(page, **query)


def follow(pressed: str) -> None:
    """Leave later for what was pressed.

    ``session:REF``, ``item:N-0012``, a belief as ``tree:B-0003``, or a request of the critic, ``run:12:34``.
    """
    what, _, which = pressed.partition(":")
    if what == "session":
        leave_later("sessions", session=which)
    elif what == "item" and which.startswith("N-"):
        leave_later("critical_notes", note=which, state="all", severity="every severity")
    elif what == "item":
        leave_later("review", item=which)
    elif what == "tree":
        leave_later("beliefs", belief=which)
    elif what == "run":
        run, _, request = which.partition(":")
        leave_later("critic", **({"run": run, "request": request} if request else {"run": run}))


def visit(link: str) -> None:
    """Leave later for a page of the desk by its link, ``review?only=overdue``; on that page itself only the filters
    that the link names change.
    """
    page, _, query = link.partition("?")
    asked = dict(parse_qsl(query))
    # A filter of an earlier look at that page would stand above its address.
    st.session_state.update({name: value for name, value in asked.items() if name in FILTERS})
    if str(st.session_state.get("on_page", "")).lower().replace(" ", "_") != page:
        leave_later(page, **asked)


def name_in_url(name: str, value: str | None) -> None:
    """Let the address name what is shown; ``None`` takes the name out of it."""
    if value is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != value:
        st.query_params[name] = value


def turn_in_address() -> int | None:
    """The turn that the address names, from 1."""
    turn = st.query_params.get("turn", "")
    return int(turn) if turn.isdecimal() and len(turn) < 10 else None


def chosen(name: str) -> str | None:
    """What was chosen on this page, else what the address names; reading it makes it the choice."""
    key = f"chosen-{name}"
    if key not in st.session_state or st.query_params.get(name) not in (None, st.session_state[key]):
        st.session_state[key] = st.query_params.get(name)
    value = st.session_state[key]
    return str(value) if value else None


def choose(name: str, value: str | None) -> None:
    """Make a choice, in the address too. A turn that the address names belongs to what was chosen before."""
    if st.session_state.get(f"chosen-{name}") != value:
        name_in_url("turn", None)
    st.session_state[f"chosen-{name}"] = value
    name_in_url(name, value)
