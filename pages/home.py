"""Home: what waits for you, what changed since you were here, what is wrong or about to be."""

from ui.frame import open_page

desk = open_page("Home", head=False)
