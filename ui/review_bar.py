"""The bar of the Review page: the decisions, and what each of them asks before it is carried out."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.governance.desk_settings import desk_settings
from core.service import desk_views
from core.service.views import Card, LastDecision
from core.vocabulary import Action, GivesWay, Kind
from ui import beside_bar, blind, deciding, making_room, merging_desk
from ui.deciding import BACK, BESIDES, FIELDS, FORWARD, LABELS, Choice, Seen
from ui.drawing import draw
from ui.frame import Desk, sheet_of_keys
from ui.governed import yes_in_words
from ui.pressing import Pressable
from ui.reinstating import stated_confidence
from ui.tree import node
from ui.wording import as_label

REASONED = (Action.REJECT, Action.DISMISS)
BRINGS_BACK = (Action.REINSTATE, Action.ROLL_BACK)
WAITED_FOR = (Action.APPROVE, Action.RELEASE, Action.GRANT, Action.REINSTATE)


def show_bar(desk: Desk, card: Card, what: Seen, place: str, last: LastDecision | None) -> Pressable:
    """The bar at the bottom: the decisions, or the question that one of them asks; returns what its keys press.

    ``place`` is ``1 of 7``.
    """
    keys = Pressable()
    with st.bottom, st.container(key="bar", horizontal=True, vertical_alignment="center"):
        mode = deciding.bar_mode(what)
        if mode == "edit":
            _edit_bar(desk, what, keys)
        elif mode in REASONED:
            _reasons_bar(desk, what, Action(mode), keys)
        elif mode == blind.LIFT:
            blind.show_lift(desk, what)
            _answer("")
            _back()
        elif mode == merging_desk.MODE:
            merging_desk.show_bar(desk, card, what, keys)
            _back()
        elif mode == making_room.MODE:
            making_room.show_bar(desk, card, what, keys, "Why both stay")
            _answer("")
            _back()
        elif mode == "conflict":
            _conflict_bar(desk, card, what, keys)
        elif mode:
            _words_bar(desk, card, what, Action(mode), keys)
        else:
            _buttons(desk, card, what, place, last, keys)
    return keys


def show_idle_bar(desk: Desk, last: LastDecision | None) -> None:
    """The bar when nothing waits: the last answer, and undo."""
    with st.bottom, st.container(key="bar", horizontal=True, vertical_alignment="center"):
        _answer("")
        _undo(desk, last)


def _buttons(desk: Desk, card: Card, what: Seen, place: str, last: LastDecision | None, keys: Pressable) -> None:
    asked = (card.kind, card.status, card.gravest, desk.person)
    forward = deciding.choice(*asked, (*FORWARD, *desk_views.waited_for(card.status)))
    back = deciding.choice(*asked, BACK)
    taken = card.governed.taken_by_another(desk.person.name)
    if forward:
        if card.contradicts and forward.action is Action.APPROVE:
            forward = replace(forward, needs="conflict")
        elif card.no_room and forward.action is Action.APPROVE:
            forward = replace(forward, needs=making_room.MODE)
        _decide_button(desk, what, forward, "a", card.why_off if forward.action in WAITED_FOR else taken, keys)
    if back:
        _decide_button(desk, what, back, "x", blind.why_not(card, taken), keys)
    for other in _besides(deciding.choices(*asked, BESIDES), card, forward, back):
        _decide_button(desk, what, other, None, taken, keys)
    blind.show_buttons(desk, card, what)
    keys.add("e", f"edit-{what.key}", "edit")
    keys.add("s", f"skip-{what.key}", "skip")
    keys.add("u", _undo_key(last), Action.UNDO)
    st.button(
        "Edit",
        key=f"edit-{what.key}",
        shortcut="e",
        disabled=bool(taken) or not deciding.may_edit(card, desk.person),
        on_click=deciding.open_bar,
        args=(what, "edit"),
    )
    st.button(
        "Skip",
        key=f"skip-{what.key}",
        shortcut="s",
        disabled=what.next_id is None,
        on_click=deciding.skip,
        args=(what,),
    )
    if forward and forward.action is Action.APPROVE:
        beside_bar.show_twins(desk, card, what, off=not forward.allowed or bool(card.why_off), keys=keys)
    _answer(place, _why_off(desk, card, forward))
    _undo(desk, last)
    draw(sheet_of_keys(), key="sheet", keys={"?": "sheet"}, width="content")


def _besides(choices: Sequence[Choice], card: Card, forward: Choice | None, back: Choice | None) -> list[Choice]:
    """What else this person may do: roll back to what was in force once; a procedure is reinstated on its own page."""
    elsewhere = {Action.REINSTATE} if card.kind is Kind.PROCEDURE else set()
    elsewhere |= set() if card.was_in_force else {Action.ROLL_BACK}
    shown = {one.action for one in (forward, back) if one}
    return [one for one in choices if one.allowed and one.action not in elsewhere | shown]


def _decide_button(
    desk: Desk, what: Seen, choice: Choice, shortcut: str | None, why_off: str | None, keys: Pressable
) -> None:
    key = f"{choice.action}-{what.key}"
    questions = ("conflict", making_room.MODE)
    numbered = choice.needs in questions or choice.action in REASONED
    keys.add(shortcut or key, key, choice.action, decides=not choice.needs, asks=numbered)
    asks = (what, choice.needs if choice.needs in questions else str(choice.action))
    st.button(
        choice.label,
        key=key,
        type="primary" if choice.action in (*FORWARD, Action.REINSTATE) else "secondary",
        shortcut=shortcut,
        disabled=not choice.allowed or why_off is not None,
        on_click=deciding.open_bar if choice.needs else deciding.carry_out,
        args=asks if choice.needs else (desk.db, desk.person.name, what, choice.action),
    )


def _why_off(desk: Desk, card: Card, forward: Choice | None) -> str:
    if forward is None:
        return f"{card.ref} is {card.status}; nothing is left to decide."
    if not forward.allowed:
        return f"{desk.person.name} reads here; others decide about {card.ref}."
    if card.why_off and forward.action in WAITED_FOR:
        return f"{card.ref}: {card.why_off}"
    yes = card.governed.needs(forward.action)
    return yes_in_words(yes) if yes else ""


def _answer(place: str, why_off: str = "") -> None:
    said = deciding.last_answer()
    text = " · ".join(part for part in (place, said.text if said else "", why_off) if part)
    look = "answer no" if said and said.refused else "answer"
    draw(node("p", look, text, role="status", aria_live="polite"), key="answer-line")


def _undo(desk: Desk, last: LastDecision | None) -> None:
    can = last is not None and last.can_undo
    st.button(
        "Undo",
        key=_undo_key(last),
        shortcut="u",
        type="tertiary",
        disabled=not can,
        on_click=deciding.take_back,
        args=(desk.db, desk.person.name, last),
    )


def _undo_key(last: LastDecision | None) -> str:
    return f"undo-{last.id if last else 0}"


def _reasons_bar(desk: Desk, what: Seen, action: Action, keys: Pressable) -> None:
    """The reasons that the desk's settings name, each under its number; words are optional where the table says so."""
    settings, _ = desk_settings(desk.db)
    draw(node("p", "", f"{LABELS[action]} because it is"), key=f"{action}-head", width="content")
    for at, reason in enumerate(settings.reasons(action), 1):
        keys.add(str(at), key := f"{action}-{reason.code}-{what.key}", action, decides=True)
        st.button(
            as_label(reason.words),
            key=key,
            shortcut=str(at),
            on_click=deciding.carry_out,
            args=(desk.db, desk.person.name, what, action, reason.code),
        )
    _words_field(what, "Words for the log, optional")
    if deciding.last_answer():
        _answer("")
    _back()


