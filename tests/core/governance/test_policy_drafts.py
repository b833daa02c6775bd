"""A policy is changed by two people: one proposes, another with the duty lead brings it into force."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlmodel import col, select

from core.checks.policies import read_policy
from core.errors import AlreadyDecided, BadInput, NotFound, Refused
from core.governance.audit import verify
from core.governance.people import set_person
from core.governance.policies import policies_now
from core.governance.policy_drafts import (
    approve_policy,
    propose_policy,
    propose_withdrawal,
    turn_down_policy,
    waiting_drafts,
)
from core.service.policy_views import drafts_that_wait, policy_rows, policy_view
from core.store.database import Database
from core.store.oversight_records import PolicyDraft, PolicyTurnedDown, PolicyVersion
from core.vocabulary import Cause, Status
from tests.core.governance.at_the_desk import everything, refusals, team
from tests.desk import OPERATOR, item
from tests.policies import ID, adopted, folder, give, put_file, read_by_the_agent

__all__ = ["folder"]
pytestmark = pytest.mark.databases("sqlite", "postgresql")

CHANGED = {
    "title": "Refund window",
    "text": "A course is refunded in full within 14 days of purchase. Outside of that a credit is offered.",
    "owner": "Tomas Berg",
    "words": ["no questions asked"],
    "severity": "critical",
    "improvement": "Look the date up.",
    "trigger": "When a student asks",
    "tags": ["refund"],
}


def proposed(database: Database, by: str = "dev1", base: int = 1, **changes: object) -> int:
    return propose_policy(database, ID, {**CHANGED, **changes}, base=base, by=by, reason="The law changed")


@pytest.fixture
def desk(database: Database, folder: Path) -> tuple[int, int, int]:
    """A team, a policy of version 1, and what an agent reads under it."""
    team(database)
    put_file(folder)
    adopted(database)
    give(database)
    return read_by_the_agent(database)


def policies(database: Database) -> list[object]:
    with database.reading() as db:
        tables = (PolicyVersion, PolicyDraft, PolicyTurnedDown)
        return [row.model_dump() for table in tables for row in db.exec(select(table).order_by(col(table.id))).all()]


@contextmanager
def nothing_done(database: Database, code: str) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Refused with this code; policies, items and decisions stand as they stood, and the refusal is in the log."""
    before, known = (everything(database), policies(database)), len(refusals(database))
    with pytest.raises(Refused) as told:
        yield told
    assert told.value.code == code
    assert (everything(database), policies(database)) == before
    assert [one for one, _ in refusals(database)[known:]] == [code]


