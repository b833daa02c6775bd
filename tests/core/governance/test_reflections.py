"""What a reflection must be at the drafts' door, for whom it may hold, and which older twins give way to it."""

from time import perf_counter

import pytest
from sqlmodel import col, select

from core.errors import Refused
from core.governance.drafts import Draft, LessonContent
from core.governance.proposals import Proposed, propose
from core.screening.preferences import names_a_preference
from core.service.agents import AgentRecord, save_agent
from core.store.database import Database
from core.store.records import Decision, Item, Screening
from core.vocabulary import Action, Form, Scope, Severity, Source, Status
from tests.core.governance.at_the_desk import decided, edited, everything, team
from tests.desk import START, act, agent, item

OLD = "I failed to read the log because I retried at once; next time, read the log before the retry."
NEW = "I failed to read the log because I retried at once; next time, read the log before each retry."
PREFERS = "I failed to write in German because I overlooked what this user prefers; next time, I write in German."


def reflect(
    database: Database,
    text: str,
    *,
    scope: Scope = Scope.TASK_CLASS,
    user: str | None = None,
    rule: str | None = None,
    form: Form = Form.REFLECTION,
    task_class: str = "builds",
    source: Source = Source.CHECK,
) -> Proposed:
    draft = Draft(
        content=LessonContent(form=form, scope=scope, text=text, tags=("log", "retry")),
        severity=Severity.MEDIUM,
        agent_id=agent(database),
        task_class=task_class,
        user=user,
        origin="a test",
        proposer="critic",
        source=source,
    )
    with database.writing() as db:
        return propose(db, draft, at=START, rule=rule)


def refused(database: Database, code: str, text: str, **how: object) -> None:
    agent(database)
    before = everything(database)
    with pytest.raises(Refused) as told:
        reflect(database, text, **how)  # type: ignore[arg-type]
    assert told.value.code == code
    assert everything(database) == before


@pytest.mark.parametrize(
    "text",
    [
        "Read the log before each retry.",
        "I failed to read the log; next time, read the log before each retry.",
        f"{NEW} Also, name the line that failed.",
    ],
)
def test_a_reflection_of_another_shape_is_refused(database: Database, text: str) -> None:
    refused(database, "wrong_form", text)


def test_a_reflection_that_says_nothing_of_the_next_time_is_refused(database: Database) -> None:
    refused(database, "one_case", "I failed to read the log because I retried at once.")


def test_an_instruction_needs_no_such_shape(database: Database) -> None:
    assert reflect(database, "Read the log before each retry.", form=Form.INSTRUCTION).what == "new"


@pytest.mark.parametrize("scope", [Scope.TASK_CLASS, Scope.USER])
def test_a_reflection_on_a_task_that_never_comes_back_is_refused(database: Database, scope: Scope) -> None:
    agent(database)
    save_agent(database, AgentRecord("Campus Desk", "", (), {"builds": False}, None, ""))
    refused(database, "one_shot", NEW, scope=scope, user="asha")


def test_a_vague_reflection_is_refused(database: Database) -> None:
    refused(database, "vague", "I failed to help because I was careless; next time, I will be more careful.")


def test_a_reflection_with_a_key_is_refused_before_anything_is_stored(database: Database) -> None:
    key = "sk-proj-Zq8Lw2Kc7Vn4Xb9Rt6Yp1Md3Hs5Jf0"
    refused(database, "contains_secret", f"I failed to build because I had no key; next time, I use {key} to build.")


def test_a_reflection_never_holds_for_every_task_by_a_rule(database: Database) -> None:
    refused(database, "agent_scope", NEW, scope=Scope.AGENT, rule="critic")
    assert reflect(database, NEW, scope=Scope.AGENT).what == "new"


def test_a_reflection_for_one_user_names_the_user(database: Database) -> None:
    refused(database, "user_needed", PREFERS, scope=Scope.USER)
    made = reflect(database, PREFERS, scope=Scope.USER, user="asha")
    assert (item(database, made.item_id).user, item(database, made.item_id).status) == ("asha", Status.PROPOSED)


