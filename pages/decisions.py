"""Decision log: who decided, tried or changed what, when and why, on which words. Rows are only ever added."""

import streamlit as st

from core.errors import BadInput
from core.service import desk_views
from core.service.log_views import LogAsked
from ui import decisions_desk
from ui.frame import empty, open_page, problem
from ui.lists import page_number, turn_pages
from ui.places import leave_when_asked

desk = open_page("Decision log", head=False)
leave_when_asked()
decisions_desk.show_head()
asked = decisions_desk.ask(desk)
try:
    page = desk_views.log_page(desk.db, asked, page=page_number("decisions_page"))
except BadInput as error:
    problem(str(error), "Another day can be chosen above.")
    st.stop()

if page.rows:
    decisions_desk.show_table(page, asked)
    turn_pages(page, "decisions_page")
elif asked != LogAsked(asked.view, zone=asked.zone):
    empty("Nothing fits these filters.", "Another person, kind, act or day can be chosen, or other words looked for.")
else:
    empty(*decisions_desk.NOTHING[asked.view])
