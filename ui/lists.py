"""What every list page has: filters in the address, a page number, an export."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import streamlit as st

from core.service.export import csv_file, jsonl_text
from core.service.review_views import LONGEST_NUMBER
from core.service.views import Page
from ui.signing_in import while_here

Rows = Callable[[], tuple[Sequence[str], Sequence[Sequence[object]]]]
"""Gives the names of the columns and all rows of an export, not only the page that is shown."""


def page_number(key: str) -> int:
    """The number of the page that a list shows, from 1; ``turn_pages`` draws the control of the same key."""
    return int(st.session_state.get(key) or st.query_params.get(key, "1") if _is_number(key) else 1)


def _is_number(key: str) -> bool:
    text = str(st.session_state.get(key) or st.query_params.get(key, "1"))
    return text.isdecimal() and len(text) < LONGEST_NUMBER


def turn_pages(page: Page[Any], key: str) -> None:
    """The control that turns pages, where there is more than one."""
    if page.pages > 1:
        st.pagination(page.pages, key=key, bind="query-params")


def choose_one(label: str, options: Sequence[str], key: str, every: str) -> str | None:
    """A filter in the address; ``every`` is the first option and filters nothing."""
    picked = st.selectbox(
        label, [every, *options], key=key, bind="query-params", label_visibility="collapsed", width=190
    )
    return None if picked == every else picked


def choose_day(label: str, key: str, *, shown: bool = True) -> date | None:
    """A day in the address; None while none is chosen. The label stands above it, or shows when it is pointed at."""
    day = st.date_input(
        label,
        value=None,
        min_value=date(1970, 1, 1),
        max_value=date(2999, 12, 31),
        key=key,
        bind="query-params",
        format="YYYY-MM-DD",
        width=165,
        label_visibility="visible" if shown else "collapsed",
        help=None if shown else label,
    )
    return day if isinstance(day, date) else None


def export(name: str, rows: Rows, label: str = "Export") -> None:
    """CSV and JSON lines of the whole list; they are made when a person asks for them."""
    with st.popover(label, key=f"export-{name}"):
        download(name, rows)


def download(name: str, rows: Rows) -> None:
    """The two buttons of an export."""
    csv, jsonl, rows = f"{name}.csv", f"{name}.jsonl", while_here(rows)
    with st.container(horizontal=True):
        st.download_button("CSV", lambda: csv_file(*rows()), csv, "text/csv", on_click="ignore", key=csv)
        st.download_button(
            "JSON lines", lambda: jsonl_text(*rows()), jsonl, "application/jsonl", on_click="ignore", key=jsonl
        )
