"""The four panes of the Review page: queue, card, transcript, what the agent reads."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.errors import TutelageError
from core.service import desk_views
from core.service.review_views import LISTED
from core.service.views import Card, Narrowed, Page, QueueRow, Quote, SessionWords, Whose
from core.transcripts.message import Transcript
from core.vocabulary import Kind, Scope
from ui import deciding, merging_desk
from ui.assigning import show_assigning
from ui.card import card_tree, reads_tree
from ui.deciding import FIELDS, Seen
from ui.drawing import WALK, draw
from ui.evidence_export import evidence_table
from ui.frame import Desk
from ui.keeping import give_up
from ui.lists import download
from ui.places import follow, leave_later, name_in_url, turn_in_address
from ui.review_queue import queue_tree
from ui.transcript import transcript_tree
from ui.tree import node
from ui.waiting import EVERYTHING
from ui.wording import SCOPES

STATES = {
    "all that wait": None,
    "proposed": "proposed",
    "held": "held",
    "appeals": "appealed",
    "suspended": "suspended",
    "rejected": "rejected",
}
"""Which items the queue shows; those that were rejected wait for nobody, and can be found here."""

WHOSE = {EVERYTHING["whose"]: None, "mine": Whose.MINE, "nobody's": Whose.NOBODYS}
ONLY = (EVERYTHING["only"], "unread", "overdue")

EVERY_KIND, EVERY_AGENT, EVERY_VERDICT = "every kind", "every agent", "every verdict"


def filters(desk: Desk) -> Narrowed:
    """What the queue is narrowed to, all of it in the address; beside it, the export of its evidence."""
    with st.popover("Filter", type="tertiary"):
        whose = st.selectbox("Whose turn", list(WHOSE), key="whose", bind="query-params")
        only = st.selectbox("Only", ONLY, key="only", bind="query-params")
        kind = st.selectbox("Kind", [EVERY_KIND, *Kind], key="kind", bind="query-params")
        agents = [EVERY_AGENT, *desk_views.agents(desk.db)]
        agent = st.selectbox("Agent", agents, key="agent", bind="query-params")
        verdicts = [EVERY_VERDICT, *desk_views.verdict_filters]
        evidence = st.selectbox("Evidence", verdicts, key="evidence", bind="query-params")
        status = st.selectbox("State", list(STATES), key="state", bind="query-params")
        narrowed = Narrowed(
            None if kind == EVERY_KIND else kind,
            None if agent == EVERY_AGENT else agent,
            None if evidence == EVERY_VERDICT else evidence,
            STATES[status],
            WHOSE[whose],
            overdue=only == "overdue",
            unread=only == "unread",
        )
        st.button("Several at once…", key="several", on_click=_several, args=(narrowed,))
        draw(node("p", "meta", "Every quote of what waits under these filters"), key="export-head")
        download("evidence", lambda: evidence_table(desk_views.waiting_evidence(desk.db, narrowed, desk.person.name)))
    return narrowed


def _several(narrowed: Narrowed) -> None:
    """Leave for the page for several at once, under the same filters."""
    asked = {"kind": narrowed.kind, "agent": narrowed.agent, "evidence": narrowed.evidence, "state": narrowed.status}
    leave_later("bulk", **{f"several_{name}": str(value) for name, value in asked.items() if value})


def choose(value: str) -> None:
    """Bring up what was pressed.

    ``item:ID`` and ``version:ID``, ``against:VERSION`` to compare with, ``quote:ID``, ``session:REF``,
    ``run:RUN:REQUEST``.
    """
    what, _, which = value.partition(":")
    if what in ("item", "version"):
        st.session_state["item"] = int(which)
        for name in ("quote", "against"):
            st.session_state.pop(name, None)
        deciding.close_bar()
    elif what == "against":
        st.session_state["against"] = int(which)
    elif what == "quote":
        st.session_state["quote"] = int(which)
    else:
        follow(value)


def current_card(desk: Desk, page: Page[QueueRow]) -> Card | None:
    """The item that is up: the chosen one, the one that the URL names, else the next that waits and nobody else has.

    The URL then names it, so that the address of the page is a link to this item.
    """
    wanted = st.session_state.pop("wanted", None)
    named = st.query_params.get("item")
    if wanted is None and named != st.session_state.get("item_in_url"):
        wanted = named
    chosen = _named(desk, wanted, page) if wanted else st.session_state.get("item")
    following = st.session_state.pop("following", ())
    if chosen:
        desk_views.bring_up(desk.db, chosen, desk.person.name)
    item_id = chosen or _handed_out(desk, page, following)
    if item_id is None:
        return None
    against = st.session_state.get("against")
    card = desk_views.card(desk.db, item_id, person=desk.person.name, against=against)
    ref = card.ref if card.governed.meant == card.id else f"{card.ref} v{card.version}"
    st.session_state["item"], st.session_state["item_in_url"] = card.id, ref
    if st.query_params.get("item") != ref:
        st.query_params["item"] = ref
        name_in_url("turn", None)
    return card


def _handed_out(desk: Desk, page: Page[QueueRow], following: Sequence[int]) -> int | None:
    """The next of the items that followed the last one, else of this page; where others have all, the first of it.

    What followed is asked anew: meanwhile somebody else may have decided it, or have it before them.
    """
    ids = [row.id for row in page.rows]
    still = [one for one in following if one in ids]
    in_order = list(dict.fromkeys((*still, *ids)))
    handed = desk_views.hand_out(desk.db, in_order, desk.person.name, in_turn=bool(still))
    if handed is None and in_order:
        desk_views.bring_up(desk.db, in_order[0], desk.person.name)
    return handed or next(iter(in_order), None)


def _named(desk: Desk, ref: str, page: Page[QueueRow]) -> int | None:
    try:
        return desk_views.item_id_of(desk.db, ref)
    except TutelageError as error:
        deciding.say(f"{error} The first item that waits is shown instead.", refused=True)
        return None


def neighbours(page: Page[QueueRow], item_id: int, me: str) -> tuple[int | None, tuple[int, ...]]:
    """The item above and those below that nobody else has; below the last comes the first, up to the item itself."""
    free = [row.id for row in page.rows if row.with_whom in (None, me) or row.id == item_id]
    if item_id not in free:
        return None, tuple(free)
    at = free.index(item_id)
    return free[at - 1] if at else None, (*free[at + 1 :], *free[:at])


def say_who_was_first(desk: Desk, what: Seen) -> None:
    """Close a question about an item that somebody has decided since it was asked, and say who, when and why."""
    key = str(st.session_state.get("bar", ("", ""))[0])
    if key and key != what.key and key.rpartition("-")[0] == what.key.rpartition("-")[0]:
        deciding.close_bar()
        told = desk_views.who_was_first(desk.db, what.item_id)
        deciding.say(f"{told} What was written is kept.", refused=True)


def forget_when_narrowed(narrowed: Narrowed) -> None:
    """An item that was up under other filters is not kept up; the address may name one all the same."""
    if st.session_state.get("narrowed", narrowed) != narrowed:
        st.session_state.pop("item", None)
        st.session_state["item_in_url"] = st.query_params.get("item")
    st.session_state["narrowed"] = narrowed


def nothing_waits(narrowed: Narrowed) -> tuple[str, str]:
    """What an empty queue says."""
    if narrowed != Narrowed():
        return (
            "Nothing that waits fits these filters.",
            "The filters stand beside the title; without them more may wait.",
        )
    return "Nothing waits for a decision.", "New lessons appear here as soon as a session has been debriefed."


def show_queue(
    desk: Desk, page: Page[QueueRow], selected: int | None, counts: DeltaGenerator, rows: DeltaGenerator
) -> None:
    """Pane 1: the list and its pages, and how many stand in it."""
    with rows:
        draw(
            queue_tree(page, selected, desk.now, desk.person.name),
            key="queue-list",
            place=f"page {page.number}",
            on_press=choose,
        )
        if page.pages > 1:
            st.pagination(page.pages, key="page", max_visible_pages=5, bind="query-params")
    with counts:
        draw(
            node("p", "meta", f"{page.total:,}{'+' if page.total >= LISTED else ''} here"),
            key="queue-counts",
            width="content",
        )


def current_quote(card: Card) -> Quote | None:
    """The quote in the light: the chosen one, else the first."""
    wanted = st.session_state.get("quote")
    return next((quote for quote in card.quotes if quote.id == wanted), card.quotes[0] if card.quotes else None)


def show_card(desk: Desk, card: Card, what: Seen, quote: Quote | None, session: SessionWords | None) -> None:
    """Pane 2: the card, or its fields while it is edited."""
    mode = deciding.bar_mode(what)
    if mode == "edit":
        _fields(card, what)
        return
    if mode == merging_desk.MODE:
        merging_desk.show_fields(desk, card, what)
        return
    if mode:
        card = replace(card, governed=replace(card.governed, kept=()))
    transcripts: Mapping[int, Transcript] = {session.row.id: session.transcript} if session else {}
    shown = session.row.id if session else None
    me = desk.person.name
    tree = card_tree(card, transcripts, shown, desk.now, me=me, settles=deciding.may_edit(card, desk.person))

    def pressed(value: str) -> None:
        if value == "forget:words":
            give_up(desk, what)
        elif not deciding.settle(desk.db, desk.person.name, what, value):
            choose(value)

    draw(tree, key="card-tree", place=what.key, light=quote.number if quote else None, on_press=pressed)


def show_words(card: Card, quote: Quote | None, session: SessionWords | None) -> None:
    """Pane 3: the transcript with the evidence of this item."""
    if session is None:
        draw(node("p", "meta", "This item quotes no words, so there is no transcript to show."), key="no-words")
        return
    here = tuple(one for one in card.quotes if one.session == session.row.id)
    number = quote.number if quote else None
    tree = transcript_tree(session.row, session.transcript, here, of=len(card.quotes))
    stops = [(one.number, "" if one in here else f"quote:{one.id}") for one in card.quotes]
    place = f"{session.row.ref} {card.ref} {card.version}"
    turn = turn_in_address()
    draw(tree, key="words-tree", place=place, light=number, turn=turn, stops=stops, keys=WALK, on_press=choose)


def show_reads(card: Card) -> None:
    """Pane 4: what the agent would read."""
    draw(reads_tree(card.reads), key="reads-tree", place=card.ref)


def show_strip(desk: Desk, page: Page[QueueRow], card: Card, session: SessionWords | None) -> None:
    """Previous, next and the session: one line on a narrow screen; on a wide one only their keys are there."""
    item_id = card.id
    before, after = neighbours(page, item_id, desk.person.name)
    _strip_button("Previous", "k", f"item:{before}", before is not None)
    draw(node("p", "meta", place_of(page, item_id)), key="strip-count", width="content")
    _strip_button("Next", "j", f"item:{after[0] if after else None}", bool(after))
    _strip_button("Open the session", "o", f"session:{session.row.ref if session else ''}", session is not None)
    show_assigning(desk, card, "strip")


def _strip_button(label: str, shortcut: str, value: str, is_on: bool) -> None:
    key = f"strip-{label}"
    st.button(label, key=key, shortcut=shortcut, type="tertiary", disabled=not is_on, on_click=choose, args=(value,))


def place_of(page: Page[QueueRow], item_id: int) -> str:
    """Where the item stands in the list: ``1 of 7``; empty for one that does not wait there."""
    ids = [row.id for row in page.rows]
    return f"{(page.number - 1) * page.size + ids.index(item_id) + 1} of {page.total}" if item_id in ids else ""


def _fields(card: Card, what: Seen) -> None:
    now_so = {
        "text": card.text,
        "tags": ", ".join(card.tags),
        "observation": card.observation,
        "improvement": card.improvement,
        "title": card.title,
        "trigger": card.trigger,
        "instruction": card.text,
    }
    draw(node("h2", "", f"Edit {card.ref} v{card.version}"), key="edit-head")
    for field, label in FIELDS[card.kind]:
        key = deciding.draft_key(what, field)
        st.session_state.setdefault(key, now_so[field])
        if field in ("title", "tags"):
            st.text_input(label, key=key, persist_state="session")
        else:
            st.text_area(label, key=key, height=140, persist_state="session")
    if card.scope:
        scopes = [one for one in Scope if one is not Scope.USER or card.user or one is card.scope]
        here = scopes.index(card.scope)
        st.selectbox("Holds", scopes, here, format_func=SCOPES.__getitem__, key=deciding.scope_key(what))
    for quote in (one for one in card.quotes if one.id in what.lost):
        key = deciding.draft_key(what, f"quote-{quote.id}")
        st.session_state.setdefault(key, quote.text)
        st.text_area(f"Quote {quote.number}, looked for again", key=key, height=90, persist_state="session")
