"""A reviewer at the desk. Run: ``python -m bench.reviewer [--items 1000 10000] [--rounds 20] [--each 12]``.

Desks with so many waiting items are served as ``make run`` serves the desk, and worked through in one Chromium. Every
time is a median of repeated steps and stands beside the floor of the framework: a bare page with a text and a button,
in this same run. What other desks took is from another run on such a machine, so only ratios compare. Exits with 1
when something is lost, decided twice, or not kept; never because of a time.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bench.reviewer import gates
from bench.reviewer.serving import Served, desk_of
from bench.reviewer.steps import KEYS, Times, floor, p50, p95, steps
from bench.reviewer.stock import filled
from core.store.database import Database
from tests.browser.chromium import CHROMIUM, FLAGS

GOALS = {
    "approve": "≤ 159 ms (doccano 159, Label Studio 571, Phoenix 958)",
    "open by its row": "≤ 274 ms (Scout 274, doccano 363, Label Studio 620)",
    "queue, warm": "≤ 0.6 s (Scout 0.83 s, doccano 1.2 s); at 10 k ≤ 1.2 × at 1 k",
    "last page of the queue": "≤ 0.3 s (page 50: doccano 1.0 s, Label Studio 17 s)",
    "filter": "≤ 0.5 s (Label Studio 1.9 s)",
    "first page after start": "≤ 3.9 s (Scout 7.8 s, Label Studio 48 s)",
    "memory, MB": "≤ 250 (Scout 250, Label Studio 550, doccano 1,270)",
}
"""The goal, and what other desks took in another run."""


def main() -> None:
    """Measure every size, try every gate on the smallest desk, print both."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--items", type=int, nargs="+", default=[1_000, 10_000], help="how many items wait")
    asked.add_argument("--rounds", type=int, default=20, help="how often each step is repeated")
    asked.add_argument("--each", type=int, default=12, help="how many items each of two people decides")
    chosen = asked.parse_args()
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        bare = floor(browser, chosen.rounds)
        first: dict[str, float] = {}
        for size in chosen.items:
            path = Path(folder) / f"{size}.db"
            filled(path, size).close()
            with desk_of(path) as desk:
                took, held = steps(browser, desk, chosen.rounds)
            _print(size, took, held, bare, first)
        wrong = _gates(browser, Path(folder) / f"{min(chosen.items)}.db", chosen.each)
        browser.close()
    if wrong:
        raise SystemExit("\n".join(["", "Lost, decided twice or not kept:", *wrong]))


def _print(size: int, took: Times, held: dict[str, int], bare: Times, first: dict[str, float]) -> None:
    """The table of one size; ``first`` holds the medians of the smallest."""
    press, opened, start = (p50(bare[name]) for name in ("press", "opened", "first page after start"))
    floors = {"queue, warm": opened, "first page after start": start}
    print(f"\n{size:,} items wait. A bare page: {press:.0f} ms a press, {opened:.0f} to open, {start:.0f} from start")
    print(f"{'step':<24} {'keys':>4} {'p50 ms':>8} {'p95 ms':>8} {'to floor':>9} {'to smallest':>12}  goal (others)")
    for name, times in took.items():
        middle = p50(times)
        keys = str(len(KEYS[name])) if name in KEYS else ""
        ratio, growth = middle / floors.get(name, press), middle / first.setdefault(name, middle)
        row = f"{name:<24} {keys:>4} {middle:>8.0f} {p95(times):>8.0f} {ratio:>8.1f}x {growth:>11.2f}x"
        print(f"{row}  {GOALS.get(name, '')}")
    for name, number in held.items():
        print(f"{name:<24} {'':>4} {number:>8,}{'':>33}  {GOALS.get(name, '')}")


def _gates(browser: Any, path: Path, each: int) -> list[str]:
    """Try every gate; what was found wrong."""
    database = Database(f"sqlite:///{path}")
    wrong: list[str] = []
    print("\nGates")
    with desk_of(path) as desk:
        clicks, wrong = _clicks(browser, desk, database)
        for name, gate in gates.all_gates(browser, desk, database, each).items():
            found = gate()
            print(f"  {name:<34} {'FAILS' if found else 'holds'}")
            wrong += found
    print("  clicks with the mouse alone: " + ", ".join(f"{act} {count}" for act, count in clicks.items()))
    database.close()
    return wrong


def _clicks(browser: Any, desk: Served, database: Database) -> tuple[dict[str, int], list[str]]:
    clicks, wrong = gates.by_click(browser, desk, database)
    print(f"  {'every act by click':<34} {'FAILS' if wrong else 'holds'}")
    return clicks, wrong


if __name__ == "__main__":
    main()
