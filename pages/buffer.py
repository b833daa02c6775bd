"""Buffer: the reflections that an agent reads before its next trial of a task, how long each lives, and compaction."""

import streamlit as st

from core.service import desk_views
from ui import buffer_desk
from ui.frame import empty, open_page

desk = open_page("Buffer", facts="what the agent reads before its next trial of a task")
agents = desk_views.agents(desk.db)
if not agents:
    empty("No agent is known yet.", "Bring in a session of it, or write its record on the Agents page.")
    st.stop()

asked = buffer_desk.ask(desk, agents)
if asked is None:
    empty(
        "This agent has no task class yet.",
        "Each session that comes in is a trial of its task class; reflections on failed trials wait in Review.",
    )
    st.stop()

view = buffer_desk.view_of(desk, asked)
left, right = st.columns([60, 40], gap="medium")
with left:
    buffer_desk.show_block(view)
    buffer_desk.show_reflections(view)
with right:
    buffer_desk.show_budget(desk, view)
    buffer_desk.show_soon(view)
    buffer_desk.show_file(desk, asked)
