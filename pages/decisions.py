"""Decision log: who decided what, when and why, on which words. Rows are only ever added."""

from core.service import desk_views
from ui import decisions_desk
from ui.frame import empty, open_page
from ui.lists import page_number, turn_pages

desk = open_page("Decision log", head=False)
search = decisions_desk.ask(desk)
page = desk_views.decisions(desk.db, search=search, page=page_number("decisions_page"))
if page.rows:
    decisions_desk.show_table(page)
    turn_pages(page, "decisions_page")
elif search:
    empty("No decision fits these words.", "Search for a person, a reference such as L-0142, an action or a reason.")
else:
    empty("Nothing has been decided yet.", "Decisions are made on the Review and Critical notes pages.")
