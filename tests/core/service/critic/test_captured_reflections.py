"""When a debrief writes a reflection: below an evaluator's threshold, on the agent's own failure; for whom it holds."""

import json
from collections.abc import Sequence
from decimal import Decimal

import pytest
from sqlmodel import select

from core.errors import BadInput, Refused
from core.governance.bodies import content_of
from core.governance.drafts import LessonContent
from core.service.agents import AgentRecord, save_agent
from core.service.bring_in import bring_in
from core.service.feedback import mark_reproducible
from core.service.session_views import session_id_of
from core.store.records import AgentSession, Item
from core.vocabulary import Form, Scope, Status, Writer
from tests.critic_desk import PROMISED, Desk
from tests.desk import OPERATOR

WRITTEN = (
    "I failed to look the rule up because I answered at once; next time, I look the refund rule up before I promise."
)
PREFERS = (
    "I failed to answer in Hindi because I overlooked what the student prefers; next time, I answer in that language."
)


def reflecting(desk: Desk, text: str = WRITTEN) -> None:
    desk.settings(writers=["reflection"])
    proof = {"quote": "the refund has been arranged for you", "speaker": "assistant", "turn": 2}
    desk.answers[Writer.REFLECTION] = {"lesson": text, "tags": ["refund", "rule"], "evidence": [proof]}


def signal(source: str, score: float | None = None, *, good: bool = False) -> list[dict[str, object]]:
    given = {} if score is None else {"score": score}
    return [{"source": source, "good": good, "text": "how it went", **given}]


def items(desk: Desk) -> Sequence[Item]:
    with desk.database.reading() as db:
        return db.exec(select(Item).where(Item.proposer == "critic")).all()


@pytest.mark.parametrize("source", ["evaluator", "check", "tool", "person"])
def test_a_signal_of_an_evaluator_brings_one_reflection_that_waits(desk: Desk, source: str) -> None:
    reflecting(desk)
    desk.debrief(desk.bring(feedback=signal(source)))
    (one,) = items(desk)
    assert (one.headline, one.status, one.task_class) == (WRITTEN, Status.PROPOSED, "general")
    assert one.session_id is not None


@pytest.mark.parametrize(
    ("feedback", "remark"),
    [
        (signal("user"), "No evaluator says how it went, so no reflection was asked for; a self-review"),
        ([], "Nobody says how it went, so no lesson was asked for; a self-review within the task can help."),
        (signal("evaluator", 0.9), "No score is below the agent's threshold, so no reflection was asked for."),
    ],
)
def test_without_a_score_below_the_threshold_no_reflection_is_asked_for(
    desk: Desk, feedback: list[dict[str, object]], remark: str
) -> None:
    reflecting(desk)
    save_agent(desk.database, AgentRecord("Campus Desk", "", (), {}, Decimal("0.80"), ""))
    (run,) = desk.debrief(desk.bring(feedback=feedback))
    assert desk.asked(Writer.REFLECTION) == []
    assert items(desk) == []
    assert any(said.startswith(remark) for said in run.remarks)


def test_a_score_is_held_against_the_agents_own_threshold(desk: Desk) -> None:
    reflecting(desk)
    save_agent(desk.database, AgentRecord("Campus Desk", "", (), {}, Decimal("0.80"), ""))
    desk.debrief(desk.bring(feedback=signal("evaluator", 0.79, good=True)))
    assert [one.headline for one in items(desk)] == [WRITTEN]


def test_a_one_shot_task_class_is_refused(desk: Desk) -> None:
    reflecting(desk)
    save_agent(desk.database, AgentRecord("Campus Desk", "", (), {"general": False}, None, ""))
    (run,) = desk.debrief(desk.bring(feedback=signal("evaluator")))
    assert (desk.asked(Writer.REFLECTION), items(desk)) == ([], [])
    assert any("never comes back" in said for said in run.remarks)


def test_a_vague_reflection_is_asked_for_once_more_and_then_rejected(desk: Desk) -> None:
    reflecting(desk, "I failed to help because I was careless; next time, I will be more careful.")
    (run,) = desk.debrief(desk.bring(feedback=signal("evaluator")))
    assert len(desk.asked(Writer.REFLECTION)) == 2
    assert items(desk) == []
    assert [call.became[0]["code"] for call in run.calls if call.became] == ["vague"]


def test_a_failure_outside_the_agent_is_discarded(desk: Desk) -> None:
    reflecting(desk)
    desk.debrief(desk.bring(feedback=signal("evaluator"), external_failure="upstream 500"))
    assert (desk.asked(Writer.REFLECTION), items(desk)) == ([], [])


def test_a_failure_outside_the_agent_that_is_marked_as_reproducible_is_reflected_on(desk: Desk) -> None:
    reflecting(desk)
    ref = desk.bring(feedback=signal("evaluator"), external_failure="upstream 500", reproducible=True)
    desk.debrief(ref)
    assert [one.headline for one in items(desk)] == [WRITTEN]
    with desk.database.reading() as db:
        assert "upstream 500" in db.exec(select(AgentSession.remarks)).one()[0]


def test_a_person_can_mark_it_as_reproducible_with_a_reason(desk: Desk) -> None:
    reflecting(desk)
    ref = desk.bring(feedback=signal("evaluator"), external_failure="upstream 500")
    which = session_id_of(desk.database, ref)
    with pytest.raises(BadInput):
        mark_reproducible(desk.database, which, person=OPERATOR, reason=" ")
    with desk.database.reading() as db:
        assert db.get_one(AgentSession, which).external_failure == "upstream 500"
    mark_reproducible(desk.database, which, person=OPERATOR, reason="it comes every night")
    with pytest.raises(Refused):
        mark_reproducible(desk.database, which, person=OPERATOR, reason="once more")
    desk.debrief(ref)
    assert [one.headline for one in items(desk)] == [WRITTEN]


def test_reproducible_must_be_true_or_false(desk: Desk) -> None:
    record = {"id": "s1", "messages": list(PROMISED), "external_failure": "down", "reproducible": "yes"}
    report = bring_in(desk.database, json.dumps([record]).encode(), "made.json")
    assert report.errors == ("record 1: “reproducible” must be true or false; it is text",)


@pytest.mark.parametrize(
    ("text", "user", "scope"),
    [(PREFERS, "student 1", Scope.USER), (PREFERS, None, Scope.TASK_CLASS), (WRITTEN, "student 1", Scope.TASK_CLASS)],
)
def test_a_reflection_holds_for_one_user_only_where_it_speaks_of_what_that_user_prefers(
    desk: Desk, text: str, user: str | None, scope: Scope
) -> None:
    reflecting(desk, text)
    desk.debrief(desk.bring(feedback=signal("evaluator"), user=user))
    (one,) = items(desk)
    with desk.database.reading() as db:
        content = content_of(db, one)
    assert isinstance(content, LessonContent)
    assert (content.form, content.scope) == (Form.REFLECTION, scope)
    assert one.user == (user if scope is Scope.USER else None)
