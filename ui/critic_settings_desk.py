"""The critic's settings on its page: of the desk, and what an agent has of its own; who changed what, when and why."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.critic.critic_settings import OF_AN_AGENT
from core.errors import TutelageError
from core.service import desk_views
from core.service.critic.desk_views import ModelInUse, model_in_use
from core.service.critic.settings import (
    SavedSettings,
    agents_with_their_own,
    chosen_for,
    critic_settings,
    newest_version,
    save_critic_settings,
    saved_versions,
)
from core.vocabulary import Duty
from ui import deciding
from ui.critic_fields import (
    GROUPS,
    WHAT_IT_WRITES,
    changes,
    chosen_in_form,
    drawn_for,
    field_shown,
    version_drawn,
)
from ui.drawing import draw
from ui.frame import Desk
from ui.places import choose, chosen
from ui.signing_in import still_here
from ui.table import Column, TableRow, table_tree
from ui.times import moment
from ui.tree import Node, node

WHOLE_DESK = "the whole desk"
VERSIONS = (Column("When", "keep"), Column("Who"), Column("What changed", "grow"), Column("Why", "some"))


def show_settings(desk: Desk) -> None:
    """Whose settings, where the model is, the fields, and every version."""
    agent = _choose_whose(desk)
    form, past = st.columns([56, 44], gap="medium")
    with form:
        draw(_server_tree(model_in_use(desk.db, agent)), key="critic-server")
        _show_form(desk, agent)
    with past:
        draw(_versions_tree(saved_versions(desk.db, agent), agent), key="critic-versions")


def _choose_whose(desk: Desk) -> str | None:
    own = set(agents_with_their_own(desk.db))
    names = [WHOLE_DESK, *desk_views.agents(desk.db)]
    wanted = chosen("settings_of")
    picked = st.selectbox(
        "Settings of",
        names,
        index=names.index(wanted) if wanted in names else 0,
        format_func=lambda name: f"{name} · has its own" if name in own else name,
        key="settings-of",
        width=320,
    )
    agent = None if picked in (None, WHOLE_DESK) else picked
    choose("settings_of", agent)
    return agent


def _server_tree(used: ModelInUse) -> Node:
    key = "is set; it is never shown" if used.key_is_set else "is not set"
    address = "named by OPENAI_BASE_URL" if used.address_is_set else "OPENAI_BASE_URL is not set"
    lines = [
        node("p", "", used.why_not) if used.why_not else node("p", "", f"{used.model} at {used.server}"),
        node("p", "meta", f"OPENAI_API_KEY {key} · {used.server or 'no usable address'} ({address})"),
        node("p", "meta", "Key and address come from the environment of the desk and its workers, and are not stored."),
    ]
    return node("div", "finding" if used.why_not else "serverbox", *lines)


def _show_form(desk: Desk, agent: str | None) -> None:
    may_save = desk.may(Duty.DEVELOPER)
    drawn_for(newest_version(desk.db, agent))
    stored = chosen_for(desk.db, agent)
    in_force = critic_settings(desk.db)
    for title, fields in GROUPS:
        mine = [field for field in fields if agent is None or field.name in OF_AN_AGENT]
        if not mine:
            continue
        draw(node("h2", "", title), key=f"settings-{title}")
        in_a_row = title != WHAT_IT_WRITES
        with st.container(horizontal=in_a_row, vertical_alignment="bottom", gap="small"):
            for field in mine:
                field_shown(field, agent, stored, in_force, off=not may_save)
    if not may_save:
        words = f"{desk.person.name} reads here; the critic's settings are changed by a developer."
        draw(node("p", "meta", words), key="reads-only")
        return
    st.text_input("Why (needed, stays in the list)", key=f"draft-settings-why-{agent}", persist_state="session")
    st.button("Save as a new version", key="save-settings", type="primary", on_click=_save, args=(desk, agent))
    deciding.show_answer()


def _save(desk: Desk, agent: str | None) -> None:
    why = f"draft-settings-why-{agent}"
    reason = str(st.session_state.get(why) or "").strip()
    try:
        still_here()
        kept = chosen_in_form(agent)
        by, seen = desk.person.name, version_drawn()
        save_critic_settings(desk.db, kept, by=by, reason=reason, agent=agent, seen=seen)
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    st.session_state[why] = ""
    st.session_state.pop("estimated", None)
    deciding.say(f"The settings of {agent or WHOLE_DESK} are saved. They hold for what is queued from now on.")


def _versions_tree(versions: tuple[SavedSettings, ...], agent: str | None) -> Node:
    rows = []
    for at, one in enumerate(versions):
        before: Mapping[str, Any] = versions[at + 1].chosen if at + 1 < len(versions) else {}
        said = [node("p", "", change) for change in changes(before, one.chosen, agent)]
        nothing = node("span", "meta", "nothing")
        rows.append(TableRow((moment(one.at), one.by, node("div", "", *said) if said else nothing, one.reason or "–")))
    head = node("h2", "", f"Versions of {agent or WHOLE_DESK}")
    none = "No version was saved yet: " + ("the desk's settings hold." if agent else "the defaults hold.")
    return node("section", "", head, table_tree(VERSIONS, rows) if rows else node("p", "meta", none))
