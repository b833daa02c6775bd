"""Critical notes: every breach, who decided what about it, when and why, on which words."""

import streamlit as st

from core.service import desk_views
from core.service.views import NotesAsked
from ui import notes_desk
from ui.frame import empty, open_page
from ui.lists import choose_one, page_number, turn_pages
from ui.notes_export import show_exports
from ui.places import leave_when_asked

desk = open_page("Critical notes", head=False)
leave_when_asked()
notes_desk.show_head(desk)
notes_desk.let_filters_hold_what_is_named(desk)
with st.container(key="filters", horizontal=True, vertical_alignment="center"):
    state = notes_desk.choose_state()
    severity = notes_desk.choose_severity()
    agent = choose_one("Agent", desk_views.agents(desk.db), "notes_agent", "every agent")
    evidence = choose_one("Evidence", desk_views.verdict_filters, "notes_evidence", "every verdict")
    asked = NotesAsked(severity, state, agent, evidence)
    show_exports(desk, asked)

page = desk_views.notes(desk.db, asked, page=page_number("notes_page"))
if not page.rows:
    empty(*notes_desk.nothing_to_show(desk))
    st.stop()

row = notes_desk.current_row(desk, page)
with st.container(key="note-panes"):
    table, detail = st.columns([55, 45], gap="medium")
with table:
    notes_desk.show_table(desk, page, row)
    turn_pages(page, "notes_page")
    notes_desk.show_history(desk, row)
with detail, st.container(key="note-detail"):
    notes_desk.show_detail(desk, page, row)
