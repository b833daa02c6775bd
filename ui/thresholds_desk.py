"""The left side of Thresholds: every number that can be moved, the reason, saving, and the way back.

What is moved lives in the address, so that a link shows another person the same try; whatever an address says that is
no value of a number is passed over.
"""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import streamlit as st

from core.errors import BadInput
from core.governance.numbers import NumbersSaved, differences
from core.governance.saving_numbers import save_numbers, with_chosen
from core.settings import DEFAULTS, Settings
from core.settings_told import Form, Setting, settings_told, word_shown
from core.vocabulary import Duty
from ui import deciding
from ui.drawing import draw
from ui.frame import Desk, problem
from ui.table import Column, TableRow, table_tree
from ui.telling import told
from ui.times import moment
from ui.tree import Node, node

REASON = "draft-numbers-reason"
SEEN = "numbers-in-force"
"""Under this name the session keeps which numbers were in force when the page was drawn last."""

VERSIONS = (Column("Version", "keep"), Column("What changed", "grow"), Column("Why", "some"), Column("", "keep"))
SLIDES = 100
"""Whole numbers with at most so many values are moved by a slider; others are typed."""


def facts(saved: tuple[NumbersSaved, ...]) -> str:
    """Which version is in force, since when, by whom and why."""
    if not saved:
        return "numbers v0: the defaults; nobody has saved others"
    newest = saved[0]
    return f"numbers v{newest.version}, saved {moment(newest.at)} by {newest.by}: “{newest.reason}”"


def moved(now: Settings) -> Settings:
    """The numbers as they are moved on the page, drawn rule by rule; those in force where they do not go together."""
    draw(node("h2", "", "Move a number"), key="numbers-head")
    shown = [one for one in settings_told() if one.elsewhere is None]
    named = set(st.query_params)
    _take_up(shown, now)
    chosen: dict[str, Any] = {}
    for place, rule in enumerate(dict.fromkeys(one.rule for one in shown)):
        of_rule = [one for one in shown if one.rule == rule]
        if place == 0:
            chosen |= {one.name: _ask(one, now) for one in of_rule}
            continue
        with st.expander(rule, expanded=any(one.name in named for one in of_rule), key=f"rule-{place}"):
            chosen |= {one.name: _ask(one, now) for one in of_rule}
    changed = {name: value for name, value in chosen.items() if value != getattr(now, name)}
    _keep_in_address(shown, changed)
    try:
        return with_chosen(now, changed)
    except BadInput as error:
        problem(str(error), "Until they go together, the right side shows the numbers in force.")
        return now


def _ask(one: Setting, now: Settings) -> Any:
    """One number: its name and the value in force, what it does, its unit, bounds and source."""
    given = _widget(one, f"{one.label} (now {one.shown(getattr(now, one.name))})")
    unit = "" if one.form in (Form.WORD, Form.YES_OR_NO) else f"{one.unit}, "
    st.markdown(f":gray[:small[{one.line} ({unit}{one.bounds} · {one.source})]]")
    return _from_widget(one, given)


def _widget(one: Setting, label: str) -> Any:
    """The control; its value stands in the session's state already."""
    if one.low is None or one.high is None:
        return st.selectbox(label, list(one.words), key=one.name, format_func=word_shown)
    if one.form is Form.HUNDREDTHS:
        return st.slider(label, float(one.low), float(one.high), step=float(one.step), key=one.name, format="%.2f")
    low, high, step = int(one.low), int(one.high), int(one.step)
    if high - low <= SLIDES:
        return st.slider(label, low, high, step=step, key=one.name)
    return st.number_input(label, low, high, step=step, key=one.name)


def _take_up(shown: Sequence[Setting], now: Settings) -> None:
    """Give every control its value: what was moved, else what the address says, else what is in force.

    Where other numbers came into force meanwhile, what was not moved follows them.
    """
    state = st.session_state
    before = state.get(SEEN, now)
    for one in shown:
        in_force = _as_widget(one, getattr(now, one.name))
        if one.name not in state:
            state[one.name] = _in_address(one, in_force)
        elif state[one.name] in (None, _as_widget(one, getattr(before, one.name))):
            state[one.name] = in_force
    state[SEEN] = now


def _in_address(one: Setting, in_force: Any) -> Any:
    """What the address says of a number, where that is one of its values."""
    said = st.query_params.get(one.name)
    if said is None:
        return in_force
    try:
        if one.form is Form.YES_OR_NO:
            return said if said in one.words else in_force
        return _as_widget(one, getattr(with_chosen(DEFAULTS, {one.name: said}), one.name))
    except BadInput:
        return in_force


