"""Compaction of a buffer: what is proposed for twins in force, what becomes of them, and that nothing is lost."""

import json
from collections.abc import Iterator, Sequence

import pytest
from sqlmodel import col, select

from core.errors import Refused
from core.governance.desk import undo
from core.governance.drafts import LessonContent
from core.governance.parents import parents_of
from core.governance.saving_numbers import save_numbers
from core.service.consolidation.buffer import ask_as_the_critic_does, carry_out, queue_compaction
from core.service.working import DeskWorker
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import Consolidation
from core.store.records import Decision, Item
from core.vocabulary import Action, Form, RejectReason, RunState, Scope, Severity, Status
from tests.core.governance.at_the_desk import edited, everything, team
from tests.core.service.test_jobs import until
from tests.critic_server import CriticServer, refusal, reply
from tests.desk import OPERATOR, act, item, put

OLD = "I failed to read the log because I retried at once; next time, read the log before the retry."
NEW = "I failed to read the log because I retried at once; next time, read the log before each retry."
OTHER = "I failed to name the branch because I guessed it; next time, list the branches before I name one."
SAID = "I failed to read the log because I retried at once; next time, I read the log before any retry."
NO_MODEL: dict[str, str] = {}


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No model is named, whatever this machine has; what an approval queues asks none."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
    ask_as_the_critic_does(NO_MODEL)
    yield
    ask_as_the_critic_does()


def reflection(database: Database, text: str, *, tags: tuple[str, ...] = ("log", "retry"), **how: object) -> int:
    """A reflection in force. Each is approved before the next one comes, so that none replaces another."""
    content = LessonContent(form=Form.REFLECTION, text=text, tags=tags, **how)  # type: ignore[arg-type]
    made = put(database, content, Severity.MEDIUM, user="asha" if how else None).item_id
    act(database, made, Action.APPROVE)
    return made


def twins(database: Database) -> tuple[int, int]:
    return reflection(database, OLD), reflection(database, NEW, tags=("retry", "build"))


def compacted(database: Database, environ: dict[str, str] | None = None) -> Consolidation:
    """The run that somebody queued and that was carried out."""
    run_id = queue_compaction(database, "Campus Desk", "refunds", by=OPERATOR, environ=environ or NO_MODEL)
    assert run_id is not None
    carry_out(database, run_id, NO_MODEL)
    return run(database, run_id)


def run(database: Database, run_id: int) -> Consolidation:
    with database.reading() as db:
        return db.get_one(Consolidation, run_id)


def runs(database: Database) -> Sequence[Consolidation]:
    with database.reading() as db:
        return db.exec(select(Consolidation).order_by(col(Consolidation.id))).all()


def merger(database: Database) -> Item:
    with database.reading() as db:
        return db.exec(select(Item).where(Item.origin == "compaction").order_by(col(Item.id).desc())).first()  # type: ignore[return-value]


def statuses(database: Database, *ids: int) -> list[str]:
    return [item(database, one).status for one in ids]


@pytest.mark.databases("sqlite", "postgresql")
def test_an_approval_over_the_budget_queues_one_compaction_and_waits_for_nothing(database: Database) -> None:
    save_numbers(database, {"buffer_budget": 2}, by=OPERATOR, reason="a small buffer")
    twins(database)
    assert runs(database) == []
    reflection(database, OTHER)
    (queued,) = runs(database)
    assert (queued.state, queued.task_class, queued.by, queued.server) == (RunState.QUEUED, "refunds", OPERATOR, "")
    reflection(database, OTHER.replace("branch", "tag").replace("branches", "tags"))
    assert len(runs(database)) == 1


def test_what_an_approval_queues_asks_the_model_that_the_critic_asks(database: Database) -> None:
    ask_as_the_critic_does({"OPENAI_API_KEY": "sk-x", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "m"})
    save_numbers(database, {"buffer_budget": 1}, by=OPERATOR, reason="a small buffer")
    twins(database)
    (queued,) = runs(database)
    assert (queued.server, queued.settings["model"]) == ("http://127.0.0.1:9/v1", "m")


