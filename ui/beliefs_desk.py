"""The pieces of the Beliefs page: filters, the list, the tree of the chosen one, and the transcript beside it."""

from collections.abc import Sequence

import streamlit as st

from core.errors import TutelageError
from core.screening.invisible import shown as shown_text
from core.service import desk_views
from core.service.belief_shown import BeliefShown, belief_shown
from core.service.belief_views import belief_list
from core.service.views import Page, Quote
from core.service.views.beliefs import BeliefRow, BeliefsAsked
from core.vocabulary import Duty, Status
from ui import deciding
from ui.belief_acts import ask_for, show_act
from ui.belief_days import choose_days
from ui.belief_marks import belief_mark, standing_words
from ui.belief_tree import ACTS, belief_tree_drawn
from ui.drawing import WALK, draw
from ui.frame import Desk, page_head
from ui.lists import choose_one, export
from ui.places import choose, chosen, follow, go
from ui.transcript import transcript_tree
from ui.tree import Node, joined, node
from ui.wording import NOBODY

LIST, EPISODES, ASK, RUNS = "What is believed", "Episodes", "Ask", "Sums and runs"
EVERY_STATE, STALE = "every state", "stale"
STATES = {EVERY_STATE: None, "in force": Status.ACTIVE, **{str(one): one for one in (
    Status.PROPOSED, Status.HELD, Status.SUSPENDED, Status.REJECTED, Status.RETIRED
)}}  # fmt: skip
EVERY_USER = "every user"
EXPORTED = (
    "belief",
    "version",
    "status",
    "stale",
    "sources_gone",
    "text",
    "question",
    "agent",
    "user",
    "depth",
    "importance",
    "sources",
    "sources_standing",
    "true_from",
    "known_from",
    "known_until",
)


def choose_part() -> str:
    """What the page shows: beliefs, the episodes below them, a question to both, or how they come about."""
    picked = st.segmented_control(
        "Show",
        [LIST, EPISODES, ASK, RUNS],
        default=LIST,
        required=True,
        key="beliefs_part",
        bind="query-params",
        label_visibility="collapsed",
    )
    return picked or LIST


def choose_whom(desk: Desk, *, every: bool = True) -> tuple[str | None, str | None]:
    """Agent and user, as lists ask for them; an empty user is nobody in particular."""
    agents = desk_views.agents(desk.db)
    if every:
        agent = choose_one("Agent", agents, "beliefs_agent", "every agent")
    else:
        agent = st.selectbox(
            "Agent", agents, key="beliefs_of", bind="query-params", label_visibility="collapsed", width=190
        )
    users = [NOBODY, *(desk_views.users(desk.db, agent) if agent else ())]
    user = choose_one("User", users, "beliefs_user", EVERY_USER) if every and agent else None
    if not every:
        user = st.selectbox(
            "User", users, key="beliefs_for", bind="query-params", label_visibility="collapsed", width=190
        )
    return agent, "" if user == NOBODY else user


def filters(desk: Desk) -> BeliefsAsked:
    """What the list is narrowed to, all of it in the address."""
    state = choose_one("State", [*list(STATES)[1:], STALE], "beliefs_state", EVERY_STATE)
    agent, user = choose_whom(desk)
    words = st.text_input(
        "Words",
        key="beliefs_words",
        bind="query-params",
        label_visibility="collapsed",
        width=200,
        placeholder="Words of a belief",
    )
    true_at, known_at = choose_days("In force, as known at the end of")
    status = STATES.get(state or EVERY_STATE)
    asked = BeliefsAsked(agent, user, status, state == STALE, words or None, true_at, known_at)
    export("beliefs", lambda: _all_rows(desk, asked))
    return asked


def _all_rows(desk: Desk, asked: BeliefsAsked) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    page = belief_list(desk.db, asked, page=1, size=1_000_000)
    return EXPORTED, [
        (
            row.ref,
            row.version,
            row.status,
            row.is_stale,
            "; ".join(row.stale),
            row.text,
            row.question,
            row.agent,
            row.user,
            row.depth,
            row.importance,
            row.cites,
            row.standing,
            row.true_from,
            row.known_from,
            row.known_until,
        )
        for row in page.rows
    ]


def show_head(page: Page[BeliefRow] | None = None) -> None:
    """Title, and how many stand in the list."""
    page_head("Beliefs", joined((f"{page.total:,} in this list", "each cites two episodes at least")) if page else "")


def nothing_to_show(asked: BeliefsAsked) -> tuple[str, str]:
    """What an empty list says."""
    if asked != BeliefsAsked():
        return "No belief fits these filters.", "Choose every state, agent and user, or take the words out."
    return (
        "Nothing is believed of anybody yet.",
        "Beliefs are proposed once the episodes of a user weigh enough together; Sums and runs shows how far each is.",
    )


