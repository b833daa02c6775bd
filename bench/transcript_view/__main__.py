"""How fast a long transcript opens, jumps and moves its light. Run: ``python -m bench.transcript_view``.

Two small apps show the same 2,000 messages with 200 quotes: the desk's transcript view, and ``st.chat_message`` with
``st.markdown``. One Chromium opens both in turn, three times, and every figure is a ratio of medians inside this run.
"""

import os
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.transcript_view.sample import MESSAGES, QUOTES
from tests.browser.chromium import CHROMIUM, FLAGS, free_port

HERE = Path(__file__).parent
GOAL = 0.1
ROUNDS, RERUNS = 3, 2
OPTIONS = ("--server.headless=true", "--server.fileWatcherType=none", "--browser.gatherUsageStats=false")

ROOT_OF_OURS = """() => (window.found ??= [...document.querySelectorAll("*")]
    .map(one => one.shadowRoot).find(root => root && root.querySelector(".words")))"""
DONE = """document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning" """


@dataclass
class Side:
    """What one of the two apps took: seconds, and bytes that came over the websocket."""

    lit: float = 0
    all: float = 0
    jump: float = 0
    rerun: float = 0
    opened: int = 0
    moved: int = 0
    received: list[int] = field(default_factory=list)


def main() -> None:
    """Measure both and print the table."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        with served("theirs") as their_address, served("ours") as our_address:
            rounds = [
                (measured(browser, our_address, Ours()), measured(browser, their_address, Theirs()))
                for _ in range(ROUNDS)
            ]
        browser.close()
    ours, theirs = (median([one[at] for one in rounds]) for at in (0, 1))
    print(f"{MESSAGES:,} messages, {QUOTES} quotes          ours   chat_message    ratio    goal")
    for name in ("lit", "all", "jump", "rerun"):
        mine, other = getattr(ours, name), getattr(theirs, name)
        print(f"{TITLES[name]:<30} {mine:>7.2f} s {other:>10.2f} s {mine / other:>8.3f}  ≤ {GOAL}")
    print(f"{'opening, over the websocket':<30} {ours.opened:>8,} B {theirs.opened:>10,} B")
    print(f"{'moving the light':<30} {ours.moved:>8,} B {theirs.moved:>10,} B {ours.moved / theirs.moved:>9.4f}")


def median(sides: Sequence[Side]) -> Side:
    """Each figure's median."""
    names = (one.name for one in fields(Side) if one.name != "received")
    return Side(**{name: statistics.median([getattr(side, name) for side in sides]) for name in names})


TITLES = {
    "lit": "opened, the quote in sight",
    "all": "opened, every message there",
    "jump": "jump to the last quote",
    "rerun": "rerun that moves the light",
}


class Ours:
    """How the desk's view says that it is ready, and how a reader jumps in it."""

    def lit(self, number: int) -> str:
        """Whether the words of a quote are the ones in the light, and on the screen."""
        return f"""() => {{
            const mark = ({ROOT_OF_OURS})()?.querySelector('mark.now');
            const top = mark?.getBoundingClientRect().top;
            return {DONE} && mark?.dataset.evidence === "{number}" && top > 0 && top < innerHeight;
        }}"""

    def all(self) -> str:
        """Whether every message is there."""
        return f"() => ({ROOT_OF_OURS})()?.querySelectorAll('.turn').length === {MESSAGES} && {DONE}"

    def jump(self, page: Any) -> None:
        """One key, back from the first quote to the last."""
        page.keyboard.press("Shift+N")


class Theirs:
    """The same for chat messages; a jump needs a run of the script and a scroll."""

    def lit(self, number: int) -> str:
        """Whether the quote's message shows it in bold."""
        turn = (number - 1) * (MESSAGES // QUOTES) + 1
        return f"""() => {{
            const said = document.querySelectorAll('[data-testid="stChatMessage"]')[{turn}];
            return {DONE} && said?.querySelector('strong');
        }}"""

    def all(self) -> str:
        """Whether every message is there."""
        return f"""() => document.querySelectorAll('[data-testid="stChatMessage"]').length === {MESSAGES} && {DONE}"""

    def jump(self, page: Any) -> None:
        """A button, and then the browser's own scrolling."""
        page.get_by_role("button", name="Last").click()
        page.wait_for_function(self.lit(QUOTES))
        page.evaluate("""() => document.querySelector('[data-testid="stChatMessage"] strong').scrollIntoView()""")


def measured(browser: Any, address: str, side: Ours | Theirs) -> Side:
    """Open the app, move the light some times, and jump to the end."""
    took = Side()
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(180_000)
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: took.received.append(len(data))))
    page.goto(address)
    page.get_by_role("button", name="Open").wait_for()
    _quiet(page, took)
    began = time.perf_counter()
    page.get_by_role("button", name="Open").click()
    page.wait_for_function(side.lit(1))
    took.lit = time.perf_counter() - began
    page.wait_for_function(side.all())
    took.all = time.perf_counter() - began
    took.opened = _quiet(page, took)
    reruns = []
    for number in range(2, RERUNS + 2):
        move = page.get_by_role("button", name="Next").click
        reruns.append(_timed(move, lambda number=number: page.wait_for_function(side.lit(number))))
        took.moved = _quiet(page, took)
    took.rerun = statistics.median(reruns)
    _back_to_the_first(page, side)
    took.jump = _timed(lambda: side.jump(page), lambda: page.wait_for_function(side.lit(QUOTES)))
    page.close()
    return took


def _back_to_the_first(page: Any, side: Ours | Theirs) -> None:
    if isinstance(side, Ours):
        for number in range(RERUNS, 0, -1):
            page.keyboard.press("Shift+N")
            page.wait_for_function(side.lit(number))


def _quiet(page: Any, took: Side) -> int:
    page.wait_for_timeout(1_500)
    total = sum(took.received)
    took.received.clear()
    return total


def _timed(act: Callable[[], object], until: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    until()
    return time.perf_counter() - began


@contextmanager
def served(app: str) -> Iterator[str]:
    """One of the two apps, served on a free port."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(HERE / f"{app}.py"), f"--server.port={port}", *OPTIONS]
    root = HERE.parents[1]
    env = {**os.environ, "PYTHONPATH": str(root)}
    process = subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(address: str) -> None:
    for _ in range(300):
        with suppress(OSError):
            urllib.request.urlopen(address, timeout=2).close()
            return
        time.sleep(0.1)
    raise SystemExit(f"{address} did not answer.")


if __name__ == "__main__":
    main()
