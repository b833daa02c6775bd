"""What became of what each prompt and each check wrote."""

from decimal import Decimal

import pytest
from sqlalchemy import event

from core.critic.prompts import prompt
from core.governance.desk import undo
from core.service.critic.reasons import Fate, fates
from core.store.critic_records import CriticCall, CriticPrompt, Written
from core.store.database import Database
from core.vocabulary import Action, CallState, Writer
from tests.commands import Commands
from tests.core.governance.at_the_desk import edited, team
from tests.desk import START, act, lesson, note, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

TEXTS = (
    "Check the refund policy before you promise a refund.",
    "Ask for the order number before you look an order up.",
    "Read the exam dates out of the calendar, never from memory.",
    "Name the building when a room is booked.",
)
OLD = "f" * 64


def asked(database: Database, sha256: str, *item_ids: int) -> None:
    """A request with this prompt, in whose reply these items were written."""
    with database.writing() as db:
        db.merge(CriticPrompt(sha256=sha256, writer=Writer.LESSON, text="A prompt.", at=START))
        db.flush()
        call = CriticCall(writer=Writer.LESSON, key=sha256, prompt_sha256=sha256, state=CallState.ANSWERED)
        db.add(call)
        db.flush()
        db.add_all(Written(item_id=one, call_id=call.id or 0) for one in item_ids)


def by_critic(database: Database) -> list[int]:
    return [lesson(database, text, proposer="critic").item_id for text in TEXTS]


def of(found: tuple[Fate, ...], wrote: str, sha256: str | None = None) -> Fate:
    return next(one for one in found if one.wrote == wrote and sha256 in (None, one.prompt_sha256))


def test_each_prompt_has_what_became_of_what_it_wrote_and_the_reasons_most_named_first(database: Database) -> None:
    team(database)
    one, two, three, four = by_critic(database)
    now_so = prompt(Writer.LESSON).sha256
    asked(database, now_so, one, two, three)
    asked(database, OLD, one, four)
    act(database, one, Action.APPROVE, person="lead1")
    act(database, two, Action.REJECT, person="lead1", reason="too_vague")
    act(database, two, Action.APPEAL, person="dev1", text="It is plain.")
    act(database, two, Action.GRANT, person="lead2")
    act(database, four, Action.REJECT, person="lead1", reason="not_true")
    current, old = of(fates(database), "lesson.md", now_so), of(fates(database), "lesson.md", OLD)
    assert (current.written, current.waits, current.approved, current.turned_down) == (3, 2, 1, 1)
    assert (current.current, current.approved_share, current.appealed, current.reopened) == (
        True,
        Decimal("0.50"),
        1,
        1,
    )
    assert [(named.code, named.words, named.count) for named in current.reasons] == [("too_vague", "too vague", 1)]
    assert (old.written, old.turned_down, old.current) == (1, 1, False), "found again is not written again"


def test_a_check_counts_by_its_version_and_an_edit_counts_for_whoever_wrote_it_first(database: Database) -> None:
    team(database)
    run = session(database)
    first, second = lesson(database, TEXTS[0]).item_id, lesson(database, TEXTS[1]).item_id
    act(database, edited(database, first, "lead1", text=TEXTS[2]), Action.APPROVE, person="lead2")
    act(database, note(database, run).item_id, Action.RESOLVE, person="lead1", text="Called back.")
    act(database, note(database, run, fault="g").item_id, Action.DISMISS, person="lead1", reason="no_fault")
    (found,) = fates(database)
    assert (found.wrote, found.prompt_sha256, found.written, found.waits) == ("claimed_not_done v1", None, 4, 1)
    assert (found.approved, found.turned_down, found.approved_share) == (2, 1, Decimal("0.67"))
    made = act(database, second, Action.REJECT, person="lead1", reason="twin")
    assert of(fates(database), "claimed_not_done v1").turned_down == 2
    undo(database, decision_id=made.decision_id, person="lead1")
    assert fates(database) == (found,), "what was taken back does not count"


def test_what_a_person_wrote_is_nobodys_prompt_and_nothing_is_nothing(database: Database) -> None:
    team(database)
    assert fates(database) == ()
    lesson(database, proposer="lead1")
    assert fates(database) == ()


def test_however_much_there_is_it_takes_as_many_statements(database: Database) -> None:
    def statements() -> int:
        seen: list[str] = []
        listen = ("before_cursor_execute", lambda *args: seen.append(args[2]))
        event.listen(database.engine, *listen)
        fates(database)
        event.remove(database.engine, *listen)
        return len(seen)

    few = statements()
    asked(database, OLD, *by_critic(database))
    assert statements() == few


def told(database: Database, *words: str) -> str:
    """What the command says."""
    return Commands(database.engine.url.render_as_string(hide_password=False))("critic", "reasons", *words).stdout


def test_the_command_says_it_in_lines_and_as_json(database: Database) -> None:
    found = by_critic(database)
    asked(database, OLD, *found)
    act(database, found[0], Action.REJECT, reason="too_vague")
    assert told(database).splitlines() == [
        "lesson.md ffffffff (changed since): 4 written, 3 wait, 0% approved, 1 turned down",
        "  1 × too vague",
    ]
    assert '"approved_share": "0.00"' in told(database, "--json")
