"""People and their duties, who sits at a browser, and the seam for a login."""

from datetime import timedelta

import pytest
from sqlmodel import select

from core.errors import BadInput, NotFound, Refused, TutelageError
from core.governance.desk import decide
from core.governance.people import (
    duties_of,
    person_of_login,
    rights_changes,
    set_person,
    sole_person,
    take_duties,
    tie_login,
)
from core.governance.sign_ins import LASTS, LOGIN, sign_in, sign_in_by_login, sign_out, signed_in
from core.store.database import Database
from core.store.governance_records import RightsChange, SignIn
from core.store.records import Decision, Person, Refusal
from core.vocabulary import Action, Duty, RejectReason, Severity
from tests.desk import OPERATOR, START, item, lesson, note, procedure, request, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def stored(database: Database) -> tuple[object, ...]:
    """What stands about people."""
    with database.reading() as db:
        rows = [(row.name, row.duties, row.issuer, row.subject) for row in db.exec(select(Person)).all()]
        return sorted(rows), len(db.exec(select(RightsChange)).all()), len(db.exec(select(SignIn)).all())


def last_refusal(database: Database) -> Refusal:
    with database.reading() as db:
        return db.exec(select(Refusal).order_by(Refusal.id.desc())).first()


def sole(database: Database) -> str | None:
    with database.reading() as db:
        found = sole_person(db)
        return found.name if found else None


def here(database: Database, secret: str | None, **when: object):
    with database.reading() as db:
        return signed_in(db, secret, **when)


def two(database: Database) -> None:
    set_person(database, "Meera", {Duty.LEAD, Duty.ADMIN})
    set_person(database, "Ben", {Duty.AUDITOR})


def test_with_nobody_named_the_account_is_at_the_desk_and_may_do_everything(database: Database) -> None:
    assert sole(database) == OPERATOR
    with database.reading() as db:
        assert duties_of(db, OPERATOR).duties == frozenset(Duty)


def test_one_person_is_alone_at_the_desk_and_two_are_not(database: Database) -> None:
    set_person(database, "Meera", {Duty.LEAD, Duty.ADMIN})
    assert sole(database) == "Meera"
    with database.reading() as db:
        assert duties_of(db, "Meera").single_operator
        assert not duties_of(db, OPERATOR).duties
    set_person(database, "Ben", {Duty.AUDITOR})
    assert sole(database) is None
    with database.reading() as db:
        assert not duties_of(db, "Meera").single_operator


def test_a_change_of_duties_is_logged_with_who_from_what_and_to_what(database: Database) -> None:
    two(database)
    set_person(database, "Ben", {Duty.AUDITOR, Duty.LEAD}, by="Meera", text="helps out")
    newest = rights_changes(database)[0]
    assert (newest.by, newest.what, newest.name, newest.text) == ("Meera", "person", "Ben", "helps out")
    assert (newest.before, newest.after) == (["auditor"], ["auditor", "lead"])


@pytest.mark.parametrize("author", ["Ben", "a stranger", OPERATOR, "agent:nightly"])
def test_only_an_admin_changes_people(database: Database, author: str) -> None:
    two(database)
    before = stored(database)
    with pytest.raises(Refused) as told:
        set_person(database, author, {Duty.ADMIN}, by=author)
    assert told.value.code == "role"
    assert stored(database) == before
    assert (last_refusal(database).code, last_refusal(database).by) == ("role", author)


def test_the_first_person_keeps_the_duty_admin_and_the_last_admin_cannot_give_it_up(database: Database) -> None:
    for duties in ({Duty.LEAD}, set()):
        with pytest.raises(Refused) as told:
            set_person(database, "Meera", duties, by=OPERATOR)
        assert told.value.code == "last_admin"
        assert sole(database) == OPERATOR
    two(database)
    before = stored(database)
    with pytest.raises(Refused) as told:
        take_duties(database, "Meera", by="Meera")
    assert (told.value.code, stored(database)) == ("last_admin", before)


STRANGE = ["", "  ", " Meera", "x" * 81, "a\nb", "a\x00b", "Me\u202eera"]
UNSEEN = ["\u3164", "\u2800", "Meera\ufe0f", "Meera\u034f", "Meera\u115f", "\u041ceera", "Me\u0435ra"]
TAKEN = [
    "agent:x",
    "Agent:x",
    "ａgent:x",
    "rule stale source",
    "check x",
    "critic x",
    "tut_1",
    "\u0430gent:x",
    "Ann tut_1",
    "MEERA",
    "Ｍeera",
    "meera",
]


@pytest.mark.parametrize("name", [*STRANGE, *UNSEEN, *TAKEN])
def test_a_name_that_could_be_taken_for_somebody_or_something_else_is_refused(database: Database, name: str) -> None:
    two(database)
    before = stored(database)
    with pytest.raises(BadInput):
        set_person(database, name, {Duty.LEAD}, by="Meera")
    assert stored(database) == before


def test_a_name_of_any_script_and_with_accents_is_a_name(database: Database) -> None:
    two(database)
    for name in ("Zoë", "Ólafur Þór", "Анна", "عمر", "मीरा", "陳大文", "O’Neil-Müller"):
        set_person(database, name, {Duty.LEAD}, by="Meera")


def test_taking_the_duties_of_somebody_unknown_says_so(database: Database) -> None:
    with pytest.raises(NotFound, match="There is no person “Nobody”"):
        take_duties(database, "Nobody")


def test_who_signed_in_is_known_by_the_secret_and_only_its_hash_is_stored(database: Database) -> None:
    two(database)
    secret = sign_in(database, "Ben")
    assert here(database, secret).name == "Ben"
    with database.reading() as db:
        row = db.exec(select(SignIn)).one()
        assert (row.person, row.way, secret in row.id) == ("Ben", "picked", False)


