"""What people, agents and writers do to a desk and to the model beside it."""

from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from core.governance.desk import undo
from core.governance.drafts import LessonContent, NoteContent, ProcedureContent
from core.governance.leases import beat, claim, release
from core.governance.merging import Merging, merge
from core.governance.people import set_person
from core.governance.tokens import make_token
from core.governance.versions import edit
from core.service.agents import AgentRecord, save_agent
from core.store.records import Item
from core.vocabulary import Action, Dimension, Duty, Kind, Scope, Severity, Status, Verb
from tests.core.governance.desk_beside_model import AGAINST_POLICY, NAMES, TEXTS, TOKENS, DeskBesideModel
from tests.core.governance.desk_model import GONE, LASTS, WAITING, Holding
from tests.core.governance.expected_table import EXPECTED
from tests.desk import OPERATOR, agent, session

DUTIES = tuple(
    frozenset(some) for some in ((), (Duty.LEAD,), (Duty.AUDITOR,), (Duty.LEAD, Duty.AUDITOR), (Duty.DEVELOPER,))
)

texts = st.sampled_from(TEXTS)
actions = st.sampled_from(list(Action))
kinds = st.sampled_from([Kind.NOTE, Kind.LESSON, Kind.PROCEDURE])
"""The kinds that the model knows; beliefs, which cite episodes, are walked row by row in ``test_every_row``."""

proposers = st.sampled_from((*NAMES, "check a"))
names = st.sampled_from((*NAMES, *NAMES, OPERATOR, *TOKENS))
seldom = st.sampled_from((True, True, True, True, True, False))
places = st.integers(0, 10_000)


