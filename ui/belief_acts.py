"""What a lead does with an episode that a belief rests on: withdrawn, restored or released, each with a reason."""

import streamlit as st

from core.errors import TutelageError
from core.governance.references import episode_reference
from core.service.episodes import release_episode, restore_episode, withdraw_episode
from core.vocabulary import Duty
from ui import deciding
from ui.frame import Desk
from ui.signing_in import still_here

ASKED = "episode-act"
LABELS = {"withdraw": "Withdraw", "restore": "Restore", "release": "Release"}
DONE = {"withdraw": "withdrawn", "restore": "restored", "release": "released"}


def act_on(*, withdrawn: bool, stands: bool) -> str:
    """The one act that an episode is open to."""
    return "restore" if withdrawn else "withdraw" if stands else "release"


def ask_for(act: str | None, episode: int = 0) -> None:
    """Ask for the reason of an act on an episode, or for none any more."""
    st.session_state.pop(ASKED, None)
    if act is not None:
        st.session_state[ASKED] = (act, episode)


def show_act(desk: Desk) -> None:
    """The reason and the button of the act that was asked for; nothing where none was."""
    asked: tuple[str, int] | None = st.session_state.get(ASKED)
    if asked is None or not desk.may(Duty.LEAD):
        return
    act, episode = asked
    with st.container(key="episode-act", gap="xsmall"):
        key = f"draft-{act}-{episode}"
        ref = episode_reference(episode)
        st.text_input(f"{LABELS[act]} {ref}, because (needed, stays with it)", key=key, persist_state="session")
        with st.container(horizontal=True):
            label = f"{LABELS[act]} {ref}"
            st.button(label, key=f"do-{act}-{episode}", type="primary", on_click=_do, args=(desk, act, episode, key))
            st.button("Back", key=f"leave-{act}-{episode}", on_click=ask_for, args=(None,), shortcut="esc")


def _do(desk: Desk, act: str, episode: int, key: str) -> None:
    reason, person = str(st.session_state.get(key) or ""), desk.person.name
    said = f"{episode_reference(episode)} is {DONE[act]}"
    try:
        still_here()
        if act == "withdraw":
            walk = withdraw_episode(desk.db, episode, reason=reason, person=person)
            said += f"; {walk.text}" if walk.text else "; nothing in force rests on it"
        elif act == "restore":
            restore_episode(desk.db, episode, text=reason, person=person)
            said += "; what went stale with it waits for a look all the same"
        else:
            runs = release_episode(desk.db, episode, text=reason, person=person)
            said += " and counts from now on" + ("; a run is queued" if runs else "")
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    deciding.say(f"{said}.")
    st.session_state[key] = ""
    ask_for(None)
