"""What speaks of one user stays with that user: procedures about their style, and lessons of their scope."""

import pytest

from core.errors import Refused
from core.governance.beside import beside_now
from core.governance.drafts import BeliefContent, Draft, LessonContent, ProcedureContent, Quoted
from core.governance.gate import source_of
from core.governance.merging import Merging, merge
from core.governance.people import set_person
from core.governance.proposals import Proposed, propose
from core.governance.versions import edit
from core.service.desk_views import card, procedures
from core.service.for_everybody import propose_for_everybody
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import Item, Screening
from core.vocabulary import Action, Cause, Duty, ProcedureKind, Scope, Severity, Source, Status
from tests.core.governance.at_the_desk import policy_arrives, refused
from tests.desk import OPERATOR, START, act, agent, item, lesson, quote, session

LIST = "Answer in a numbered list when money is asked for."
SAME = "Answer with a numbered list when money is asked for."


def style(database: Database, text: str, user: str | None, *, kind: ProcedureKind = ProcedureKind.PATTERN) -> Proposed:
    content = ProcedureContent(title="Lists", trigger="When money is asked for", instruction=text, kind=kind)
    return proposed(database, content, user)


def proposed(
    database: Database, content: ProcedureContent | LessonContent, user: str | None, *quotes: Quoted
) -> Proposed:
    draft = Draft(
        content=content,
        severity=Severity.MEDIUM,
        agent_id=agent(database),
        task_class="refunds",
        user=user,
        origin="a test",
        proposer="check test",
        source=Source.CHECK,
        quotes=quotes,
    )
    with database.writing() as db:
        return propose(db, draft, at=START)


def in_force_beside(database: Database, item_id: int) -> list[int]:
    with database.reading() as db:
        return [one.item.id or 0 for one in beside_now(db, db.get_one(Item, item_id))]


@pytest.mark.databases("sqlite", "postgresql")
def test_two_users_may_have_the_same_style_and_neither_is_told_of_the_other(database: Database) -> None:
    asha, ash = style(database, LIST, "asha"), style(database, LIST, "ash")
    assert [asha.what, ash.what] == ["new", "new"]
    act(database, asha.item_id, Action.APPROVE)
    act(database, ash.item_id, Action.APPROVE)
    another = style(database, SAME, "ben").item_id
    assert in_force_beside(database, another) == []
    assert not card(database, another, person=OPERATOR).twins_waiting
    assert in_force_beside(database, style(database, SAME, "asha").item_id) == [asha.item_id]


def test_what_is_for_everybody_stands_beside_the_style_of_each_user(database: Database) -> None:
    everybodys = style(database, LIST, None).item_id
    act(database, everybodys, Action.APPROVE)
    assert in_force_beside(database, style(database, SAME, "asha").item_id) == [everybodys]


def test_a_user_s_style_can_be_proposed_for_everybody_and_stays_with_the_user(database: Database) -> None:
    asha = style(database, LIST, "asha").item_id
    act(database, asha, Action.APPROVE)
    made = propose_for_everybody(database, asha, person=OPERATOR, at=START)
    assert (made.what, item(database, made.item_id).user) == ("new", None)
    assert item(database, made.item_id).proposer == OPERATOR
    assert [item(database, one).status for one in (asha, made.item_id)] == [Status.ACTIVE, Status.PROPOSED]
    act(database, made.item_id, Action.APPROVE)
    assert {row.user for row in procedures(database).rows} == {"asha", None}
    with refused(database, "for_everybody"):
        propose_for_everybody(database, made.item_id, person=OPERATOR, at=START)


def test_what_was_held_for_one_user_is_no_way_round_the_screens(database: Database) -> None:
    at = session(database, "CD-5", user="asha")
    content = ProcedureContent(
        title="Lists", trigger="When money is asked for", instruction=LIST, kind=ProcedureKind.PATTERN
    )
    draft = Draft(
        content=content,
        severity=Severity.MEDIUM,
        agent_id=agent(database),
        task_class="refunds",
        user="asha",
        origin="a test",
        proposer="critic",
        source=Source.USER,
    )
    with database.writing() as db:
        held = propose(db, draft, at=START).item_id
        own = source_of(db, db.get_one(Item, held))
    assert (item(database, held).status, own, at > 0) == (Status.HELD, Source.USER, True)
    with refused(database, "not_standing"):
        propose_for_everybody(database, held, person=OPERATOR, at=START)
    act(database, held, Action.RELEASE, text="She says so each time.")
    made = propose_for_everybody(database, held, person=OPERATOR, at=START)
    with database.reading() as db:
        assert source_of(db, db.get_one(Item, made.item_id)) is Source.USER
    assert item(database, made.item_id).status == Status.HELD


def test_who_has_no_duty_proposes_nothing_for_everybody(database: Database) -> None:
    asha = style(database, LIST, "asha").item_id
    set_person(database, "Ben", {Duty.LEAD})
    with refused(database, "role"):
        propose_for_everybody(database, asha, person="Zoe", at=START)


