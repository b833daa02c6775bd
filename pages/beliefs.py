"""Beliefs: what is held to be true of a user, on which episodes it rests, and the words behind each."""

import streamlit as st

from core.service.belief_views import belief_list
from ui import belief_questions, belief_runs_desk, beliefs_desk, deciding, episodes_desk
from ui.frame import empty, open_page
from ui.lists import page_number, turn_pages
from ui.places import leave_when_asked

desk = open_page("Beliefs", head=False)
SHOWN = {
    beliefs_desk.EPISODES: episodes_desk.show,
    beliefs_desk.ASK: belief_questions.show,
    beliefs_desk.RUNS: belief_runs_desk.show,
}
leave_when_asked()
heading = st.container()
with st.container(key="filters", horizontal=True, vertical_alignment="center"):
    part = beliefs_desk.choose_part()
    asked = beliefs_desk.filters(desk) if part == beliefs_desk.LIST else None
    whom = beliefs_desk.choose_whom(desk, every=part != beliefs_desk.ASK) if asked is None else None

if asked is None and whom is not None:
    with heading:
        beliefs_desk.show_head()
    SHOWN[part](desk, *whom)
    st.stop()

page = belief_list(desk.db, asked, page=page_number("beliefs_page"))
with heading:
    beliefs_desk.show_head(page)
if not page.rows:
    empty(*beliefs_desk.nothing_to_show(asked))
    deciding.show_answer()
    st.stop()

shown = beliefs_desk.current(desk, page)
quote = beliefs_desk.current_quote(shown)
with st.container(key="belief-panes"):
    rows, tree, words = (st.container(key=f"belief-{name}") for name in ("rows", "middle", "right"))
with tree:
    beliefs_desk.show_tree(desk, shown, quote)
with words:
    beliefs_desk.show_words(desk, shown, quote)
with rows:
    beliefs_desk.show_list(page, shown.tree.row.id)
    turn_pages(page, "beliefs_page")
