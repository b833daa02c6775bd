"""Home: what waits for you, what changed since you were here, what is wrong or about to be."""

from core.service.home import home_view
from ui import home_desk
from ui.frame import open_page

desk = open_page("Home", head=False)
home_desk.follow_an_old_link()
home_desk.greet(desk)
home = home_view(desk.db, desk.person, desk.counts, desk.now)
home_desk.show_columns(desk, home)
home_desk.show_next(desk)
home_desk.show_figures(home)
