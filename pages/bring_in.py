"""Bring in: a file of sessions, first as a dry run; errors by line; then the debrief."""

from core.service import desk_views
from core.vocabulary import Duty
from ui import import_desk
from ui.frame import open_page, problems_shown

desk = open_page("Bring in", needs=(Duty.LEAD, Duty.DEVELOPER, Duty.ADMIN), facts="nothing is stored before you say so")
upload = import_desk.ask_for_file(desk_views.numbers(desk.db).import_bytes)
if upload is not None:
    with problems_shown():
        wanted = import_desk.ask_how(upload)
        import_desk.show_dry_run(desk, wanted)
        import_desk.bring_in_when_asked(desk, wanted)
import_desk.show_last_report(desk)
