"""The one component that draws what people and agents wrote.

Python sends a tree (see ``ui.tree``); the script makes elements from a white list and text nodes. No word of a
transcript, a file or a person ever meets Markdown or HTML.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import streamlit as st

from ui.tree import Node

_HERE = Path(__file__).parent

_DRAWING = st.components.v2.component(
    "tutelage_drawing",
    js=(_HERE / "drawing.js").read_text(encoding="utf-8"),
    css=(_HERE / "drawing.css").read_text(encoding="utf-8"),
)


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
    ``light``, or to ``turn`` (from 1). ``stops`` are the numbers of all evidence in order, each with what is pressed
    to reach it when it does not stand here; without them the keys walk through what stands here. ``keys`` maps a key
    to ``evidence:next``, ``evidence:back`` or ``sheet``; they act in the browser, without a run of the script.
    ``on_press`` is called before the next run with what was pressed, for example ``item:12``.
    """

    def pressed() -> None:
        value = st.session_state[key].get("pressed")
        if on_press is not None and isinstance(value, str):
            on_press(value)

    data = {
        "tree": tree,
        "mark": _mark(tree),
        "place": place,
        "light": light,
        "turn": turn,
        "stops": [list(stop) for stop in stops],
        "keys": dict(keys or {}),
    }
    _DRAWING(key=key, data=data, on_pressed_change=pressed, width=width)


def _mark(tree: Node) -> str:
    """A short mark of the tree, by which the browser knows that nothing has to be built anew."""
    return hashlib.sha1(json.dumps(tree).encode(), usedforsecurity=False).hexdigest()
