"""Escalations: drafts that were not good after the last revision wait here for a person's answer."""

from core.service import desk_views
from ui import escalations_desk
from ui.frame import empty, open_page, problems_shown
from ui.lists import page_number, turn_pages
from ui.places import chosen

desk = open_page("Escalations", head=False)
ref = chosen("review")
if ref is not None:
    with problems_shown():
        escalations_desk.show_review(desk, ref)
else:
    state, agent = escalations_desk.filters(desk)
    page = desk_views.review_list(desk.db, state=state, agent=agent, page=page_number("escalations_page"))
    if page.rows:
        escalations_desk.show_list(desk, page)
        turn_pages(page, "escalations_page")
    else:
        empty(*escalations_desk.nothing_to_show(state, agent))
