"""Several at once: choose among what waits or is in force, see what each act would do, decide, and see what became."""

import streamlit as st

from core.vocabulary import Duty
from ui import bulk_deciding, bulk_desk
from ui.frame import open_page
from ui.lists import page_number, turn_pages
from ui.places import leave_when_asked

desk = open_page("Several at once", needs=(Duty.LEAD, Duty.AUDITOR), head=False)
leave_when_asked()

if bulk_desk.shows_a_batch(desk):
    st.stop()

action, narrowed = bulk_desk.filters(desk)
page = bulk_desk.read(desk, action, narrowed, page_number("page"))
if bulk_deciding.is_confirming(action, narrowed):
    bulk_deciding.show_confirmation(desk)
else:
    bulk_desk.show_table(page, action, narrowed)
    turn_pages(page, "page")
    bulk_deciding.show_bar(desk, page, action, narrowed)
