"""What two people decide blind: each says it under seal, the same is done, and where they differ a third decides."""

import pytest
from sqlmodel import col, select

from core.errors import Refused
from core.governance import blind
from core.governance.audit import verify
from core.governance.desk import decide, undo
from core.governance.desk_settings import save_desk_settings
from core.governance.people import take_duties
from core.governance.sealing import said_by, sealed_verdicts, who_is_missing
from core.service.card_views import card
from core.service.history_views import history
from core.service.log_export import log_csv, log_jsonl
from core.service.log_views import LogAsked, LogView, log_choices, log_page
from core.service.review_views import review_queue
from core.store.database import Database
from core.store.oversight_records import BlindVerdict
from core.store.records import Item, Refusal
from core.vocabulary import Action, DismissReason, RejectReason, Severity, Status
from tests.core.governance.at_the_desk import (
    decided,
    edited,
    everything,
    for_every_task,
    further_proof,
    refusals,
    refused,
    team,
)
from tests.desk import OPERATOR, act, item, lesson, note, procedure, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def all_blind(database: Database, share: str = "1.00") -> None:
    """A team whose new items are all decided blind."""
    team(database)
    save_desk_settings(database, {"blind_share": share}, by="dev1", reason="to see whether we agree")


def says(database: Database, found: int, person: str, action: Action = Action.APPROVE, text: str = ""):
    code = {Action.REJECT: RejectReason.NOT_TRUE, Action.DISMISS: DismissReason.NOT_TRUE}.get(action)
    return act(database, found, action, person=person, reason=code, text=text)


def verdicts(database: Database) -> list[tuple[str, str]]:
    with database.reading() as db:
        return [(row.action, row.by) for row in db.exec(select(BlindVerdict).order_by(col(BlindVerdict.id))).all()]


def sealed(database: Database) -> int:
    with database.reading() as db:
        return len(sealed_verdicts(db))


