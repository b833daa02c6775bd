"""The Briefing page: two briefings beside each other, tokens by part, and what more room would bring in."""

from core.briefing.asked import Asked
from core.governance import desk
from core.governance.acts import Request
from core.governance.on_screen import screen_hash
from core.governance.people import current_person
from core.service.agents import agent_names
from core.service.briefing_views import Shown, briefing_view
from core.settings import DEFAULTS
from core.store.records import Item
from core.vocabulary import Action, Status
from tests.pages.reading import drawn, words
from ui.tree import elements, text_of


def first_agent(db):
    return agent_names(db)[0]


def asked_to_suspend(db, item_id):
    with db.reading() as reading:
        item = reading.get_one(Item, item_id)
        seen = (item_id, Action.SUSPEND, current_person(db).name, item.revision, screen_hash(reading, item))
        return Request(*seen, text="Not now.")


def read_now(db):
    """The first item that the first agent reads, for nobody in particular."""
    return next(line for line in briefing_view(db, Asked(first_agent(db))).lines if line.item)


def test_without_one_of_its_items_the_lines_that_only_it_brings_are_marked_in_words(db, open_page):
    item = read_now(db)
    assert f"only with {item.item}" not in words(open_page("briefing"), "briefing-lines")
    page = open_page("briefing", compare=f"this without {item.item}")
    assert f"only with {item.item}" in words(page, "briefing-lines")
    new = [text_of(cell) for cell in elements(drawn(page, "briefing-lines"), "new")]
    assert item.text in new


def test_what_is_no_longer_read_is_struck_through_beside_yesterday(db, open_page):
    item = read_now(db)
    assert desk.decide(db, asked_to_suspend(db, item.item_id)).status == Status.SUSPENDED
    page = open_page("briefing", compare="the end of yesterday")
    gone = [text_of(one) for one in elements(drawn(page, "briefing-lines"), "gone")]
    assert item.text.partition(". ")[2] in [text.partition(". ")[2] for text in gone]
    assert words(page, "briefing-lines").count("no longer read") == len(gone)


def test_tokens_stand_by_part_and_of_how_many(db, open_page):
    side = words(open_page("briefing"), "briefing-side")
    assert f"of {DEFAULTS.briefing_tokens:,} tokens" in side
    assert "Procedures" in side


def test_what_just_missed_stands_apart_from_what_was_left_out(db, open_page):
    side = words(open_page("briefing"), "briefing-side")
    missed, left = side.split("Just missed")[1].split("Left out, and why")
    assert "below 0.55" in missed
    assert "below 0.55" not in left
    short = briefing_view(
        db, Asked(first_agent(db)), Shown(settings=DEFAULTS.model_copy(update={"briefing_tokens": 20}))
    )
    assert any("gave way: all of it would be" in line for line in short.missed)


def test_an_item_that_is_left_out_changes_nothing_in_the_store(db):
    agent = first_agent(db)
    view = briefing_view(db, Asked(agent))
    item = next(line.item_id for line in view.lines if line.item)
    fewer = briefing_view(db, Asked(agent), Shown(without=item))
    assert item not in [line.item_id for line in fewer.lines]
    assert briefing_view(db, Asked(agent)) == view