def _keep_in_address(shown: Sequence[Setting], changed: dict[str, Any]) -> None:
    """The address names what is moved, and nothing that is not."""
    for one in shown:
        value = _as_widget(one, changed[one.name]) if one.name in changed else None
        said = f"{value:.2f}" if one.form is Form.HUNDREDTHS and value is not None else value
        if said is None:
            st.query_params.pop(one.name, None)
        elif st.query_params.get(one.name) != str(said):
            st.query_params[one.name] = str(said)


def ask_to_save(desk: Desk, now: Settings, draft: Settings, version: int) -> None:
    """The reason, saving it as the next version, and back to what is in force; with why saving is off where it is."""
    differs = differences(now, draft)
    with st.container(key="numbers-closing"):
        reason = st.text_input("Reason for the change", key=REASON, placeholder="needed to save")
        off = _why_off(desk, bool(differs), bool((reason or "").strip()))
        with st.container(horizontal=True, vertical_alignment="center"):
            save = (desk, {one.name: getattr(draft, one.name) for one in differs}, version)
            label = f"Save as v{version + 1}"
            st.button(label, key="save-numbers", type="primary", disabled=bool(off), on_click=_save, args=save)
            back = f"Back to v{version}"
            st.button(back, key="back-numbers", type="tertiary", disabled=not differs, on_click=_show, args=(now,))
        said = off or "; ".join(one.in_words for one in differs)
        draw(node("p", "meta", said), key="numbers-said")
        deciding.show_answer()


def _why_off(desk: Desk, differs: bool, reasoned: bool) -> str:
    if not desk.may(Duty.DEVELOPER):
        return f"{desk.person.name} can try every number here; saving them needs the duty developer."
    if not differs:
        return "Nothing is moved yet."
    return "" if reasoned else "A reason must be written before this can be saved."


def _save(desk: Desk, chosen: dict[str, Any], version: int) -> None:
    reason = str(st.session_state.get(REASON) or "")

    def saved() -> None:
        save_numbers(desk.db, chosen, by=desk.person.name, reason=reason, seen=version)

    if told(saved, f"Saved as v{version + 1}; it holds from now on."):
        st.session_state[REASON] = ""


def _show(numbers: Settings, reason: str = "") -> None:
    """Put other numbers on the page; nothing is saved by that."""
    for one in settings_told():
        if one.elsewhere is None:
            st.session_state[one.name] = _as_widget(one, getattr(numbers, one.name))
    if reason:
        st.session_state[REASON] = reason
    deciding.forget_answer()


def _from_widget(one: Setting, given: Any) -> Any:
    if one.form is Form.YES_OR_NO:
        return given == "yes"
    if one.form is Form.HUNDREDTHS:
        return Decimal(f"{given:.2f}")
    return int(given) if one.form is Form.WHOLE else type(one.default)(given)


def _as_widget(one: Setting, value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if one.form is Form.HUNDREDTHS:
        return float(value)
    return int(value) if one.form is Form.WHOLE else str(value)


def show_versions(saved: tuple[NumbersSaved, ...]) -> None:
    """Every version with what it changed; "Back to these" puts its numbers on the page, to be looked at and saved."""
    draw(node("h2", "", "Versions"), key="versions-head")
    rows = [_version(one, newest=one is saved[0]) for one in saved]
    back: Node = _back(0) if saved else node("span", "meta", "in force")
    rows.append(TableRow((node("b", "", "v0"), node("p", "meta", "the defaults"), "", back)))

    def pressed(value: str) -> None:
        version = int(value.partition(":")[2])
        numbers = next((one.numbers for one in saved if one.version == version), DEFAULTS)
        _show(numbers, f"back to v{version}")

    draw(table_tree(VERSIONS, rows), key="numbers-versions", on_press=pressed)


def _version(one: NumbersSaved, *, newest: bool) -> TableRow:
    name = node("div", "", node("b", "", f"v{one.version}"), node("div", "meta", f"{one.by}, {moment(one.at)}"))
    changed = node("div", "", *(node("p", "", each.in_words) for each in one.differs))
    back: Node = node("span", "meta", "in force") if newest else _back(one.version)
    return TableRow((name, changed, one.reason, back))


def _back(version: int) -> Node:
    return node("button", "link", "Back to these", data_press=f"back:{version}", type="button")
