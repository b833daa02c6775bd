"""The script behind the desk: who may see which page, and the counts in the navigation.

Each page checks the person again, because a page can be opened by its own address. Whoever has not said who they are,
or has no duty, is told no count either.
"""

from contextlib import suppress

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from core.service.counting import Count
from ui.drawing import bring_code
from ui.frame import counted, database, problems_shown
from ui.places import PAGES
from ui.signing_in import who_is_here
from ui.waiting import title_of_window

st.set_page_config(page_title="Tutelage", layout="wide")
bring_code()
db = database()
here = who_is_here(db)
counts = counted(db, here)


def with_count(title: str, number: Count) -> str:
    """``Review 7``; the title alone where there is nothing to count."""
    return f"{title} {number}" if number else title


def page(file: str, title: str, *, default: bool = False, hidden: bool = False) -> st.Page:
    """A page by its file; its address is the file's name, whatever count its title carries.

    A hidden one is reached from another page or by its address, and stands in no menu.
    """
    return st.Page(
        PAGES / f"{file}.py",
        title=title,
        url_path=None if default else file,
        default=default,
        visibility="hidden" if hidden else "visible",
    )


chosen = st.navigation(
    {
        "": [
            page("home", "Home", default=True),
            page("review", with_count("Review", counts.waiting)),
            page("escalations", with_count("Escalations", counts.escalations)),
            page("critical_notes", with_count("Critical notes", counts.critical)),
            page("sessions", "Sessions"),
            page("bulk", "Several at once", hidden=True),
        ],
        "Memory": [
            page("procedures", "Procedures"),
            page("beliefs", "Beliefs"),
            page("buffer", "Buffer"),
            page("briefing", "Briefing"),
        ],
        "Measure": [page("thresholds", "Thresholds"), page("agreement", "Agreement")],
        "Desk": [
            page("bring_in", "Bring in"),
            page("critic", "Critic"),
            page("agents", "Agents"),
            page("policies", "Policies"),
            page("decisions", "Decision log"),
            page("people", "Settings and people"),
        ],
    },
    position="top",
)
st.set_page_config(page_title=title_of_window(chosen.title.rstrip("0123456789,+ "), counts))
# A page that stops has drawn all that it has: the run ends whole, so that the listeners of the page before go, too.
with problems_shown(), suppress(StopException):
    chosen.run()
