"""The pieces of Settings and people: who may do what, adding somebody, changing duties, and how rights came about."""

from collections.abc import Sequence

import streamlit as st

from core.governance.people import Person, local_operator, people, rights_changes, set_person
from core.store.governance_records import RightsChange
from core.vocabulary import Duty
from ui import deciding, signing_in
from ui.drawing import draw
from ui.frame import Desk, page_head
from ui.places import choose, chosen
from ui.table import Column, TableRow, table_tree
from ui.telling import told
from ui.times import moment
from ui.tree import Node, joined, node

PARTS = ("People", "Tokens", "Settings")
WHAT_FOR = {
    Duty.LEAD: "decides lessons and procedures",
    Duty.AUDITOR: "reads all, closes critical notes",
    Duty.DEVELOPER: "settings, critic, tokens",
    Duty.ADMIN: "people",
}
HISTORY = (Column("When", "keep"), Column("Who"), Column("Whose"), Column("From → to", "grow"), Column("Why", "some"))
NEW = "somebody new"


def choose_part() -> str:
    """The page's head, and which of its parts is shown; the address names it."""
    page_head("Settings and people", "rights are read again at every decision")
    picked = st.segmented_control(
        "Part", PARTS, default=PARTS[0], key="part", bind="query-params", label_visibility="collapsed", required=True
    )
    return picked or PARTS[0]


def show(desk: Desk) -> None:
    """People on the left with the history of their rights; on the right the form, or why there is none."""
    with desk.db.reading() as db:
        known = people(db)
    whose = chosen("person")
    one = next((person for person in known if person.name == whose), None)
    left, right = st.columns([60, 40], gap="medium")
    with left:
        _show_people(desk, known, one)
    with right:
        _show_form(desk, known, one)
    _show_history(rights_changes(desk.db))


def _show_people(desk: Desk, known: Sequence[Person], one: Person | None) -> None:
    rows = [_row(person, one) for person in known]
    if not rows:
        rows = [
            TableRow(
                (local_operator(), ", ".join(sorted(Duty)), node("span", "meta", "the account that runs the desk"))
            )
        ]
    columns = (Column("Person", "keep"), Column("Duties", "grow"), Column(""))
    draw(table_tree(columns, rows, foot=_mode(known)), key="people-table", on_press=lambda press: _choose(desk, press))


def _row(person: Person, one: Person | None) -> TableRow:
    duties: Node = ", ".join(sorted(person.duties)) or node("span", "meta", "none; sees nothing, decides nothing")
    alone = node("span", "meta", "alone at the desk") if person.single_operator else ""
    return TableRow((node("b", "", person.name), duties, alone), f"person:{person.name}", person == one)


def _mode(known: Sequence[Person]) -> str:
    able = sum(bool(person.duties) for person in known)
    if able > 1:
        return f"{able} people with a duty: who proposed a text cannot approve it, and weighty acts need two."
    return "Single-operator mode: one person proposes and approves, and every decision is marked self-approved."


def _choose(desk: Desk, press: str) -> None:
    choose("person", press.partition(":")[2] or None)
    deciding.forget_answer()


def _show_form(desk: Desk, known: Sequence[Person], one: Person | None) -> None:
    key = f"duties-{one.name if one else NEW}"
    draw(node("h2", "", f"Duties of {one.name}" if one else "Add a person"), key="person-head")
    if not desk.may(Duty.ADMIN):
        draw(node("p", "meta", f"{desk.person.name} reads here; an admin changes people."), key="reads-only")
        return
    if one is None:
        st.text_input("Name", key=f"draft-{key}-name", max_chars=80)
    for duty, what in WHAT_FOR.items():
        st.checkbox(f"{duty} :gray[:small[{what}]]", bool(one and duty in one.duties), key=f"{key}-{duty}")
    if what_follows := _before(known, one):
        draw(node("p", "finding", what_follows), key="before-it-happens")
    st.text_input("Why (stays in the history)", key=f"draft-{key}-why")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Save these duties" if one else "Add",
            key="save-person" if one else "add-person",
            type="primary",
            on_click=_save,
            args=(desk, one.name if one else None),
        )
        if one:
            st.button("Add somebody else", key="new-person", type="tertiary", on_click=_choose, args=(desk, ""))
    deciding.show_answer()


def _before(known: Sequence[Person], one: Person | None) -> str:
    """What adding somebody changes for everybody, said before it happens."""
    able = [person.name for person in known if person.duties and person != one]
    if not able and one is None:
        return (
            f"Until somebody is named, the account {local_operator()} has every duty. The first person takes its "
            "place: name yourself, and keep the duty admin."
        )
    if len(able) == 1 and not (one and one.duties):
        return (
            f"This ends single-operator mode: from then on the desk asks who is here, {able[0]} cannot approve what "
            f"{able[0]} proposed, and some acts need two people."
        )
    return ""


def _save(desk: Desk, name: str | None) -> None:
    state, key = st.session_state, f"duties-{name or NEW}"
    whose = name or str(state.get(f"draft-{key}-name") or "").strip()
    duties = [duty for duty in Duty if state.get(f"{key}-{duty}")]
    why = str(state.get(f"draft-{key}-why") or "").strip()

    def saved() -> None:
        signing_in.stay(desk.db)
        set_person(desk.db, whose, duties, by=desk.person.name, text=why, new=name is None)

    if told(saved, f"{whose}: {', '.join(duties) or 'no duty'}, from now on."):
        for field in (f"draft-{key}-name", f"draft-{key}-why", *(f"{key}-{duty}" for duty in Duty)):
            state.pop(field, None)


def _show_history(changes: Sequence[RightsChange]) -> None:
    if not changes:
        return
    draw(node("h2", "", "How rights came about"), key="history-head")
    rows = [
        TableRow((moment(one.at), one.by, joined((one.name, _what(one.what))), _moved(one), one.text or "–"))
        for one in changes
    ]
    draw(table_tree(HISTORY, rows), key="history-table")


def _what(what: str) -> str:
    return "" if what == "person" else what


def _moved(change: RightsChange) -> str:
    before, after = ", ".join(change.before) or "none", ", ".join(change.after) or "none"
    return f"{before} → {after}"
