"""One debrief by the critic, opened: its facts, its requests, and one request down to the words that were sent."""

import streamlit as st

from core.errors import NotFound
from core.service.critic import views as critic_views
from core.service.critic.runs import MAY_START, TO_BE_TRIED_AGAIN
from core.service.critic.shown import CallView, RunView
from core.service.review_views import LONGEST_NUMBER
from core.vocabulary import CallState, RunState
from ui import deciding
from ui.badges import badge
from ui.critic_desk import EVERY_SECONDS, state_and_why
from ui.critic_start import try_these_again
from ui.critic_words import WRITERS, many, money_words, server_words, state_badge
from ui.drawing import draw
from ui.frame import Desk
from ui.places import choose, chosen, follow, go, leave_later
from ui.request_view import about_words, request_tree
from ui.table import Column, TableRow, table_tree
from ui.times import duration, moment
from ui.tree import Node, joined, node

COLUMNS = (
    Column("", "num"),
    Column("Asked for", "grow"),
    Column("State"),
    Column("Tokens", "num"),
    Column("Cost", "num"),
)


def show_run(desk: Desk, number: str) -> None:
    """One debrief. Raises ``NotFound``."""
    with st.container(key="run-head", horizontal=True, vertical_alignment="center"):
        st.button("Back to the runs", key="to-runs", type="tertiary", shortcut="esc", on_click=_to_runs)
        draw(node("h1", "name", f"Run {number}"), key="run-title", width="content")
        view = critic_views.run_view(desk.db, _numbered(number))
        draw(state_and_why(view.row), key="run-state", width="content")
        _buttons(desk, view)
    deciding.show_answer()
    call = _current(view)
    with st.container(key="run-panes"):
        side, words = st.columns([38, 62], gap="medium")
    with side:
        draw(_facts_tree(view), key="run-facts", on_press=_pressed)
        draw(_requests_tree(view, call), key="run-requests", on_press=_pressed)
    with words:
        if call is not None:
            draw(request_tree(view, call), key="run-request", place=f"{view.row.id} {call.id}", on_press=_pressed)
    _follow(desk, view)


def _numbered(number: str) -> int:
    if not number.isdecimal() or len(number) >= LONGEST_NUMBER:
        raise NotFound("debrief", number)
    return int(number)


def _current(view: RunView) -> CallView | None:
    """The request that was chosen, else what the run failed of, else the first with a reply, else the first."""
    wanted = chosen("request")
    over = view.row.state is RunState.DONE
    failed = [call for call in view.calls if call.why and not _followed(view, call) and not over]
    named = [call for call in view.calls if str(call.id) == wanted]
    answered = [call for call in view.calls if call.state is CallState.ANSWERED]
    return next(iter((*named, *failed[::-1], *answered, *view.calls)), None)


def _followed(view: RunView, call: CallView) -> bool:
    """Whether other requests took its place: smaller parts, or once more with the reason."""
    return any(other.after == call.id for other in view.calls)


def _buttons(desk: Desk, view: RunView) -> None:
    row = view.row
    with st.container(horizontal=True, key="run-acts"):
        if row.state in TO_BE_TRIED_AGAIN and desk.may(*MAY_START):
            args = (desk, lambda: (row.id,))
            st.button("Try again", key=f"try-{row.id}-{row.attempt}", on_click=try_these_again, args=args)
        if st.button("Open the session", key=f"open-{row.id}", type="tertiary", shortcut="o"):
            go("sessions", session=row.session_ref)


def _to_runs() -> None:
    choose("run", None)
    choose("request", None)
    deciding.forget_answer()


def _follow(desk: Desk, view: RunView) -> None:
    """While the debrief is under way the page follows it."""
    if view.row.state.over:
        return

    @st.fragment(run_every=EVERY_SECONDS)
    def looked_at() -> None:
        if critic_views.run_row(desk.db, view.row.id) != view.row:
            st.rerun()

    looked_at()


