"""Agreement: whether two people say the same without seeing each other, and how decisions were made."""

import streamlit as st

from core.service import desk_views
from ui import agreement_desk
from ui.agreement_signs import show_signs
from ui.frame import empty, open_page
from ui.places import leave_when_asked

desk = open_page("Agreement", head=False)
leave_when_asked()
report = desk_views.agreement_report(desk.db)
agreement_desk.show_head(report)
agreement_desk.show_stuck(report)
if report.rounds:
    agreement_desk.show_whole(report)
    agreement_desk.show_exports(report)
    parts, beside = st.columns([52, 48], gap="medium")
    with parts:
        agreement_desk.show_parts(report)
    with beside:
        agreement_desk.show_pairs(report)
        agreement_desk.show_critic(report)
    agreement_desk.show_differ(desk, report)
else:
    empty(*agreement_desk.nothing_yet(report))
    agreement_desk.show_critic(report)
show_signs(desk_views.signs_shown(desk.db, desk.person))
