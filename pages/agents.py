"""Agents: the record of each agent, and what is known of its users."""

import streamlit as st

from core.service import desk_views
from ui import agents_desk
from ui.frame import empty, open_page, problems_shown
from ui.stop_words import show_stop_words

desk = open_page("Agents", facts="what checks and briefings are given")
names = desk_views.agents(desk.db)
with problems_shown():
    name = agents_desk.choose_agent(desk, names)
    if name is None:
        empty("No agent is known yet.", "Bring in a session of it, or name one here.")
        st.stop()
    record, facts = st.columns([60, 40], gap="medium")
    with record:
        agents_desk.show_record(desk, name)
        show_stop_words(name)
    with facts:
        agents_desk.show_facts(desk, name)
