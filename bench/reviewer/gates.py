"""What must hold at any speed of hands: nothing is lost, nothing is decided twice, and typed words are kept.

Each gate returns what it found wrong, in words; nothing when it holds.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bench.reviewer.reviewer import Reviewer, Seen
from bench.reviewer.serving import Served
from core.governance.audit import verify
from core.governance.desk_settings import desk_settings
from core.governance.kept_words import forget_words
from core.governance.people import local_operator, set_person
from core.governance.references import reference
from core.service.desk_views import item_id_of
from core.store.database import Database
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action, Duty

PRESSES = 21
DISTANCES = (50, 100, 200, 500, 1_000)
SETTLE = 2_500
"""Milliseconds in which everything that was pressed has been answered and logged."""
WORDS = "The tool had refused it, and nobody read its ans"
EDITED = "Read the answer of the refund tool before you tell anybody that a refund was arranged."
PEOPLE = ("Ann", "Ben")


class Log:
    """What the desk logged since this was made."""

    def __init__(self, database: Database) -> None:
        self.database = database
        with database.reading() as db:
            newest = (select(table.id).order_by(col(table.id).desc()).limit(1) for table in (Decision, Refusal))
            self.decision, self.refusal = (db.exec(query).first() or 0 for query in newest)

    def decisions(self) -> list[tuple[str, str, datetime, str]]:
        """Reference, action, time and person of every decision of a person."""
        query = select(Decision, Item).join(Item, col(Item.id) == Decision.item_id)
        query = query.where(col(Decision.id) > self.decision, col(Decision.cause).is_(None))
        with self.database.reading() as db:
            return [(reference(item), one.action, one.at, one.by) for one, item in db.exec(query).all()]

    def refusals(self) -> list[str]:
        """The code of everything that was refused."""
        with self.database.reading() as db:
            return list(db.exec(select(Refusal.code).where(col(Refusal.id) > self.refusal)).all())


def masher(browser: Any, desk: Served, database: Database, distance: int) -> list[str]:
    """Presses at a distance: each is a decision, or refused, answered and logged; none comes before its time."""
    with _reviewer(browser, desk) as reviewer:
        reviewer.look()
        log = Log(database)
        for _ in range(PRESSES):
            reviewer.page.keyboard.press("a")
            reviewer.page.wait_for_timeout(distance)
        reviewer.page.wait_for_timeout(SETTLE)
        seen = reviewer.seen()
        wrong = list(reviewer.errors)
    decided, refused = log.decisions(), log.refusals()
    if len(decided) + len(refused) != PRESSES:
        wrong.append(f"{PRESSES} presses, {len(decided)} decisions and {len(refused)} refusals in the log")
    unanswered = sum(not _answered(seen, one) for one in seen if one.what == "press")
    if unanswered:
        wrong.append(f"{unanswered} presses were not answered on the screen")
    print(f"    {distance:>5} ms: {len(decided)} decided, {len(refused)} refused {dict(Counter(refused))}")
    return [f"{PRESSES} presses {distance} ms apart: {one}" for one in (*wrong, *_too_soon(database, seen, decided))]


def _answered(seen: list[Seen], press: Seen) -> bool:
    """Whether a second after a press the desk's answer spoke of a decision or a refusal."""
    said = [one for one in seen if one.what == "answer" and one.at <= press.at + 1_000]
    return bool(said) and any(words in said[-1].which for words in ("just now", "Pressed"))


def _too_soon(database: Database, seen: list[Seen], decided: list[tuple[str, str, datetime, str]]) -> Iterator[str]:
    """Decisions of items that had been on the screen for less than the settings ask."""
    least = float(desk_settings(database)[0].decide_after) * 1000
    for ref, _, at, _ in decided:
        appeared = [one.at for one in seen if one.what == "item" and one.which == ref]
        if not appeared:
            yield f"{ref} was decided and never seen"
        elif at.timestamp() * 1000 - appeared[0] < least:
            yield f"{ref} was decided {at.timestamp() * 1000 - appeared[0]:.0f} ms after it appeared"


def held_key(browser: Any, desk: Served, database: Database) -> list[str]:
    """A key that is held down decides once."""
    with _reviewer(browser, desk) as reviewer:
        reviewer.look()
        log = Log(database)
        for _ in range(60):
            reviewer.page.keyboard.down("a")
            reviewer.page.wait_for_timeout(30)
        reviewer.page.keyboard.up("a")
        reviewer.page.wait_for_timeout(SETTLE)
    made = len(log.decisions())
    return [] if made == 1 else [f"a held key decided {made} times"]


def double_click(browser: Any, desk: Served, database: Database) -> list[str]:
    """A double click decides once, and the second click is refused."""
    with _reviewer(browser, desk) as reviewer:
        reviewer.look()
        log = Log(database)
        reviewer.page.locator('[class*="st-key-approve-"] button').dblclick()
        reviewer.page.wait_for_timeout(SETTLE)
    made, refused = len(log.decisions()), len(log.refusals())
    return [] if (made, refused) == (1, 1) else [f"a double click decided {made} times and was refused {refused} times"]


