"""Lists, previews and bundles ask the database the same few questions for few items and for many; a list loads no item
beside its page.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from core.governance.bulk import Together, preview
from core.governance.people import set_person
from core.service import desk_views
from core.service.bulk_views import bulk_page
from core.service.bundle import bundle
from core.service.log_views import LogAsked, LogView, log_page
from core.service.policy_views import policy_rows
from core.service.views import Narrowed, NotesAsked, Page
from core.store.database import Database
from core.store.records import Item
from core.vocabulary import Action, Duty, Severity
from tests.desk import OPERATOR, act, lesson, note, procedure, quote, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

MOST = 12
"""Statements of one page of a list, the begin of its transaction among them."""

WORDS = ("exam", "room", "course", "library", "grant", "visa", "locker", "sports", "garage", "canteen", "printer")


def many(database: Database) -> None:
    """More than fifty of everything that a list shows, each unlike the others."""
    for number in range(55):
        place, thing = WORDS[number % 11], WORDS[(number // 11 + number + 1) % 11]
        run = session(database, f"S-{number}", days=number % 20)
        note(database, run, fault=f"f{number}", severity=Severity.CRITICAL if number % 3 else Severity.HIGH)
        text = f"Look page {number} of the {place} handbook up before you name the {thing} number {number}."
        made = lesson(database, text, quotes=(quote(run),)).item_id
        act(database, procedure(database, f"The {place} before the {thing}").item_id, Action.APPROVE)
        assert made


def lists(database: Database) -> dict[str, Callable[[int], Page[object]]]:
    """Each list by its name; given how many rows a page has."""
    found: dict[str, Callable[[int], Page[object]]] = {
        "review": lambda size: desk_views.review_queue(database, person=OPERATOR, size=size),
        "critical notes": lambda size: desk_views.notes(database, NotesAsked("critical"), size=size),
        "sessions": lambda size: desk_views.session_list(database, size=size),
        "procedures": lambda size: desk_views.procedures(database, size=size),
    }
    found |= {f"log, {view}": lambda size, view=view: log_page(database, LogAsked(view), size=size) for view in LogView}
    acts = (Action.APPROVE, Action.REJECT, Action.RETIRE, Action.RESOLVE)
    return found | {
        f"several, {one}": lambda size, one=one: bulk_page(database, one, Narrowed(), person=OPERATOR, size=size)
        for one in acts
    }


@contextmanager
def watched(database: Database) -> Iterator[tuple[list[str], list[int]]]:
    """The statements that are sent meanwhile, and the items that are loaded."""
    sent: list[str] = []
    loaded: list[int] = []

    def count(*said: object) -> None:
        sent.append(str(said[2]))

    def load(item: Item, _: object) -> None:
        loaded.append(item.id or 0)

    event.listen(database.engine, "before_cursor_execute", count)
    event.listen(Item, "load", load)
    yield sent, loaded
    event.remove(database.engine, "before_cursor_execute", count)
    event.remove(Item, "load", load)


def test_a_list_costs_the_same_few_statements_whatever_its_page_holds(database: Database) -> None:
    many(database)
    for name, page in lists(database).items():
        page(25)  # what is known of an agent's texts is read once and kept
        counts = {}
        for size in (25, 50):
            with watched(database) as (sent, loaded):
                shown = page(size)
            counts[size] = len(sent)
            assert len(shown.rows) == min(size, shown.total), name
            assert len(set(loaded)) <= size, name
        assert counts[25] == counts[50] <= MOST, (name, counts)


MOST_OF_A_PREVIEW = 30
"""Statements of a preview, whatever it is of."""


@pytest.mark.parametrize("several", [False, True])
def test_a_preview_costs_the_same_few_statements_whatever_it_is_of(database: Database, several: bool) -> None:
    made = []
    for number in range(24):
        place, thing = WORDS[number % 11], WORDS[(number // 11 + number + 1) % 11]
        text = f"Look page {number} of the {place} handbook up before you name the {thing} number {number}."
        made.append(lesson(database, text, quotes=(quote(session(database, f"S-{number}")),)).item_id)
    if several:
        for name in ("lead1", "lead2"):
            set_person(database, name, [Duty.LEAD])
    asked = Together(Action.APPROVE, "lead1" if several else OPERATOR)
    preview(database, asked, made[:1])
    counts = {}
    for size in (6, 24):
        with watched(database) as (sent, _):
            found = preview(database, asked, made[:size])
        assert [one.why_not for one in found] == [""] * size
        counts[size] = len(sent)
    assert counts[6] == counts[24] <= MOST_OF_A_PREVIEW, counts


def test_the_list_of_policies_costs_the_same_few_statements_however_many_there_are(database: Database) -> None:
    with watched(database) as (sent, _):
        rows = policy_rows(database)
    assert len(rows) > 3
    assert len(sent) <= len(rows)


MOST_OF_A_BUNDLE = 60
"""Statements of a bundle of notes that stand alone, whatever their number."""


def test_a_bundle_costs_the_same_few_statements_however_many_notes_it_holds(database: Database) -> None:
    counts = {}
    for size in (6, 24):
        for number in range(len(counts) and 6, size):
            note(database, session(database, f"S-{number}"), fault=f"f{number}", severity=Severity.CRITICAL)
        with watched(database) as (sent, _):
            bundle(database, NotesAsked("critical"), by=OPERATOR)
        counts[size] = len(sent)
    assert counts[6] == counts[24] <= MOST_OF_A_BUNDLE, counts
