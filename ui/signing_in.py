"""Who is here: the one place that a page asks, and the picker for whoever has not said so yet.

The browser keeps the secret of a sign-in in a cookie; this window keeps it too, since Streamlit reads cookies only when
a window connects. Each run asks core again, so that leaving in one window ends the others at their next run. A login
takes the picker's place here, and nowhere else.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import streamlit as st

from core.errors import TutelageError
from core.governance.leases import give_all_back
from core.governance.people import Person, people
from core.governance.sign_ins import LASTS, at_the_desk, must_still_be, sign_in, sign_out, signed_in
from core.store.database import Database
from core.vocabulary import Duty
from ui.drawing import draw
from ui.tree import Node, node

Made = TypeVar("Made")

COOKIE = "tutelage_sign_in"
KEPT, ENDED, HERE = "sign-in", "sign-in-ended", "here"
"""What this window keeps: its secret, the secret that it gave up, and the database and name it was drawn for."""

NO_LOGIN = (
    "This desk has no login yet: it takes your word for it, so it is for use on this machine only. "
    "What you decide stands in the log under the name that you pick."
)
NOBODY = (
    "Nobody has a duty at this desk.",
    "Whoever runs it gives one on the command line: python -m core people set NAME --duty admin.",
)

_COOKIE = st.components.v2.component("tutelage_sign_in", js=Path(__file__).with_name("sign_in.js").read_text("utf-8"))


def who_is_here(db: Database) -> Person | None:
    """The person at this window with the duties they have now; None where somebody must say who they are."""
    with db.reading() as reading:
        return at_the_desk(reading, _secret())


def remember(db: Database, person: Person) -> None:
    """Keep for whom this window is drawn, and let the browser keep the sign-in for others."""
    st.session_state[HERE] = (db, person.name)
    secret = st.session_state.get(KEPT)
    if secret and secret != _cookie():
        _in_the_browser(secret, keep=True)


def still_here(*needs: Duty) -> None:
    """The first line of whatever a press does: raises ``Refused`` where this window's person has left since it was
    drawn, or has none of these duties any more.
    """
    db, name = st.session_state[HERE]
    must_still_be(db, name, _secret(), needs)


def while_here(made: Callable[[], Made]) -> Callable[[], Made]:
    """What is made later, such as an export when it is pressed for, made only for whom the window was drawn."""
    (db, name), secret = st.session_state[HERE], _secret()

    def asked() -> Made:
        must_still_be(db, name, secret, tuple(Duty))
        return made()

    return asked


def leave(db: Database) -> None:
    """Sign out, for good and in every window of this browser."""
    secret = _secret()
    if secret:
        with db.reading() as reading:
            person = at_the_desk(reading, secret)
        sign_out(db, secret)
        if person is not None:
            give_all_back(db, person.name)
    _forget_all()
    st.session_state[ENDED] = secret


def stay(db: Database) -> None:
    """Sign in whoever is here without a sign-in, before somebody else comes and the desk would ask."""
    with db.reading() as reading:
        known, person = signed_in(reading, _secret()), at_the_desk(reading, _secret())
    if known is None and person is not None:
        _be(db, person.name)


def ask(db: Database) -> None:
    """The picker: everybody who has a duty, one press each."""
    ended = st.session_state.get(ENDED)
    if ended:
        _in_the_browser(ended, keep=False)
    with db.reading() as reading:
        able = [person for person in people(reading) if person.duties]
    draw(_picker(able, _said()), key="picker", on_press=lambda pressed: _be(db, pressed.partition(":")[2]))


def _said() -> str:
    """What the desk answered to the last press, such as one that came after somebody had left."""
    return str(getattr(st.session_state.get("answer"), "text", ""))


def _picker(able: list[Person], said: str) -> Node:
    if not able:
        return node("div", "empty", node("p", "big", NOBODY[0]), node("p", "", NOBODY[1]))
    rows = [
        node(
            "button",
            "pick",
            node("b", "", person.name),
            node("span", "meta", ", ".join(sorted(person.duties))),
            data_press=f"be:{person.name}",
            type="button",
        )
        for person in able
    ]
    return node(
        "div",
        "picker",
        node("p", "answer no", said, role="status") if said else None,
        node("h1", "name", "Who are you?"),
        node("p", "meta", NO_LOGIN),
        node("div", "people", *rows, data_list=True),
    )


def _be(db: Database, name: str) -> None:
    before, old = st.session_state.get(HERE), _secret()
    try:
        secret = sign_in(db, name, instead_of=old)
    except TutelageError:
        return  # nobody of this name is in the table any more; the picker is drawn anew
    if before is not None and before[1] != name:
        _forget_all()
    st.session_state[KEPT] = secret
    st.session_state.pop(ENDED, None)


def _secret() -> str | None:
    """What this window was given or, when it was just opened, what its browser keeps."""
    return st.session_state.get(KEPT) or _cookie()


def _cookie() -> str | None:
    """What the browser said when this window connected; whoever runs pages without a browser has no cookies."""
    said = st.context.cookies.get(COOKIE)
    return said if isinstance(said, str) else None


def _forget_all() -> None:
    """What one person typed and chose in this window is not the next one's."""
    for key in list(st.session_state):
        del st.session_state[key]


def _in_the_browser(secret: str, *, keep: bool) -> None:
    seconds = int(LASTS.total_seconds())
    with st.container(key="unseen"):
        _COOKIE(
            key=f"unseen-{'kept' if keep else 'ended'}",
            data={"name": COOKIE, "secret": secret, "keep": keep, "seconds": seconds},
        )
