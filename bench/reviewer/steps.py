"""The steps of a reviewer, each done several times and timed in the browser, from the last key to what can be read."""

import re
import statistics
import time
from typing import Any

from bench.reviewer.reviewer import Reviewer
from bench.reviewer.serving import Served, served, window

Times = dict[str, list[float]]
"""Milliseconds by what was done."""

KEYS = {"approve": ("a",), "reject with a reason": ("x", "1"), "undo": ("u",), "skip": ("s",)}
FAR_DOWN = 8
"""The row that is pressed; it stands in the queue's first screen or just below."""


def steps(browser: Any, desk: Served, rounds: int) -> tuple[Times, dict[str, int]]:
    """All steps on one desk; then bytes over the websocket and the server's memory, by what they are."""
    took: Times = {"first page after start": [], "queue, warm": []}
    reviewer = Reviewer(browser, desk)
    took["first page after start"].append((time.perf_counter() - desk.started) * 1000)
    for name, keys in KEYS.items():
        took[name] = [_by_key(reviewer, keys) for _ in range(rounds)]
    took["open by its row"] = [_open_row(reviewer) for _ in range(rounds)]
    took["last page of the queue"] = [_last_page(reviewer) for _ in range(max(2, rounds // 3))]
    took["filter"] = [_filter(reviewer) for _ in range(max(2, rounds // 3))]
    reviewer.close()
    for _ in range(max(2, rounds // 3)):
        begun = time.perf_counter()
        other = Reviewer(browser, desk)
        took["queue, warm"].append((time.perf_counter() - begun) * 1000)
        other.close()
    return took, {"bytes of a decision": _bytes_of_a_decision(browser, desk), "memory, MB": desk.memory}


def _by_key(reviewer: Reviewer, keys: tuple[str, ...]) -> float:
    return reviewer.timed("item", reviewer.look(), lambda: reviewer.press(keys))


def _open_row(reviewer: Reviewer) -> float:
    before = reviewer.look()
    rows = reviewer.page.locator('.st-key-queue-list [data-press]:not([aria-current="true"])')
    return reviewer.timed("item", before, rows.nth(FAR_DOWN).click)


def _last_page(reviewer: Reviewer) -> float:
    buttons = reviewer.page.locator(".st-key-page button").filter(has_text=_NUMBER)
    buttons.first.click()
    reviewer.look()
    return reviewer.timed("row", reviewer.rows[0], buttons.last.click)


_NUMBER = re.compile(r"^\d+$")


def _filter(reviewer: Reviewer) -> float:
    took = []
    for kind in ("procedure", "every kind"):
        reviewer.look()
        kinds = reviewer.page.locator(".st-key-kind input")
        if not kinds.is_visible():
            reviewer.page.get_by_role("button", name="Filter").click()
        kinds.click()
        option = reviewer.page.get_by_role("option", name=kind)
        option.wait_for()
        took.append(reviewer.timed("counts", reviewer.counts, option.click))
    return took[0]


def _bytes_of_a_decision(browser: Any, desk: Served) -> int:
    received: list[int] = []
    page = window(browser)
    page.on("websocket", lambda one: one.on("framereceived", lambda data: received.append(len(data))))
    page.goto(f"{desk.address}/review")
    page.wait_for_function("() => window.reviewerBench?.readable()")
    page.wait_for_timeout(2_000)
    received.clear()
    page.keyboard.press("a")
    page.wait_for_timeout(2_000)
    page.context.close()
    return sum(received)


def floor(browser: Any, rounds: int) -> Times:
    """A bare page: from a key until another text is there, its first page after start, and opened anew."""
    took: Times = {"press": [], "first page after start": [], "opened": []}
    with served("bench.reviewer.floor_app:app") as bare:
        for number in range(3):
            begun = time.perf_counter()
            page = window(browser)
            page.goto(bare.address)
            page.wait_for_selector('[data-testid="stText"]')
            since = begun if number else bare.started
            took["opened" if number else "first page after start"].append((time.perf_counter() - since) * 1000)
            for _ in range(rounds):
                page.wait_for_timeout(300)
                before = page.locator('[data-testid="stText"]').text_content()
                page.evaluate("before => reviewerBench.watch('bare', before)", before)
                page.keyboard.press("a")
                took["press"].append(page.evaluate("reviewerBench.until")[0])
            page.context.close()
    return took


def p50(times: list[float]) -> float:
    """The median."""
    return statistics.median(times)


def p95(times: list[float]) -> float:
    """The time that 19 of 20 do not exceed."""
    return sorted(times)[min(len(times) - 1, round(0.95 * (len(times) - 1)))]