def _conflict_bar(desk: Desk, card: Card, what: Seen, keys: Pressable) -> None:
    """Which of the two gives way; keeping both needs a reason."""
    others = " and ".join(card.contradicts)
    draw(node("p", "", f"{what.ref} contradicts {others}, in force"), key="conflict-head", width="content")
    for at, (label, choice) in enumerate(
        ((f"{others} gives way", GivesWay.THE_OTHER), ("Keep both", GivesWay.NEITHER)), 1
    ):
        keys.add(str(at), key := f"gives-way-{choice}-{what.key}", Action.APPROVE, decides=True)
        st.button(
            label,
            key=key,
            shortcut=str(at),
            on_click=deciding.carry_out,
            args=(desk.db, desk.person.name, what, Action.APPROVE),
            kwargs={"gives_way": choice},
        )
    if len(card.beside) > 1:
        beside_bar.show_each(desk, card, what, keys)
    if card.no_room:
        keys.add("4", key := f"room-{what.key}", making_room.MODE)
        args = (what, making_room.MODE)
        st.button("Keep both, another leaves…", key=key, shortcut="4", on_click=deciding.open_bar, args=args)
    _words_field(what, "Why both stay")
    _answer("")
    _back()


def _words_bar(desk: Desk, card: Card, what: Seen, action: Action, keys: Pressable) -> None:
    keys.add("ctrl+enter", f"say-{action}-{what.key}", action, decides=True)
    keys.writes = deciding.draft_key(what)
    stays = f" beside {' and '.join(card.contradicts)}" if card.contradicts and action in BRINGS_BACK else ""
    draw(node("p", "", f"{LABELS[action]} {what.ref}{stays} because"), key="words-head", width="content")
    _words_field(what, "needed, stays in the log")
    leaves = making_room.choose(card, what) if action in BRINGS_BACK else None
    st.button(
        LABELS[action],
        key=f"say-{action}-{what.key}",
        type="primary",
        shortcut="ctrl+enter",
        on_click=deciding.carry_out,
        args=(desk.db, desk.person.name, what, action),
        kwargs={
            "confidence": stated_confidence(card, what, action),
            "gives_way": GivesWay.NEITHER if stays else None,
            "makes_room": leaves,
        },
    )
    _answer("")
    _back()


def _words_field(what: Seen, hint: str) -> None:
    key = deciding.draft_key(what)
    st.text_input("Words", key=key, placeholder=hint, label_visibility="collapsed", persist_state="session", width=320)


def _edit_bar(desk: Desk, what: Seen, keys: Pressable) -> None:
    keys.add("ctrl+enter", f"save-{what.key}", "edit")
    keys.writes = deciding.draft_key(what, FIELDS[what.kind][0][0])
    args = (desk.db, desk.person.name, what)
    st.button(
        "Save as a new version",
        key=f"save-{what.key}",
        type="primary",
        shortcut="ctrl+enter",
        on_click=deciding.save_edit,
        args=args,
    )
    _answer("It waits for a decision again, under the same proof.")
    _back()


def _back() -> None:
    st.button("Back", key="back", shortcut="esc", type="tertiary", on_click=deciding.close_bar)
