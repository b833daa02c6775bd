"""The guard of the bar: presses that come before their item can be decided are answered, and logged as refused.

A small script in the browser tells them from the others, because only there it is known when an item could first be
read; the desk's own clock is asked again in core. The guard is drawn last, so that its arrival says that all is there.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st

from core.errors import TutelageError
from core.governance.desk_settings import desk_settings
from core.governance.pressing import Early, EarlyPress, refuse_presses
from ui import deciding
from ui.deciding import Seen
from ui.frame import Desk
from ui.signing_in import still_here
from ui.whole import follow_presses

_PRESSING = st.components.v2.component(
    "tutelage_pressing", js=Path(__file__).with_name("pressing.js").read_text(encoding="utf-8")
)


@dataclass
class Pressable:
    """What the keys of the bar press now: by key, the widget and the act; and what follows.

    ``decides`` are the keys that decide at once, ``asks`` those after which a reason is named by its number.
    """

    keys: dict[str, str] = field(default_factory=dict)
    acts: dict[str, str] = field(default_factory=dict)
    decides: list[str] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    writes: str = ""
    """The field into which the hand goes when it comes up: words are needed, and keys must not act meanwhile."""

    def add(self, key: str, widget: str, act: str, *, decides: bool = False, asks: bool = False) -> None:
        """A button of the bar and its key."""
        self.keys[key], self.acts[key] = widget, act
        self.decides += [key] if decides else []
        self.asks += [key] if asks else []


def guard_presses(desk: Desk, what: Seen, pressable: Pressable) -> None:
    """Watch over the bar of this item."""
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    _guard(desk, what, pressable, st.session_state["runs"], deciding.bar_mode(what))


@st.fragment
def _guard(desk: Desk, what: Seen, pressable: Pressable, run: int, mode: str) -> None:
    def told() -> None:
        early = st.session_state["pressing"].get("early")
        fresh = [one for one in early or () if isinstance(one, dict) and _number(one.get("n")) > _taken()]
        if not fresh:
            return
        st.session_state["presses_taken"] = max(int(_number(one["n"])) for one in fresh)
        try:
            still_here()
        except TutelageError as error:  # they are not this person's presses any more
            deciding.say(str(error), refused=True)
            return
        said = refuse_presses(desk.db, desk.person.name, [_press(one) for one in fresh])
        if said:
            deciding.say(said[-1], refused=True)
            st.session_state["say_it_in"] = mode

    follow_presses()
    settings, _ = desk_settings(desk.db)
    data = {
        "run": run,
        "key": what.key,
        "item": what.item_id,
        "keys": pressable.keys,
        "acts": pressable.acts,
        "decides": pressable.decides,
        "asks": pressable.asks,
        "writes": pressable.writes,
        "after": float(settings.decide_after) * 1000,
        "taken": _taken(),
        "says": {why.value: why.said(what.ref, "{seconds}") for why in Early},
    }
    _PRESSING(key="pressing", data=data, on_early_change=told)
    if st.session_state.pop("say_it_in", ""):
        st.rerun()  # a question in the bar has no line for answers until something was said


def _taken() -> int:
    return int(st.session_state.get("presses_taken", 0))


def _press(told: Mapping[str, Any]) -> EarlyPress:
    """A press as a browser tells of it; what it cannot have been is made harmless."""
    why = Early.TOO_SOON if told.get("why") == Early.TOO_SOON else Early.ON_ITS_WAY
    act = told.get("act")
    seconds = min(_number(told.get("seconds")), 3_600)
    return EarlyPress(int(_number(told.get("item"))), act if isinstance(act, str) and act else "press", why, seconds)


def _number(value: object) -> float:
    is_one = isinstance(value, int | float) and math.isfinite(value) and 0 <= value < 2**53
    return float(value) if is_one else 0.0  # type: ignore[arg-type]
