"""Procedures: how far each can be trusted, what moved it, and whether the agent still reads it."""

import streamlit as st

from core.service import desk_views
from ui import procedures_desk
from ui.frame import empty, open_page
from ui.lists import choose_one, export, page_number, turn_pages

desk = open_page("Procedures", head=False)
threshold = desk_views.numbers(desk.db).procedure_threshold
heading = st.container()
with st.container(key="filters", horizontal=True, vertical_alignment="center"):
    status = procedures_desk.choose_status()
    agent = choose_one("Agent", desk_views.agents(desk.db), "procedures_agent", "every agent")
    export("procedures", lambda: procedures_desk.all_rows(desk, agent, status))

page = desk_views.procedures(desk.db, agent=agent, status=status, page=page_number("procedures_page"))
with heading:
    procedures_desk.show_head(page, threshold)
if not page.rows:
    empty(
        "No procedure is approved yet; the agent reads its base prompt alone.",
        "Procedures are proposed once several sessions show the same fault; they wait in Review.",
    )
    st.stop()

charted = procedures_desk.charted_rows(page)
table, chart = st.columns([43, 57], gap="medium")
with table:
    procedures_desk.show_table(page, charted, threshold)
    turn_pages(page, "procedures_page")
with chart:
    procedures_desk.show_chart(charted, threshold)
    procedures_desk.show_acts(desk, charted[-1])
