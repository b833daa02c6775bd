"""Whether the critic has reviewed one session, and asking it to, beside the session's transcript."""

import streamlit as st

from core.errors import TutelageError
from core.service.critic.desk_views import model_in_use, newest_run
from core.service.critic.runs import MAY_START, TO_BE_TRIED_AGAIN
from core.service.critic.shown import RunRow
from core.service.views import SessionRow
from ui.critic_desk import EVERY_SECONDS
from ui.critic_start import estimated, queue_debriefs, try_these_again
from ui.critic_words import estimate_words, review_line
from ui.drawing import draw
from ui.frame import Desk
from ui.places import follow
from ui.tree import Node, node


def show_review(desk: Desk, session: SessionRow) -> None:
    """A quiet line; under it what can be done and what that would take. It follows a debrief that is under way."""
    row = newest_run(desk.db, session.id)

    @st.fragment(run_every=EVERY_SECONDS if row and not row.state.over else None)
    def looked_at() -> None:
        newer = newest_run(desk.db, session.id)
        draw(node("div", "review", review_line(newer)), key="session-review", on_press=follow)
        if newer != row or "leave_for" in st.session_state:
            st.rerun()

    with st.container(key="session-critic", gap="xxsmall"):
        looked_at()
        if desk.may(*MAY_START):
            _show_act(desk, session, row)


def _show_act(desk: Desk, session: SessionRow, row: RunRow | None) -> None:
    if row is not None and not row.state.over:
        return
    why_not = model_in_use(desk.db, session.agent).why_not
    if why_not:
        _say(node("p", "meta", why_not))
        return
    if row is not None and row.is_current and row.state in TO_BE_TRIED_AGAIN:
        st.button("Try again", key="try-critic", on_click=try_these_again, args=(desk, lambda: (row.id,)))
        return
    refs = (session.ref,)
    try:
        found = estimated(desk, refs)
    except TutelageError as error:
        _say(node("p", "meta", str(error)))
        return
    if found.sessions:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Ask the critic", key="ask-critic", on_click=queue_debriefs, args=(desk, refs))
            _say(node("p", "meta", estimate_words(found)))


def _say(words: Node) -> None:
    draw(words, key="session-estimate")
