"""A real desk beside a model of one: what people, agents and writers do to both, and whether they agree."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from sqlmodel import col, select

from core.briefing.read import Asked, agent_named, brief
from core.errors import Refused
from core.governance.acts import Request
from core.governance.desk import decide, undo
from core.governance.drafts import Draft, LessonContent, NoteContent, ProcedureContent
from core.governance.leases import beat, claim, release
from core.governance.on_screen import screen_hash
from core.governance.people import set_person
from core.governance.proposals import propose
from core.governance.tokens import make_token
from core.governance.versions import edit
from core.service.agents import AgentRecord, save_agent
from core.settings import DEFAULTS
from core.store.database import Database
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action, Dimension, Duty, Kind, Scope, Severity, Source, Status, Verb
from tests.core.governance.desk_model import LASTS, WAITING, Act, Holding, Model, Thing, Wish
from tests.core.governance.expected_table import EXPECTED
from tests.core.governance.read_from_the_log import nothing_is_active_without_its_approvals, the_chain_holds
from tests.desk import OPERATOR, agent, quote, session

TEXTS = (
    "Check the refund policy before you promise a refund.",
    "Ask for the order number before you look an order up.",
    "Read the exam dates out of the calendar, never from memory.",
    "Name the building when a room is booked.",
    "Promise a refund within 30 days of the purchase.",
)
"""Unlike each other; the last one breaks a policy of the agent."""
AGAINST_POLICY = TEXTS[-1]
NAMES = ("p1", "p2", "p3", "p4")
DUTIES = tuple(
    frozenset(some) for some in ((), (Duty.LEAD,), (Duty.AUDITOR,), (Duty.LEAD, Duty.AUDITOR), (Duty.DEVELOPER,))
)
BEGUN = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
TOKENS = ("the token", "agent:desk")

texts = st.sampled_from(TEXTS)
actions = st.sampled_from(list(Action))
kinds = st.sampled_from(list(Kind))
proposers = st.sampled_from((*NAMES, "check a"))
names = st.sampled_from((*NAMES, *NAMES, OPERATOR, *TOKENS))
seldom = st.sampled_from((True, True, True, True, True, False))
places = st.integers(0, 10_000)


class DeskMachine(RuleBasedStateMachine):
    """The rules are what people, agents and writers do; each compares what came of it with the model."""

    def __init__(self, fresh: Callable[[], Database]) -> None:
        super().__init__()
        self.database = fresh()
        self.model = Model(OPERATOR)
        self.at = BEGUN
        self.late: list[tuple[Wish, Request]] = []
        self.runs = count(1)

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
        known = bool(same) if kind is Kind.LESSON else any(one.status is not Status.SUPERSEDED for one in same)
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

    def reads_only_what_is_in_force(self) -> None:
        with self.database.reading() as db:
            found = agent_named(db, "Campus Desk")
            told = brief(db, found, Asked("Campus Desk", "student 1", "refunds", " ".join(TEXTS)), DEFAULTS)
            read = set(told.item_ids)
        for one in read:
            thing = self.model.things[one]
            assert thing.status is (Status.OPEN if thing.kind is Kind.NOTE else Status.ACTIVE)

    # what came of it

    def some(self, place: int) -> Thing | None:
        known = list(self.model.things.values())
        return known[-1 - place % min(len(known), 5)] if known else None

    def name(self, person: str) -> str:
        return self.raw if person == "the token" else person

    def asked(self, thing: Thing, action: Action, person: str, reason: bool, text: bool) -> tuple[Wish, Request]:
        wish = Wish(thing.id, action, person, thing.revision, thing.proofs, thing.status, reason, text)
        code = {Action.REJECT: "not_true", Action.DISMISS: "not_true"}.get(action) if reason else None
        with self.database.reading() as db:
            screen = screen_hash(db, db.get_one(Item, thing.id))
        words, stated = "because" if text else " ", Decimal("0.70")
        return wish, Request(thing.id, action, self.name(person), thing.revision, screen, code, words, stated)

    def send(self, wish: Wish, request: Request) -> None:
        thing = self.model.things[wish.item]
        shown = Wish(**{**wish.__dict__, "person": "agent:desk" if wish.person in TOKENS else wish.person})
        expected = self.model.outcome(shown, self.at)
        made = self.tried(expected != "refused", lambda: decide(self.database, request, at=self.at))
        if made is None:
            return
        assert made.already is (expected == "unchanged")
        if expected == "endorse":
            self.model.write(made.decision_id, thing, Action.ENDORSE, thing.status, wish.person, toward=wish.action)
        if expected == "do":
            after = EXPECTED[thing.kind][thing.status, wish.action].after
            row = self.model.write(made.decision_id, thing, wish.action, after, wish.person)
            if after is Status.ACTIVE:
                thing.once_active = True
                self.aside(thing, (Status.ACTIVE, Status.SUSPENDED), row, wish.person)
        if expected != "unchanged":
            self.give_back(thing.id, wish.person)

    def aside(self, thing: Thing, statuses: tuple[Status, ...], cause: Act, by: str) -> None:
        """Other versions make room; their rows follow the one that they make room for."""
        beside = [one for one in self.model.versions(thing) if one.id != thing.id and one.status in statuses]
        rows = self.rows(cause.id, len(beside) + 1)[1:]
        for other, row in zip(sorted(beside, key=lambda one: one.id), rows, strict=True):
            self.model.write(row, other, Action.SUPERSEDE, Status.SUPERSEDED, by, cause=cause.id)

    def newer(self, thing: Thing, item_id: int, decision: int, person: str, text: str) -> None:
        against = text == AGAINST_POLICY and thing.kind is not Kind.NOTE
        status = thing.status if thing.kind is Kind.NOTE else Status.HELD if against else Status.PROPOSED
        version = max(one.version for one in self.model.versions(thing)) + 1
        fresh = Thing(
            item_id, thing.kind, thing.number, version, status, text, person, thing.critical, thing.for_all, against
        )
        cause = Act(decision, item_id, Action.EDIT, None, status, 1, person)
        self.model.log.append(cause)
        self.aside(fresh, WAITING, cause, person)
        self.model.things[item_id] = fresh
        self.give_back(thing.id, person)

    def noted(self, run: int, fault: str, text: str, person: str, grave: bool, found: bool) -> None:
        severity = Severity.CRITICAL if grave else Severity.HIGH
        content = NoteContent(
            dimension=Dimension.COMPLIANCE, severity=severity, observation=text, improvement="Look it up first."
        )
        made = self.put(content, severity, person, run, fault, run, found)
        assert made.what == "new"
        self.begun(made.item_id, Kind.NOTE, Status.OPEN if found else Status.HELD, text, person, critical=grave)

    def put(
        self,
        content: LessonContent | NoteContent | ProcedureContent,
        severity: Severity,
        person: str,
        run: int | None = None,
        fault: str = "",
        of_session: int | None = None,
        found: bool = True,
    ):
        draft = Draft(
            content=content,
            severity=severity,
            agent_id=1,
            task_class="refunds",
            fault=fault,
            origin="a test",
            proposer=person,
            quotes=(quote(run, found=found),) if run else (),
            user="student 1" if of_session else None,
            session_id=of_session,
            source=Source.CHECK,
        )
        with self.database.writing() as db:
            return propose(db, draft, at=self.at)

    def begun(self, item_id: int, kind: Kind, status: Status, text: str, person: str, **more: bool) -> None:
        number = len({one.number for one in self.model.things.values() if one.kind is kind}) + 1
        self.model.things[item_id] = Thing(item_id, kind, number, 1, status, text, person, **more)
        self.model.log.append(Act(self.rows(0, 1)[-1], item_id, Action.PROPOSE, None, status, 1, person))

    def rows(self, first: int, many: int) -> list[int]:
        """The ids of the newest decisions: ``many`` of them, from ``first`` on where it is known."""
        with self.database.reading() as db:
            newest = db.exec(select(Decision.id).order_by(col(Decision.id).desc()).limit(many)).all()
        found = sorted(one or 0 for one in newest)
        assert not first or found[0] == first
        return found

    def give_back(self, item: int, person: str) -> None:
        found = self.model.leases.get(item)
        if found and found.person == person:
            del self.model.leases[item]

    def tried(self, may: bool, what: Callable[[], object]):
        """What came of it; None where it was refused, which must be what the model says."""
        try:
            made = what()
        except Refused as told:
            made, self.told = None, f"{told.code}: {told}"
            self.model.refused += 1
        assert may is (made is not None), f"the model says {'yes' if may else 'no'}: {made or self.told}"
        return made

    @invariant()
    def agrees(self) -> None:
        """The store agrees with the model: statuses, revisions, one row for each act, and every refusal."""
        with self.database.reading() as db:
            items = db.exec(select(Item.id, Item.status, Item.revision, Item.version, Item.number, Item.kind)).all()
            acts = db.exec(select(Decision.id, Decision.item_id, Decision.action, Decision.after)).all()
            refusals = len(db.exec(select(Refusal.id)).all())
        mine = {
            (one.id, str(one.status), one.revision, one.version, one.number, str(one.kind))
            for one in self.model.things.values()
        }
        assert {tuple(row) for row in items} == mine
        assert {tuple(row) for row in acts} == {
            (one.id, one.item, str(one.action), str(one.after)) for one in self.model.log
        }
        assert refusals == self.model.refused
        for found, _, revision, *_ in items:
            assert sum(row.item_id == found for row in acts) == revision
        active = [(row.kind, row.number) for row in items if row.status == Status.ACTIVE]
        assert len(active) == len(set(active))

    def teardown(self) -> None:
        self.reads_only_what_is_in_force()
        the_chain_holds(self.database)
        nothing_is_active_without_its_approvals(self.database, AGAINST_POLICY)
        self.database.close()
