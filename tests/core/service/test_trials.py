"""Trials of a task class: each new session takes the next number, and what has lived for its trials expires."""

import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlmodel import col, select

from core.governance.desk import undo
from core.governance.drafts import LessonContent
from core.governance.saving_numbers import save_numbers
from core.governance.trials import next_trial
from core.governance.versions import edit
from core.memory.buffer import remaining
from core.service.bring_in import bring_in, dry_run
from core.store.database import Database
from core.store.records import AgentSession, Decision, Item, LessonBody, TaskClass
from core.vocabulary import Action, Form, Severity, Status
from tests.desk import OPERATOR, act, item, put

SAYS = "I failed to read the refund rule because I answered at once; next time, I read the refund rule before I answer."


def bring(database: Database, *ids: str, task_class: str = "refunds", words: str = "Hello", **how: object) -> None:
    said = [
        {
            "id": each,
            "agent": "Campus Desk",
            "task_class": task_class,
            "messages": [{"role": "user", "content": words}, {"role": "assistant", "content": f"Yes, {each}."}],
        }
        for each in ids
    ]
    report = bring_in(database, json.dumps(said).encode(), "made.json", **how)  # type: ignore[arg-type]
    assert not report.errors, report.errors


def trials(database: Database, task_class: str = "refunds") -> tuple[int, list[int]]:
    """How many the class counts, and the numbers that its sessions have."""
    with database.reading() as db:
        counted = db.exec(select(TaskClass.trials).where(TaskClass.name == task_class)).one()
        numbers = select(AgentSession.trial).where(AgentSession.task_class == task_class).order_by(col(AgentSession.id))
        return counted, list(db.exec(numbers).all())


def reflection(database: Database, text: str = SAYS) -> int:
    """A reflection in force from now on."""
    content = LessonContent(form=Form.REFLECTION, text=text, tags=("refund", "rule"))
    made = put(database, content, Severity.MEDIUM).item_id
    act(database, made, Action.APPROVE)
    return made


def left(database: Database, item_id: int, lives_for: int = 10) -> int:
    with database.reading() as db:
        body = db.get_one(LessonBody, item_id)
        counted = db.exec(select(TaskClass.trials).where(TaskClass.name == "refunds")).one()
        return remaining(body.from_trial, counted, lives_for)


def expiries(database: Database, item_id: int) -> Sequence[Decision]:
    with database.reading() as db:
        query = select(Decision).where(Decision.item_id == item_id, Decision.action == Action.EXPIRE)
        return db.exec(query).all()


def test_a_reflection_that_is_rolled_back_to_lives_from_then_and_one_that_is_put_back_goes_on(
    database: Database,
) -> None:
    first = reflection(database)
    bring(database, *(f"a{each}" for each in range(8)))
    changes = {"text": SAYS.replace("I answered at once", "I guessed")}
    made = edit(database, item_id=first, person=OPERATOR, revision_seen=item(database, first).revision, changes=changes)
    act(database, made.item_id, Action.APPROVE)
    bring(database, *(f"b{each}" for each in range(5)))
    back = act(database, first, Action.ROLL_BACK, text="The new words misled it.")
    assert (item(database, first).status, left(database, first)) == (Status.ACTIVE, 10)
    bring(database, "c")
    assert (item(database, first).status, left(database, first)) == (Status.ACTIVE, 9)
    undo(database, decision_id=back.decision_id, person=OPERATOR)
    assert (item(database, made.item_id).status, left(database, made.item_id)) == (Status.ACTIVE, 4)


def test_every_new_session_of_a_task_class_takes_the_next_number(database: Database) -> None:
    bring(database, "a", "b")
    bring(database, "x", task_class="orders")
    bring(database, "c")
    assert trials(database) == (3, [1, 2, 3])
    assert trials(database, "orders") == (1, [1])


def test_the_same_session_again_longer_or_corrected_counts_once(database: Database) -> None:
    bring(database, "a")
    bring(database, "a")
    longer = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Yes, a."}]
    longer += [{"role": "user", "content": "Thanks"}]
    record = {"id": "a", "agent": "Campus Desk", "task_class": "refunds", "messages": longer}
    assert bring_in(database, json.dumps([record]).encode(), "made.json").rows[0].what == "extended"
    bring(database, "a", words="Good day", correct=True, by=OPERATOR)
    assert trials(database) == (1, [1])


def test_a_dry_run_counts_nothing(database: Database) -> None:
    said = [{"id": "a", "agent": "Campus Desk", "messages": [{"role": "user", "content": "Hello"}]}]
    dry_run(database, json.dumps(said).encode(), "made.json")
    with database.reading() as db:
        assert db.exec(select(TaskClass)).all() == []


