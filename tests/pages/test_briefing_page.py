"""The Briefing page: two briefings beside each other, tokens by part, and what more room would bring in."""

from core.briefing.asked import Asked
from core.briefing.read import agent_named
from core.governance import desk
from core.governance.acts import Request
from core.governance.drafts import Draft, LessonContent
from core.governance.on_screen import screen_hash
from core.governance.people import current_person
from core.governance.proposals import propose
from core.service.agents import agent_names
from core.service.briefing_views import Shown, briefing_view
from core.service.review_views import review_queue
from core.service.views import Narrowed
from core.settings import DEFAULTS
from core.store.clock import now
from core.store.records import Item
from core.vocabulary import Action, Severity, Source, Status
from tests.pages.reading import drawn, words
from ui.briefing_desk import DAY_BEFORE, NOTHING, YESTERDAY
from ui.tree import elements, text_of


def first_agent(db):
    return agent_names(db)[0]


def proposed(db, text, *, agent):
    """A proposed lesson of an agent."""
    with db.writing() as writing:
        draft = Draft(
            content=LessonContent(text=text, tags=("cable",)),
            severity=Severity.LOW,
            agent_id=agent_named(writing, agent).id or 0,
            task_class="orders",
            origin="a test",
            proposer="critic",
            source=Source.CRITIC,
        )
        propose(writing, draft, at=now(), rule="critic")


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


def test_what_waits_beyond_the_first_fifty_is_tried_by_its_name_in_the_address(db, open_page):
    agent, person = first_agent(db), current_person(db).name
    for number in range(55):
        text = f"Ask for the length of cable {number} before you order it."
        proposed(db, text, agent=agent)
    queue = review_queue(db, person=person, narrowed=Narrowed(agent=agent), page=2)
    last = queue.rows[-1]
    page = open_page("briefing", task="order a cable of what length", with_item=last.ref)
    field = page.selectbox(key="with_item")
    assert field.value == last.ref
    assert field.proto.help == f"The first 50 of {queue.total}; name another in the address."
    assert f"{last.ref} as if approved" in words(page, "briefing-side")
    for wrong in ("L-9999", "nonsense", read_now(db).item):
        assert open_page("briefing", with_item=wrong).selectbox(key="with_item").value == NOTHING, wrong


def test_what_waits_is_offered_without_a_word_where_all_of_it_is_there(db, open_page):
    assert not open_page("briefing").selectbox(key="with_item").proto.help


def test_beside_an_earlier_day_the_day_before_is_meant_and_said(db, open_page):
    page = open_page("briefing", as_of=now().date().isoformat(), compare="the end of yesterday")
    field = page.selectbox(key="compare")
    assert (field.value, YESTERDAY in field.options) == (DAY_BEFORE, False)
    lines = words(page, "briefing-lines")
    assert "new since the day before" in lines
    assert "yesterday" not in lines
    page.date_input(key="as_of").set_value(None).run()
    assert page.selectbox(key="compare").value == YESTERDAY
    assert "new since yesterday" in words(page, "briefing-lines")


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
