"""The instructions that fit a task are found in SQL, and they are those that the rule would choose of all of them."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import delete
from sqlmodel import col, select

from core.briefing.candidates import in_scope, lesson_candidate
from core.briefing.found_lessons import JUST_MISSED, found_lessons, without_shared_words
from core.briefing.read import Asked, agent_named
from core.errors import BadInput, Refused
from core.governance.audit import verify
from core.governance.desk import undo
from core.governance.in_force import find_anew, reliability_of
from core.governance.merging import Merging, merge
from core.governance.policy_suspension import suspend
from core.governance.versions import edit
from core.memory.lessons import LessonCandidate, choose_lessons, findable_words
from core.service.masking import mask_stored
from core.settings import DEFAULTS
from core.store.database import Database
from core.store.memory_records import LessonWord
from core.store.records import Item, LessonBody
from core.vocabulary import Action, Form, Kind, Scope, Source, Status
from tests.desk import OPERATOR, START, act, item, lesson
from tests.lessons import approved, put

both = pytest.mark.databases("sqlite", "postgresql")
NAME = "Campus Desk"
THINGS = ("refund", "course", "order", "label", "tariff", "seat", "exam", "room", "meal", "ticket", "voucher", "İzmir")
STOP_WORDS = "the and for what can they their before are asks wants whether get student students course first"
"""Those of the seed."""
ACTS = ("Check", "Quote", "Read", "Compare", "Name", "Confirm")


def words_of(database: Database, item_id: int) -> set[str]:
    """The words under which the index has a version."""
    with database.reading() as db:
        return set(db.exec(select(LessonWord.word).where(LessonWord.item_id == item_id)).all())


def by_the_rule(database: Database, asked: Asked, stop_words: frozenset[str]) -> list[LessonCandidate]:
    """All that the pure rule takes of everything in force."""
    with database.reading() as db:
        of_agent = (Item.agent_id == agent_named(db, NAME).id, Item.status == Status.ACTIVE)
        rows = db.exec(select(Item, LessonBody).join(LessonBody).where(*of_agent).order_by(col(Item.number))).all()
        known = [
            lesson_candidate(row, body, row.active_at or row.created_at, reliability_of(db, row))
            for row, body in rows
            if body.form == Form.INSTRUCTION and in_scope(row, body, asked.user, asked.task_class)
        ]
    return [one.item for one in choose_lessons(known, asked.task, DEFAULTS, stop_words).taken]


def found(database: Database, asked: Asked, stop_words: frozenset[str] = frozenset()) -> list[LessonCandidate]:
    with database.reading() as db:
        choice = found_lessons(db, agent_named(db, NAME), asked, DEFAULTS, stop_words)
    assert len(choice.left) <= JUST_MISSED
    return [one.item for one in choice.taken]


@both
@pytest.mark.parametrize("seed", range(4))
def test_what_is_found_is_what_the_rule_chooses_of_everything_in_force(database: Database, seed: int) -> None:
    dice = random.Random(seed)
    for made in _random_store(database, dice):
        with suppress(Refused, BadInput):
            approved(database, made)
    tasks = [" ".join(dice.sample(THINGS, dice.randint(0, 5))) + " please, check it" for _ in range(20)]
    for task in tasks:
        asked = Asked(NAME, dice.choice([None, "asha", "ash", ""]), dice.choice([None, "refunds", "exams", ""]), task)
        stop_words = frozenset(dice.sample([word.lower() for word in (*THINGS, *ACTS)], 2))
        assert found(database, asked, stop_words) == by_the_rule(database, asked, stop_words)
    assert verify(database).whole


def _random_store(database: Database, dice: random.Random) -> Iterator[int]:
    for number in range(30):
        one, other = dice.sample(THINGS, 2)
        text = f"{dice.choice(ACTS)} the {one} and the {other} in form {number * 7919} first."
        scope = dice.choice(list(Scope))
        user = dice.choice(["asha", "ash"]) if scope is Scope.USER else None
        tags = tuple(sorted(dice.sample(("refund", "seat", "fast-lane", "exam"), dice.randint(0, 2))))
        said = {"task_class": dice.choice(["refunds", "exams"]), "source": dice.choice([*Source])}
        with suppress(Refused):
            yield put(database, text, tags=tags, scope=scope, user=user, **said)  # type: ignore[arg-type]


@pytest.fixture
def printed(corpus: Path) -> dict[str, object]:
    cases = (corpus / "cases" / "seed-cases.json").read_text(encoding="utf-8")
    return next(one for one in json.loads(cases) if one["id"] == "seed-lessons-1")


@both
def test_the_printed_run_of_the_lesson_memory(database: Database, printed: dict[str, object]) -> None:
    stored = []
    for text, tags in printed["add"]:  # type: ignore[attr-defined]
        with database.reading() as db:
            before = len(db.exec(select(Item)).all())
        made = lesson(database, text, tags=tuple(tags))
        with database.reading() as db:
            stored.append(len(db.exec(select(Item)).all()) > before)
        if made.what == "new":
            approved(database, made.item_id)
    expected = printed["expected"]
    assert stored == expected["stored"]  # type: ignore[index]
    stop_words = frozenset(STOP_WORDS.split())
    for task, texts in expected["relevant"].items():  # type: ignore[index]
        assert [one.text for one in found(database, Asked(NAME, None, "refunds", task), stop_words)] == texts


@both
def test_an_instruction_is_found_while_it_is_in_force_and_by_the_words_of_the_version_in_force(
    database: Database,
) -> None:
    made = lesson(database, "Check the refund policy before you promise a refund.").item_id
    assert not words_of(database, made), "it waits"
    done = act(database, made, Action.APPROVE)
    assert words_of(database, made) == findable_words(item(database, made).headline, ("refund", "policy"))
    undo(database, decision_id=done.decision_id, person=OPERATOR)
    assert not words_of(database, made), "its approval was taken back"
    act(database, made, Action.APPROVE)
    said = {"person": OPERATOR, "revision_seen": item(database, made).revision}
    fresh = edit(database, item_id=made, changes={"text": "Read the fare rules first.", "tags": ()}, **said).item_id  # type: ignore[arg-type]
    assert (bool(words_of(database, made)), words_of(database, fresh)) == (True, set()), "its edit waits"
    act(database, fresh, Action.APPROVE)
    assert (words_of(database, made), words_of(database, fresh)) == (set(), {"read", "the", "fare", "rules", "first"})
    act(database, fresh, Action.SUSPEND, text="for now")
    assert not words_of(database, fresh)
    act(database, fresh, Action.REINSTATE, text="again")
    act(database, made, Action.ROLL_BACK, text="the older one")
    assert (bool(words_of(database, made)), words_of(database, fresh)) == (True, set())
    assert verify(database).whole


def test_a_policy_that_changes_takes_the_words_along(database: Database) -> None:
    made = approved(database, lesson(database).item_id)
    with database.writing() as db:
        suspend(db, [db.get_one(Item, made)], "refunds", before=1, text="v2", by="import", at=START)
    assert not words_of(database, made)
    assert not found(database, Asked(NAME, None, None, "refund"))


@pytest.mark.parametrize(
    ("user", "read"), [("asha", True), ("ash", False), ("asha b", False), ("", False), (None, False)]
)
def test_what_speaks_of_one_user_is_found_for_that_user_alone(database: Database, user: str | None, read: bool) -> None:
    made = approved(database, put(database, "Offer the refund as a voucher.", scope=Scope.USER, user="asha"))
    with pytest.raises(Refused, match="must say of whom"):
        put(database, "Quote the refund in euros.", scope=Scope.USER, task_class="exams")
    taken = [one.item for one in found(database, Asked(NAME, user, None, "a refund"))]
    assert taken == ([made] if read else [])


@pytest.mark.parametrize(("task_class", "read"), [("refunds", True), ("refund", False), ("exams", False), (None, True)])
def test_an_instruction_of_a_class_is_found_in_that_class_or_where_none_is_named(
    database: Database, task_class: str | None, read: bool
) -> None:
    approved(database, lesson(database).item_id)
    assert bool(found(database, Asked(NAME, None, task_class, "a refund"))) is read


def test_of_those_that_share_as_much_the_more_reliable_source_goes_first_then_the_newer(database: Database) -> None:
    critic = approved(database, put(database, "Quote the refund in euros.", source=Source.CRITIC))
    check = approved(database, put(database, "Read the refund rule aloud.", source=Source.CHECK))
    person = approved(database, put(database, "Name the refund clerk by name.", source=Source.PERSON))
    user = approved(database, put(database, "Post the refund by letter.", source=Source.USER))
    asked = Asked(NAME, None, "refunds", "a refund")
    with database.reading() as db:
        choice = found_lessons(db, agent_named(db, NAME), asked, DEFAULTS, frozenset())
        assert [one.item.item for one in choice.taken] == [person, check]
        assert [one.item.item for one in choice.left] == [user, critic]


def test_what_shares_no_word_is_counted_and_never_listed(database: Database) -> None:
    for text in ("Check the refund rule.", "Read the seat map.", "Name the exam room."):
        approved(database, lesson(database, text, tags=()).item_id)
    asked = Asked(NAME, "asha", "refunds", "Refund a seat, the label and all")
    with database.reading() as db:
        known = agent_named(db, NAME)
        assert without_shared_words(db, known, asked, frozenset({"the"})) == 1
        assert without_shared_words(db, known, Asked(NAME, None, "exams", "refund"), frozenset()) == 0


def test_no_row_of_the_index_alone_lets_anything_out(database: Database) -> None:
    waits, other = lesson(database).item_id, put(database, "Name the exam room.", scope=Scope.USER, user="ben")
    approved(database, other)
    with database.writing() as db:
        known = agent_named(db, NAME).id or 0
        for one in (waits, other):
            db.add(LessonWord(item_id=one, word="forged", agent_id=known, place="agent", standing=0))
    assert not found(database, Asked(NAME, "asha", "refunds", "forged refund exam"))
    broken = verify(database)
    assert not broken.whole
    assert all("find-anew" in one.text for one in broken.breaks)
    with database.writing() as db:
        assert find_anew(db) == 1
    assert verify(database).whole


def test_a_merge_moves_the_words_to_what_it_made(database: Database) -> None:
    one = lesson(database, "Check the refund policy before you promise a refund.").item_id
    two = lesson(database, "Look at the refund policy before a refund is promised to anybody.").item_id
    what = Merging(two, one, item(database, two).revision)
    made = merge(database, what, person=OPERATOR, changes={"text": "Read the refund policy first."})
    approved(database, made.item_id)
    assert words_of(database, made.item_id) >= {"read", "refund", "policy"}
    assert not words_of(database, one) | words_of(database, two)


def test_words_that_are_masked_later_leave_the_index_too(database: Database) -> None:
    made = approved(database, lesson(database, "Read the fare rules aloud.", tags=()).item_id)
    secret = "Use key sk-test-EXAMPLEexampleEXAMPLE1234 when the gateway fails."
    with database.writing() as db:
        db.get_one(LessonBody, made).text = secret
        db.flush()
        find_anew(db)
    assert "gateway" in words_of(database, made)
    mask_stored(database)
    assert "exampleexampleexample" not in " ".join(words_of(database, made))
    with database.reading() as db:
        assert words_of(database, made) == findable_words(db.get_one(LessonBody, made).text, ())


@both
def test_a_word_of_any_length_is_found(database: Database) -> None:
    word = "a" * 580
    made = approved(database, lesson(database, f"Spell {word} aloud.", tags=()).item_id)
    assert [one.item for one in found(database, Asked(NAME, None, None, word))] == [made]
    assert not found(database, Asked(NAME, None, None, "a" * 579))


@both
def test_a_task_of_very_many_words_is_asked_in_one_statement(database: Database) -> None:
    made = approved(database, lesson(database).item_id)
    letters = "abcdefghijklmnopqrstuvwxyz"
    many = " ".join(a + b + c + d for a in letters for b in letters for c in letters for d in letters[:4])
    assert [one.item for one in found(database, Asked(NAME, None, None, f"{many} refund"))] == [made]


def test_reflections_are_no_instructions(database: Database) -> None:
    text = "I failed to check the refund policy because I was in a hurry; next time, I check it first."
    made = put(database, text, form=Form.REFLECTION)
    approved(database, made)
    assert not words_of(database, made)
    assert Kind(item(database, made).kind) is Kind.LESSON


@both
@pytest.mark.parametrize("task", ["late_fee", "the late fee on my account", "a fee for a letter", "my E-MAIL address"])
def test_a_tag_of_several_words_is_found_by_each_of_them(database: Database, task: str) -> None:
    made = approved(database, lesson(database, "Name the amount in the ledger.", tags=("late_fee", "e-mail")).item_id)
    asked = Asked(NAME, None, None, task)
    assert [one.item for one in found(database, asked)] == [made]
    assert found(database, asked) == by_the_rule(database, asked, frozenset())
    assert words_of(database, made) == {"name", "the", "amount", "ledger", "late", "fee", "mail", "late_fee", "e-mail"}
    assert not found(database, Asked(NAME, None, None, "late fees by letter"), frozenset({"late"}))


def test_a_lesson_in_another_script_is_found_by_the_latin_letters_of_its_tags(database: Database) -> None:
    made = approved(database, lesson(database, "Проверь правила, прежде чем обещать.", tags=("refund-rules",)).item_id)
    assert words_of(database, made) == {"refund", "rules", "refund-rules"}
    assert [one.item for one in found(database, Asked(NAME, None, None, "Какие rules?"))] == [made]
    assert not found(database, Asked(NAME, None, None, "Какие правила?"))


def test_a_store_that_is_migrated_has_the_words_that_the_rule_looks_for(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'desk.db'}")
    database.migrate()
    tags = ("late_fee", "e-mail")
    texts = ("Name the amount in the ledger.", "Проверь правила возврата.", f"Spell {'a' * 300} aloud.")
    made = [approved(database, lesson(database, text, tags=tags).item_id) for text in texts]
    with database.reading() as db:
        kept = set(db.exec(select(LessonWord.item_id, LessonWord.word, LessonWord.place, LessonWord.standing)).all())
    with database.writing() as db:
        db.execute(delete(LessonWord))
    assert not words_of(database, made[0])
    with database.engine.begin() as connection, Operations.context(MigrationContext.configure(connection)):
        import_module("core.store.migrations.versions.0007_memory").find_lessons()
    with database.reading() as db:
        assert kept == set(
            db.exec(select(LessonWord.item_id, LessonWord.word, LessonWord.place, LessonWord.standing)).all()
        )
    assert verify(database).whole
