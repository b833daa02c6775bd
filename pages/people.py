"""Settings and people: who may do what, what agents show at their door, and the desk's own settings."""

from ui import desk_settings_form, people_desk, tokens_desk
from ui.frame import open_page, problems_shown

desk = open_page("Settings and people", head=False)
with problems_shown():
    part = people_desk.choose_part()
    parts = {"People": people_desk.show, "Tokens": tokens_desk.show, "Settings": desk_settings_form.show}
    parts[part](desk)
