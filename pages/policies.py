"""Policies: what outranks every lesson, its versions, and changing it by two people."""

from ui import policies_desk
from ui.frame import open_page, problems_shown
from ui.places import leave_when_asked

desk = open_page("Policies", head=False)
leave_when_asked()
with problems_shown():
    policies_desk.show(desk)
