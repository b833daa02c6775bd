"""Random people decide blind items in a random order, and a small model says what must come of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlmodel import col, select

from core.errors import Refused
from core.governance import blind
from core.governance.audit import verify
from core.governance.bodies import add_quotes
from core.governance.desk_settings import save_desk_settings
from core.governance.people import set_person
from core.governance.sealing import said_by, sealed_verdicts
from core.governance.versions import edit
from core.service.card_views import card
from core.service.history_views import history
from core.service.log_views import LogAsked, LogView, log_page
from core.store.database import Database
from core.store.oversight_records import BlindVerdict
from core.store.records import Decision, Item
from core.vocabulary import Action, Duty, RejectReason, Status
from tests.desk import act, item, lesson, quote, session

LEADS = ("p1", "p2", "p3", "p4")
TEXTS = (
    "Name the building when a room is booked.",
    "Ask for the order number before you look an order up.",
    "Read the exam dates out of the calendar, never from memory.",
)
WORDS = "written under seal, number"
people = st.sampled_from(LEADS)
verdicts = st.sampled_from((Action.APPROVE, Action.REJECT))
places = st.integers(0, 1_000)


@dataclass
class Thing:
    """One version: what was said about it as it stands, by whom, and whether two were open about it."""

    id: int
    said: dict[str, Action] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    wrote: frozenset[str] = frozenset()
    blind: bool = True
    status: Status = Status.PROPOSED

    @property
    def differ(self) -> bool:
        return len(self.said) == 2


class BlindMachine(RuleBasedStateMachine):
    """A desk at which every new item is blind, beside a model of it."""

    def __init__(self, fresh: Callable[[], Database]) -> None:
        super().__init__()
        self.database, self.things, self.runs = fresh(), [], count(1)
        self.duties = dict.fromkeys(LEADS, True)

    @initialize()
    def begin(self) -> None:
        set_person(self.database, "ada", {Duty.ADMIN, Duty.DEVELOPER})
        for name in LEADS:
            set_person(self.database, name, {Duty.LEAD})
        save_desk_settings(self.database, {"blind_share": "1.00"}, by="ada", reason="to see whether we agree")
        for text in TEXTS:
            self.things.append(Thing(lesson(self.database, text).item_id))

    def some(self, place: int) -> Thing:
        return self.things[place % len(self.things)]

    @rule(place=places, person=people, action=verdicts)
    def says(self, place: int, person: str, action: Action) -> None:
        thing = self.some(place)
        code = RejectReason.NOT_TRUE if action is Action.REJECT else None
        expected, text = self.outcome(thing, person, action), f"{WORDS} {next(self.runs)}"
        try:
            made = act(self.database, thing.id, action, person=person, reason=code, text=text)
        except Refused:
            assert expected == "refused"
            return
        assert expected == ("already" if made.already else "waits" if made.decision_id == 0 else "done")
        if expected == "waits":
            thing.said = {name: one for name, one in thing.said.items() if thing.differ or self.duties[name]}
            thing.said[person], thing.words[person] = action, text
        if expected == "done":
            thing.status = Status.ACTIVE if action is Action.APPROVE else Status.REJECTED

    def outcome(self, thing: Thing, person: str, action: Action) -> str:
        if thing.status is not Status.PROPOSED:
            return "refused"
        may = self.duties[person] and not (action is Action.APPROVE and person in thing.wrote)
        if not thing.blind:
            return "done" if may else "refused"
        if thing.differ:
            return "refused" if person in thing.said or not may else "done"
        if person in thing.said:
            return "already" if thing.said[person] is action else "refused"
        if not may:
            return "refused"
        others = [one for name, one in thing.said.items() if self.duties[name]]
        return "done" if action in others else "waits"

    @rule(place=places, person=people)
    def takes_back(self, place: int, person: str) -> None:
        thing = self.some(place)
        may = thing.status is Status.PROPOSED and thing.blind and not thing.differ and person in thing.said
        try:
            blind.take_back(self.database, item_id=thing.id, person=person)
        except Refused:
            assert not may
            return
        assert may
        del thing.said[person]

    @rule(place=places)
    def further_proof(self, place: int) -> None:
        thing = self.some(place)
        if thing.status is not Status.PROPOSED:
            return
        proof = quote(session(self.database, f"S-{next(self.runs)}"))
        with self.database.writing() as db:
            add_quotes(db, db.get_one(Item, thing.id), [proof])
        thing.said = {}

    @rule(place=places, person=people)
    def edited(self, place: int, person: str) -> None:
        thing = self.some(place)
        if thing.status is not Status.PROPOSED or not self.duties[person]:
            return
        revision, changes = item(self.database, thing.id).revision, {"tags": (f"t{next(self.runs)}",)}
        made = edit(self.database, item_id=thing.id, person=person, revision_seen=revision, changes=changes)
        thing.status = Status.SUPERSEDED
        self.things[self.things.index(thing)] = Thing(made.item_id, wrote=thing.wrote | {person}, blind=thing.blind)

    @rule(place=places)
    def lifted(self, place: int) -> None:
        thing = self.some(place)
        if place % 7 or not thing.blind:
            return
        blind.lift(self.database, item_id=thing.id, person="ada", reason="somebody is away")
        thing.blind = False

    @precondition(lambda self: sum(self.duties.values()) > 3)
    @rule(person=people)
    def loses_the_duty(self, person: str) -> None:
        set_person(self.database, person, {Duty.DEVELOPER})
        self.duties[person] = False

    @rule(person=people)
    def gets_the_duty(self, person: str) -> None:
        set_person(self.database, person, {Duty.LEAD})
        self.duties[person] = True

    @invariant()
    def agrees(self) -> None:
        for thing in self.things:
            row = item(self.database, thing.id)
            assert (row.status, row.blind) == (thing.status, thing.blind)

    @invariant()
    def what_is_sealed_stays_sealed(self) -> None:
        with self.database.reading() as db:
            rows = db.exec(select(BlindVerdict).where(col(BlindVerdict.id).in_(sealed_verdicts(db)))).all()
            for thing in self.things:
                sealed = thing.status is Status.PROPOSED and thing.blind and not thing.differ
                for name, action in thing.said.items() if sealed else ():
                    found = [(row.by, row.action) for row in rows if row.item_id == thing.id]
                    assert (name, action) in found
                    assert thing.id in said_by(db, name)

    def teardown(self) -> None:
        if self.things:
            self.nothing_was_told()
            self.two_people_stand_behind_what_was_decided_blind()
            assert verify(self.database).whole
        self.database.close()

    def nothing_was_told(self) -> None:
        """What somebody wrote under seal is nowhere to be read."""
        log = "".join(str(row) for view in LogView for row in log_page(self.database, LogAsked(view), size=10_000).rows)
        for thing in self.things:
            if thing.status is not Status.PROPOSED or not thing.blind or thing.differ:
                continue
            for name in thing.said:
                other = next(one for one in LEADS if one != name)
                shown = f"{card(self.database, thing.id, person=other)} {history(self.database, thing.id)}"
                assert thing.words[name] not in log + shown

    def two_people_stand_behind_what_was_decided_blind(self) -> None:
        with self.database.reading() as db:
            for thing in self.things:
                if thing.status in (Status.ACTIVE, Status.REJECTED) and thing.blind:
                    acts = db.exec(select(Decision).where(Decision.item_id == thing.id)).all()
                    assert len({row.by for row in acts if row.action != Action.PROPOSE}) >= 2


@pytest.mark.parametrize("fresh", ["sqlite", "postgresql"], indirect=True)
def test_whatever_people_say_blind_the_desk_does_what_the_model_says(fresh: Callable[[], Database]) -> None:
    run_state_machine_as_test(
        lambda: BlindMachine(fresh),
        settings=settings(
            max_examples=10,
            stateful_step_count=25,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        ),
    )