def test_the_style_of_one_user_is_merged_with_that_of_no_other(database: Database) -> None:
    asha, everybodys = style(database, LIST, "asha").item_id, style(database, SAME, None).item_id
    assert not card(database, asha, person=OPERATOR).can_be_merged_into
    with refused(database, "not_alike"):
        merge(database, Merging(asha, everybodys, item(database, asha).revision), person=OPERATOR, changes={})


def test_the_card_says_for_whom(database: Database) -> None:
    from ui.card import card_tree
    from ui.tree import text_of

    asha = style(database, LIST, "asha").item_id
    shown = card(database, asha, person=OPERATOR)
    assert "for asha alone" in text_of(card_tree(shown, {}, None, START))


def test_a_lesson_about_one_user_takes_the_user_of_its_quotes(database: Database) -> None:
    content = LessonContent(text="Offer a voucher before money.", scope=Scope.USER, tags=("refund", "voucher"))
    made = proposed(database, content, None, quote(session(database, "CD-1", user="asha"))).item_id
    assert item(database, made).user == "asha"


@pytest.mark.parametrize("users", [[], ["asha", "ash"], [None]])
def test_a_lesson_about_one_user_without_a_user_is_refused(database: Database, users: list[str | None]) -> None:
    content = LessonContent(text="Offer a voucher before money.", scope=Scope.USER, tags=("refund", "voucher"))
    quotes = [quote(session(database, f"CD-{at}", user=user)) for at, user in enumerate(users)]
    with pytest.raises(Refused) as told:
        proposed(database, content, None, *quotes)
    assert told.value.code == "user_needed"
    with database.reading() as db:
        assert db.get(Item, 1) is None


def test_an_edit_that_makes_a_lesson_one_of_a_user_needs_to_know_which(database: Database) -> None:
    content = LessonContent(text="Offer a voucher before money.", tags=("refund", "voucher"))
    of_a_session = proposed(database, content, None, quote(session(database, "CD-1", user="asha"))).item_id
    asked = {"person": OPERATOR, "revision_seen": 1, "changes": {"scope": Scope.USER}}
    made = edit(database, item_id=of_a_session, **asked)  # type: ignore[arg-type]
    assert item(database, made.item_id).user == "asha"
    nobodys = proposed(database, LessonContent(text="Name the tariff first.", tags=("tariff",)), None).item_id
    with refused(database, "user_needed"):
        edit(database, item_id=nobodys, **asked)  # type: ignore[arg-type]


def test_lessons_in_the_same_words_about_two_users_are_two(database: Database) -> None:
    content = LessonContent(text="Offer a voucher before money.", scope=Scope.USER, tags=("refund", "voucher"))
    assert [proposed(database, content, user).what for user in ("asha", "ash", "asha")] == ["new", "new", "known"]
    everybodys = LessonContent(text=content.text, tags=content.tags)
    assert proposed(database, everybodys, None).what == "new"
    assert proposed(database, content, "ben").what == "known", "what is for everybody says it for a user, too"


def test_a_policy_that_changes_takes_lessons_procedures_and_beliefs_out_and_keeps_source_and_dates(
    database: Database,
) -> None:
    made = [style(database, LIST, None).item_id, lesson(database).item_id, belief(database)]
    for one in made:
        act(database, one, Action.APPROVE)
    before = [item(database, one) for one in made]
    policy_arrives(database)
    after = [item(database, one) for one in made]
    assert [(one.status, one.cause) for one in after] == [(Status.SUSPENDED, Cause.POLICY)] * 3
    kept = [(one.created_at, one.active_at, one.owner, one.proposer, one.origin) for one in before]
    assert [(one.created_at, one.active_at, one.owner, one.proposer, one.origin) for one in after] == kept
    with database.reading() as db:
        assert [db.get_one(Screening, one).source for one in made] == [Source.CHECK] * 3
    shown = card(database, made[2], person=OPERATOR)
    assert (shown.status, bool(shown.policy_changes)) == (Status.SUSPENDED, True)


def belief(database: Database) -> int:
    """A proposed belief over two episodes."""
    agent_id = agent(database)
    with database.writing() as db:
        episodes = [Episode(agent_id=agent_id, user="asha", text=text, true_from=START, at=START) for text in "ab"]
        db.add_all(episodes)
        db.flush()
        cites = tuple(one.id or 0 for one in episodes)
        draft = Draft(
            content=BeliefContent(
                text="Answer with a list before money is named, as users who ask for money ask for lists.", cites=cites
            ),
            severity=Severity.MEDIUM,
            agent_id=agent_id,
            task_class="refunds",
            user="asha",
            origin="a test",
            proposer="check test",
            source=Source.CHECK,
        )
        return propose(db, draft, at=START).item_id
