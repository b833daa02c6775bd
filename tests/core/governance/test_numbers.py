"""Other numbers are a decision of a developer: reasoned, in bounds, versioned, in force at once, to be taken back."""

from decimal import Decimal

import pytest
from sqlmodel import select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.effects.outcomes import report_outcome
from core.errors import BadInput, NotFound, Refused
from core.governance.audit import verify
from core.governance.log import log
from core.governance.numbers import numbers, numbers_not_in_force, numbers_then, saved_numbers, version_of
from core.governance.people import set_person
from core.governance.saving_numbers import save_numbers
from core.governance.stored_settings import as_far_as_known
from core.service.procedure_views import procedures
from core.settings import DEFAULTS, Settings
from core.store.clock import now
from core.store.database import Database
from core.store.oversight_records import NumbersVersion
from core.store.records import Item
from core.vocabulary import Action, Duty, GroundedNotes, Outcome, Severity
from tests.core.governance.at_the_desk import everything
from tests.desk import OPERATOR, START, act, lesson, note, procedure, session

both = pytest.mark.databases("sqlite", "postgresql")
ASKED = Asked("Campus Desk", "student 1", "refunds", "A student wants a refund")


def save(database: Database, reason: str = "fewer doubtful lines", seen: int | None = None, **chosen: object) -> None:
    save_numbers(database, chosen, by=OPERATOR, reason=reason, seen=seen)


@both
def test_saved_numbers_are_in_force_and_stand_in_the_log(database: Database) -> None:
    save(database, procedure_threshold="0.62", notes_read_from="high")
    save(database, "back a little", procedure_threshold=Decimal("0.60"))
    assert numbers(database) == DEFAULTS.model_copy(
        update={"procedure_threshold": Decimal("0.60"), "notes_read_from": Severity.HIGH}
    )
    newest, oldest = saved_numbers(database)
    assert (newest.version, newest.by, newest.reason) == (2, OPERATOR, "back a little")
    assert [one.in_words for one in newest.differs] == ["Procedure is read from confidence 0.62 → 0.60"]
    assert [one.in_words for one in oldest.differs] == [
        "Procedure is read from confidence 0.55 → 0.62",
        "Notes are read from severity medium → high",
    ]
    assert version_of(database, 1).procedure_threshold == Decimal("0.62")
    assert version_of(database, 0) == DEFAULTS
    with pytest.raises(NotFound):
        version_of(database, 3)
    assert verify(database).whole


@both
def test_a_version_is_brought_back_by_saving_its_numbers_anew(database: Database) -> None:
    save(database, success_step="0.10", queue_high=9)
    save(database, success_step="0.20")
    save(database, "v1 was better", **version_of(database, 1).model_dump())
    assert numbers(database) == version_of(database, 1)
    assert [one.version for one in saved_numbers(database)] == [3, 2, 1]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({}, "No number differs"),
        ({"procedure_threshold": "0.55"}, "No number differs"),
        ({"procedure_threshold": "1.01"}, "“Procedure is read from confidence” cannot be “1.01”: it is 0.00 to 1.00"),
        ({"procedure_threshold": "0.555"}, "cannot be “0.555”: it is 0.00 to 1.00 (confidence), in hundredths"),
        ({"procedure_threshold": "nan"}, "cannot be “nan”"),
        ({"notes_in_briefing": "two"}, "cannot be “two”: it is 0 to 50 (notes), a whole number"),
        ({"notes_in_briefing": 2.5}, "cannot be “2.5”"),
        ({"notes_read_from": "grave"}, "it is critical or high or medium or low or positive"),
        ({"grounded_notes": ""}, "cannot be “”: it is all or looked at"),
        ({"colour": 1}, "There is no number “colour”"),
        ({"first_confidence": "0.90"}, "“A procedure starts from confidence” is 0.90, above"),
        ({"notes_looked_at": 3}, "“Notes in a briefing, at most” is 4, above “Notes among which a briefing chooses”"),
        ({"overlap_turns": 3}, "is one of the critic's settings"),
    ],
)
def test_what_cannot_be_saved_is_told_in_words_and_nothing_changes(
    database: Database, chosen: dict[str, object], said: str
) -> None:
    before = everything(database)
    with pytest.raises(BadInput) as told:
        save(database, **chosen)
    assert said in str(told.value)
    assert str(told.value).endswith("Nothing was saved.")
    assert everything(database) == before


def test_a_change_without_a_reason_is_refused(database: Database) -> None:
    with pytest.raises(BadInput, match="needs a reason"):
        save(database, "  ", procedure_threshold="0.60")
    assert saved_numbers(database) == ()


@both
def test_only_a_developer_changes_numbers_and_the_attempt_is_logged(database: Database) -> None:
    set_person(database, "Ada", {Duty.ADMIN, Duty.DEVELOPER})
    set_person(database, "Meera", {Duty.LEAD})
    for name in ("Meera", "nobody", "agent:night job"):
        with pytest.raises(Refused) as told:
            save_numbers(database, {"procedure_threshold": "0.60"}, by=name, reason="I may")
        assert told.value.code == "role"
    assert numbers(database) == DEFAULTS
    assert verify(database).whole


@both
def test_whoever_saw_an_older_version_is_told_who_saved_another_one(database: Database) -> None:
    save(database, seen=0, procedure_threshold="0.60")
    with pytest.raises(Refused) as told:
        save(database, seen=0, procedure_threshold="0.50")
    assert told.value.code == "numbers_moved_on"
    assert f"{OPERATOR} saved v1 on " in str(told.value)
    assert numbers(database).procedure_threshold == Decimal("0.60")
    save(database, seen=1, procedure_threshold="0.50")


