"""A real desk beside a model of one, and whether the two agree: what all rules of the machine share."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count

from hypothesis.stateful import RuleBasedStateMachine, invariant
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.read import agent_named, brief
from core.errors import Refused
from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.drafts import Draft, LessonContent, NoteContent, ProcedureContent
from core.governance.on_screen import screen_hash
from core.governance.proposals import propose
from core.settings import DEFAULTS
from core.store.database import Database
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action, Dimension, Kind, Severity, Source, Status
from tests.core.governance.desk_model import WAITING, Act, Model, Thing, Wish
from tests.core.governance.expected_table import EXPECTED
from tests.core.governance.read_from_the_log import nothing_is_active_without_its_approvals, the_chain_holds
from tests.desk import OPERATOR, quote

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
BEGUN = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
TOKENS = ("the token", "agent:desk")


class DeskBesideModel(RuleBasedStateMachine):
    """One desk, one model of it, and the clock of both."""

    def __init__(self, fresh: Callable[[], Database]) -> None:
        super().__init__()
        self.database = fresh()
        self.model = Model(OPERATOR)
        self.at = BEGUN
        self.late: list[tuple[Wish, Request]] = []
        self.runs = count(1)

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
            caused = self.caused(row.id)
            if after is Status.ACTIVE:
                thing.once_active = True
                self.aside(thing, (Status.ACTIVE, Status.SUSPENDED), row, wish.person, caused)
            if after is Status.REJECTED:
                self.back(thing, row, wish.person, caused)
            assert not caused
        if expected != "unchanged":
            self.give_back(thing.id, wish.person)

    def aside(self, thing: Thing, statuses: tuple[Status, ...], cause: Act, by: str, caused: list[int]) -> list[Thing]:
        """Other versions make room; their rows are the next of those that the decision brought about."""
        beside = [one for one in self.model.versions(thing) if one.id != thing.id and one.status in statuses]
        beside.sort(key=lambda one: one.id)
        for other in beside:
            self.model.write(caused.pop(0), other, Action.SUPERSEDE, Status.SUPERSEDED, by, cause=cause.id)
        return beside

    def back(self, thing: Thing, cause: Act, by: str, caused: list[int]) -> None:
        """What stood aside for a version waits again."""
        for parent in self.model.set_aside(thing):
            self.model.write(caused.pop(0), parent, Action.REOPEN, Status.PROPOSED, by, cause=cause.id)

    def caused(self, decision: int) -> list[int]:
        """The decisions that one brought about, oldest first."""
        with self.database.reading() as db:
            same = select(Decision.id).where(Decision.cause == decision).order_by(col(Decision.id))
            return [one or 0 for one in db.exec(same).all()]

    def newer(
        self, thing: Thing, item_id: int, decision: int, person: str, text: str, merged: Thing | None = None
    ) -> None:
        """A version of ``thing``, into which another one went or none."""
        against = text == AGAINST_POLICY and thing.kind is not Kind.NOTE
        status = thing.status if thing.kind is Kind.NOTE else Status.HELD if against else Status.PROPOSED
        version = max(one.version for one in self.model.versions(thing)) + 1
        fresh = Thing(
            item_id, thing.kind, thing.number, version, status, text, person, thing.critical, thing.for_all, against
        )
        cause = Act(decision, item_id, Action.EDIT, None, status, 1, person)
        self.model.log.append(cause)
        self.model.things[item_id] = fresh
        caused = self.caused(decision)
        before = self.aside(fresh, WAITING, cause, person, caused)
        if merged is not None:
            fresh.policy = against or thing.policy or merged.policy
            self.model.write(caused.pop(0), merged, Action.MERGE, Status.MERGED, person, cause=decision)
            self.give_back(merged.id, person)
        waits_on_it = self.model.set_aside(thing)
        if merged is not None:
            fresh.parents = [thing.id, merged.id, *(one.id for one in waits_on_it)]
        elif waits_on_it:
            fresh.parents = list(thing.parents)
        for one in before:
            if one.id != thing.id:
                self.back(one, cause, person, caused)
        assert not caused
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

    def reads_only_what_is_in_force(self) -> None:
        with self.database.reading() as db:
            found = agent_named(db, "Campus Desk")
            told = brief(db, found, Asked("Campus Desk", "student 1", "refunds", " ".join(TEXTS)), DEFAULTS)
            read = set(told.item_ids)
        for one in read:
            thing = self.model.things[one]
            assert thing.status is (Status.OPEN if thing.kind is Kind.NOTE else Status.ACTIVE)