def test_without_a_model_the_words_of_the_newest_are_proposed_and_cite_all_that_went_in(database: Database) -> None:
    old, new = twins(database)
    done = compacted(database)
    assert (done.state, done.found["became"][0]["how"]) == (RunState.DONE, "extract")
    made = merger(database)
    assert (made.status, made.proposer, made.headline) == (Status.PROPOSED, "compaction", NEW)
    with database.reading() as db:
        assert [one.id for one in parents_of(db, made.id or 0)] == [old, new]
        row = db.exec(select(Decision).where(Decision.item_id == made.id)).one()
    assert (row.action, row.rule, row.by) == (Action.PROPOSE, "compaction", "compaction")
    assert statuses(database, old, new) == [Status.ACTIVE, Status.ACTIVE]


@pytest.mark.databases("sqlite", "postgresql")
def test_approved_its_parents_give_way_by_the_rule_and_an_undo_puts_all_of_them_back(database: Database) -> None:
    old, new = twins(database)
    compacted(database)
    made = merger(database).id or 0
    decision = act(database, made, Action.APPROVE).decision_id
    assert statuses(database, made, old, new) == [Status.ACTIVE, Status.MERGED, Status.MERGED]
    with database.reading() as db:
        gone = db.exec(select(Decision).where(Decision.cause == decision).order_by(col(Decision.item_id))).all()
    assert [(row.item_id, row.action, row.rule) for row in gone] == [
        (old, Action.MERGE, "compaction"),
        (new, Action.MERGE, "compaction"),
    ]
    undo(database, decision_id=decision, person=OPERATOR)
    assert statuses(database, made, old, new) == [Status.PROPOSED, Status.ACTIVE, Status.ACTIVE]


def test_rejected_nothing_has_changed_and_it_is_not_proposed_again(database: Database) -> None:
    old, new = twins(database)
    compacted(database)
    made = merger(database).id or 0
    act(database, made, Action.REJECT, reason=RejectReason.NOT_TRUE)
    assert statuses(database, old, new) == [Status.ACTIVE, Status.ACTIVE]
    again = compacted(database)
    assert (again.reason, again.found["became"]) == ("nothing_to_do", [])
    assert again.found["left"] == ["L-0002, L-0001: L-0003 was proposed for them and is rejected."]
    assert merger(database).id == made


def test_while_it_waits_it_is_not_proposed_again(database: Database) -> None:
    twins(database)
    compacted(database)
    before = everything(database)
    again = compacted(database)
    assert again.found["left"][0] == "L-0001 went into L-0003, which waits for a person."
    assert everything(database) == before


def test_a_run_that_is_carried_out_twice_proposes_once(database: Database) -> None:
    twins(database)
    done = compacted(database)
    before = everything(database)
    carry_out(database, done.id or 0, NO_MODEL)
    assert everything(database) == before


@pytest.mark.parametrize(
    "texts",
    [
        (
            "I failed to ask because I guessed; next time, ask for the order number before a refund.",
            "I failed to ask because I guessed; next time, ask for the order number before an exchange.",
        ),
        (OLD, OLD.replace("the retry", "3 retries")),
        (OLD, OTHER),
    ],
)
def test_what_is_like_another_and_says_something_else_stays(database: Database, texts: tuple[str, str]) -> None:
    both = [reflection(database, text) for text in texts]
    assert compacted(database).reason == "nothing_to_do"
    assert statuses(database, *both) == [Status.ACTIVE, Status.ACTIVE]
    assert merger(database) is None


def test_a_reflection_for_one_user_is_never_brought_together_with_others(database: Database) -> None:
    prefers = "I failed to write in German because I overlooked what this user prefers; next time, I write in German."
    reflection(database, prefers)
    reflection(database, prefers.replace("I write in German.", "write in German."), scope=Scope.USER)
    assert compacted(database).reason == "nothing_to_do"


def test_edited_by_a_person_it_still_takes_the_place_of_its_parents(database: Database) -> None:
    old, new = twins(database)
    compacted(database)
    team(database)
    newer = edited(database, merger(database).id or 0, "lead1", text=SAID)
    act(database, newer, Action.APPROVE, person="lead2")
    assert statuses(database, newer, old, new) == [Status.ACTIVE, Status.MERGED, Status.MERGED]


def test_a_parent_that_left_meanwhile_stays_where_it_went(database: Database) -> None:
    old, new = twins(database)
    compacted(database)
    act(database, old, Action.RETIRE, text="no longer so")
    act(database, merger(database).id or 0, Action.APPROVE)
    assert statuses(database, old, new) == [Status.RETIRED, Status.MERGED]