def test_secrets_in_a_reason_are_masked(database: Database) -> None:
    save(database, "as sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD said", procedure_threshold="0.60")
    assert "abcdefghij" not in saved_numbers(database)[0].reason


@both
def test_other_weights_order_the_queue_anew(database: Database) -> None:
    made = session(database)
    high = note(database, made, severity=Severity.CRITICAL, fault="a").item_id
    low = lesson(database).item_id

    def order() -> list[int]:
        with database.reading() as db:
            waiting = select(Item.id).where(Item.queued_at != None).order_by(Item.rank)  # noqa: E711
            return [one or 0 for one in db.exec(waiting).all()]

    assert order() == [high, low]
    save(database, queue_critical=1, queue_high=500)
    assert order() == [low, high]


@both
def test_what_an_agent_reads_and_how_a_confidence_moves_follow_the_numbers_in_force(database: Database) -> None:
    found = procedure(database).item_id
    act(database, found, Action.APPROVE)
    notes = [note(database, session(database, f"CD-{n}"), fault=str(n)).item_id for n in range(3)]
    save(database, success_step="0.20", notes_in_briefing=1)
    issued = issue(database, ASKED)
    assert [one.kind for one in issued.items] == ["procedure", "note"]
    moved = report_outcome(database, issued.receipt, Outcome.SUCCESS).moved
    assert [(one.before, one.after) for one in moved] == [(Decimal("0.60"), Decimal("0.80"))]
    assert procedures(database).rows[0].confidence == Decimal("0.80")
    save(database, procedure_threshold="0.90", notes_read_from="critical")
    assert issue(database, ASKED).items == ()
    assert procedures(database).rows[0].in_briefing is False
    assert len(notes) == 3


@both
def test_where_the_rule_asks_for_a_look_an_unseen_note_is_not_read(database: Database) -> None:
    from core.service.governed import bring_up

    unseen = note(database, session(database, "CD-1"), fault="a").item_id
    seen = note(database, session(database, "CD-2"), fault="b").item_id
    save(database, grounded_notes=GroundedNotes.LOOKED_AT)
    assert issue(database, ASKED).items == ()
    bring_up(database, seen, person=OPERATOR)
    assert [one.ref for one in issue(database, ASKED).items] == ["N-0002"]
    assert unseen != seen


def test_a_text_is_as_long_as_the_numbers_allow(database: Database) -> None:
    save(database, lesson_characters=60)
    with pytest.raises(Refused) as told:
        lesson(database, "Check the refund policy, " * 4)
    assert told.value.code == "too_long"
    assert "60 at most" in str(told.value)
    save(database, lesson_characters=2_000)
    assert lesson(database, "Check the refund policy of the course, then name the rule. " * 12).what == "new"


def test_rows_of_numbers_that_an_older_version_saved_are_read_with_todays_defaults(database: Database) -> None:
    save(database, procedure_threshold="0.60")
    with database.reading() as db:
        chosen = dict(db.exec(select(NumbersVersion)).one().chosen)
    chosen.pop("twin_share")
    stored(database, chosen)
    assert numbers(database).twin_share == DEFAULTS.twin_share


def stored(database: Database, chosen: dict[str, object]) -> None:
    """Numbers as another version of the code might have saved them."""
    with database.writing() as db:
        log(db, NumbersVersion(chosen=chosen, by="Ada", reason="saved elsewhere", at=START))


@pytest.mark.parametrize(
    "chosen",
    [
        {"procedure_threshold": "0.62", "a_number_of_tomorrow": 3},
        {"procedure_threshold": "0.62", "notes_in_briefing": 9_000, "notes_read_from": "grave"},
        {"procedure_threshold": "0.62", "twin_share": None, "queue_high": [1]},
    ],
)
def test_numbers_that_another_version_saved_are_read_as_far_as_they_are_known(
    database: Database, chosen: dict[str, object]
) -> None:
    lesson(database)
    stored(database, chosen)
    expected = DEFAULTS.model_copy(update={"procedure_threshold": Decimal("0.62")})
    assert numbers(database) == expected
    assert (saved_numbers(database)[0].numbers, version_of(database, 1)) == (expected, expected)
    with database.reading() as db:
        assert numbers_then(db, now()) == expected
        assert numbers_not_in_force(db)
    assert issue(database, ASKED).receipt
    save(database, procedure_threshold="0.70")
    with database.reading() as db:
        assert numbers_not_in_force(db) == ()


def test_what_is_not_in_force_of_saved_numbers_is_told_by_name(database: Database) -> None:
    stored(database, {"tomorrow": 3, "notes_in_briefing": 9_000})
    with database.reading() as db:
        assert numbers_not_in_force(db) == (
            "“tomorrow” is not known here",
            "“notes_in_briefing” cannot be “9000”, so its default holds",
        )


def test_a_row_that_holds_no_names_at_all_leaves_the_defaults() -> None:
    found, problems = as_far_as_known(Settings, ["procedure_threshold", "0.62"])
    assert (found, len(problems)) == (DEFAULTS, 1)


@pytest.mark.parametrize("written", ["0.6", "0.60", "0.6000", 0.6, Decimal("0.600")])
def test_the_same_number_has_one_digest_however_it_is_written(written: object) -> None:
    one = Settings.model_validate({"procedure_threshold": written, "success_step": "0.08"})
    assert str(one.procedure_threshold) == "0.60"
    assert one.digest == Settings.model_validate({"procedure_threshold": "0.60"}).digest


def test_nothing_less_than_nothing_is_nothing() -> None:
    one = Settings.model_validate({"success_step": "-0"})
    assert str(one.success_step) == "0.00"
    assert one.digest == Settings.model_validate({"success_step": "0"}).digest
