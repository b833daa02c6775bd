"""What is one user's, or one agent's, never reaches another: by no door, by no name that looks alike, in no receipt."""

import json
from collections.abc import Callable

import pytest
from sqlmodel import col, select
from starlette.testclient import TestClient

from core.briefing.asked import Asked
from core.briefing.read import agent_named, brief, issue
from core.governance.drafts import AnyContent, BeliefContent, Draft, LessonContent, NoteContent, ProcedureContent
from core.governance.people import set_person
from core.governance.proposals import propose
from core.governance.tokens import make_token
from core.service.briefing_views import briefing_view
from core.service.http import agents_door
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import Item, Receipt, ReceiptItem
from core.vocabulary import (
    Action,
    Dimension,
    Duty,
    EpisodeSource,
    Form,
    ProcedureKind,
    Scope,
    Severity,
    Source,
    Status,
    Verb,
)
from tests.desk import START, act, agent, item, quote, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

AGENTS = ("Campus Desk", "Campus Desk 2")
USERS = ("asha", "asha1", "Asha", "asha ", "as_ha", "as%", "आशा")
"""Names that a prefix, a pattern, a fold of case or of white space would take for one another."""

WORDS = "shelf", "river", "candle", "meadow", "anvil", "lantern", "orchard", "harbour"
"""One word for each user, so that no two texts are twins."""


PLACES = {AGENTS[0]: "hall", AGENTS[1]: "yard"}


def secret(name: str, user: str | None, kind: str) -> str:
    """The words by which an item is known: ``shelf hall lists`` is a procedure of the first user of the first agent."""
    return f"{WORDS[(*USERS, None).index(user)]} {PLACES[name]} {kind}"


KINDS = ("lists", "faults", "names", "guesses", "crowds")
"""What a procedure, a note, a lesson, a reflection and a belief of a user speak of."""

OF_NOBODY = ("lists", "crowds")
"""Of what belongs to no user there are procedures, which are for everybody, and beliefs about nobody."""