@pytest.mark.databases("sqlite", "postgresql")
def test_two_importers_never_share_a_number(database: Database) -> None:
    def importer(name: str) -> None:
        for n in range(8):
            bring(database, f"{name}{n}", "shared" + str(n))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(importer, ("a", "b")))
    counted, numbers = trials(database)
    assert counted == len(numbers) == 24
    assert sorted(numbers) == list(range(1, 25))


@pytest.mark.databases("sqlite", "postgresql")
def test_a_reflection_is_in_force_for_ten_trials_and_expires_by_the_rule_with_the_tenth(database: Database) -> None:
    bring(database, "before1", "before2")
    made = reflection(database)
    bring(database, *(f"s{n}" for n in range(9)))
    assert (item(database, made).status, left(database, made)) == (Status.ACTIVE, 1)
    bring(database, "other", task_class="orders")
    assert left(database, made) == 1
    bring(database, "s9")
    assert (item(database, made).status, left(database, made)) == (Status.EXPIRED, 0)
    (row,) = expiries(database, made)
    assert (row.rule, row.by) == ("trials over", "import")


def test_a_suspended_reflection_goes_on_living_and_expires_too(database: Database) -> None:
    bring(database, "before")
    made = reflection(database)
    act(database, made, Action.SUSPEND, text="looked at")
    bring(database, *(f"s{n}" for n in range(10)))
    assert item(database, made).status == Status.EXPIRED


def test_a_proposed_reflection_has_not_begun_to_live(database: Database) -> None:
    content = LessonContent(form=Form.REFLECTION, text=SAYS, tags=("refund", "rule"))
    bring(database, "before")
    made = put(database, content, Severity.MEDIUM).item_id
    bring(database, *(f"s{n}" for n in range(12)))
    assert item(database, made).status == Status.PROPOSED
    act(database, made, Action.APPROVE)
    assert left(database, made) == 10


def test_an_instruction_never_expires_with_trials(database: Database) -> None:
    bring(database, "before")
    made = put(database, LessonContent(text="Check the refund rule before you promise a refund."), Severity.MEDIUM)
    act(database, made.item_id, Action.APPROVE)
    bring(database, *(f"s{n}" for n in range(12)))
    assert item(database, made.item_id).status == Status.ACTIVE


def test_with_fewer_trials_set_what_is_over_expires_with_the_next_trial(database: Database) -> None:
    bring(database, "before")
    made = reflection(database)
    bring(database, *(f"s{n}" for n in range(4)))
    save_numbers(database, {"reflection_trials": 3}, by=OPERATOR, reason="shorter lives")
    assert (item(database, made).status, left(database, made, 3)) == (Status.ACTIVE, 0)
    bring(database, "s4")
    assert item(database, made).status == Status.EXPIRED


def test_an_expired_reflection_can_be_proposed_again_and_then_lives_anew(database: Database) -> None:
    bring(database, "before")
    made = reflection(database)
    bring(database, *(f"s{n}" for n in range(10)))
    act(database, made, Action.REOPEN, text="it came back")
    act(database, made, Action.APPROVE)
    assert (item(database, made).status, left(database, made)) == (Status.ACTIVE, 10)


def test_an_import_that_is_taken_back_expires_nothing_and_counts_nothing(database: Database) -> None:
    bring(database, "before")
    made = reflection(database)
    with database.reading() as db:
        agent_id = db.get_one(Item, made).agent_id
    with pytest.raises(RuntimeError), database.writing() as db:
        for _ in range(10):
            next_trial(db, agent_id, "refunds", by="import", at=item(database, made).created_at)
        assert db.get_one(Item, made).status == Status.EXPIRED
        raise RuntimeError
    assert (item(database, made).status, left(database, made)) == (Status.ACTIVE, 10)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_comes_in_again_and_in_which_order_each_reflection_lives_for_its_trials(
    database: Database, seed: int
) -> None:
    dice = random.Random(seed)
    bring(database, "before")
    known, begun = {"before"}, dict[int, int]()
    for step in range(30):
        if dice.random() < 0.2 and len(begun) < 4:
            said = SAYS.replace("refund", ("invoice", "voucher", "parcel", "ticket")[len(begun)])
            begun[reflection(database, said)] = len(known)
        elif dice.random() < 0.3:
            bring(database, *dice.sample(sorted(known), min(2, len(known))))
        else:
            fresh = [f"{step}-{n}" for n in range(dice.randint(1, 2))]
            bring(database, *fresh, dice.choice(sorted(known)))
            known |= set(fresh)
        assert trials(database) == (len(known), list(range(1, len(known) + 1)))
        for one, from_trial in begun.items():
            over = len(known) >= from_trial + 10
            assert item(database, one).status == (Status.EXPIRED if over else Status.ACTIVE)
            assert len(expiries(database, one)) == over
