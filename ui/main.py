"""The script behind the desk: who may see which page, and the counts in the navigation.

Each page checks the person again, because a page can be opened by its own address. Whoever has not said who they are,
or has no duty, is told no count either.
"""

import streamlit as st

from core.service import desk_views
from ui.drawing import bring_code
from ui.frame import database, problems_shown
from ui.places import PAGES
from ui.signing_in import who_is_here

st.set_page_config(page_title="Tutelage", layout="wide")
bring_code()
db = database()
here = who_is_here(db)
waiting = critical = asked = 0
if here and here.duties:
    waiting, critical = desk_views.waiting_count(db), desk_views.critical_open_count(db)
    asked = desk_views.waiting_escalations(db)


def page(file: str, title: str, *, default: bool = False) -> st.Page:
    """A page by its file; its address is the file's name, whatever count its title carries."""
    return st.Page(PAGES / f"{file}.py", title=title, url_path=None if default else file, default=default)


chosen = st.navigation(
    {
        "": [
            page("review", f"Review {waiting}" if waiting else "Review", default=True),
            page("escalations", f"Escalations {asked}" if asked else "Escalations"),
            page("critical_notes", f"Critical notes {critical}" if critical else "Critical notes"),
            page("sessions", "Sessions"),
        ],
        "Memory": [page("procedures", "Procedures"), page("briefing", "Briefing")],
        "Measure": [page("thresholds", "Thresholds")],
        "Desk": [
            page("bring_in", "Bring in"),
            page("critic", "Critic"),
            page("agents", "Agents"),
            page("decisions", "Decision log"),
            page("people", "Settings and people"),
        ],
    },
    position="top",
)
with problems_shown():
    chosen.run()
