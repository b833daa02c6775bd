"""Starting debriefs by the critic: which sessions, what that would take, queued, taken back, tried again."""

from collections.abc import Callable
from time import monotonic

import streamlit as st

from core.errors import TutelageError
from core.service import desk_views
from core.service.critic import views as critic_views
from core.service.critic.desk_views import session_refs
from core.service.critic.progress import Estimate, estimate
from core.service.critic.runs import MAY_START, TO_BE_TRIED_AGAIN, queue, take_back, try_again
from core.service.critic.shown import RunsAsked
from core.service.jobs import nudge
from ui import deciding
from ui.critic_words import estimate_rests_on, estimate_words, many
from ui.drawing import draw
from ui.frame import Desk
from ui.places import choose, chosen, go
from ui.signing_in import still_here
from ui.tree import node

EVERY, OF_AGENT, OF_SESSION, BROUGHT_IN = "all", "agent:", "session:", "brought_in"
"""What may stand in the address as ``ask``."""

KEPT = 10.0
"""Seconds for which an estimate is shown again without counting anew."""


def offer(refs: tuple[str, ...]) -> None:
    """Leave for the Critic page, where these sessions can be queued."""
    st.session_state["brought-in"] = refs
    go("critic", ask=BROUGHT_IN)


def show_acts(desk: Desk, *, queued: int, can_ask: bool) -> None:
    """The buttons above the list, or the choice of sessions with its estimate; below them what the desk answered."""
    if not desk.may(*MAY_START):
        words = f"{desk.person.name} reads here; debriefs are started and stopped by a lead or a developer."
        draw(node("p", "meta", words), key="reads-only")
        return
    asked = chosen("ask") if can_ask else None
    if asked is not None:
        _show_choice(desk, asked)
    else:
        _show_buttons(desk, queued, can_ask)
    deciding.show_answer()


def _show_buttons(desk: Desk, queued: int, can_ask: bool) -> None:
    if not (can_ask or queued):
        return
    with st.container(key="critic-acts", horizontal=True, vertical_alignment="center"):
        if can_ask:
            st.button("Ask the critic…", key="ask", type="primary", on_click=_open)
        if queued:
            said = f"Take back {queued:,} that {'has' if queued == 1 else 'have'} not begun"
            st.button(said, key="take-back", on_click=_take_back, args=(desk,))


def _open() -> None:
    deciding.forget_answer()
    choose("ask", EVERY)


def _close() -> None:
    choose("ask", None)


def _show_choice(desk: Desk, asked: str) -> None:
    options = _options(desk, asked)
    with st.container(key="ask-panel"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            picked = st.selectbox(
                "Which sessions",
                list(options),
                index=list(options).index(asked) if asked in options else 0,
                format_func=lambda option: options.get(option, option),
                key=f"ask-which-{asked}",
                width=380,
            )
            again = st.checkbox(
                "Also those that were reviewed this way before",
                key="ask-again",
                help="This way: with the same transcript, model, prompts and parameters. The model is asked only what "
                "it was not asked; the rest is answered from the stored run.",
            )
        choose("ask", picked)
        refs = _refs(desk, picked or EVERY)
        found = estimated(desk, refs, again=again)
        left_out = f" · {found.known:,} were reviewed this way before and are left out" if found.known else ""
        draw(
            node(
                "div",
                "estimate",
                node("p", "", f"{many(found.sessions, 'session')}{left_out}"),
                node("p", "", estimate_words(found)) if found.sessions else None,
                node("p", "meta", estimate_rests_on(found)) if found.sessions else None,
            ),
            key="estimate",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Queue {many(found.sessions, 'debrief')}",
                key="queue",
                type="primary",
                disabled=not found.sessions,
                on_click=_queue,
                args=(desk, refs, again),
            )
            st.button("Back", key="ask-back", shortcut="esc", on_click=_close)


def _options(desk: Desk, asked: str) -> dict[str, str]:
    """What can be chosen, each with its words."""
    options = {EVERY: "Every session"}
    options |= {f"{OF_AGENT}{name}": f"Every session of {name}" for name in desk_views.agents(desk.db)}
    if refs := st.session_state.get("brought-in"):
        options[BROUGHT_IN] = f"The {many(len(refs), 'session')} just brought in"
    if asked.startswith(OF_SESSION):
        options[asked] = f"Session {asked.removeprefix(OF_SESSION)}"
    return options


def _refs(desk: Desk, option: str) -> tuple[str, ...] | None:
    if option == BROUGHT_IN:
        return tuple(st.session_state["brought-in"])
    if option.startswith(OF_SESSION):
        return (option.removeprefix(OF_SESSION),)
    return session_refs(desk.db, option.removeprefix(OF_AGENT)) if option.startswith(OF_AGENT) else None


def estimated(desk: Desk, refs: tuple[str, ...] | None, *, again: bool = False) -> Estimate:
    """What debriefs would take. It is counted anew for another choice, when a run has moved on, and after a while."""
    key = (refs, again, critic_views.run_counts(desk.db).by_state)
    kept = st.session_state.get("estimated")
    if kept is None or kept[0] != key or monotonic() > kept[1] + KEPT:
        kept = st.session_state["estimated"] = (key, monotonic(), estimate(desk.db, refs, again=again))
    found: Estimate = kept[2]
    return found


def queue_debriefs(desk: Desk, refs: tuple[str, ...] | None, *, again: bool = False) -> None:
    """Queue them, and say what became of it."""
    _try(lambda: f"{queue(desk.db, refs, by=desk.person.name, again=again).summary}.")


def _queue(desk: Desk, refs: tuple[str, ...] | None, again: bool) -> None:
    queue_debriefs(desk, refs, again=again)
    _close()


def _take_back(desk: Desk) -> None:
    _try(lambda: f"{many(take_back(desk.db, by=desk.person.name), 'debrief')} taken back before they began.")


def try_these_again(desk: Desk, run_ids: Callable[[], tuple[int, ...]]) -> None:
    """Queue runs again, and say how many were."""

    def act() -> str:
        count = try_again(desk.db, run_ids(), by=desk.person.name)
        return f"{many(count, 'debrief')} queued again; what the model has answered is not asked again."

    _try(act)


def show_try_all(desk: Desk, asked: RunsAsked, total: int, *, can_ask: bool) -> None:
    """The button that tries all of the list again, where the list shows one state that allows it."""
    if can_ask and total and asked.state in TO_BE_TRIED_AGAIN and desk.may(*MAY_START):
        args = (desk, lambda: critic_views.run_ids(desk.db, asked))
        st.button(f"Try {total:,} again", key="try-all", on_click=try_these_again, args=args)


def _try(act: Callable[[], str]) -> None:
    try:
        still_here()
        deciding.say(act())
    except TutelageError as error:
        deciding.say(str(error), refused=True)
    nudge()
