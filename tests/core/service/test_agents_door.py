"""The agents' door with tokens: who is let in, what is handed out, and what nobody can do there."""

import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import select
from starlette.testclient import TestClient

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.governance.people import set_person
from core.governance.tokens import UNKNOWN, make_token, revoke_token, tokens
from core.service.http import LARGEST, agents_door
from core.store.clock import now
from core.store.database import Database
from core.store.governance_records import AgentToken
from core.store.records import Decision, Receipt, Refusal, ReportedOutcome
from core.vocabulary import Action, Duty, Status, Verb
from tests.desk import act, agent, item, lesson, note, procedure, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

ASKED = {"agent": "Campus Desk", "user": "student 1", "task_class": "refunds", "task": "check the refund policy"}


@pytest.fixture
def door(database: Database) -> TestClient:
    for name in ("Campus Desk", "Other Desk"):
        agent(database, name)
    return TestClient(agents_door(database), raise_server_exceptions=False)


def token_of(database: Database, name: str = "nightly", agent: str = "Campus Desk", **more: Any) -> str:
    said = {"verbs": [Verb.BRIEFING, Verb.OUTCOMES], "by": "Dev", **more}
    set_person(database, "Dev", {Duty.DEVELOPER, Duty.ADMIN})
    return make_token(database, name=name, agent=agent, **said)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def refusals(database: Database) -> list[tuple[str, str, str]]:
    with database.reading() as db:
        return [(row.code, row.by, row.action) for row in db.exec(select(Refusal).order_by(Refusal.id)).all()]


def written(database: Database) -> tuple[int, int]:
    with database.reading() as db:
        return len(db.exec(select(Receipt)).all()), len(db.exec(select(ReportedOutcome)).all())


def everything(database: Database) -> str:
    with database.reading() as db:
        names = [table.name for table in AgentToken.metadata.sorted_tables]
        return "\n".join(str(row) for name in names for row in db.connection().execute(text(f'select * from "{name}"')))


def test_a_token_is_told_whom_it_stands_for_and_what_it_may(database: Database, door: TestClient) -> None:
    token = token_of(database, expires_at=now() + timedelta(days=1))
    said = door.get("/v1/token", headers=bearer(token)).json()
    assert (said["token"], said["agent"], said["verbs"]) == ("nightly", "Campus Desk", ["briefing", "outcomes"])
    assert said["expires_at"].endswith("+00:00")
    assert tokens(database)[0].used_at is not None


def test_a_briefing_is_what_the_command_line_gives_with_a_receipt_and_versions(
    database: Database, door: TestClient
) -> None:
    token = token_of(database)
    set_person(database, "Lead", {Duty.LEAD})
    act(database, lesson(database).item_id, Action.APPROVE, person="Lead")
    act(database, procedure(database).item_id, Action.APPROVE, person="Lead")
    note(database, session(database))
    lesson(database, "Offer a voucher before a refund is promised.")
    same = issue(database, Asked(**ASKED))
    answer = door.post("/v1/briefing", json=ASKED, headers=bearer(token))
    assert answer.status_code == 200
    said = answer.json()
    assert said["messages"] == [dict(one) for one in same.messages]
    assert [(one["ref"], one["version"]) for one in said["items"]] == [("P-0001", 1), ("N-0001", 1), ("L-0001", 1)]
    with database.reading() as db:
        assert db.get_one(Receipt, said["receipt"]).agent_id == db.get_one(Receipt, same.receipt).agent_id
    assert "voucher" not in answer.text


def test_an_outcome_moves_what_was_read_and_counts_once(database: Database, door: TestClient) -> None:
    token = token_of(database)
    set_person(database, "Lead", {Duty.LEAD})
    act(database, procedure(database).item_id, Action.APPROVE, person="Lead")
    session(database, "CD-1")
    receipt = door.post("/v1/briefing", json=ASKED, headers=bearer(token)).json()["receipt"]
    body = {"receipt": receipt, "outcome": "success", "source": "evaluator", "session": "CD-1"}
    first = door.post("/v1/outcomes", json=body, headers=bearer(token))
    assert (first.status_code, first.json()["moved"]) == (200, [{"ref": "P-0001", "before": "0.60", "after": "0.68"}])
    assert door.post("/v1/outcomes", json=body, headers=bearer(token)).json()["already"]
    other = door.post("/v1/outcomes", json={**body, "outcome": "failure"}, headers=bearer(token))
    assert (other.status_code, other.json()["code"]) == (409, "duplicate")
    assert written(database) == (1, 1)


def test_an_outcome_of_a_session_that_did_another_task_is_a_conflict(database: Database, door: TestClient) -> None:
    token = token_of(database)
    session(database, "CD-1")
    asked = {**ASKED, "task_class": "orders"}
    receipt = door.post("/v1/briefing", json=asked, headers=bearer(token)).json()["receipt"]
    body = {"receipt": receipt, "outcome": "success", "session": "CD-1"}
    answer = door.post("/v1/outcomes", json=body, headers=bearer(token))
    assert (answer.status_code, answer.json()["code"]) == (409, "other_task")
    assert written(database) == (1, 0)


