"""Review: decide the next lesson with the proof beside it."""

import streamlit as st

from core.service import desk_views
from ui import deciding, review_bar, review_desk
from ui.assigning import show_assigning
from ui.frame import empty, open_page
from ui.keeping import keep_while_typing
from ui.leasing import show_lease
from ui.lists import page_number
from ui.opening import keep_opened
from ui.places import leave_when_asked
from ui.pressing import guard_presses

desk = open_page("Review", head=False)
leave_when_asked()
me = desk.person.name
last = desk_views.last_decision(desk.db, me)

strip = st.container(key="strip", horizontal=True, vertical_alignment="center")
panes = st.container(key="desk")
with panes:
    queue, card_pane, words, reads = (st.container(key=f"pane-{name}") for name in ("queue", "card", "words", "reads"))
with queue:
    with st.container(key="queue-head", horizontal=True, vertical_alignment="center"):
        st.title("Review", anchor=False, width="content")
        counts = st.container(key="counts")
        assigning = st.container(key="assigning", width="content")
        narrowed = review_desk.filters(desk)
        review_desk.forget_when_narrowed(narrowed)
    number = page_number("page")
    page = desk_views.review_queue(desk.db, person=me, narrowed=narrowed, page=number)
    card = review_desk.current_card(desk, page)
    rows = st.container(key="rows")

if card is None:
    with card_pane:
        empty(*review_desk.nothing_waits(narrowed))
    review_bar.show_idle_bar(desk, last)
    review_desk.show_queue(desk, page, None, counts, rows)
    st.stop()

_, following = review_desk.neighbours(page, card.id, me)
what = deciding.seen(card, following)
deciding.restore(what, card.governed.kept)
review_desk.say_who_was_first(desk, what)
quote = review_desk.current_quote(card)
session = desk_views.session_words(desk.db, quote.session) if quote else None

# What is decided about comes first and the list beside it last: whoever works by key reads on while the list follows.
with card_pane:
    review_desk.show_card(desk, card, what, quote, session)
with words:
    review_desk.show_words(card, quote, session)
with reads:
    review_desk.show_reads(card)
pressable = review_bar.show_bar(desk, card, what, review_desk.place_of(page, card.id), last)
with assigning:
    show_assigning(desk, card, "queue")
with strip:
    review_desk.show_strip(desk, page, card, session)
    keep_while_typing(desk, what)
review_desk.show_queue(desk, page, card.id, counts, rows)

keep_opened(desk, card.id, quote, [one for one in card.quotes if session and one.session == session.row.id])
show_lease(desk, card.id, card.governed.lease)
deciding.mark_shown(what)
guard_presses(desk, what, pressable)