def test_a_second_person_brings_it_into_force_with_all_that_follows(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    draft = proposed(database)
    (waits,) = drafts_that_wait(database)
    assert [one.id for one in waits.leaves] == list(desk), "said before anybody approves"
    assert [item(database, one).status for one in desk] == ["active", "active", "open"]
    done = approve_policy(database, draft, by="lead1")
    assert (done.policy.version, len(done.suspended), done.file, done.problem) == (2, 3, f"{ID}.yaml", "")
    assert [item(database, one).status for one in desk] == [Status.SUSPENDED, Status.SUSPENDED, Status.HELD]
    assert {item(database, one).cause for one in desk} == {Cause.POLICY}
    assert policies_now(database) == (done.policy,)
    assert read_policy(folder / f"{ID}.yaml") == done.policy
    assert adopted(database).problems == ()
    with database.reading() as db:
        row = db.exec(select(PolicyVersion).order_by(col(PolicyVersion.id).desc())).first()
        assert row is not None
        assert (row.by, row.second, row.reason, row.origin) == ("dev1", "lead1", "The law changed", "page")
        assert waiting_drafts(db) == ()
    view = policy_view(database, ID)
    assert ([one.policy.version for one in view.versions], len(view.waiting)) == ([2, 1], 3)
    assert verify(database).whole


def test_nobody_approves_what_they_proposed(database: Database, desk: tuple[int, int, int]) -> None:
    draft = proposed(database, by="lead1")
    with nothing_done(database, "own_item"):
        approve_policy(database, draft, by="lead1")


@pytest.mark.parametrize("person", ["auditor1", "dev1", "admin1", "nobody", "agent:token"])
def test_only_a_lead_brings_a_policy_into_force(database: Database, desk: tuple[int, int, int], person: str) -> None:
    draft = proposed(database, by="lead1")
    code = "agent_token" if person.startswith("agent:") else "role"
    with nothing_done(database, code):
        approve_policy(database, draft, by=person)
    with nothing_done(database, code):
        turn_down_policy(database, draft, by=person, reason="no")


def test_somebody_without_a_fitting_duty_proposes_nothing(database: Database, desk: tuple[int, int, int]) -> None:
    with nothing_done(database, "role"):
        proposed(database, by="admin1")


def test_alone_at_the_desk_one_person_does_both_and_the_log_names_no_second(database: Database, folder: Path) -> None:
    put_file(folder)
    adopted(database)
    done = approve_policy(database, proposed(database, by=OPERATOR), by=OPERATOR)
    assert done.policy.version == 2
    assert policy_view(database, ID).versions[0].second is None


def test_a_draft_is_decided_once(database: Database, desk: tuple[int, int, int]) -> None:
    draft = proposed(database)
    approve_policy(database, draft, by="lead1")
    before = policies(database)
    for act in (
        lambda: approve_policy(database, draft, by="lead2"),
        lambda: turn_down_policy(database, draft, by="lead2", reason="no"),
    ):
        with pytest.raises(AlreadyDecided, match="approved as v2 by lead1"):
            act()
    assert policies(database) == before


def test_of_two_who_approve_at_once_one_does(database: Database, desk: tuple[int, int, int]) -> None:
    draft = proposed(database)

    def approve(person: str) -> str:
        try:
            return f"v{approve_policy(database, draft, by=person).policy.version}"
        except Refused as refused:
            return refused.code

    with ThreadPoolExecutor(3) as pool:
        said = sorted(pool.map(approve, ("lead1", "lead2", "lead3")))
    assert said[0] != said[-1]
    assert said.count("v2") == 1
    assert [one.policy.version for one in policy_view(database, ID).versions] == [2, 1]
    assert verify(database).whole


def test_a_change_made_on_a_version_that_was_replaced_is_refused_with_who_and_when(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    first, second = proposed(database), proposed(database, text="No course is refunded.")
    approve_policy(database, first, by="lead1")
    with nothing_done(database, "policy_moved_on") as told:
        approve_policy(database, second, by="lead2")
    assert f"{ID} is v2 since" in str(told.value)
    assert "by lead1" in str(told.value)
    assert "v2 is in force" in drafts_that_wait(database)[0].problem
    with nothing_done(database, "policy_moved_on"):
        proposed(database, base=1)


def test_a_file_that_came_meanwhile_counts_as_the_version_before(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    draft = proposed(database)
    put_file(folder, 2, "No course is refunded.")
    with pytest.raises(Refused, match=f"{ID} is v2 since"):
        approve_policy(database, draft, by="lead1")
    assert policies_now(database)[0].text == "No course is refunded."


def test_a_draft_is_turned_down_with_words_or_taken_back(database: Database, desk: tuple[int, int, int]) -> None:
    first, second = proposed(database), proposed(database)
    with pytest.raises(BadInput):
        turn_down_policy(database, first, by="lead1", reason=" ")
    turn_down_policy(database, first, by="lead1", reason="Too early")
    turn_down_policy(database, second, by="dev1", reason="A mistake")
    assert drafts_that_wait(database) == ()
    assert [one.version for one in policies_now(database)] == [1]
    assert [item(database, one).status for one in desk] == ["active", "active", "open"]
    assert verify(database).whole


def test_a_new_policy_is_made_and_a_policy_is_withdrawn_by_two(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    new = propose_policy(database, "no-promises", CHANGED, base=0, by="auditor1", reason="Nobody wrote it down")
    assert approve_policy(database, new, by="lead1").suspended == ()
    assert read_policy(folder / "no-promises.yaml").version == 1
    gone = propose_withdrawal(database, ID, base=1, by="lead1", reason="No courses any more")
    done = approve_policy(database, gone, by="lead2")
    assert (done.withdrawn, done.suspended) == (True, ())
    assert "can be removed" in done.problem
    assert [one.id for one in policies_now(database)] == ["no-promises"]
    assert [item(database, one).status for one in desk] == ["active", "active", "open"]
    assert {row.policy.id: row.withdrawn for row in policy_rows(database)} == {"no-promises": False, ID: True}
    assert "still stands in the folder" in adopted(database).problems[0]
    with pytest.raises(NotFound):
        propose_withdrawal(database, ID, base=0, by="lead1", reason="again")
    back = approve_policy(database, proposed(database, base=0), by="lead1")
    assert back.policy.version == 2
    assert verify(database).whole


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"severity": "severe"}, "“severity” is “severe”"),
        ({"text": ""}, "“text”"),
        ({"text": "Pay to card 4111 1111 1111 1111."}, "holds a secret"),
        ({"title": "Refunds\u200b"}, "cannot be stored"),
        ({"version": 7}, "has no version"),
    ],
)
def test_what_makes_no_policy_is_not_stored(
    database: Database, desk: tuple[int, int, int], changes: dict[str, object], said: str
) -> None:
    before = policies(database)
    with pytest.raises(BadInput, match=said):
        proposed(database, **changes)
    assert policies(database) == before


def test_secrets_in_a_reason_are_masked(database: Database, desk: tuple[int, int, int]) -> None:
    propose_policy(database, ID, CHANGED, base=1, by="dev1", reason="See card 4111 1111 1111 1111")
    assert "4111" not in drafts_that_wait(database)[0].reason


def test_a_folder_that_is_gone_does_not_undo_the_decision(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    draft = proposed(database)
    (folder / f"{ID}.yaml").unlink()
    folder.rmdir()
    done = approve_policy(database, draft, by="lead1")
    assert "could not be written" in done.problem
    assert policies_now(database)[0].version == 2


def test_a_desk_that_was_killed_between_row_and_file_says_so_and_goes_on(
    database: Database, folder: Path, desk: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = proposed(database)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("core.governance.policy_files.os.fsync", killed)
        with pytest.raises(KeyboardInterrupt):
            approve_policy(database, draft, by="lead1")
    assert [path.name for path in folder.iterdir() if path.suffix == ".yaml"] == [f"{ID}.yaml"]
    assert read_policy(folder / f"{ID}.yaml").version == 1
    assert "python -m core policies write" in adopted(database).problems[0]
    assert policies_now(database)[0].version == 2
    assert item(database, desk[0]).status == Status.SUSPENDED


def test_a_file_that_says_what_was_never_in_force_is_left_alone(
    database: Database, folder: Path, desk: tuple[int, int, int]
) -> None:
    path = put_file(folder, 1, "Somebody is writing this just now.")
    done = approve_policy(database, proposed(database), by="lead1")
    assert "left as it is" in done.problem
    assert "Somebody is writing" in path.read_text()


def test_rights_are_read_when_it_is_decided(database: Database, desk: tuple[int, int, int]) -> None:
    draft = proposed(database)
    set_person(database, "lead1", ())
    with nothing_done(database, "role"):
        approve_policy(database, draft, by="lead1")
