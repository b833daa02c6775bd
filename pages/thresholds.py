"""Thresholds: move a number and see at once what it would have changed; save it with a reason, or go back."""

import streamlit as st

from core.service import desk_views
from ui import thresholds_desk, thresholds_shown
from ui.frame import open_page, page_head

desk = open_page("Thresholds", head=False)
saved, now = desk_views.saved_numbers(desk.db), desk_views.numbers(desk.db)
page_head("Thresholds", thresholds_desk.facts(saved))
left, right = st.columns([30, 70], gap="large")
with left, st.container(key="numbers-moved"):
    draft = thresholds_desk.moved(now)
    thresholds_desk.ask_to_save(desk, now, draft, len(saved))
with right:
    thresholds_shown.show(desk_views.different(desk_views.past(desk.db), now, draft))
    thresholds_desk.show_versions(saved)
