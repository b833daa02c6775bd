"""The two days of what is remembered: by when it was true, and as of when it was known."""

from datetime import datetime

import streamlit as st

from core.governance.days import end_of
from ui.lists import choose_day
from ui.times import zone_of_reader


def choose_days(known: str) -> tuple[datetime | None, datetime | None]:
    """The ends of two days in the reader's zone, each None where none is chosen; ``known`` names the second one."""
    zone = zone_of_reader(st.context.timezone)
    with st.popover("As of…", key="beliefs-days"):
        true_on = choose_day(f"True by the end of ({zone})", "beliefs_true")
        known_on = choose_day(f"{known} ({zone})", "beliefs_known")
    return end_of(true_on, zone) if true_on else None, end_of(known_on, zone) if known_on else None
