"""Somebody who sits before the desk in a window of their own, and decides by key and by click."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.reviewer.serving import Served, window

IDLE = """() => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === 'notRunning'"""
LOOKED_AT = 900
"""Milliseconds for which an item is looked at before it is decided: longer than the desk's settings ask."""


@dataclass(frozen=True)
class Seen:
    """What came up in the window: an ``item``, an ``answer``, a ``press`` or a ``repeat`` of a held key.

    ``which`` is the reference, the words or the key; ``at`` is the time of day in milliseconds.
    """

    what: str
    which: str
    at: float


class Reviewer:
    """A window on the desk."""

    def __init__(self, browser: Any, desk: Served, path: str = "review", name: str | None = None) -> None:
        self.page = window(browser)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{desk.address}/{path}")
        if name:
            self.page.locator(".st-key-picker [data-press]", has_text=name).click()
        self.wait_for_item()

    def wait_for_item(self) -> str:
        """Wait until an item can be read; its reference."""
        self.page.wait_for_function("() => window.reviewerBench?.readable()")
        self.page.wait_for_function(IDLE)
        return self.item

    @property
    def item(self) -> str:
        """The reference of the item that can be read; empty while there is none."""
        return str(self.page.evaluate("reviewerBench.readable()") or "")

    @property
    def answer(self) -> str:
        """What the desk answered last."""
        return str(self.page.evaluate("reviewerBench.answer()"))

    @property
    def rows(self) -> list[str]:
        """The rows of the queue."""
        return [str(row) for row in self.page.evaluate("reviewerBench.rows()")]

    @property
    def counts(self) -> str:
        """How many wait and are unread, as it stands above the queue."""
        return str(self.page.evaluate("reviewerBench.counts()"))

    def look(self, milliseconds: int = LOOKED_AT) -> str:
        """Look at what is up until it may be decided; its reference."""
        self.page.wait_for_function(IDLE)
        self.page.wait_for_timeout(milliseconds)
        return self.wait_for_item()

    def press(self, keys: Sequence[str]) -> None:
        """Press keys one after the other, without waiting."""
        for key in keys:
            self.page.keyboard.press(key)

    def timed(self, look: str, before: str, act: Callable[[], object]) -> float:
        """Milliseconds from what a hand does until what is looked at is another one, and can be read."""
        self.page.evaluate("([look, before]) => reviewerBench.watch(look, before)", [look, before])
        act()
        took, _ = self.page.evaluate("reviewerBench.until")
        return float(took)

    def seen(self) -> list[Seen]:
        """Everything that came up in this window since it was opened or reloaded."""
        origin = self.page.evaluate("performance.timeOrigin")
        told = self.page.evaluate("reviewerBench.seen")
        return [Seen(what, which, origin + at) for what, which, at in told]

    def close(self) -> None:
        """Close the window."""
        self.page.context.close()