NOT_LET_IN = [
    ({}, "no_token", "agent:no token"),
    ({"Authorization": "Bearer"}, "no_token", "agent:no token"),
    ({"Authorization": "Basic RGV2Og=="}, "no_token", "agent:no token"),
    ({"Authorization": "Bearer Dev"}, "unknown_token", UNKNOWN),
    ({"Authorization": "Bearer tut_" + "0" * 48}, "unknown_token", UNKNOWN),
    ({"Authorization": "Bearer \xe9".encode("latin-1")}, "unknown_token", UNKNOWN),
    ({"Authorization": "Bearer " + "x" * 5000}, "unknown_token", UNKNOWN),
]


@pytest.mark.parametrize(("headers", "code", "by"), NOT_LET_IN)
@pytest.mark.parametrize("path", ["briefing", "outcomes", "token"])
def test_whoever_shows_no_valid_token_is_not_let_in(
    database: Database, door: TestClient, path: str, headers: dict[str, Any], code: str, by: str
) -> None:
    bodies = {"briefing": ASKED, "outcomes": {"receipt": "R-1", "outcome": "success"}}
    answer = door.request("GET" if path == "token" else "POST", f"/v1/{path}", json=bodies.get(path), headers=headers)
    assert (answer.status_code, answer.headers["www-authenticate"], answer.json()["code"]) == (401, "Bearer", code)
    assert [(found, who) for found, who, _ in refusals(database)] == [(code, by)]
    assert written(database) == (0, 0)


def test_a_token_that_was_revoked_or_has_expired_is_not_let_in(database: Database, door: TestClient) -> None:
    old = token_of(database, "old", at=now() - timedelta(days=2), expires_at=now() - timedelta(days=1))
    gone = token_of(database, "gone")
    revoke_token(database, "gone", by="Dev")
    for token, code in ((old, "expired_token"), (gone, "revoked_token")):
        answer = door.post("/v1/briefing", json=ASKED, headers=bearer(token))
        assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert [who for _, who, _ in refusals(database)] == ["agent:old", "agent:gone"]
    assert written(database) == (0, 0)


def test_a_token_may_only_its_verbs_and_only_for_its_agent(database: Database, door: TestClient) -> None:
    reads = token_of(database, "reads", verbs=[Verb.BRIEFING])
    reports = token_of(database, "reports", verbs=[Verb.OUTCOMES])
    body = {"receipt": "R-1", "outcome": "success"}
    told = [
        door.post("/v1/outcomes", json=body, headers=bearer(reads)),
        door.post("/v1/briefing", json=ASKED, headers=bearer(reports)),
        door.post("/v1/briefing", json={**ASKED, "agent": "Other Desk"}, headers=bearer(reads)),
        door.post("/v1/briefing", json={**ASKED, "agent": "No Such Desk"}, headers=bearer(reads)),
    ]
    assert [answer.status_code for answer in told] == [403] * 4
    assert [answer.json()["code"] for answer in told] == ["out_of_scope", "out_of_scope", "other_agent", "other_agent"]
    assert told[2].json() == told[3].json()
    assert [who for _, who, _ in refusals(database)] == ["agent:reads", "agent:reports", "agent:reads", "agent:reads"]
    assert written(database) == (0, 0)


