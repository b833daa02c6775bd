"""What one person has before them, what they have typed, which reasons there are, and how fast is too fast."""

import multiprocessing
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from core.errors import BadInput, NotFound
from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.desk_settings import (
    DeskSettings,
    Reason,
    desk_settings,
    save_desk_settings,
    saved_desk_settings,
    words_of_reasons,
)
from core.governance.kept_words import forget_words, keep_words, kept_words
from core.governance.leases import beat, claim, holder, holders, release
from core.governance.people import set_person
from core.governance.versions import edit
from core.store.database import Database
from core.store.governance_records import KeptWords
from core.store.records import Decision
from core.vocabulary import Action, Duty, RejectReason, Status
from tests.core.governance.at_the_desk import decided, edited, refused, team
from tests.desk import act, item, lesson, note, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

NOON = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
OTHER = "Ask for the order number before you look an order up."


def after(**time: float) -> datetime:
    return NOON + timedelta(**time)


def who_has(database: Database, item_id: int, at: datetime) -> str | None:
    with database.reading() as db:
        found = holder(db, item_id, at)
        return found.person if found else None


def test_an_item_is_with_whoever_took_it_first_and_visibly_so(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    first = claim(database, found, "lead1", at=NOON)
    second = claim(database, found, "lead2", at=after(seconds=5))
    assert (first.person, second.person) == ("lead1", "lead1")
    assert first.until <= after(minutes=10)
    with database.reading() as db:
        assert holders(db, [found, 99], after(seconds=5)) == {found: second}


def test_what_somebody_else_has_is_not_decided_and_not_edited(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    claim(database, found, "lead1", at=NOON)
    asked = request(database, found, Action.APPROVE, person="lead2")
    with refused(database, "leased") as told:
        decide(database, asked, at=after(seconds=10))
    assert "lead1" in str(told.value)
    assert "minute" in str(told.value)
    with refused(database, "leased"):
        edit(
            database,
            item_id=found,
            person="lead2",
            revision_seen=1,
            changes={"tags": ("x1",)},
            at=after(seconds=10),
        )
    assert decide(database, asked, at=after(minutes=11)).status == Status.ACTIVE


def test_a_lease_ends_by_itself_also_when_its_page_beats_on(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    claim(database, found, "lead1", at=NOON)
    for seconds in range(0, 600, 30):
        beat(database, found, "lead1", at=after(seconds=seconds))
    assert who_has(database, found, after(seconds=599)) == "lead1"
    assert who_has(database, found, after(minutes=10)) is None
    assert beat(database, found, "lead1", at=after(minutes=10)) is None


def test_a_page_that_falls_silent_gives_its_item_up_soon(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    claim(database, found, "lead1", at=NOON)
    beat(database, found, "lead1", at=after(seconds=60))
    assert who_has(database, found, after(seconds=149)) == "lead1"
    assert who_has(database, found, after(seconds=150)) is None
    assert claim(database, found, "lead2", at=after(seconds=151)).person == "lead2"
    told = beat(database, found, "lead1", at=after(seconds=152))
    assert told is not None
    assert told.person == "lead2"


def test_one_person_has_one_item(database: Database) -> None:
    team(database)
    one, two = lesson(database).item_id, lesson(database, OTHER).item_id
    claim(database, one, "lead1", at=NOON)
    claim(database, two, "lead1", at=after(seconds=1))
    assert (who_has(database, one, after(seconds=2)), who_has(database, two, after(seconds=2))) == (None, "lead1")


def test_a_decision_and_a_release_give_the_item_back(database: Database) -> None:
    team(database)
    one, two = lesson(database).item_id, lesson(database, OTHER).item_id
    claim(database, one, "lead1")
    act(database, one, Action.APPROVE, person="lead1")
    claim(database, two, "lead2")
    release(database, two, "lead1")
    with database.reading() as db:
        assert set(holders(db, [one, two], datetime.now(UTC))) == {two}
    release(database, two, "lead2")
    act(database, two, Action.APPROVE, person="lead1")


def test_a_lease_of_somebody_who_may_not_decide_holds_nobody_up(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    claim(database, found, "dev1")
    assert act(database, found, Action.APPROVE, person="lead1").status == Status.ACTIVE
    claim(database, found, "lead2")
    set_person(database, "lead2", set())
    assert act(database, found, Action.RETIRE, person="lead1", text="old").status == Status.RETIRED


def test_a_clock_that_was_set_back_makes_no_lease_that_lasts_for_hours(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    claim(database, found, "lead1", at=after(hours=5))
    assert who_has(database, found, NOON) is None
    assert claim(database, found, "lead2", at=NOON).person == "lead2"


def test_an_unknown_item_can_be_taken_by_nobody(database: Database) -> None:
    with pytest.raises(NotFound):
        claim(database, 4711, "lead1")


def _claims(url: str, item_id: int, person: str, start: object, said: object) -> None:
    database = Database(url)
    start.wait()  # type: ignore[attr-defined]
    said.put(claim(database, item_id, person).person)  # type: ignore[attr-defined]
    database.close()


def test_of_two_processes_at_once_one_has_the_item_and_both_are_told_who(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    spawn = multiprocessing.get_context("spawn")
    start, said = spawn.Barrier(2), spawn.Queue()
    url = database.engine.url.render_as_string(hide_password=False)
    both = [spawn.Process(target=_claims, args=(url, found, name, start, said)) for name in ("lead1", "lead2")]
    for one in both:
        one.start()
    told = [said.get(timeout=60) for _ in both]
    for one in both:
        one.join()
    assert told[0] == told[1] == who_has(database, found, datetime.now(UTC))


def _decides(url: str, asked: Request, start: object, said: object) -> None:
    database = Database(url)
    start.wait()  # type: ignore[attr-defined]
    try:
        said.put(decide(database, asked).status)  # type: ignore[attr-defined]
    except Exception as error:
        said.put(f"{getattr(error, 'code', error)}")  # type: ignore[attr-defined]
    database.close()


def test_of_two_processes_at_once_one_decides(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    asked = [
        request(database, found, Action.APPROVE, person="lead1"),
        request(database, found, Action.REJECT, person="lead2", reason=RejectReason.NOT_TRUE),
    ]
    spawn = multiprocessing.get_context("spawn")
    start, said = spawn.Barrier(2), spawn.Queue()
    url = database.engine.url.render_as_string(hide_password=False)
    both = [spawn.Process(target=_decides, args=(url, one, start, said)) for one in asked]
    for one in both:
        one.start()
    told = {said.get(timeout=60) for _ in both}
    for one in both:
        one.join()
    assert told == {"already_decided", item(database, found).status}
    assert len(decided(database, found)) == 2


def test_typed_words_outlive_a_lost_race_and_go_with_the_decision_that_they_were_for(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    late = request(database, found, Action.REJECT, person="lead2", reason=RejectReason.NOT_TRUE)
    for name in ("lead1", "lead2"):
        keep_words(database, found, name, {"reason": f"typed by {name}"})
    act(database, found, Action.APPROVE, person="lead1")
    with refused(database, "already_decided"):
        decide(database, late)
    assert kept_words(database, found, "lead1") == {}
    assert kept_words(database, found, "lead2") == {"reason": "typed by lead2"}
    forget_words(database, found, "lead2")
    assert kept_words(database, found, "lead2") == {}


def test_the_words_of_an_edit_go_when_it_is_made_and_stay_when_it_is_refused(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    keep_words(database, found, "lead1", {"text": OTHER})
    with pytest.raises(BadInput):
        edited(database, found, "lead1", text=" ")
    assert kept_words(database, found, "lead1") == {"text": OTHER}
    edited(database, found, "lead1", text=OTHER)
    assert kept_words(database, found, "lead1") == {}


def test_secrets_are_masked_in_kept_words_and_a_stranger_keeps_none(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    keep_words(database, found, "lead1", {"reason": "his card 4111 1111 1111 1111"})
    assert "4111" not in kept_words(database, found, "lead1")["reason"]
    keep_words(database, found, "a stranger", {"reason": "mine"})
    keep_words(database, 4711, "lead1", {"reason": "of nothing"})
    with database.reading() as db:
        assert len(db.exec(select(KeptWords)).all()) == 1
    keep_words(database, found, "lead1", {"reason": ""})
    assert kept_words(database, found, "lead1") == {}


def settings(**changes: object) -> dict[str, object]:
    return {**DeskSettings().model_dump(mode="json"), **changes}


def test_a_decision_that_comes_too_soon_asks_again_and_the_time_is_a_setting(database: Database) -> None:
    team(database)
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE, person="lead1")
    shown = Request(**{**asked.__dict__, "shown_at": NOON})
    with refused(database, "too_soon"):
        decide(database, shown, at=after(seconds=0.69))
    save_desk_settings(database, settings(decide_after="2.50"), by="dev1", reason="slower")
    with refused(database, "too_soon"):
        decide(database, shown, at=after(seconds=2.4))
    with refused(database, "too_soon"):
        decide(database, shown, at=NOON)
    assert decide(database, shown, at=after(seconds=2.5)).status == Status.ACTIVE


def test_a_clock_that_was_set_back_makes_no_decision_wait_for_hours(database: Database) -> None:
    team(database)
    asked = request(database, lesson(database).item_id, Action.APPROVE, person="lead1")
    shown = Request(**{**asked.__dict__, "shown_at": after(hours=5)})
    assert decide(database, shown, at=NOON).status == Status.ACTIVE


NEW = ({"code": "off_topic", "words": "off topic"},)


def test_reasons_are_a_setting_and_an_old_one_stays_readable(database: Database) -> None:
    team(database)
    one, two = lesson(database).item_id, lesson(database, OTHER).item_id
    made = act(database, one, Action.REJECT, person="lead1", reason="not_true")
    save_desk_settings(database, settings(reject_reasons=NEW), by="dev1", reason="our own words", seen=0)
    with refused(database, "unknown_reason"):
        act(database, two, Action.REJECT, person="lead1", reason="not_true")
    with refused(database, "reason_needed"):
        act(database, two, Action.REJECT, person="lead1")
    assert act(database, two, Action.REJECT, person="lead1", reason="off_topic").status == Status.REJECTED
    with database.reading() as db:
        assert db.get_one(Decision, made.decision_id).reason == "not_true"
        words = words_of_reasons(db)
    assert (words["not_true"], words["off_topic"]) == ("not true", "off topic")


@pytest.mark.parametrize("odd", ["=1+1", "NOT_TRUE", "not true", "not_true\n", "", "é_reason", "not_true'; drop table"])
def test_a_reason_that_is_none_of_the_list_is_refused_as_it_stands(database: Database, odd: str) -> None:
    team(database)
    found = lesson(database).item_id
    with refused(database, "unknown_reason"):
        act(database, found, Action.REJECT, person="lead1", reason=odd)


@pytest.mark.parametrize(
    "reasons",
    [
        (),
        ({"code": "=bad", "words": "bad"},),
        ({"code": "Bad", "words": "bad"},),
        ({"code": "bad\n", "words": "bad"},),
        ({"code": "bad", "words": "   "},),
        ({"code": "bad", "words": "a\u202eb"},),
        (*NEW, *NEW),
        tuple({"code": f"code_{n}", "words": f"word {n}"} for n in range(10)),
    ],
)
def test_a_list_of_reasons_that_is_none_is_refused(database: Database, reasons: tuple[object, ...]) -> None:
    team(database)
    with pytest.raises(BadInput):
        save_desk_settings(database, settings(reject_reasons=reasons), by="dev1", reason="so")
    assert desk_settings(database) == (DeskSettings(), 0)


def test_the_desks_settings_are_a_developers_and_keep_who_when_and_why(database: Database) -> None:
    team(database)
    with refused(database, "role"):
        save_desk_settings(database, settings(), by="lead1", reason="so")
    with pytest.raises(BadInput):
        save_desk_settings(database, settings(), by="dev1", reason=" ")
    save_desk_settings(database, settings(lease_minutes=5), by="dev1", reason="faster", seen=0)
    with refused(database, "settings_moved_on"):
        save_desk_settings(database, settings(), by="dev1", reason="so", seen=0)
    assert [(row.by, row.reason) for row in saved_desk_settings(database)] == [("dev1", "faster")]
    found = lesson(database).item_id
    assert claim(database, found, "lead1", at=NOON).until <= after(minutes=5)


def test_the_default_reasons_have_words_for_every_code() -> None:
    chosen = DeskSettings()
    assert {one.code for one in chosen.reasons(Action.REJECT)} == set(RejectReason)
    assert not chosen.reasons(Action.APPROVE)
    assert Reason(code="ab", words=" so ").words == "so"


def test_a_note_is_dismissed_for_a_reason_of_its_own_list(database: Database) -> None:
    team(database)
    found = note(database, session(database)).item_id
    with refused(database, "unknown_reason"):
        act(database, found, Action.DISMISS, person="lead1", reason=RejectReason.NOT_GENERAL)
    set_person(database, "lead1", {Duty.LEAD})
    assert act(database, found, Action.DISMISS, person="lead1", reason="no_fault").status == Status.DISMISSED