def current(desk: Desk, page: Page[BeliefRow]) -> BeliefShown:
    """The chosen belief, the one that the address names, else the first of the list. The address then names it."""
    wanted = chosen("belief")
    known = {_name(row): row.id for row in page.rows}
    item_id = known.get(wanted or "")
    if item_id is None and wanted:
        item_id = _named(desk, wanted)
    found = None
    if item_id is not None:
        try:
            found = belief_shown(desk.db, item_id)
        except TutelageError as error:
            deciding.say(f"{error} The first belief of the list is shown.", refused=True)
    found = found or belief_shown(desk.db, page.rows[0].id)
    choose("belief", _name(found.tree.row))
    return found


def _named(desk: Desk, ref: str) -> int | None:
    try:
        return desk_views.item_id_of(desk.db, ref)
    except TutelageError as error:
        deciding.say(f"{error} The first belief of the list is shown.", refused=True)
        return None


def _name(row: BeliefRow) -> str:
    return row.ref if row.version == 1 else f"{row.ref} v{row.version}"


def current_quote(shown: BeliefShown) -> Quote | None:
    """The quote in the light: the one that the address names by its number, else the first."""
    wanted = chosen("quote")
    named = next((one for one in shown.quotes if str(one.number) == wanted), None)
    return named or (shown.quotes[0] if shown.quotes else None)


def press(value: str) -> None:
    """What was pressed on the list, the tree or the transcript."""
    what, _, which = value.partition(":")
    if what == "belief":
        choose("belief", which)
        choose("quote", None)
        deciding.forget_answer()
        ask_for(None)
    elif what == "quote":
        choose("quote", which)
    elif what in ACTS:
        deciding.forget_answer()
        ask_for(what, int(which))
    else:
        follow(value)


def show_list(page: Page[BeliefRow], current_id: int) -> None:
    """The list; a row is pressed whole."""
    rows = [_row(row, row.id == current_id) for row in page.rows]
    tree = node("nav", "pane queue believed", node("div", "scroll", *rows, data_list=True), aria_label="Beliefs")
    draw(tree, key="beliefs-list", place=f"page {page.number}", on_press=press)


def _row(row: BeliefRow, selected: bool) -> Node:
    return node(
        "button",
        "item",
        node("span", "line", belief_mark(row), node("span", "meta", _name(row))),
        node("span", "headline", shown_text(row.text)),
        node("span", "meta", joined((row.agent, row.user or NOBODY, standing_words(row)))),
        data_press=f"belief:{_name(row)}",
        aria_current=selected and "true",
        type="button",
    )


def show_tree(desk: Desk, shown: BeliefShown, quote: Quote | None) -> None:
    """The tree of the chosen belief, what can be done about it, and the reason that an act on an episode asks for."""
    row = shown.tree.row
    tree = belief_tree_drawn(shown, quote.session if quote else None, acts=desk.may(Duty.LEAD))
    draw(tree, key="belief-tree", place=_name(row), light=quote.number if quote else None, on_press=press)
    show_act(desk)
    with st.container(key="belief-acts", horizontal=True, vertical_alignment="center"):
        waits = row.status in (Status.PROPOSED, Status.HELD, Status.SUSPENDED)
        label = f"Decide {row.ref} on Review" if waits else f"Open {row.ref} on Review"
        if st.button(label, key=f"to-review-{row.id}", type="primary" if waits else "secondary"):
            go("review", item=_name(row))
        if quote and st.button("Open the session", key=f"open-{row.id}", type="tertiary", shortcut="o"):
            places = quote.grounding.spans or quote.grounding.nearest
            go("sessions", session=quote.session_ref, turn=str(places[0].turn + 1 if places else 1))
    deciding.show_answer()


def show_words(desk: Desk, shown: BeliefShown, quote: Quote | None) -> None:
    """The transcript in which the quote stands, with every quote of this belief lit that stands there."""
    if quote is None:
        draw(node("p", "meta", "What it rests on quotes no words, so there is no transcript to show."), key="no-words")
        return
    session = desk_views.session_words(desk.db, quote.session)
    here = tuple(one for one in shown.quotes if one.session == quote.session)
    stops = [(one.number, "" if one in here else f"quote:{one.number}") for one in shown.quotes]
    tree = transcript_tree(session.row, session.transcript, here, of=len(shown.quotes))
    place = f"{session.row.ref} {_name(shown.tree.row)}"
    draw(tree, key="belief-words", place=place, light=quote.number, stops=stops, keys=WALK, on_press=press)
