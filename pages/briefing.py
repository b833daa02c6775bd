"""Briefing: exactly what an agent would read now, or as of an earlier day, why each line is in, what was left out."""

import streamlit as st

from core.service import desk_views
from ui import briefing_desk
from ui.frame import empty, open_page
from ui.second_ranking import show_second_ranking

desk = open_page("Briefing", facts="exactly what the agent would read now, or on an earlier day")
agents = desk_views.agents(desk.db)
if not agents:
    empty("No agent is known yet.", "Bring in a session of it, or write its record on the Agents page.")
    st.stop()

chosen = briefing_desk.ask(desk, agents)
briefing = desk_views.briefing_view(desk.db, chosen.asked, chosen.how)
lines, side = st.columns([76, 24], gap="medium")
with side:
    beside = briefing_desk.compare(desk, chosen, briefing)
    briefing_desk.show_side(briefing, chosen)
with lines:
    briefing_desk.show_lines(briefing, beside, chosen.as_of)
    if chosen.as_of is None:
        show_second_ranking(desk.db, chosen.asked)
