"""The one component that draws what people and agents wrote.

Python sends a tree (see ``ui.tree``); the script makes elements from a white list and text nodes. No word of a
transcript, a file or a person ever meets Markdown or HTML.

The tree and what is in the light are two messages: Streamlit sends a message that did not change as its hash alone, so
that moving the light over a transcript of a megabyte sends a few hundred bytes. The script and the style sheet that all
drawings share are a third one, which ``bring_code`` sends once: with each drawing they would be most of what travels.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import streamlit as st

from ui.places import name_in_url
from ui.tree import Node

WALK = {"n": "evidence:next", "N": "evidence:back"}
"""The keys that walk through the evidence of a transcript."""

_HERE = Path(__file__).parent
SCRIPTS = ("building", "chunks", "light", "keys", "drawing")
SHEETS = ("drawing", "transcript", "rounds", "cases", "beliefs")


def _read(*names: str) -> str:
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)


_CODE = st.components.v2.component("tutelage_code", js=_read(*(f"{name}.js" for name in SCRIPTS)))
_STYLE = _read(*(f"{name}.css" for name in SHEETS))
_DRAWING = st.components.v2.component("tutelage_drawing", js=_read("drawn.js"))
_AIM = st.components.v2.component("tutelage_aim", js=_read("aim.js"))


def bring_code() -> None:
    """Send what every drawing on the page needs. Drawings wait for it, and it stays while the window is open."""
    _CODE(key="drawing-code", data={"style": _STYLE})


def draw(
    tree: Node,
    *,
    key: str,
    place: str = "",
    light: int | None = None,
    turn: int | None = None,
    stops: Sequence[tuple[int, str]] = (),
    keys: Mapping[str, str] | None = None,
    on_press: Callable[[str], object] | None = None,
    width: Literal["stretch", "content"] = "stretch",
) -> None:
    """Show a tree.

    ``place`` names what is shown: when it changes, the pane scrolls back to its start, or to the evidence number
    ``light``, or to ``turn`` (from 1). ``stops`` are the numbers of all evidence in the order in which the keys walk
    through it, each with what is pressed to reach it when it does not stand here. ``keys`` maps a key to
    ``evidence:next``, ``evidence:back`` or ``sheet``; they act in the browser, without a run of the script.
    ``on_press`` is called before the next run with what was pressed, for example ``item:12``; the number of a turn
    that is pressed goes into the address by itself.
    """

    def pressed() -> None:
        value = st.session_state[key].get("pressed")
        if not isinstance(value, str):
            return
        what, _, which = value.partition(":")
        if what == "turn":
            name_in_url("turn", which)
        elif on_press is not None:
            on_press(value)

    if light or turn:
        _AIM(key=f"aim-{key}", data={"drawing": key, "place": place, "light": light, "turn": turn})
    drawing = {"key": key, "place": place, "stops": list(stops), "keys": dict(keys or {}), "tree": tree}
    _DRAWING(key=key, data=_packed(drawing), on_pressed_change=pressed, width=width)


def _packed(drawing: Mapping[str, object]) -> bytes:
    # The browser knows by the first 40 digits that it has built this drawing already.
    text = json.dumps(drawing).encode()
    return hashlib.sha1(text, usedforsecurity=False).hexdigest().encode() + text