def test_a_reflection_for_one_user_that_names_no_preference_is_held_with_the_reason(database: Database) -> None:
    made = reflect(database, NEW, scope=Scope.USER, user="asha")
    assert item(database, made.item_id).status == Status.HELD
    with database.reading() as db:
        findings = db.get_one(Screening, made.item_id).findings
    assert [one["code"] for one in findings] == ["scope:no_preference"]


def test_an_edit_keeps_to_the_same_door(database: Database) -> None:
    team(database)
    made = reflect(database, NEW).item_id
    for changes, code in (
        ({"text": "Read the log before each retry."}, "wrong_form"),
        ({"scope": "user"}, "user_needed"),
    ):
        before = everything(database)
        with pytest.raises(Refused) as told:
            edited(database, made, "lead1", **changes)
        assert (told.value.code, everything(database)) == (code, before)


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        (PREFERS, True),
        ("I failed to be brief because I missed the user's preference; next time, I answer in one line.", True),
        ("I failed to call because the customer asked me to write; next time, I write to them.", True),
        ("I failed to greet because she likes to be called Doctor; next time, I use the title.", True),
        ("I failed to refund because the customer wanted a refund at once; next time, I read the rule.", False),
        ("I failed to sort because I prefer short lists; next time, I read the whole list.", False),
        ("I failed to be brief because the user would prefer short answers; next time, I am brief.", True),
        ("I failed to write because the customer does not like being called; next time, I write.", True),
        ("I failed to write because they don't want to be called; next time, I write to them.", True),
        ("I failed to write because the user really prefers mail; next time, I write a mail.", True),
        ("I failed to lay it out because customers prefer tables; next time, I draw a table.", True),
        ("I failed to greet because he asked to be called Doctor; next time, I use the title.", True),
        ("I failed to pay because the customer wanted to be refunded in cash; next time, I ask first.", False),
        ("I failed to call because the customer asked to be called back today; next time, I set a timer.", False),
        ("I failed to write because the user doesn’t like calls; next time, I write.", True),
        ("I failed to write because the user never wants to be called; next time, I write.", True),
        ("I failed to write because the user asked to never be called; next time, I write.", True),
        ("I failed to lay it out because the user no longer likes tables; next time, I write a list.", True),
        ("I failed to be brief because the user very much hates long answers; next time, I am brief.", True),
        ("I failed to write because these callers would often hate a call; next time, I write.", True),
        ("I failed to write because she'd prefer a letter; next time, I write one.", True),
        ("I failed to write because they'd rather have a letter; next time, I write one.", True),
        ("I failed to greet because the user would like to be called Doctor; next time, I use the title.", True),
        ("I failed to pay because the customer would really like a refund; next time, I read the rule.", False),
        ("I failed to pay because the customer would like to be refunded; next time, I read the rule.", False),
        ("I failed to call because the customer asked to be called at nine tomorrow; next time, I note it.", False),
        ("I failed to call because the customer wants to be called back today; next time, I note it.", False),
        ("I failed to explain because the user likely saw another page; next time, I ask which.", False),
        (NEW, False),
    ],
)
def test_a_preference_is_what_a_user_likes_in_general(text: str, speaks: bool) -> None:
    assert names_a_preference(text) is speaks


@pytest.mark.parametrize(
    "again", [" would not", " does not really", " wouldn't never", " has not had", " wanted to be called back the user"]
)
def test_a_sentence_without_end_is_read_at_once(again: str) -> None:
    begun = perf_counter()
    assert not names_a_preference(f"the user{again * 2_000} saw it")
    assert perf_counter() - begun < 2