def words_kept(browser: Any, desk: Served, database: Database, field: str, keys: str) -> list[str]:
    """Words that were typed into a field of the bar or of an edit are there after a refresh 0.3 s later."""
    with _reviewer(browser, desk) as reviewer:
        ref = reviewer.look()
        reviewer.press(keys)
        box = reviewer.page.locator(field).last
        box.click()
        reviewer.page.keyboard.press("End")
        reviewer.page.keyboard.type(WORDS)
        reviewer.page.wait_for_timeout(300)
        reviewer.page.reload()
        box.wait_for()
        kept = box.input_value()
    forget_words(database, item_id_of(database, ref), local_operator())
    return [] if kept.endswith(WORDS) else [f"of words typed after “{keys}”, “{kept[-60:]}” was left after a refresh"]


def two_people(browser: Any, desk: Served, database: Database, each: int) -> list[str]:
    """Two people go through one queue by key: nothing is decided twice, and nothing stands before both."""
    for name in PEOPLE:
        set_person(database, name, set(Duty))
    log, wrong, pressed = Log(database), [], 0
    both = [Reviewer(browser, desk, name=name) for name in PEOPLE]
    for _ in range(each):
        before = [one.look() for one in both]
        if before[0] == before[1]:
            wrong.append(f"{before[0]} stood before both")
        for one in both:
            one.press("a")
            pressed += 1
        for one in both:
            one.page.wait_for_timeout(300)
    for one in both:
        one.page.wait_for_timeout(SETTLE)
        wrong += one.errors
        one.close()
    decided, refused = log.decisions(), log.refusals()
    twice = [ref for ref, count in Counter(ref for ref, *_ in decided).items() if count > 1]
    wrong += [f"{ref} was decided twice" for ref in twice]
    if len(decided) + len(refused) != pressed:
        wrong.append(f"{pressed} presses, {len(decided)} decisions and {len(refused)} refusals in the log")
    shares = Counter(by for *_, by in decided)
    print(f"    two people: {dict(shares)} decided, {len(refused)} refused {dict(Counter(refused))}")
    return wrong


def by_click(browser: Any, desk: Served, database: Database) -> tuple[dict[str, int], list[str]]:
    """Each act done with the mouse alone: how many clicks it took, and the acts that the log does not have."""
    clicks: dict[str, int] = {}
    wrong: list[str] = []
    ways = {
        Action.APPROVE: ('[class*="st-key-approve-"]',),
        Action.REJECT: ('[class*="st-key-reject-"]', '[class*="st-key-reject-not_true-"]'),
        Action.UNDO: ('[class*="st-key-undo-"]',),
        Action.EDIT: ('[class*="st-key-edit-"]', '[class*="st-key-save-"]'),
    }
    with _reviewer(browser, desk) as reviewer:
        for action, buttons in ways.items():
            reviewer.look()
            log = Log(database)
            for button in buttons:
                if "save" in button:
                    reviewer.page.locator('[class*="st-key-draft-"] textarea').last.fill(EDITED)
                    reviewer.page.wait_for_timeout(500)
                reviewer.page.locator(f"{button} button").first.click()
            reviewer.page.wait_for_timeout(SETTLE)
            clicks[action] = len(buttons)
            if action not in [done for _, done, *_ in log.decisions()]:
                wrong.append(f"{len(buttons)} clicks did not {action}: {reviewer.answer}")
    return clicks, wrong


def log_is_whole(database: Database) -> list[str]:
    """The log's chain, and every state that follows from it."""
    return [str(one) for one in verify(database).breaks]


@contextmanager
def _reviewer(browser: Any, desk: Served) -> Iterator[Reviewer]:
    reviewer = Reviewer(browser, desk)
    try:
        yield reviewer
    finally:
        reviewer.close()


Gate = Callable[[], list[str]]


def all_gates(browser: Any, desk: Served, database: Database, each: int) -> dict[str, Gate]:
    """The gates by name, in the order in which they are tried; the last ones bring a second person to the desk."""
    bar, edited = '[class*="st-key-draft-words-"] input', '[class*="st-key-draft-"] textarea'
    return {
        "mashed keys": lambda: [one for gap in DISTANCES for one in masher(browser, desk, database, gap)],
        "held key": lambda: held_key(browser, desk, database),
        "double click": lambda: double_click(browser, desk, database),
        "typed reason after a refresh": lambda: words_kept(browser, desk, database, bar, "x"),
        "half-typed edit after a refresh": lambda: words_kept(browser, desk, database, edited, "e"),
        "two people": lambda: two_people(browser, desk, database, each),
        "the log is whole": lambda: log_is_whole(database),
    }
