"""Critic: which model reviews the sessions, what it is at, every debrief down to its prompts and replies; settings."""

import streamlit as st

from core.service.critic import views as critic_views
from core.vocabulary import RunState
from ui import critic_desk, critic_settings_desk, critic_start, fates_desk, run_desk
from ui.frame import empty, open_page, problems_shown
from ui.lists import page_number, turn_pages
from ui.places import chosen, leave_when_asked

desk = open_page("Critic", head=False)
leave_when_asked()
run = chosen("run")
if run is not None:
    with problems_shown():
        run_desk.show_run(desk, run)
    st.stop()

can_ask, part = critic_desk.show_head(desk)
if part == critic_desk.FATES:
    with problems_shown():
        fates_desk.show_fates(desk)
    st.stop()
if part == critic_desk.SETTINGS:
    with problems_shown():
        critic_settings_desk.show_settings(desk)
    st.stop()

counts = critic_views.run_counts(desk.db)
critic_desk.show_progress(desk, counts)
with problems_shown():
    critic_start.show_acts(desk, queued=counts.of(RunState.QUEUED), can_ask=can_ask)
if counts.of(*RunState):
    with st.container(key="filters", horizontal=True, vertical_alignment="center"):
        asked = critic_desk.filters(desk, counts)
        page = critic_views.run_list(desk.db, asked, page=page_number("runs_page"))
        critic_start.show_try_all(desk, asked, page.total, can_ask=can_ask)
    critic_desk.show_list(desk, page)
    turn_pages(page, "runs_page")
else:
    empty(*(critic_desk.NOTHING if can_ask else critic_desk.NOBODY))