def test_of_two_twins_that_are_proposed_the_newest_stays_and_the_older_is_merged_by_the_rule(
    database: Database,
) -> None:
    old, new = reflect(database, OLD).item_id, reflect(database, NEW).item_id
    assert (item(database, old).status, item(database, new).status) == (Status.MERGED, Status.PROPOSED)
    with database.reading() as db:
        row = db.exec(select(Decision).where(Decision.item_id == old).order_by(col(Decision.id).desc())).first()
        assert row is not None
        made = db.exec(select(Decision.id).where(Decision.item_id == new)).one()
        assert (row.action, row.rule, row.cause) == (Action.MERGE, "twin", made)
    act(database, old, Action.REOPEN, text="both are worth a look")
    assert item(database, old).status == Status.PROPOSED


def test_the_same_words_again_collapse(database: Database) -> None:
    first = reflect(database, OLD)
    again = reflect(database, OLD.upper().replace("I FAILED", "I  failed"))
    assert (again.item_id, again.what) == (first.item_id, "known")


def test_beside_a_twin_in_force_nothing_gives_way(database: Database) -> None:
    team(database)
    old = reflect(database, OLD).item_id
    act(database, old, Action.APPROVE, person="lead1")
    new = reflect(database, NEW).item_id
    assert (item(database, old).status, item(database, new).status) == (Status.ACTIVE, Status.PROPOSED)


def test_twins_among_instructions_are_only_shown(database: Database) -> None:
    old = reflect(database, "Read the log before the retry of a build.", form=Form.INSTRUCTION).item_id
    reflect(database, "Read the log before each retry of a build.", form=Form.INSTRUCTION)
    assert item(database, old).status == Status.PROPOSED


def test_what_a_person_has_edited_does_not_give_way_to_a_newer_twin(database: Database) -> None:
    team(database)
    old = edited(database, reflect(database, OLD).item_id, "lead1", tags=("log", "build"))
    reflect(database, NEW)
    assert item(database, old).status == Status.PROPOSED


def test_a_reflection_that_is_held_replaces_nothing(database: Database) -> None:
    old = reflect(database, PREFERS, scope=Scope.USER, user="asha").item_id
    planted = PREFERS.replace("write in German.", "write in German\u200b.")
    reflect(database, planted, scope=Scope.USER, user="asha", source=Source.USER)
    assert item(database, old).status == Status.PROPOSED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (OLD, NEW.replace("read the log before each", "do not read the log before each")),
        (OLD.replace("the retry", "3 retries"), OLD.replace("the retry", "5 retries")),
        (
            "I failed to ask because I guessed; next time, ask for the order number before a refund.",
            "I failed to ask because I guessed; next time, ask for the order number before an exchange.",
        ),
    ],
)
def test_numbers_negations_and_objects_decide_before_likeness(database: Database, one: str, other: str) -> None:
    old, new = reflect(database, one).item_id, reflect(database, other).item_id
    assert {item(database, old).status, item(database, new).status} <= {Status.PROPOSED, Status.HELD}


@pytest.mark.parametrize("user", ["ben", "asha2", None])
def test_the_same_words_for_another_user_are_a_reflection_of_their_own(database: Database, user: str | None) -> None:
    mine = reflect(database, PREFERS, scope=Scope.USER, user="asha")
    theirs = reflect(database, PREFERS, scope=Scope.USER if user else Scope.TASK_CLASS, user=user)
    assert (theirs.what, theirs.item_id != mine.item_id) == ("new", True)
    with database.reading() as db:
        assert db.get_one(Screening, theirs.item_id).findings == []


def test_twins_for_other_people_both_stay(database: Database) -> None:
    mine = reflect(database, PREFERS, scope=Scope.USER, user="asha").item_id
    reflect(database, PREFERS.replace("write in German.", "answer in German."), scope=Scope.USER, user="ben")
    assert item(database, mine).status == Status.PROPOSED
    assert decided(database, mine) == [("propose", "critic")]
    with database.reading() as db:
        assert {one.user for one in db.exec(select(Item)).all()} == {"asha", "ben"}
