"""Changes of policies that wait for a second person: what each would say and suspend, and the two answers to it."""

import streamlit as st

from core.errors import TutelageError
from core.governance.policy_drafts import MAY_APPROVE, MAY_PROPOSE, InForce, approve_policy, turn_down_policy
from core.governance.policy_files import as_yaml
from core.service.policy_views import DraftView, PolicyItem
from ui import deciding
from ui.drawing import draw
from ui.frame import Desk
from ui.policy_changes import changes_tree
from ui.signing_in import still_here
from ui.times import moment
from ui.tree import Node, joined, node

FILE = "policy-file"
"""The file that could not be written, for whoever takes it away: name and text."""

ANSWERED = "policy-answer"
"""The draft that was answered last; none once a change was proposed, whose answer stands below the form."""


def show_drafts(desk: Desk, drafts: tuple[DraftView, ...]) -> None:
    """Every change that waits, its answers, and below them what would leave the briefing."""
    answered = st.session_state.get(ANSWERED)
    if answered is not None and answered not in {draft.id for draft in drafts}:
        deciding.show_answer()
    _offer_file()
    if not drafts:
        return
    draw(node("h2", "", "Changes that wait for a second person"), key="drafts-head")
    for draft in drafts:
        draw(_tree(draft), key=f"draft-{draft.id}-tree")
        _show_answers(desk, draft)
        if answered == draft.id:
            deciding.show_answer()
        draw(node("div", "finding quiet", *_leaves(draft)), key=f"draft-{draft.id}-leaves")


def _tree(draft: DraftView) -> Node:
    what = "withdraw" if draft.withdraws else "change" if draft.before else "make"
    head = node("b", "", f"Draft {draft.id}: {draft.by} asks to {what} {draft.policy}")
    why = node("p", "meta", joined((moment(draft.at), draft.reason)))
    return node("div", "finding quiet", head, why, *_words(draft), *_moved(draft))


def _words(draft: DraftView) -> list[Node]:
    if draft.would_be is None:
        return []
    if draft.before is None:
        return [node("p", "title", draft.would_be.title), node("p", "policytext", draft.would_be.text)]
    return changes_tree(draft.before, draft.would_be)


def _leaves(draft: DraftView) -> list[Node]:
    if not draft.leaves:
        return [node("p", "meta", "Nothing would leave the briefing.")]
    rows = [node("li", "", node("b", "", item.ref), f" {item.agent}: {item.headline}") for item in draft.leaves[:20]]
    more = f"and {len(draft.leaves) - 20} more" if len(draft.leaves) > 20 else ""
    head = f"It would suspend {_counted(draft.leaves)} until somebody has looked again:"
    return [node("p", "", head), node("ul", "plainlist", *rows), node("p", "meta", more)]


def _counted(items: tuple[PolicyItem, ...]) -> str:
    kinds = {kind: sum(item.kind == kind for item in items) for kind in dict.fromkeys(item.kind for item in items)}
    return joined((f"{count} {kind}{'' if count == 1 else 's'}" for kind, count in kinds.items()), ", ")


def _moved(draft: DraftView) -> list[Node]:
    return [node("p", "", f"{draft.problem} It can be turned down and proposed anew.")] if draft.problem else []


def _show_answers(desk: Desk, draft: DraftView) -> None:
    own, alone = draft.by == desk.person.name, desk.person.single_operator
    if not desk.may(*(MAY_PROPOSE if own else MAY_APPROVE)):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if desk.may(*MAY_APPROVE) and (alone or not own):
            label = "Withdraw it" if draft.withdraws else "Bring it into force"
            key = f"approve-draft-{draft.id}"
            args = (desk, draft)
            st.button(label, key=key, type="primary", disabled=bool(draft.problem), on_click=_approve, args=args)
        st.text_input("Why not", key=f"draft-why-{draft.id}", label_visibility="collapsed", placeholder="Why not")
        label = "Take it back" if own else "Turn it down"
        st.button(label, key=f"turn-down-{draft.id}", on_click=_turn_down, args=(desk, draft))


def _approve(desk: Desk, draft: DraftView) -> None:
    st.session_state[ANSWERED] = draft.id
    try:
        still_here(*MAY_APPROVE)
        done = approve_policy(desk.db, draft.id, by=desk.person.name)
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    if not done.file and not done.withdrawn:
        st.session_state[FILE] = (f"{done.policy.id}.yaml", as_yaml(done.policy))
    deciding.say(_said(done), refused=bool(done.problem) and not done.withdrawn)


def _said(done: InForce) -> str:
    what = (
        f"{done.policy.id} is withdrawn." if done.withdrawn else f"{done.policy.id} v{done.policy.version} is in force."
    )
    again = f"{len(done.suspended)} items wait to be looked at again." if done.suspended else ""
    file = f"{done.file} is written." if done.file else done.problem
    return joined((what, again, file), " ")


def _turn_down(desk: Desk, draft: DraftView) -> None:
    st.session_state[ANSWERED] = draft.id
    why = str(st.session_state.get(f"draft-why-{draft.id}") or "")
    try:
        still_here()
        turn_down_policy(desk.db, draft.id, by=desk.person.name, reason=why)
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return
    deciding.say(f"Draft {draft.id} of {draft.policy} is turned down.")


def _offer_file() -> None:
    """The file of a version whose folder could not be written, until it was taken."""
    held = st.session_state.get(FILE)
    if held:
        name, text = held
        st.download_button(
            f"Download {name}",
            text,
            name,
            "application/yaml",
            key="unwritten-file",
            on_click=lambda: st.session_state.pop(FILE, None),
        )