class Stock:
    """Every kind of item for every user of two agents, in force."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.agent_ids = {name: agent(database, name) for name in AGENTS}
        self.known = [(name, user) for name in AGENTS for user in (*USERS, None)]
        for place, (name, user) in enumerate(self.known):
            self._of(name, user, session(self.database, f"S-{place}", user=user))

    def _of(self, name: str, user: str | None, known: int) -> None:
        said = {kind: secret(name, user, kind) for kind in KINDS}
        self._put(
            name,
            user,
            ProcedureContent(
                title=f"About {said['lists']}",
                trigger=f"When {said['lists']} come up",
                instruction=f"Give the steps about {said['lists']} as a numbered list.",
                kind=ProcedureKind.PATTERN,
            ),
        )
        cites = self._episodes(name, user)
        self._put(name, user, BeliefContent(text=f"A refund is asked for whenever {said['crowds']} come.", cites=cites))
        if user is None:
            return
        note = NoteContent(
            dimension=Dimension.COMPLIANCE,
            severity=Severity.HIGH,
            observation=f"The {said['faults']} were not looked up.",
            improvement=f"Look the {said['faults']} up first.",
        )
        self._put(name, user, note, known)
        lesson = f"Ask for {said['names']} before a refund is promised."
        self._put(name, user, LessonContent(text=lesson, scope=Scope.USER, tags=("refund",)))
        guessed = f"I failed to keep the preference for {said['guesses']} because I guessed"
        reflection = f"{guessed}; next time, I will offer {said['guesses']} first."
        self._put(
            name, user, LessonContent(form=Form.REFLECTION, scope=Scope.USER, text=reflection, tags=("refund", "offer"))
        )

    def _episodes(self, name: str, user: str | None) -> tuple[int, ...]:
        with self.database.writing() as db:
            rows = [
                Episode(
                    agent_id=self.agent_ids[name],
                    user=user,
                    source=EpisodeSource.IMPORT,
                    text=f"There were {secret(name, user, 'crowds')} on visit {visit}.",
                    true_from=START,
                    at=START,
                )
                for visit in (1, 2)
            ]
            db.add_all(rows)
            db.flush()
            return tuple(row.id or 0 for row in rows)

    def _put(self, name: str, user: str | None, content: AnyContent, known: int | None = None) -> None:
        """Bring an item into force; one with a session is a note that quotes it."""
        draft = Draft(
            content=content,
            severity=Severity.HIGH,
            agent_id=self.agent_ids[name],
            task_class="refunds",
            user=user,
            session_id=known,
            fault=f"{name} {user}" if known else "",
            origin="test v1",
            proposer="check test",
            source=Source.CHECK,
            quotes=(quote(known),) if known else (),
        )
        with self.database.writing() as db:
            made = propose(db, draft, at=now())
        if known is not None:
            return
        if item(self.database, made.item_id).status == Status.HELD:
            act(self.database, made.item_id, Action.RELEASE, text="Looked at.")
        act(self.database, made.item_id, Action.APPROVE)


@pytest.fixture
def stock(database: Database) -> Stock:
    return Stock(database)


def tasks(name: str, user: str | None) -> Asked:
    return Asked(name, user, "refunds", "a refund for a " + " and a ".join(WORDS))


def by_python(stock: Stock, asked: Asked) -> str:
    return json.dumps(issue(stock.database, asked).messages)


def by_http(stock: Stock, asked: Asked) -> str:
    set_person(stock.database, "Dev", {Duty.DEVELOPER, Duty.ADMIN})
    name = f"token {now().timestamp()}"
    token = make_token(stock.database, name=name, agent=asked.agent, verbs=[Verb.BRIEFING], by="Dev")
    body = {"agent": asked.agent, "user": asked.user, "task_class": asked.task_class, "task": asked.task}
    door = TestClient(agents_door(stock.database))
    answer = door.post("/v1/briefing", json=body, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return answer.text


def by_page(stock: Stock, asked: Asked) -> str:
    view = briefing_view(stock.database, asked)
    return " ".join([*(line.text for line in view.lines), *view.missed, *view.left_out])


def as_of_then(stock: Stock, asked: Asked) -> str:
    with stock.database.reading() as db:
        return json.dumps(brief(db, agent_named(db, asked.agent), asked, as_of=now()).messages)


Door = Callable[[Stock, Asked], str]
DOORS: tuple[Door, ...] = (by_python, by_http, by_page, as_of_then)


def secrets_in(text: str) -> set[str]:
    every = (secret(name, user, kind) for name in AGENTS for user in (*USERS, None) for kind in KINDS)
    return {one for one in every if one in text}


def due(name: str, user: str | None) -> set[str]:
    """What a user of an agent reads: all that is theirs, and procedures for everybody."""
    own = {secret(name, user, kind) for kind in (OF_NOBODY if user is None else KINDS)}
    return own | {secret(name, None, "lists")}


def test_each_user_of_each_agent_reads_what_is_theirs_and_nothing_else_by_every_door(stock: Stock) -> None:
    read = {
        (door.__name__, name, user): secrets_in(door(stock, tasks(name, user)))
        for door in DOORS
        for name, user in stock.known
    }
    assert read == {(door, name, user): due(name, user) for door, name, user in read}


def test_a_stranger_whose_name_looks_alike_reads_what_is_for_everybody(stock: Stock) -> None:
    for stranger in ("ash", "asha2", "ASHA", " asha", "as", "%", "_", "null", "None", "ash\u0430"):
        for door in DOORS:
            read = secrets_in(door(stock, tasks(AGENTS[0], stranger)))
            assert read == {secret(AGENTS[0], None, "lists")}, (stranger, door.__name__)


def test_a_receipt_names_items_of_its_agent_and_user_alone(stock: Stock) -> None:
    for name, user in stock.known:
        issue(stock.database, tasks(name, user))
    with stock.database.reading() as db:
        read = select(Receipt, Item).join(ReceiptItem, col(ReceiptItem.receipt_id) == Receipt.id)
        rows = db.exec(read.join(Item, col(Item.id) == ReceiptItem.item_id)).all()
    assert len(rows) > len(stock.known)
    assert all(one.agent_id == receipt.agent_id and one.user in (None, receipt.user) for receipt, one in rows)