def test_a_merged_one_can_be_taken_out_again_by_a_person(database: Database) -> None:
    old, _ = twins(database)
    compacted(database)
    act(database, merger(database).id or 0, Action.APPROVE)
    act(database, old, Action.REOPEN, text="it said more")
    assert item(database, old).status == Status.PROPOSED


def test_whoever_has_no_duty_queues_nothing(database: Database) -> None:
    twins(database)
    team(database)
    with pytest.raises(Refused):
        queue_compaction(database, "Campus Desk", "refunds", by="auditor1", environ=NO_MODEL)
    assert runs(database) == []


class Model:
    """A scripted model and the work that asks it."""

    def __init__(self, database: Database, server: CriticServer) -> None:
        self.database, self.server = database, server
        self.environ = {"OPENAI_API_KEY": "sk-x", "OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "m"}

    def compacted(self, *replies: object) -> Consolidation:
        """A run by the model, which gives these replies in their order."""
        said = (one if not isinstance(one, dict | str) else reply(json.dumps(one)) for one in replies)
        self.server.script(*said)  # type: ignore[arg-type]
        run_id = queue_compaction(self.database, "Campus Desk", "refunds", by=OPERATOR, environ=self.environ)
        assert run_id is not None
        carry_out(self.database, run_id, self.environ)
        return run(self.database, run_id)


@pytest.fixture
def model(database: Database) -> Iterator[Model]:
    with CriticServer().running() as server:
        yield Model(database, server)


def test_a_model_says_each_cluster_in_one_sentence(database: Database, model: Model) -> None:
    twins(database)
    done = model.compacted({"lesson": SAID, "tags": ["log", "retry"]})
    assert done.found["became"][0]["how"].startswith("critic compaction ")
    assert merger(database).headline == SAID
    sent = json.loads(model.server.bodies[0]["messages"][1]["content"])
    assert [one["text"] for one in sent["reflections"]] == [NEW, OLD]
    with database.reading() as db:
        assert db.exec(select(CriticCall.consolidation_id)).one() == done.id


@pytest.mark.parametrize(
    "bad",
    [
        {"lesson": "Read the log.", "tags": ["log"]},
        {"lesson": "I failed to help because I was careless; next time, I am more careful.", "tags": ["care"]},
        {"lesson": "", "tags": []},
        {"lesson": NEW.replace("next time, ", "next time, I do not "), "tags": ["log", "retry"]},
        {
            "lesson": "I failed to list the branches because I guessed; next time, I list the branches first.",
            "tags": ["branch"],
        },
        {"lesson": NEW.replace("the log", "the log with sk-proj-Zq8Lw2Kc7Vn4Xb9Rt6Yp1Md3Hs5Jf0"), "tags": ["log"]},
        "no JSON at all",
    ],
)
def test_where_the_models_words_pass_no_gate_those_of_the_newest_stand(
    database: Database, model: Model, bad: object
) -> None:
    twins(database)
    done = model.compacted(bad, bad)
    assert (done.state, done.found["became"][0]["how"], merger(database).headline) == (RunState.DONE, "extract", NEW)
    with database.reading() as db:
        assert not [one for one in db.exec(select(Item.headline)).all() if "sk-proj" in one]


def test_a_better_second_reply_takes_the_place_of_the_first(database: Database, model: Model) -> None:
    twins(database)
    model.compacted({"lesson": "Read the log.", "tags": ["log"]}, {"lesson": SAID, "tags": ["log", "retry"]})
    assert merger(database).headline == SAID


def test_where_no_model_answers_nothing_is_proposed_and_it_can_be_tried_again(database: Database, model: Model) -> None:
    both = twins(database)
    done = model.compacted(refusal(401, {"message": "no such key", "code": "invalid_api_key"}))
    assert done.state == RunState.FAILED
    assert merger(database) is None
    assert statuses(database, *both) == [Status.ACTIVE, Status.ACTIVE]
    assert model.compacted({"lesson": SAID, "tags": ["log", "retry"]}).state == RunState.DONE


def test_the_engine_carries_out_what_an_approval_queued(database: Database) -> None:
    save_numbers(database, {"buffer_budget": 1}, by=OPERATOR, reason="a small buffer")
    worker = DeskWorker(database)
    twins(database)
    until(lambda: [one.state for one in runs(database)] == [RunState.DONE])
    worker.stop()
    assert merger(database).status == Status.PROPOSED
