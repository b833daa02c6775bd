"""What is shown of a blind item and pressed about it: one's own verdict, what two who differ said, who is missing."""

import streamlit as st

from core.governance import blind
from core.governance.acts import in_words
from core.screening.invisible import shown
from core.service.blind_views import Said
from core.service.views import Card
from ui import deciding
from ui.deciding import Seen
from ui.drawing import draw
from ui.frame import Desk
from ui.telling import told
from ui.tree import Node, node

LIFT = "lift"
"""What the bar asks while an admin says why the blindness of an item ends."""


def blind_tree(card: Card) -> list[Node]:
    """How a blind item is decided, as far as whoever looks may know."""
    known = card.blind
    if known is None:
        return []
    if known.verdicts:
        lines = [node("p", "", *_said(one)) for one in known.verdicts]
        head = node("b", "", "Two people differ; a third decides")
    else:
        head = node("b", "", "Decided blind")
        how = "Two people say what they think, and neither sees what the other said."
        own = [node("p", "", *_said(known.mine, "You")), _taken()] if known.mine else []
        lines = [node("p", "", how), *own]
    missing = [node("p", "", node("b", "", "Somebody is missing: "), f"{known.missing}.")] if known.missing else []
    return [node("div", "finding quiet blind", head, *lines, *missing)]


def why_not(card: Card, taken: str | None) -> str | None:
    """Why a verdict cannot be given now: somebody else has the item, or one has said what one has to say."""
    return taken or (card.blind.off if card.blind and card.blind.off else None)


def show_buttons(desk: Desk, card: Card, what: Seen, *, lifts_at_once: bool = False) -> None:
    """Take one's own verdict back, and lift the blindness; the reason is in the words about the item.

    ``lifts_at_once`` says that there is a field for it on the screen already.
    """
    known = card.blind
    if known is None:
        return
    if known.mine:
        st.button("Take back", key=f"take-back-{what.key}", on_click=_take_back, args=(desk, what))
    if known.may_lift:
        act, args = (_lift, (desk, what)) if lifts_at_once else (deciding.open_bar, (what, LIFT))
        st.button("Lift blindness…", key=f"lift-{what.key}", type="tertiary", on_click=act, args=args)


def show_lift(desk: Desk, what: Seen) -> None:
    """The question why, and the button that lifts."""
    draw(node("p", "", f"Lift the blindness of {what.ref} because"), key="lift-head", width="content")
    key = deciding.draft_key(what)
    hint = "needed, stays in the log"
    st.text_input("Words", key=key, placeholder=hint, label_visibility="collapsed", persist_state="session", width=320)
    st.button("Lift", key=f"say-lift-{what.key}", type="primary", on_click=_lift, args=(desk, what))


def _taken() -> Node:
    return node("p", "meta", "It can be taken back until another person has said.")


def _said(said: Said, who: str = "") -> list[Node]:
    why = [node("span", "meta", f" {shown(said.why)}")] if said.why else []
    return [f"{who or said.by} said: {in_words(said.action)}", *why]


def _take_back(desk: Desk, what: Seen) -> None:
    me = desk.person.name
    told(
        lambda: blind.take_back(desk.db, item_id=what.item_id, person=me),
        f"What you said about {what.ref} is taken back.",
    )


def _lift(desk: Desk, what: Seen) -> None:
    reason = str(st.session_state.get(deciding.draft_key(what)) or "")
    done_so = f"{what.ref} is decided like any other item from now on."
    if told(lambda: blind.lift(desk.db, item_id=what.item_id, person=desk.person.name, reason=reason), done_so):
        st.session_state[deciding.draft_key(what)] = ""
        deciding.close_bar()
