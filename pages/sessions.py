"""Sessions: search what agents did; one transcript with all its evidence."""

from core.service import desk_views
from ui import sessions_desk
from ui.frame import empty, open_page, problems_shown
from ui.lists import page_number, turn_pages
from ui.places import chosen, leave_when_asked

desk = open_page("Sessions", head=False)
leave_when_asked()
ref = chosen("session")
if ref is not None:
    with problems_shown():
        sessions_desk.show_session(desk, ref)
else:
    search, agent, outcome = sessions_desk.filters(desk)
    page = desk_views.session_list(
        desk.db, search=search, agent=agent, outcome=outcome, page=page_number("sessions_page")
    )
    if page.rows:
        sessions_desk.show_list(desk, page)
        turn_pages(page, "sessions_page")
    elif search or agent or outcome:
        empty("No session fits these filters.", "Take a word out of the search, or choose every agent and outcome.")
    else:
        empty("No session has come in yet.", "Bring in a file, on its page or with python -m core import.")
