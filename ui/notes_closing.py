"""Closing a note on the Critical notes page: the reason, the buttons, and why one of them is off."""

from collections.abc import Sequence

import streamlit as st

from core.governance.desk_settings import desk_settings
from core.service import desk_views
from core.service.case_views import CaseNote
from core.service.views import Card, NoteRow, Page
from core.vocabulary import Action, Severity
from ui import blind, deciding
from ui.deciding import Choice, Seen
from ui.drawing import draw
from ui.frame import Desk
from ui.governed import yes_in_words
from ui.places import choose
from ui.tree import node
from ui.wording import as_label

VERDICTS = (Action.RESOLVE, Action.DISMISS)


def show_choices(desk: Desk, card: Card, what: Seen, page: Page[NoteRow], recurrences: Sequence[CaseNote] = ()) -> None:
    """Closing the note, or what else can be done with it; dismissing asks for one of the reasons first.

    Resolving a case offers to resolve its open ``recurrences`` with the same words.
    """
    asked = (card.kind, card.status, card.gravest, desk.person)
    both = [deciding.choice(*asked, actions) for actions in (deciding.FORWARD, deciding.BACK)]
    besides = deciding.choices(*asked, (Action.APPEAL,))
    found = [one for one in (*both, *besides) if one is not None]
    allowed = [one for one in found if one.allowed]
    deciding.show_answer()
    if allowed:
        _reason_field(card, what)
    if recurrences and any(one.action is Action.RESOLVE for one in allowed):
        refs = ", ".join(one.ref for one in recurrences)
        words = f"Resolve {refs} too, with the same words: one decision each"
        st.checkbox(as_label(words), key=_too_key(what))
    taken = card.governed.taken_by_another(desk.person.name)
    with st.container(key="note-acts", horizontal=True, vertical_alignment="center"):
        if deciding.bar_mode(what) == Action.DISMISS:
            _show_reasons(desk, what, page)
        else:
            for at, one in enumerate(allowed):
                too = recurrences if one.action is Action.RESOLVE else ()
                off = blind.why_not(card, taken) if one.action in VERDICTS else taken
                _act_button(desk, what, one, page, first=at == 0, off=off is not None, too=too)
            blind.show_buttons(desk, card, what, lifts_at_once=True)
    _say_who_else(desk, card, found, taken)


def _reason_field(card: Card, what: Seen) -> None:
    needed = "needed, " if card.gravest == Severity.CRITICAL else ""
    st.text_area(
        f"Reason ({needed}stays in the log)",
        key=deciding.draft_key(what),
        placeholder="What was done about it, or why it did not happen",
        persist_state="session",
        height=70,
    )


def _too_key(what: Seen) -> str:
    """The key of the box that asks whether the recurrences are resolved, too."""
    return f"too-{what.key}"


def _act_button(
    desk: Desk,
    what: Seen,
    one: Choice,
    page: Page[NoteRow],
    *,
    first: bool,
    off: bool,
    too: Sequence[CaseNote],
) -> None:
    asks = one.needs == "reason"
    st.button(
        one.label if asks else deciding.LABELS[one.action],
        key=f"{one.action}-{what.key}",
        type="primary" if first else "secondary",
        shortcut="ctrl+enter" if first else None,
        disabled=off,
        on_click=deciding.open_bar if asks else _close,
        args=(what, str(one.action)) if asks else (desk, what, one.action, page, None, too),
    )


def _show_reasons(desk: Desk, what: Seen, page: Page[NoteRow]) -> None:
    """The reasons to dismiss, each under its number; words about a critical note are needed besides."""
    settings, _ = desk_settings(desk.db)
    draw(node("p", "", "Dismiss because it is"), key="dismiss-head", width="content")
    for at, reason in enumerate(settings.reasons(Action.DISMISS), 1):
        st.button(
            as_label(reason.words),
            key=f"dismiss-{reason.code}-{what.key}",
            shortcut=str(at),
            on_click=_close,
            args=(desk, what, Action.DISMISS, page, reason.code),
        )
    st.button("Back", key="back", shortcut="esc", type="tertiary", on_click=deciding.close_bar)


def _say_who_else(desk: Desk, card: Card, found: Sequence[Choice], taken: str | None) -> None:
    """Why a button is off, or that one person is too few."""
    said = [why] if (why := blind.why_not(card, taken)) else []
    said += [f"{deciding.LABELS[one.action]}: {yes_in_words(one)}." for one in card.governed.yes]
    closing = [one for one in found if one.action is not Action.APPEAL]
    if closing and not any(one.allowed for one in closing):
        said.append(f"{desk.person.name} reads here; a critical note is closed by an auditor.")
    if said:
        draw(node("p", "meta", " ".join(said)), key="note-hint")


def _close(
    desk: Desk,
    what: Seen,
    action: Action,
    page: Page[NoteRow],
    reason: str | None = None,
    too: Sequence[CaseNote] = (),
) -> None:
    before, words = deciding.last_answer(), deciding.words_of(what).get("words", "")
    deciding.carry_out(desk.db, desk.person.name, what, action, reason)
    said = deciding.last_answer()
    if said is not before and said and not said.refused:
        if too and st.session_state.get(_too_key(what)):
            deciding.say(" · ".join((said.text, *desk_views.resolve_too(desk.db, too, desk.person.name, words))))
        after = next((row.ref for row in page.rows if row.id == what.next_id), None)
        choose("note", after)
