"""The form that asks for a change of a policy, for a new one, or for its withdrawal."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.checks.contract import Policy
from core.governance.policy_drafts import MAY_PROPOSE, propose_policy, propose_withdrawal
from core.service.policy_views import PolicyView
from core.vocabulary import Severity
from ui import deciding
from ui.drawing import draw
from ui.frame import Desk
from ui.places import choose
from ui.policy_drafts_desk import ANSWERED
from ui.telling import told
from ui.tree import node

SEVERITIES = [one.value for one in Severity if one is not Severity.POSITIVE]
TEXTS = (
    ("title", "Title", 0),
    ("text", "Text", 140),
    ("words", "Words that must not be put forward, one a line", 90),
    ("improvement", "What to do instead", 0),
    ("trigger", "When it applies", 0),
    ("tags", "Tags, with a comma between them", 0),
    ("owner", "Owner", 0),
)
"""Field, label, and the height of those that take several lines. The desk sets version and date."""


def show_form(desk: Desk, view: PolicyView | None) -> None:
    """A change of the chosen policy, or a new policy where none is chosen."""
    policy = view.row.policy if view and not view.row.withdrawn else None
    if not desk.may(*MAY_PROPOSE):
        words = f"{desk.person.name} reads here; a lead, an auditor or a developer proposes a change."
        draw(node("p", "meta", words), key="reads-only")
        return
    key = f"policy-{policy.id}-{policy.version}" if policy else "policy-new"
    with st.expander(f"Propose a change of {policy.id}" if policy else "Propose a new policy", expanded=False):
        if policy is None:
            st.text_input("Id: small letters, digits and hyphens", key=f"draft-{key}-id", max_chars=120)
        for field, label, height in TEXTS:
            _field(field, label, height, policy, key)
        here = SEVERITIES.index(policy.severity) if policy else SEVERITIES.index(Severity.HIGH)
        st.selectbox("Severity of a breach", SEVERITIES, here, key=f"draft-{key}-severity")
        st.text_input("Why (needed, stays with the version)", key=f"draft-{key}-why")
        with st.container(horizontal=True):
            st.button("Propose", key="propose-policy", type="primary", on_click=_propose, args=(desk, policy, key))
            if policy:
                st.button("Propose to withdraw it", key="withdraw-policy", on_click=_withdraw, args=(desk, policy, key))
                st.button(
                    "A new policy instead", key="new-policy", type="tertiary", on_click=choose, args=("policy", None)
                )
    if ANSWERED not in st.session_state:
        deciding.show_answer()


def _field(field: str, label: str, height: int, policy: Policy | None, key: str) -> None:
    value = getattr(policy, field) if policy else ""
    shown = ("\n" if field == "words" else ", ").join(value) if isinstance(value, tuple) else str(value)
    name = f"draft-{key}-{field}"
    if height:
        st.text_area(label, shown, height=height, key=name)
    else:
        st.text_input(label, shown, key=name)


def _propose(desk: Desk, policy: Policy | None, key: str) -> None:
    st.session_state.pop(ANSWERED, None)
    name = policy.id if policy else _typed(key, "id").strip()
    said: Mapping[str, Any] = {
        **{field: _typed(key, field) for field, *_ in TEXTS},
        "words": [line.strip() for line in _typed(key, "words").splitlines() if line.strip()],
        "tags": [tag.strip() for tag in _typed(key, "tags").split(",") if tag.strip()],
        "severity": _typed(key, "severity"),
    }
    base, why = policy.version if policy else 0, _typed(key, "why")
    told(
        lambda: propose_policy(desk.db, name, said, base=base, by=desk.person.name, reason=why),
        f"The change of {name} waits for a second person.",
    )


def _withdraw(desk: Desk, policy: Policy, key: str) -> None:
    st.session_state.pop(ANSWERED, None)
    why = _typed(key, "why")
    told(
        lambda: propose_withdrawal(desk.db, policy.id, base=policy.version, by=desk.person.name, reason=why),
        f"The withdrawal of {policy.id} waits for a second person.",
    )


def _typed(key: str, field: str) -> str:
    return str(st.session_state.get(f"draft-{key}-{field}") or "")