@pytest.mark.parametrize("secret", [None, "", "x", "Ben", "\x00", "\ud800", "é" * 5000, "' or 1=1 --"])
def test_what_no_sign_in_gave_stands_for_nobody(database: Database, secret: str | None) -> None:
    two(database)
    sign_in(database, "Ben")
    assert here(database, secret) is None


def test_leaving_ends_it_for_good_also_for_a_copy(database: Database) -> None:
    two(database)
    secret, other = sign_in(database, "Ben"), sign_in(database, "Ben")
    sign_out(database, secret)
    sign_out(database, secret)
    sign_out(database, "never given")
    assert here(database, secret) is None
    assert here(database, other).name == "Ben"


def test_to_sign_in_as_another_ends_the_first_of_this_browser(database: Database) -> None:
    two(database)
    first = sign_in(database, "Ben")
    second = sign_in(database, "Meera", instead_of=first)
    assert here(database, first) is None
    assert here(database, second).name == "Meera"


def test_a_sign_in_is_asked_for_again_after_its_time(database: Database) -> None:
    two(database)
    secret = sign_in(database, "Ben", at=START)
    assert here(database, secret, at=START + LASTS - timedelta(seconds=1)).name == "Ben"
    assert here(database, secret, at=START + LASTS) is None


def test_nobody_signs_in_who_is_not_in_the_table(database: Database) -> None:
    two(database)
    before = stored(database)
    for name in ("Nobody", "", OPERATOR):
        with pytest.raises(NotFound):
            sign_in(database, name)
    assert stored(database) == before


def test_who_lost_every_duty_is_still_who_they_are(database: Database) -> None:
    two(database)
    secret = sign_in(database, "Ben")
    take_duties(database, "Ben", by="Meera")
    assert (here(database, secret).name, here(database, secret).duties) == ("Ben", frozenset())


def test_a_login_finds_the_person_it_is_tied_to_with_the_duties_of_now(database: Database) -> None:
    two(database)
    tie_login(database, "Ben", "https://login.example", "u-17", by="Meera")
    secret = sign_in_by_login(database, "https://login.example", "u-17")
    assert here(database, secret).name == "Ben"
    with database.reading() as db:
        assert db.exec(select(SignIn)).one().way == LOGIN
        take = person_of_login(db, "https://login.example", "u-17")
    assert take.duties == {Duty.AUDITOR}
    take_duties(database, "Ben", by="Meera")
    with database.reading() as db:
        assert person_of_login(db, "https://login.example", "u-17").duties == frozenset()


@pytest.mark.parametrize(
    ("issuer", "subject"),
    [("https://login.example", "u-18"), ("https://other.example", "u-17"), ("", ""), ("", "u-17"), ("Ben", "Ben")],
)
def test_a_login_that_is_tied_to_nobody_is_refused_whatever_name_it_gives(
    database: Database, issuer: str, subject: str
) -> None:
    two(database)
    tie_login(database, "Ben", "https://login.example", "u-17", by="Meera")
    before = stored(database)
    with pytest.raises(Refused) as told:
        sign_in_by_login(database, issuer, subject)
    assert (told.value.code, stored(database)) == ("unknown_login", before)


def test_a_login_is_one_persons_and_only_an_admin_ties_it(database: Database) -> None:
    two(database)
    tie_login(database, "Ben", "https://login.example", "u-17", by="Meera")
    before = stored(database)
    cases: list[tuple[tuple[str, str, str], str, type[TutelageError]]] = [
        (("Meera", "https://login.example", "u-17"), "Meera", Refused),
        (("Ben", "https://login.example", "u-19"), "Ben", Refused),
        (("Nobody", "https://login.example", "u-19"), "Meera", NotFound),
        (("Ben", " ", "u-19"), "Meera", BadInput),
    ]
    for said, author, error in cases:
        with pytest.raises(error):
            tie_login(database, *said, by=author)
    assert stored(database) == before
    tie_login(database, "Ben", "https://login.example", "u-17", by="Meera")
    assert rights_changes(database)[0].what == "login"


@pytest.mark.parametrize(
    ("duty", "make", "action", "said"),
    [
        (Duty.LEAD, lesson, Action.APPROVE, {}),
        (Duty.LEAD, procedure, Action.REJECT, {"reason": RejectReason.NOT_TRUE}),
        (Duty.AUDITOR, None, Action.RESOLVE, {"text": "Looked into."}),
    ],
)
@pytest.mark.parametrize("left", [set(), {Duty.DEVELOPER}])
def test_a_right_withdrawn_while_the_page_is_open_refuses_and_the_log_names_it(
    database: Database, duty: Duty, make, action: Action, said: dict[str, str], left: set[Duty]
) -> None:
    two(database)
    set_person(database, "lead1", {duty})
    found = (make(database) if make else note(database, session(database), severity=Severity.CRITICAL)).item_id
    asked = request(database, found, action, person="lead1", **said)
    set_person(database, "lead1", left, by="Meera")
    before = item(database, found)
    with pytest.raises(Refused) as told:
        decide(database, asked)
    assert told.value.code == "role"
    kept = last_refusal(database)
    assert (kept.by, kept.code, kept.item_id) == ("lead1", "role", found)
    assert f"Meera took the duty {duty} away" in kept.text
    after = item(database, found)
    assert (after.status, after.revision) == (before.status, before.revision)
    with database.reading() as db:
        assert len(db.exec(select(Decision).where(Decision.item_id == found)).all()) == 1