def test_what_is_another_agents_is_as_unknown_as_what_does_not_exist(database: Database, door: TestClient) -> None:
    mine, theirs = token_of(database), token_of(database, "theirs", "Other Desk")
    receipt = door.post("/v1/briefing", json=ASKED, headers=bearer(mine)).json()["receipt"]
    other = door.post("/v1/briefing", json={"agent": "Other Desk"}, headers=bearer(theirs)).json()["receipt"]
    session(database, "CD-1")
    for body in (
        {"receipt": receipt, "outcome": "success"},
        {"receipt": "R-none", "outcome": "success"},
        {"receipt": other, "outcome": "success", "session": "CD-1"},
        {"receipt": other, "outcome": "success", "session": "CD-none"},
    ):
        answer = door.post("/v1/outcomes", json=body, headers=bearer(theirs))
        asked = body.get("session") or body["receipt"]
        assert (answer.status_code, asked in answer.json()["error"]) == (404, True)
        assert answer.json()["error"].replace(asked, "X") in ("There is no receipt X.", "There is no agent session X.")
    assert written(database) == (2, 0)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff{",
        b"null",
        b'{"agent": 7}',
        b'{"agent": ""}',
        b'{"agent": "Campus Desk", "user": ["student 1"]}',
        b'{"agent": "Campus Desk", "more": 1}',
        b'{"agent": "Campus Desk", "user": "a\\u0000b"}',
        b'{"agent": "Campus Desk", "task": "\\u0000"}',
        b'{"agent": "Campus Desk", "user": "\\ud800"}',
        b'{"agent": "Campus Desk", "task_class": "' + b"x" * 201 + b'"}',
        b"[" * 100_000,
    ],
)
def test_a_body_that_cannot_be_used_is_told_why_and_nothing_is_kept(
    database: Database, door: TestClient, body: bytes
) -> None:
    answer = door.post("/v1/briefing", content=body, headers=bearer(token_of(database)))
    assert answer.status_code == 400
    assert answer.json()["error"].endswith(".")
    assert written(database) == (0, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "great"},
        {"outcome": None},
        {"receipt": 7},
        {"receipt": "a\x00b"},
        {"source": ""},
        {"source": "x" * 61},
        {"session": "a\x00b"},
        {"more": 1},
    ],
)
def test_an_outcome_that_cannot_be_used_is_told_why(
    database: Database, door: TestClient, change: dict[str, object]
) -> None:
    token = token_of(database)
    receipt = door.post("/v1/briefing", json=ASKED, headers=bearer(token)).json()["receipt"]
    body = {"receipt": receipt, "outcome": "success", **change}
    answer = door.post("/v1/outcomes", json=body, headers=bearer(token))
    assert answer.status_code == 400
    assert written(database) == (1, 0)


def test_a_body_over_the_limit_is_refused_and_a_bad_body_without_a_token_is_first_asked_for_one(
    database: Database, door: TestClient
) -> None:
    token = token_of(database)
    assert door.post("/v1/briefing", content=b" " * (LARGEST + 1), headers=bearer(token)).status_code == 413
    assert door.post("/v1/briefing", content=b"{").status_code == 401


@pytest.mark.parametrize("verbs", [[Verb.BRIEFING], list(Verb)])
def test_no_token_decides_anything_whatever_is_sent(database: Database, door: TestClient, verbs: list[Verb]) -> None:
    token = token_of(database, verbs=verbs)
    found = lesson(database).item_id
    bodies = [
        b"",
        b"\xff",
        b" " * (LARGEST + 1),
        json.dumps({"item": "L-0001", "action": "approve", "person": "Dev"}).encode(),
        json.dumps({"item_id": found, "action": "approve", "revision_seen": 1}).encode(),
    ]
    for headers in ({}, bearer(token), bearer("Dev"), {"Authorization": "Basic x"}, {"X-Person": "Dev"}):
        for body in bodies:
            answer = door.post("/v1/decisions", content=body, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "agent_token")
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        assert door.request(method, "/v1/decisions", headers=bearer(token)).status_code == 405
    assert item(database, found).status == Status.PROPOSED
    with database.reading() as db:
        assert [row.action for row in db.exec(select(Decision)).all()] == ["propose"]
    kept = refusals(database)
    assert len(kept) == 25
    assert {who for _, who, _ in kept} == {"agent:nightly", UNKNOWN, "agent:no token"}
    assert {code for code, _, _ in kept} == {"agent_token"}


def test_no_token_stands_in_an_answer_in_the_log_or_in_what_the_server_prints(
    database: Database, door: TestClient, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    token, unknown = token_of(database), "tut_" + "0a" * 24
    said = []
    for shown in (token, unknown):
        said += [
            door.get("/v1/token", headers=bearer(shown)),
            door.post("/v1/briefing", json={**ASKED, "agent": shown}, headers=bearer(shown)),
            door.post("/v1/briefing", json={**ASKED, shown: shown}, headers=bearer(shown)),
            door.post("/v1/briefing", json={**ASKED, "task": f"use {shown}", "user": shown}, headers=bearer(shown)),
            door.post("/v1/outcomes", json={"receipt": shown, "outcome": "success"}, headers=bearer(shown)),
            door.post("/v1/decisions", json={"person": shown}, headers=bearer(shown)),
        ]
    printed = caplog.text + "".join(capfd.readouterr()) + "".join(one.text for one in said) + everything(database)
    assert token not in printed
    assert unknown not in printed


def test_a_store_that_does_not_answer_is_said_without_its_address(database: Database, door: TestClient) -> None:
    shown = token_of(database)
    with database.writing() as db:
        db.connection().execute(text("alter table receipt rename to receipt_away"))
    database.engine.dispose()
    if database.engine.dialect.name == "postgresql":
        with database.writing() as db:
            db.connection().execute(text("alter table receipt_away rename to receipt"))
            name = database.engine.url.database
            db.connection().execute(text(f'alter database "{name}" set default_transaction_read_only = on'))
        database.engine.dispose()
    told = door.post("/v1/briefing", json=ASKED, headers=bearer(shown))
    assert told.status_code == 503
    assert told.json() == {"error": "The store did not answer. Nothing was changed; it can be tried again."}
