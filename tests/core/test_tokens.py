"""Agents' tokens: made once, stored as hashes, scoped, never able to decide."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import select

from core.errors import BadInput, NotFound, Refused, TutelageError
from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.desk_settings import save_desk_settings
from core.governance.people import rights_changes, set_person, tie_login
from core.governance.sign_ins import sign_in
from core.governance.tokens import NOBODY, UNKNOWN, identify, make_token, note_use, revoke_token, shown, tokens
from core.screening.secrets import mask
from core.store.database import Database
from core.store.governance_records import AgentToken, RightsChange
from core.store.records import Refusal
from core.vocabulary import Action, Duty, Status, Verb
from tests.desk import START, agent, item, lesson, request

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def made(database: Database, name: str = "nightly", **more: object) -> str:
    agent(database)
    set_person(database, "Dev", {Duty.DEVELOPER, Duty.ADMIN})
    said = {"agent": "Campus Desk", "verbs": [Verb.BRIEFING], "by": "Dev", "at": START, **more}
    return make_token(database, name=name, **said)  # type: ignore[arg-type]


def everything(database: Database) -> str:
    """Every text in the database, as one."""
    with database.reading() as db:
        connection = db.connection()
        names = [table.name for table in AgentToken.metadata.sorted_tables]
        return "\n".join(str(row) for name in names for row in connection.execute(text(f'select * from "{name}"')))


def test_a_token_is_told_once_and_only_its_hash_is_kept(database: Database) -> None:
    token = made(database)
    assert token not in everything(database)
    (view,) = tokens(database, at=START)
    assert (view.name, view.agent, view.verbs, view.hint) == ("nightly", "Campus Desk", (Verb.BRIEFING,), token[-4:])
    assert (view.by, view.state, view.used_at) == ("Dev", "valid", None)
    assert (rights_changes(database)[0].what, rights_changes(database)[0].after) == ("token", ["briefing"])


def test_a_token_is_a_secret_to_the_screens(database: Database) -> None:
    token = made(database)
    assert token not in mask(f"I was given {token}, is it safe?").text


def test_a_token_stands_for_its_agent_until_it_expires_or_is_revoked(database: Database) -> None:
    token = made(database, expires_at=START + timedelta(days=1))
    known = identify(database, token, Verb.BRIEFING, at=START)
    assert (known.name, known.agent) == ("agent:nightly", "Campus Desk")
    with pytest.raises(Refused) as told:
        identify(database, token, at=START + timedelta(days=1))
    assert told.value.code == "expired_token"
    revoke_token(database, "nightly", by="Dev", at=START)
    with pytest.raises(Refused) as told:
        identify(database, token, at=START)
    assert told.value.code == "revoked_token"
    assert tokens(database)[0].state == "revoked"


def test_a_token_may_only_what_it_is_scoped_to(database: Database) -> None:
    token = made(database)
    for verb in set(Verb) - {Verb.BRIEFING}:
        with pytest.raises(Refused) as told:
            identify(database, token, verb, at=START)
        assert told.value.code == "out_of_scope"


@pytest.mark.parametrize("token", ["", "x", "Dev", "tut_", "tut_" + "0" * 48, "\ud800", "é"])
def test_what_is_no_token_is_unknown_and_never_stands_under_a_persons_name(database: Database, token: str) -> None:
    made(database)
    with pytest.raises(Refused) as told:
        identify(database, token, at=START)
    assert told.value.code == "unknown_token"
    with database.reading() as db:
        assert shown(db, token) == (UNKNOWN if token else NOBODY)


def test_the_last_use_is_kept_to_the_minute(database: Database) -> None:
    identity = identify(database, made(database), at=START)
    note_use(database, identity, at=START)
    note_use(database, identity, at=START + timedelta(seconds=59))
    assert tokens(database)[0].used_at == START
    note_use(database, identity, at=START + timedelta(seconds=60))
    assert tokens(database)[0].used_at == START + timedelta(seconds=60)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"by": "Lead"}, Refused),
        ({"by": "agent:nightly"}, Refused),
        ({"agent": "Nobody's Desk"}, NotFound),
        ({"verbs": []}, BadInput),
        ({"name": ""}, BadInput),
        ({"name": "x" * 81}, BadInput),
        ({"name": "a\nb"}, BadInput),
        ({"name": "nightly"}, BadInput),
        ({"name": "no token"}, BadInput),
        ({"name": "unknown token"}, BadInput),
        ({"name": "tut_mine"}, BadInput),
        ({"expires_at": START}, BadInput),
    ],
)
def test_a_token_that_cannot_be_made_is_not(
    database: Database, change: dict[str, object], error: type[TutelageError]
) -> None:
    made(database)
    set_person(database, "Lead", {Duty.LEAD})
    before = tokens(database), len(rights_changes(database))
    with pytest.raises(error):
        made(database, **{"name": "another", **change})  # type: ignore[arg-type]
    assert (tokens(database), len([row for row in rights_changes(database) if row.what == "token"])) == (before[0], 1)


def test_who_may_not_revokes_nothing_and_what_is_revoked_stays_so(database: Database) -> None:
    token = made(database)
    set_person(database, "Lead", {Duty.LEAD})
    for name, by, error in (("nightly", "Lead", Refused), ("nightly", token, Refused), ("other", "Dev", NotFound)):
        with pytest.raises(error):
            revoke_token(database, name, by=by)
    assert tokens(database)[0].state == "valid"
    revoke_token(database, "nightly", by="Dev")
    with pytest.raises(Refused, match="was revoked on"):
        revoke_token(database, "nightly", by="Dev")


def test_a_token_given_for_a_name_decides_nothing_and_never_stands_in_the_log(database: Database) -> None:
    token = made(database, verbs=list(Verb))
    found = lesson(database).item_id
    seen = request(database, found, Action.APPROVE)
    for name in (token, "agent:nightly", "tut_" + "0" * 48):
        with pytest.raises(Refused) as told:
            decide(database, Request(found, Action.APPROVE, name, seen.revision_seen, seen.hash_seen))
        assert told.value.code == "agent_token"
        with pytest.raises(Refused):
            set_person(database, "Eve", {Duty.LEAD}, by=name)
        with pytest.raises(Refused):
            made(database, "mine", by=name)
    assert item(database, found).status == Status.PROPOSED
    assert token not in everything(database)
    with database.reading() as db:
        assert {row.by for row in db.exec(select(Refusal)).all()} <= {
            "agent:nightly",
            UNKNOWN,
            "[agent token removed]",
        }
        assert not db.exec(select(RightsChange).where(RightsChange.name == "Eve")).all()


def test_a_token_stands_in_no_refusal_and_in_no_error_wherever_it_is_given_for_a_name(database: Database) -> None:
    token = made(database)
    asks: list[Callable[[], object]] = [
        lambda: set_person(database, "Zoë", {Duty.LEAD}, by=token),
        lambda: set_person(database, token, {Duty.LEAD}, by="Dev"),
        lambda: tie_login(database, "Dev", "issuer", "subject", by=token),
        lambda: save_desk_settings(database, {}, by=token, reason="none"),
        lambda: sign_in(database, token),
    ]
    for ask in asks:
        with pytest.raises(TutelageError) as told:
            ask()
        assert token not in str(told.value)
    assert token not in everything(database)


@pytest.mark.parametrize("name", ["a tut_1", "\u3164", "nightly\ufe0f", "n\u0456ghtly"])
def test_a_token_has_no_name_that_nobody_could_tell_from_another(database: Database, name: str) -> None:
    with pytest.raises(BadInput, match="No token was made"):
        made(database, name)
    assert tokens(database) == ()