def _facts_tree(view: RunView) -> Node:
    row, settings = view.row, view.settings
    facts = (
        ("Session", joined((row.session_ref, row.agent, row.user))),
        ("Read", view.covered or "no turn" if row.state.over else "not over yet"),
        ("Model", server_words(row.model, view.server)),
        ("Parameters", _parameters(settings)),
        ("Queued", f"{moment(row.queued_at)}, by {row.by}" + (f", attempt {row.attempt}" if row.attempt > 1 else "")),
        ("Took", _took(view)),
        ("Came to", f"{many(row.items, 'item')} written or found again"),
        ("Recipe", view.recipe[:12]),
    )
    lines = [node("div", "fact", node("span", "meta", name), node("span", "", said)) for name, said in facts if said]
    detail = [node("p", "meta", row.detail)] if row.detail else []
    stale = [] if row.is_current else [node("p", "", "The transcript has changed since it was read.")]
    return node(
        "section",
        "runfacts",
        *detail,
        *(_box(said) for said in stale),
        *(node("p", "meta", remark) for remark in view.remarks),
        *_addressed(view),
        *lines,
    )


def _box(said: Node) -> Node:
    return node("div", "finding", said)


def _addressed(view: RunView) -> list[Node]:
    """The passages of the session that speak to whoever reviews it."""
    if not view.addressed:
        return []
    lines = [
        node(
            "div",
            "passage",
            node("p", "words", words, dir="auto"),
            node("p", "meta", f"{why} · ", _place(view, turn, part)),
        )
        for turn, part, words, why in view.addressed
    ]
    return [node("div", "finding", node("b", "", "Passages that speak to the reviewer"), *lines)]


def _place(view: RunView, turn: int, part: str) -> Node:
    if not turn:
        return part or "beside the transcript"
    link = node("button", "link", f"turn {turn}", data_press=f"place:{turn}:{view.row.session_ref}", type="button")
    return node("span", "", link, f", {part}" if part else "")


def _parameters(settings: dict[str, object]) -> str:
    temperature = settings.get("temperature")
    effort = settings.get("reasoning_effort")
    return joined(
        (
            "the server's own temperature" if temperature is None else f"temperature {temperature}",
            f"{settings.get('token_cap'):,} tokens a reply",
            f"reasoning effort {effort}" if effort else None,
            f"context of {settings.get('context_tokens'):,}",
            "second opinions" if settings.get("second_opinion") else None,
        )
    )


def _took(view: RunView) -> str:
    row = view.row
    if not row.requests:
        return ""
    time = None if row.seconds is None else duration(row.seconds)
    cost = money_words(row.cost, view.currency) if row.cost is not None else "cost unknown"
    return joined((time, many(row.requests, "request"), f"{row.tokens:,} tokens", cost))


def _requests_tree(view: RunView, current: CallView | None) -> Node:
    rows = [
        TableRow(
            (
                str(call.id),
                node("span", "", node("b", "", WRITERS[call.writer]), node("span", "meta", f" {about_words(call)}")),
                _state(view, call),
                f"{sum(call.tokens[part] or 0 for part in ('prompt', 'completion')):,}",
                money_words(call.cost),
            ),
            press=f"request:{call.id}",
            selected=call is current,
        )
        for call in view.calls
    ]
    head = node("h2", "", f"{many(len(rows), 'request')}")
    nothing = "Nothing was asked." if view.row.state.over else "Nothing has been asked yet."
    return node("section", "runs", head, table_tree(COLUMNS, rows) if rows else node("p", "meta", nothing))


def _state(view: RunView, call: CallView) -> Node:
    if call.answered_from:
        return node("span", "state", state_badge(call.state), f"from run {call.answered_from[0]}")
    if call.why and _followed(view, call):
        return badge("followed by others")
    return state_badge(call.state)


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    if what == "request":
        choose("request", which)
    elif what == "run":
        run, _, request = which.partition(":")
        choose("run", run)
        choose("request", request)
    elif what == "place":
        turn, _, ref = which.partition(":")
        leave_later("sessions", session=ref, turn=turn)
    else:
        follow(value)