def test_what_the_first_says_changes_nothing_about_the_item_and_the_log_holds_it(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    before = everything(database)
    said = says(database, found, "lead1")
    assert everything(database) == before
    assert (said.decision_id, said.status) == (0, Status.PROPOSED)
    assert "one more person" in said.text
    assert verdicts(database) == [("approve", "lead1")]
    assert verify(database).whole


def test_the_same_from_another_person_is_carried_out_with_the_first_as_its_endorsement(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1", text="It happened twice.")
    assert says(database, found, "lead2").status == Status.ACTIVE
    assert decided(database, found)[1:] == [("endorse", "lead1"), ("approve", "lead2")]
    assert verify(database).whole


@pytest.mark.parametrize("action", [Action.RESOLVE, Action.DISMISS])
def test_critical_notes_are_decided_blind_by_two_auditors(database: Database, action: Action) -> None:
    all_blind(database)
    found = note(database, session(database), severity=Severity.CRITICAL).item_id
    assert says(database, found, "auditor1", action, "seen").status == Status.OPEN
    after = {Action.RESOLVE: Status.RESOLVED, Action.DISMISS: Status.DISMISSED}[action]
    assert says(database, found, "auditor2", action, "seen").status == after
    assert verify(database).whole


def test_where_two_people_are_needed_the_two_verdicts_are_both_of_them(database: Database) -> None:
    all_blind(database)
    found = for_every_task(database)
    says(database, found, "lead1")
    assert says(database, found, "lead2").status == Status.ACTIVE


def test_where_two_differ_a_third_decides_and_neither_of_the_two_can(database: Database) -> None:
    all_blind(database)
    found = for_every_task(database)
    says(database, found, "lead1")
    assert "third person" in says(database, found, "lead2", Action.REJECT).text
    assert item(database, found).status == Status.PROPOSED
    assert sealed(database) == 0
    for name in ("lead1", "lead2"):
        with refused(database, "own_verdict"):
            says(database, found, name)
    assert says(database, found, "lead3").status == Status.ACTIVE
    assert decided(database, found)[1:] == [("endorse", "lead1"), ("approve", "lead3")]
    assert verify(database).whole


def test_the_third_can_say_no_with_the_one_who_said_no(database: Database) -> None:
    all_blind(database)
    found = procedure(database).item_id
    says(database, found, "lead1")
    says(database, found, "lead2", Action.REJECT)
    assert says(database, found, "lead3", Action.REJECT).status == Status.REJECTED
    assert decided(database, found)[1:] == [("endorse", "lead2"), ("reject", "lead3")]


def test_saying_it_twice_is_saying_it_once(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    asked = request(database, found, Action.APPROVE, person="lead1")
    assert [decide(database, asked).already for _ in range(2)] == [False, True]
    assert verdicts(database) == [("approve", "lead1")]


def test_who_would_say_otherwise_takes_it_back_first_and_no_log_tells_of_the_attempt(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1")
    before = everything(database)
    with pytest.raises(Refused) as told:
        says(database, found, "lead1", Action.REJECT)
    assert told.value.code == "verdict_given"
    assert (everything(database), refusals(database)) == (before, [])
    blind.take_back(database, item_id=found, person="lead1")
    says(database, found, "lead1", Action.REJECT)
    assert verdicts(database) == [("approve", "lead1"), ("undo", "lead1"), ("reject", "lead1")]
    assert says(database, found, "lead2", Action.REJECT).status == Status.REJECTED


def test_nothing_is_taken_back_that_is_not_sealed_or_not_ones_own(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1")
    with refused(database, "no_verdict"):
        blind.take_back(database, item_id=found, person="lead2")
    says(database, found, "lead2", Action.REJECT)
    with refused(database, "no_verdict"):
        blind.take_back(database, item_id=found, person="lead1")


def test_it_leaves_the_queue_of_whoever_has_said_and_no_other(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1")

    def waits_for(person: str) -> bool:
        return found in [row.id for row in review_queue(database, person=person).rows]

    assert (waits_for("lead1"), waits_for("lead2")) == (False, True)
    blind.take_back(database, item_id=found, person="lead1")
    assert waits_for("lead1")
    with database.reading() as db:
        assert said_by(db, "lead1") == frozenset()


def test_no_door_tells_what_the_first_said_or_who_it_was(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1", Action.REJECT, "Nothing of it is so.")
    told = _told(database, found)
    assert not [word for word in ("lead1", "Nothing of it", "not_true", "reject", "undo") if word in told]
    row = log_page(database, LogAsked(LogView.OVERSIGHT)).rows[0]
    assert (row.who, row.action, row.sealed) == ("sealed", "blind verdict", True)
    for asked in (LogAsked(LogView.OVERSIGHT, person="lead1"), LogAsked(LogView.OVERSIGHT, search="lead1")):
        assert log_page(database, asked).total == 0
    assert "lead1" not in log_choices(database, LogView.OVERSIGHT).people
    says(database, found, "lead2", Action.REJECT)
    rows = log_page(database, LogAsked(LogView.OVERSIGHT)).rows
    assert [(row.who, row.action) for row in rows] == [
        ("lead2", "blind verdict: reject"),
        ("lead1", "blind verdict: reject"),
    ]


def _told(database: Database, found: int) -> str:
    """Everything that the card, the history and the exports of the log say to the second person."""
    said = [str(card(database, found, person="lead2")), str(history(database, found))]
    for view in (LogView.DECISIONS, LogView.REFUSALS, LogView.OVERSIGHT):
        for export in (log_csv, log_jsonl):
            said.append(b"".join(export(database, LogAsked(view))).decode())
    return "\n".join(said)


def test_a_refused_verdict_stands_in_the_log_without_its_direction(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    with pytest.raises(Refused) as told:
        act(database, found, Action.REJECT, person="lead1")
    assert (told.value.code, "reject" in str(told.value)) == ("reason_needed", True)
    with database.reading() as db:
        row = db.exec(select(Refusal)).one()
    assert (row.action, row.code, "reject" in row.text) == ("blind verdict", "reason_needed", False)


def test_an_edit_lets_what_was_said_lapse_and_keeps_it_sealed_until_the_new_version_is_decided(
    database: Database,
) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1")
    newer = edited(database, found, "lead3", text="Look the refund rule up first.")
    assert item(database, newer).blind
    assert sealed(database) == 1
    says(database, newer, "lead2")
    assert item(database, newer).status == Status.PROPOSED
    assert says(database, newer, "lead1").status == Status.ACTIVE
    assert sealed(database) == 0


def test_further_proof_lets_what_was_said_lapse(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1")
    further_proof(database, found)
    assert says(database, found, "lead2").status == Status.PROPOSED
    assert says(database, found, "lead1").status == Status.ACTIVE


def test_what_somebody_said_lapses_when_they_may_not_decide_any_more(database: Database) -> None:
    all_blind(database)
    found = for_every_task(database)
    says(database, found, "lead1")
    take_duties(database, "lead1", by="admin1")
    assert says(database, found, "lead2").status == Status.PROPOSED
    assert says(database, found, "lead3").status == Status.ACTIVE
    assert decided(database, found)[1:] == [("endorse", "lead2"), ("approve", "lead3")]


def test_an_approval_that_is_undone_waits_for_two_people_again(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1")
    done = says(database, found, "lead2")
    undo(database, decision_id=done.decision_id, person="lead2")
    assert says(database, found, "lead3").status == Status.PROPOSED
    assert says(database, found, "lead1").status == Status.ACTIVE


def test_other_acts_work_as_ever(database: Database) -> None:
    all_blind(database)
    found = note(database, session(database)).item_id
    says(database, found, "lead1", Action.RESOLVE, "done")
    assert act(database, found, Action.SUSPEND, person="lead2", text="not now").status == Status.HELD
    assert act(database, found, Action.RELEASE, person="lead3", text="seen").status == Status.OPEN
    assert says(database, found, "lead2", Action.RESOLVE, "done").status == Status.OPEN


def test_an_admin_lifts_the_blindness_of_one_item_and_says_why(database: Database) -> None:
    all_blind(database)
    found, other = lesson(database).item_id, lesson(database, "Name the building when a room is booked.").item_id
    says(database, found, "lead1", Action.REJECT)
    with refused(database, "role"):
        blind.lift(database, item_id=found, person="lead2", reason="in a hurry")
    with refused(database, "text_needed"):
        blind.lift(database, item_id=found, person="admin1", reason=" ")
    assert sealed(database) == 1
    blind.lift(database, item_id=found, person="admin1", reason="Two of us are away.")
    assert (item(database, found).blind, item(database, other).blind, sealed(database)) == (False, True, 0)
    assert log_page(database, LogAsked(LogView.OVERSIGHT)).rows[0].reason == "Two of us are away."
    assert says(database, found, "lead1").status == Status.ACTIVE
    with refused(database, "not_blind"):
        blind.lift(database, item_id=found, person="admin1", reason="again")
    assert verify(database).whole


def test_it_is_said_who_is_missing_whatever_was_said_already(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    missing = []
    for gone in ("", "lead2", "lead3"):
        if gone:
            take_duties(database, gone, by="admin1")
        with database.reading() as db:
            missing.append(who_is_missing(db, db.get_one(Item, found)))
    assert missing == ["", "", "two people must say, and only lead1 may"]
    says(database, found, "lead1")
    with database.reading() as db:
        assert who_is_missing(db, db.get_one(Item, found)) == missing[-1]


def test_chance_says_which_items_and_a_later_share_moves_none(database: Database) -> None:
    all_blind(database, "0.50")
    made = [lesson(database, text).item_id for text in _TEXTS]
    chosen = [item(database, one).blind for one in made]
    assert 0 < sum(chosen) < len(chosen)
    save_desk_settings(database, {"blind_share": "1"}, by="dev1", reason="more")
    assert [item(database, one).blind for one in made] == chosen
    assert item(database, procedure(database).item_id).blind


_TEXTS = tuple(
    f"{verb} {what} before you answer."
    for verb, what in (
        ("Read the exam dates aloud from the calendar", "of the faculty"),
        ("Name the building", "and the floor"),
        ("Ask for the order number", "and the postcode"),
        ("Compare the tariff", "with last year's"),
        ("Translate the allergy warning", "for the kitchen"),
        ("Count the seats that are free", "on the ferry"),
        ("Check the weather on the pass", "twice"),
        ("Spell the surname back", "letter by letter"),
    )
)


def test_without_a_share_and_alone_at_the_desk_nothing_is_blind(database: Database) -> None:
    assert not item(database, lesson(database).item_id).blind
    save_desk_settings(database, {"blind_share": "1"}, by=OPERATOR, reason="to see what it does alone")
    assert not item(database, procedure(database).item_id).blind
    team(database)
    assert not item(database, lesson(database).item_id).blind
    assert item(database, lesson(database, "Name the building when a room is booked.").item_id).blind


def test_whoever_is_left_alone_decides_a_blind_item_by_themselves(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    for name in ("lead2", "lead3", "auditor1", "auditor2", "dev1", "admin1"):
        take_duties(database, name)
    assert says(database, found, "lead1").status == Status.ACTIVE
    assert not verdicts(database)


def test_a_text_that_holds_a_secret_is_masked_before_it_is_sealed(database: Database) -> None:
    all_blind(database)
    found = lesson(database).item_id
    says(database, found, "lead1", text="The card was 4111 1111 1111 1111.")
    with database.reading() as db:
        assert "4111" not in db.exec(select(BlindVerdict)).one().text
