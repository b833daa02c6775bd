"""Policy files come into force as they are read, and what was screened against the version before waits again."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.governance.audit import verify
from core.governance.policies import agents_with, policies_now
from core.governance.policy_adoption import adopt, folder_problems
from core.governance.policy_drafts import write_recorded
from core.governance.policy_suspension import RULE
from core.service.agents import agent_for, agent_record, save_agent
from core.service.desk_views import card, review_queue
from core.store.database import Database
from core.store.oversight_records import PolicyVersion
from core.store.records import Agent, Decision, Screening
from core.transcripts import AgentDraft
from core.vocabulary import Action, Cause, Status
from tests.desk import OPERATOR, act, agent, item, lesson
from tests.policies import ID, TEXT, adopted, folder, give, operator, put_file, read_by_the_agent

__all__ = ["folder"]
pytestmark = pytest.mark.databases("sqlite", "postgresql")

OTHER = "A course is refunded in full within 14 days of purchase. Outside of that a credit is offered."


def versions(database: Database) -> list[tuple[str, int, str, str]]:
    with database.reading() as db:
        rows = db.exec(select(PolicyVersion).order_by(col(PolicyVersion.id))).all()
        return [(row.policy, row.version, row.origin, row.by) for row in rows]


def in_force(database: Database) -> dict[str, int]:
    return {one.id: one.version for one in policies_now(database)}


def statuses(database: Database, *ids: int) -> list[str]:
    return [item(database, one).status for one in ids]


@pytest.fixture
def desk(database: Database, folder: Path) -> tuple[int, int, int]:
    """An agent with a policy of version 1, and what it reads, screened against it."""
    put_file(folder)
    adopted(database)
    give(database)
    return read_by_the_agent(database)


def test_a_file_is_recorded_once_with_its_name_and_the_log_is_whole(database: Database, folder: Path) -> None:
    put_file(folder)
    assert adopted(database).versions == (f"{ID} v1",)
    assert adopted(database).versions == ()
    assert versions(database) == [(ID, 1, "file", f"file {ID}.yaml")]
    assert verify(database).whole


def test_a_greater_version_suspends_what_was_screened_against_the_one_before(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    put_file(folder, 2, OTHER)
    done = adopted(database)
    assert done.versions == (f"{ID} v2",)
    assert len(done.suspended) == 3
    assert statuses(database, *desk) == [Status.SUSPENDED, Status.SUSPENDED, Status.HELD]
    with database.reading() as db:
        rows = db.exec(select(Decision).where(Decision.action == Action.SUSPEND)).all()
        assert {(row.rule, row.by, row.text) for row in rows} == {(RULE, f"file {ID}.yaml", f"{ID} v1 → v2")}
    assert {item(database, one).cause for one in desk} == {Cause.POLICY}
    assert all(item(database, one).queued_at is not None for one in desk)
    assert {row.id for row in review_queue(database, person=OPERATOR).rows} == set(desk)
    assert verify(database).whole


def test_an_agent_never_reads_what_a_changed_policy_outdated(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    asked = Asked("Campus Desk", "student 1", "refunds", "look up the order number of a refund")
    assert len(issue(database, asked).items) == 3
    put_file(folder, 2, OTHER)
    assert issue(database, asked).items == ()


def test_other_agents_and_what_waits_are_left_alone(database: Database, folder: Path) -> None:
    put_file(folder)
    adopted(database)
    first, second, third = read_by_the_agent(database)
    give(database, "Other desk")
    waiting = lesson(database, "Name the costs of the post before you promise a sum.").item_id
    put_file(folder, 2, OTHER)
    assert adopted(database).suspended == ()
    assert statuses(database, first, second, third, waiting) == ["active", "active", "open", "proposed"]


def test_the_first_adoption_of_a_desk_suspends_nothing(database: Database, folder: Path) -> None:
    put_file(folder)
    agent(database)
    made = lesson(database).item_id
    with database.writing() as db:
        db.get_one(Screening, made).versions = {}
    act(database, made, Action.APPROVE)
    with database.writing() as db:
        db.get_one(Screening, made).versions = {}
    with database.writing() as db:
        assert agents_with(db, ID) == ()  # the record says so without having been saved by the desk
        db.get_one(Agent, item(database, made).agent_id).policies = [ID]
    assert adopted(database).suspended == ()
    assert item(database, made).status == Status.ACTIVE
    put_file(folder, 2, OTHER)
    assert len(adopted(database).suspended) == 1
    (change,) = card(database, made, person=OPERATOR).policy_changes
    assert (change.before, change.after, change.text_before) == (1, 2, TEXT)


def test_a_new_policy_suspends_what_was_screened_without_it(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    give(database, "Campus Desk", ID, "no-promises")
    assert statuses(database, *desk) == ["active", "active", "open"]
    put_file(folder, text="No promise is made about a result.", policy="no-promises")
    assert len(adopted(database).suspended) == 3
    (change,) = card(database, desk[0], person=OPERATOR).policy_changes
    assert (change.policy, change.before, change.after) == ("no-promises", None, 1)


def test_an_agent_that_gets_a_policy_loses_what_was_screened_without_it(database: Database, folder: Path) -> None:
    put_file(folder)
    adopted(database)
    items = read_by_the_agent(database)
    assert len(give(database)) == 3
    assert statuses(database, *items) == ["suspended", "suspended", "held"]
    assert {item(database, one).cause for one in items} == {Cause.POLICY}


def test_a_file_that_gives_an_agent_its_first_policies_is_such_a_change(database: Database, folder: Path) -> None:
    put_file(folder)
    adopted(database)
    items = read_by_the_agent(database)
    with database.writing() as db:
        agent_for(db, "Campus Desk", AgentDraft(policies=(ID,)))
    assert statuses(database, *items) == ["suspended", "suspended", "held"]
    with database.reading() as db:
        rows = db.exec(select(Decision).where(Decision.action == Action.SUSPEND)).all()
        assert {(row.rule, row.by) for row in rows} == {(RULE, "import")}


def test_many_that_adopt_at_once_record_a_version_once(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    put_file(folder, 2, OTHER)
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda _: adopt(database), range(6)))
    assert sorted(one.versions for one in done)[-1] == (f"{ID} v2",)
    assert [version for _, version, *_ in versions(database)] == [1, 2]
    with database.reading() as db:
        assert len(db.exec(select(Decision).where(Decision.action == Action.SUSPEND)).all()) == 3
    assert verify(database).whole


def test_a_policy_taken_off_and_given_back_at_the_same_version_suspends_nothing(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    record = agent_record(database, "Campus Desk")
    save_agent(database, type(record)(**{**record.__dict__, "policies": ()}))
    assert give(database) == ()
    assert statuses(database, *desk) == ["active", "active", "open"]


def test_other_words_under_the_same_version_are_told_and_not_adopted(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    put_file(folder, 1, OTHER)
    done = adopted(database)
    assert (done.versions, done.suspended) == ((), ())
    assert "give it version 2" in done.problems[0]
    assert [one.text for one in policies_now(database)] == [TEXT]
    assert statuses(database, *desk) == ["active", "active", "open"]


def test_what_somebody_decides_is_screened_against_a_recorded_version_and_never_one_that_can_still_change(
    database: Database, folder: Path
) -> None:
    put_file(folder)
    adopt(database)
    give(database)
    found = lesson(database, "Ask for the order number before you look an order up.").item_id
    put_file(folder, 2, "A course is refunded in full within 30 days of purchase.")
    act(database, found, Action.APPROVE, person=operator(database))
    put_file(folder, 2, "A course is refunded in full within 3 days of purchase.")
    assert adopt(database).versions == ()
    with database.reading() as db:
        assert "version 3" in " ".join(folder_problems(db))
    assert item(database, found).status == "active"
    put_file(folder, 3, "A course is refunded in full within 3 days of purchase.")
    assert adopt(database).versions == (f"{ID} v3",)
    assert item(database, found).status == "suspended"


def test_an_older_file_and_one_that_is_gone_change_nothing_and_are_told(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    put_file(folder, 3)
    adopted(database)
    put_file(folder, 2, OTHER)
    assert f"{ID} writes it anew" not in adopted(database).problems[0]
    assert f"“{ID}.yaml” says v2 of {ID}, and v3 is in force" in adopted(database).problems[0]
    (folder / f"{ID}.yaml").unlink()
    assert f"{ID} v3 is in force and has no file" in adopted(database).problems[0]
    assert in_force(database) == {ID: 3}
    assert write_recorded(database, ID) == f"{ID}.yaml"
    assert adopted(database).problems == ()
    assert in_force(database) == {ID: 3}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id: refund-window\nversion: [", "is not YAML"),
        ("id: refund-window\n", "field “title” is missing"),
        ("caf\udce9", "cannot be read as UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_stops_nothing(
    database: Database, folder: Path, desk: tuple[int, int, int], text: str, said: str
) -> None:
    (folder / f"{ID}.yaml").write_bytes(text.encode(errors="surrogateescape"))
    put_file(folder, policy="another")
    done = adopted(database)
    assert any(said in problem and problem.endswith(" What is recorded holds.") for problem in done.problems)
    assert done.versions == ("another v1",)
    assert in_force(database) == {ID: 1, "another": 1}
    assert statuses(database, *desk) == ["active", "active", "open"]


def test_two_files_with_one_id_bring_neither_into_force(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    put_file(folder, 2, OTHER)
    put_file(folder, 3, OTHER, name="copy.yaml")
    assert "share the id" in adopted(database).problems[0]
    assert in_force(database) == {ID: 1}


def test_a_file_that_holds_a_secret_is_told_and_never_stored(database: Database, folder: Path) -> None:
    put_file(folder, text="Refunds are paid from card 4111 1111 1111 1111 only.")
    done = adopted(database)
    assert "holds a secret" in done.problems[0]
    assert "4111" not in done.problems[0]
    assert (done.versions, versions(database), in_force(database)) == ((), [], {})


def test_a_folder_that_is_gone_leaves_what_is_recorded_in_force(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    (folder / f"{ID}.yaml").unlink()
    folder.rmdir()
    assert "cannot be read" in adopted(database).problems[0]
    assert in_force(database) == {ID: 1}
