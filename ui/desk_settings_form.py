"""The desk's own settings on Settings and people: reasons with their keys, times, leases, four eyes; all versions."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import streamlit as st

from core.governance.desk_settings import (
    DeskSettings,
    Reason,
    as_saved,
    desk_settings,
    save_desk_settings,
    saved_desk_settings,
)
from core.store.governance_records import DeskSettingsVersion
from core.vocabulary import Duty
from ui import deciding
from ui.drawing import draw
from ui.frame import Desk
from ui.table import Column, TableRow, table_tree
from ui.telling import told
from ui.times import moment
from ui.tree import Node, node

VERSIONS = (Column("Version", "keep"), Column("What changed", "grow"), Column("Why", "some"), Column("", "keep"))
NUMBERS = (
    ("decide_after", "Seconds before a decision", 0.0, 10.0, 0.1),
    ("lease_minutes", "Lease, minutes", 1, 120, 1),
    ("lease_silence", "Lease without a sign, seconds", 15, 3600, 5),
    ("digest_hour", "Digest at this hour, UTC", 0, 23, 1),
    ("blind_share", "Share decided blind by two", 0.0, 1.0, 0.05),
    ("quick_seconds", "Quick decision, under seconds", 0.0, 600.0, 1.0),
    ("bulk_limit", "Items decided at once", 1, 1000, 10),
)
ABOUT = {
    "decide_after": "An item must have been on the screen for so long before it can be decided.",
    "lease_minutes": "An item stays for so long with whoever opened it and does nothing with it.",
    "lease_silence": "Once its page has given no sign for so long, an item is free again.",
    "digest_hour": "The digest of a day is sent from this hour on, where a webhook is named.",
    "blind_share": "Of new items only: two decide, and neither sees what the other said. 0.2 is one in five.",
    "quick_seconds": "A decision about quoted words that was made sooner counts as quick on Agreement.",
    "bulk_limit": "The most items that can be decided in one go.",
}
"""What each number does, in one line below it."""

FOUR_EYES = "Two people resolve a critical note (four eyes)"
REASONS = (("reject_reasons", "Reasons to reject"), ("dismiss_reasons", "Reasons to dismiss"))
HOW = "One a line, up to nine; the line's number is its key. “code: words” keeps the code that is stored and exported."


def show(desk: Desk) -> None:
    """The form on the left, every version on the right."""
    settings, version = desk_settings(desk.db)
    form, past = st.columns([54, 46], gap="medium")
    with form:
        _show_form(desk, settings, version)
    with past:
        saved = saved_desk_settings(desk.db)
        draw(node("h2", "", "Versions"), key="versions-head")
        draw(_versions_tree(desk, saved), key="settings-versions", on_press=lambda press: _pressed(desk, press))


def _show_form(desk: Desk, settings: DeskSettings, version: int) -> None:
    off = not desk.may(Duty.DEVELOPER)
    draw(node("p", "meta", HOW), key="reasons-how")
    with st.container(horizontal=True):
        for field, title in REASONS:
            shown = "\n".join(f"{one.code}: {one.words}" for one in getattr(settings, field))
            with st.container(width=330):
                st.text_area(title, shown, height=190, key=f"draft-{field}-{version}", disabled=off)
                draw(_keys(getattr(settings, field)), key=f"keys-{field}")
    with st.container(horizontal=True, vertical_alignment="top"):
        for field, title, least, most, step in NUMBERS:
            value = getattr(settings, field)
            value = float(value) if isinstance(value, Decimal) else value
            key = f"draft-{field}-{version}"
            with st.container(width=210):
                st.number_input(title, least, most, value, step, key=key, disabled=off)
                draw(node("p", "meta", ABOUT[field]), key=f"about-{field}")
    st.checkbox(FOUR_EYES, settings.four_eyes, key=f"draft-four_eyes-{version}", disabled=off)
    if off:
        words = f"{desk.person.name} reads here; the desk's settings are changed by a developer."
        draw(node("p", "meta", words), key="reads-only")
        return
    st.text_input("Why (needed, stays in the list)", key="draft-settings-why")
    st.button("Save as a new version", key="save-settings", type="primary", on_click=_save, args=(desk, version))
    deciding.show_answer()


def _keys(reasons: Sequence[Reason]) -> Node:
    """The keys of the reasons that are in force."""
    return node("p", "meta", "In force: " + " · ".join(f"{key}\u00a0{one.words}" for key, one in enumerate(reasons, 1)))


def _save(desk: Desk, version: int) -> None:
    state = st.session_state
    chosen: dict[str, Any] = {field: reasons_of(str(state[f"draft-{field}-{version}"] or "")) for field, _ in REASONS}
    for field, *_ in NUMBERS:
        value = state[f"draft-{field}-{version}"]
        chosen[field] = Decimal(str(round(value, 2))) if isinstance(value, float) else value
    chosen["four_eyes"] = bool(state[f"draft-four_eyes-{version}"])
    _keep(desk, chosen, str(state.get("draft-settings-why") or ""), version)


def _keep(desk: Desk, chosen: dict[str, Any], why: str, version: int) -> None:
    def saved() -> None:
        save_desk_settings(desk.db, chosen, by=desk.person.name, reason=why, seen=version)

    if told(saved, "The desk's settings are saved; they hold from the next press on."):
        st.session_state["draft-settings-why"] = ""


def reasons_of(text: str) -> list[dict[str, str]]:
    """The reasons of a text with one a line: ``code: words``; words alone make their own code."""
    found = []
    for line in filter(None, map(str.strip, text.splitlines())):
        code, mark, words = line.partition(":")
        found.append({"code": code.strip(), "words": words.strip()} if mark else {"code": _code(line), "words": line})
    return found


def _code(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", words.casefold()).strip("_")[:40]


def _versions_tree(desk: Desk, saved: Sequence[DeskSettingsVersion]) -> Node:
    if not saved:
        return node("p", "meta", "The desk works with the settings it came with; nobody has changed them yet.")
    rows = [
        _version_row(desk, one, before, newest=one is saved[0])
        for one, before in zip(saved, [*saved[1:], None], strict=True)
    ]
    came_with = node("button", "link", "Back to these", data_press="back:0", type="button")
    rows.append(TableRow((node("b", "", "as it came"), "", "", came_with if desk.may(Duty.DEVELOPER) else "")))
    return table_tree(VERSIONS, rows)


def _version_row(desk: Desk, one: DeskSettingsVersion, before: DeskSettingsVersion | None, *, newest: bool) -> TableRow:
    name = node("div", "", node("b", "", f"v{one.id}"), node("div", "meta", f"{one.by}, {moment(one.at)}"))
    back: Node = node("button", "link", "Back to this", data_press=f"back:{one.id}", type="button")
    if newest or not desk.may(Duty.DEVELOPER):
        back = node("span", "meta", "in force") if newest else ""
    was = as_saved(before) if before else DeskSettings()
    return TableRow((name, _changed(was, as_saved(one)), one.reason, back))


def _changed(was: DeskSettings, now: DeskSettings) -> Node:
    parts: list[Node] = []
    for field, title in REASONS:
        parts += _reasons_changed(title, getattr(was, field), getattr(now, field))
    for field, *_ in NUMBERS:
        before, after = getattr(was, field), getattr(now, field)
        if before != after:
            parts.append(node("p", "", f"{field.replace('_', ' ')}: {before} → {after}"))
    if was.four_eyes != now.four_eyes:
        parts.append(node("p", "", f"four eyes on critical notes: {'on' if now.four_eyes else 'off'}"))
    return node("div", "", *(parts or [node("p", "meta", "nothing")]))


def _reasons_changed(title: str, was: Sequence[Reason], now: Sequence[Reason]) -> list[Node]:
    before, after = {one.code: one.words for one in was}, {one.code: one.words for one in now}
    gone = [node("del", "", words) for code, words in before.items() if after.get(code) != words]
    come = [node("ins", "", words) for code, words in after.items() if before.get(code) != words]
    moved = not gone and not come and list(before) != list(after)
    said = [*gone, *come, *(["in another order"] if moved else [])]
    spaced = [part for one in said for part in (one, " ")]
    return [node("p", "", f"{title.lower()}: ", *spaced)] if said else []


def _pressed(desk: Desk, press: str) -> None:
    wanted = int(press.partition(":")[2])
    saved = saved_desk_settings(desk.db)
    one = next((row for row in saved if row.id == wanted), None)
    chosen = (as_saved(one) if one else DeskSettings()).model_dump(mode="json")
    typed = str(st.session_state.get("draft-settings-why") or "").strip()
    back = f"back to v{wanted}" if one else "back to the settings it came with"
    _keep(desk, chosen, f"{back}: {typed}" if typed else back, saved[0].id or 0 if saved else 0)