class DeskMachine(DeskBesideModel):
    """The rules are what people, agents and writers do; each compares what came of it with the model."""

    @initialize(several=seldom)
    def begin(self, several: bool) -> None:
        agent(self.database)
        save_agent(self.database, AgentRecord("Campus Desk", "", ("campus-refund-window",), {}, None, ""))
        self.raw = make_token(self.database, name="desk", agent="Campus Desk", verbs=[Verb.BRIEFING], by=OPERATOR)
        if several:
            for name in NAMES:
                self.set_duties(name, frozenset({Duty.LEAD, Duty.AUDITOR}))

    # what people do

    @rule(place=places, action=actions, person=names, said=st.tuples(seldom, seldom), fits=seldom, keep=seldom)
    def act(self, place: int, action: Action, person: str, said: tuple[bool, bool], fits: bool, keep: bool) -> None:
        thing = self.some(place)
        if thing is None:
            return
        known = [one for status, one in EXPECTED[thing.kind] if status is thing.status]
        if fits and known:
            action = known[place % len(known)]
        if place % 4 == 0 and thing.proposer in NAMES:  # the one whom chance alone would seldom pick
            person = thing.proposer
        wish, request = self.asked(thing, action, person, *said)
        if not keep:
            self.late.append((wish, request))
        else:
            self.send(wish, request)

    @precondition(lambda self: self.late)
    @rule(place=places)
    def act_late(self, place: int) -> None:
        self.send(*self.late[place % len(self.late)])

    @rule(place=places, person=names, text=texts)
    def edit(self, place: int, person: str, text: str) -> None:
        thing = self.some(place)
        if thing is None:
            return
        field = {Kind.NOTE: "observation", Kind.LESSON: "text", Kind.PROCEDURE: "instruction"}[thing.kind]
        may = person not in TOKENS and self.model.may_edit(thing, person, text, self.at)
        made = self.tried(
            may,
            lambda: edit(
                self.database,
                item_id=thing.id,
                person=self.name(person),
                revision_seen=thing.revision,
                changes={field: text},
                at=self.at,
            ),
        )
        if made is None:
            return
        self.newer(thing, made.item_id, made.decision_id, person, text)

    @rule(place=places, other=places, person=names, text=texts)
    def merge(self, place: int, other: int, person: str, text: str) -> None:
        thing, half = self.some(place), self.some(other)
        if place % 4:  # chance alone would seldom find two that can be merged, and words that nothing else has
            waits = [one for one in self.model.things.values() if one.status is Status.PROPOSED]
            thing = waits[place % len(waits)] if waits else thing
        if thing is None or half is None:
            return
        if other % 4:
            others = [
                one for one in self.model.things.values() if one.kind is thing.kind and one.number != thing.number
            ]
            can = [one for one in others if one.status in (Status.PROPOSED, Status.ACTIVE)]
            half = can[other % len(can)] if can else half
            text = (thing.text, half.text, text)[other % 3]
        field = {Kind.NOTE: "observation", Kind.LESSON: "text", Kind.PROCEDURE: "instruction"}[thing.kind]
        may = person not in TOKENS and self.model.may_merge(thing, half, person, text, self.at)
        made = self.tried(
            may,
            lambda: merge(
                self.database,
                Merging(thing.id, half.id, thing.revision),
                person=self.name(person),
                changes={field: text},
                at=self.at,
            ),
        )
        if made is not None:
            self.newer(half, made.item_id, made.decision_id, person, text, merged=thing)

    @precondition(lambda self: self.model.log)
    @rule(back=st.integers(0, 6), person=names, own=seldom)
    def undo(self, back: int, person: str, own: bool) -> None:
        act = self.model.log[-1 - back % len(self.model.log)]
        person = act.by if own else person
        may = person not in TOKENS and self.model.may_undo(act, person)
        made = self.tried(may, lambda: undo(self.database, decision_id=act.id, person=self.name(person), at=self.at))
        if made is None:
            return
        together = [act, *(one for one in self.model.log if one.cause == act.id)]
        for one, row in zip(together, self.rows(made.decision_id, len(together)), strict=True):
            thing = self.model.things[one.item]
            self.model.write(row, thing, Action.UNDO, one.before or Status.SUPERSEDED, person, undoes=one.id)
            others = (other for other in self.model.standing(thing.id) if other.id != one.id)
            if one.after is Status.ACTIVE and not any(other.after is Status.ACTIVE for other in others):
                thing.once_active = False

    @rule(name=st.sampled_from(NAMES), duties=st.sampled_from(DUTIES))
    def set_duties(self, name: str, duties: frozenset[Duty]) -> None:
        set_person(self.database, name, duties, at=self.at)
        self.model.people[name] = duties

    @rule(place=places, person=st.sampled_from(NAMES), what=st.sampled_from(("claim", "claim", "beat", "release")))
    def lease(self, place: int, person: str, what: str) -> None:
        thing = self.some(place)
        if thing is None:
            return
        found = self.model.holder(thing.id, self.at)
        if what == "release":
            release(self.database, thing.id, person)
            self.give_back(thing.id, person)
        elif what == "beat":
            told = beat(self.database, thing.id, person, at=self.at)
            assert (told.person if told else None) == (found.person if found else None)
            if found and found.person == person:
                found.beat = self.at
        else:
            told = claim(self.database, thing.id, person, at=self.at)
            assert told.person == (found.person if found else person)
            if found is None or found.person == person:
                self.model.leases = {key: one for key, one in self.model.leases.items() if one.person != person}
                self.model.leases[thing.id] = Holding(person, self.at + LASTS, self.at)

    @rule(seconds=st.sampled_from((-86_400, -60, 1, 45, 120, 900)))
    def time_goes_on(self, seconds: int) -> None:
        self.at += timedelta(seconds=seconds)

    # what writers do

    @rule(kind=kinds, text=texts, person=proposers, grave=st.booleans(), found=seldom)
    def proposed(self, kind: Kind, text: str, person: str, grave: bool, found: bool) -> None:
        if kind is Kind.NOTE:
            run = session(self.database, f"S-{next(self.runs)}")
            self.noted(run, f"fault {run}", text, person, grave, found)
            return
        if kind is Kind.LESSON:
            content = LessonContent(text=text, scope=Scope.AGENT if grave else Scope.TASK_CLASS)
        else:
            content = ProcedureContent(title="Rule first", trigger="When a student asks", instruction=text)
        same = [one for one in self.model.things.values() if one.kind is kind and one.text == text]
        known = bool(same) if kind is Kind.LESSON else any(one.status not in GONE for one in same)
        made = self.put(content, Severity.HIGH, person)
        assert (made.what != "new") is known
        if not known:
            held = text == AGAINST_POLICY
            status = Status.HELD if held else Status.PROPOSED
            self.begun(made.item_id, kind, status, text, person, for_all=grave and kind is Kind.LESSON, policy=held)

    @rule(place=places)
    def further_proof(self, place: int) -> None:
        thing = self.some(place)
        if thing is None or thing.kind is Kind.PROCEDURE:
            return
        with self.database.reading() as db:
            row = db.get_one(Item, thing.id)
        run = session(self.database, f"S-{next(self.runs)}")
        if thing.kind is Kind.NOTE:
            content = NoteContent(
                dimension=Dimension.COMPLIANCE,
                severity=Severity(row.severity),
                observation="Once more.",
                improvement="So.",
            )
            made = self.put(content, Severity(row.severity), "check a", run, row.fault, row.session_id)
        else:
            made = self.put(LessonContent(text=thing.text), Severity.HIGH, "check a", run)
        got = self.model.things[made.item_id]
        assert (made.what == "added") is (got.status in WAITING)
        got.proofs += made.what == "added"

    @rule()
    def an_agent_reads(self) -> None:
        self.reads_only_what_is_in_force()
