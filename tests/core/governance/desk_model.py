"""A small desk of dictionaries that says what the real one must do. It asks nothing of the desk's own code."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from core.governance.lifecycle import Apart, Weighty
from core.vocabulary import Action, Duty, Kind, Status
from tests.core.governance.expected_table import EXPECTED

LASTS, SILENCE = timedelta(minutes=10), timedelta(seconds=90)
WAITING = (Status.PROPOSED, Status.HELD, Status.OPEN)
GONE = (Status.SUPERSEDED, Status.MERGED)
AGAINST = (Action.REJECT, Action.DISMISS)
EDITABLE = {
    Kind.NOTE: (Status.OPEN, Status.HELD),
    Kind.LESSON: (Status.PROPOSED, Status.HELD, Status.ACTIVE, Status.SUSPENDED),
    Kind.PROCEDURE: (Status.PROPOSED, Status.HELD, Status.ACTIVE, Status.SUSPENDED),
}


@dataclass
class Thing:
    """One version of an item."""

    id: int
    kind: Kind
    number: int
    version: int
    status: Status
    text: str
    proposer: str
    critical: bool = False
    for_all: bool = False
    policy: bool = False
    revision: int = 1
    proofs: int = 0
    """How often something was added to what is on the screen."""
    once_active: bool = False
    parents: list[int] = field(default_factory=list)
    """The versions that went into it, by id."""


@dataclass
class Act:
    """One row of the log."""

    id: int
    item: int
    action: Action
    before: Status | None
    after: Status
    revision: int
    by: str
    toward: Action | None = None
    proofs: int = 0
    cause: int | None = None
    undoes: int | None = None


@dataclass
class Holding:
    """A lease."""

    person: str
    until: datetime
    beat: datetime


@dataclass
class Wish:
    """What somebody asks for who looked when the item stood so."""

    item: int
    action: Action
    person: str
    revision: int
    proofs: int
    status: Status
    reason: bool = True
    text: bool = True


@dataclass
class Model:
    """Everything that the real desk must agree with."""

    operator: str
    people: dict[str, frozenset[Duty]] = field(default_factory=dict)
    things: dict[int, Thing] = field(default_factory=dict)
    log: list[Act] = field(default_factory=list)
    leases: dict[int, Holding] = field(default_factory=dict)
    refused: int = 0

    def duties(self, name: str) -> frozenset[Duty]:
        if not self.people:
            return frozenset(Duty) if name == self.operator else frozenset()
        return self.people.get(name, frozenset())

    def alone(self, name: str) -> bool:
        if not self.people:
            return name == self.operator
        able = [one for one, duties in self.people.items() if duties]
        return able == [name]

    def versions(self, thing: Thing) -> list[Thing]:
        return [one for one in self.things.values() if (one.kind, one.number) == (thing.kind, thing.number)]

    def critical(self, thing: Thing) -> bool:
        before = (one for one in self.versions(thing) if one.version <= thing.version)
        return thing.kind is Kind.NOTE and any(one.critical for one in before)

    def standing(self, item: int) -> list[Act]:
        undone = {one.undoes for one in self.log if one.undoes}
        return [one for one in self.log if one.item == item and one.id not in undone and one.action is not Action.UNDO]

    def needed(self, thing: Thing, wish_action: Action) -> frozenset[Duty]:
        row = EXPECTED[thing.kind][thing.status, wish_action]
        return row.who_critical if self.critical(thing) else row.who

    def weighty(self, thing: Thing) -> set[Weighty]:
        said = (
            (Weighty.CRITICAL, self.critical(thing)),
            (Weighty.AGENT_SCOPE, thing.for_all),
            (Weighty.POLICY, thing.policy),
        )
        return {why for why, so in said if so}

    def held_by_another(self, item: int, person: str, needed: frozenset[Duty], at: datetime) -> bool:
        found = self.holder(item, at)
        return found is not None and found.person != person and bool(self.duties(found.person) & needed)

    def holder(self, item: int, at: datetime) -> Holding | None:
        found = self.leases.get(item)
        if found is None or found.until <= at or found.beat + SILENCE <= at or found.beat - at > SILENCE:
            return None
        return found

    def apart(self, thing: Thing, who: frozenset[Apart], person: str) -> bool:
        """Whether the person is none of those who must be somebody else."""
        if self.alone(person):
            return True
        history = self.standing(thing.id)
        if Apart.PROPOSER in who and self.wrote(thing, person):
            return False
        if Apart.APPELLANT in who:
            appeals = [one.by for one in history if one.action is Action.APPEAL]
            if appeals and appeals[-1] == person:
                return False
        if Apart.DECIDER in who:
            places = [at for at, one in enumerate(history) if one.action in AGAINST]
            if places:
                last = places[-1]
                toward = history[last].action
                hands = {history[last].by} | {one.by for one in history[:last] if one.toward is toward}
                hands |= {one.by for one in history[last:] if one.action is Action.DENY}
                return person not in hands
        return True

    def wrote(self, thing: Thing, person: str) -> bool:
        """Whether somebody proposed its words, those of an earlier version that says the same, or a parent."""
        versions = [one for one in self.versions(thing) if one.version <= thing.version]
        parents = [self.things[parent] for one in versions for parent in one.parents]
        if any(self.wrote(one, person) for one in parents if one.number != thing.number):
            return True
        earlier = [one for one in versions if one.proposer == person]
        if thing.proposer == person or any(one.text == thing.text for one in earlier):
            return True
        # Edits change one text; the others of a note or procedure stay whose they were.
        return thing.kind is not Kind.LESSON and any(one.version == 1 for one in earlier)

    def said_so(self, thing: Thing, action: Action) -> set[str]:
        """Who said yes to the same before, about what stands there now, and still may."""
        since: list[Act] = []
        for one in self.log:
            if one.item == thing.id:
                since = [] if one.before is not one.after else [*since, one]
        stands = self.standing(thing.id)
        yes = {one.by for one in since if one in stands and one.toward is action and one.proofs == thing.proofs}
        return {name for name in yes if self.duties(name) & self.needed(thing, action)}

    def outcome(self, wish: Wish, at: datetime) -> str:
        """``refused``, ``unchanged``, ``endorse`` or ``do``."""
        thing = self.things[wish.item]
        if wish.person.startswith(("agent:", "tut_")):
            return "refused"
        bare_merge = wish.action is Action.MERGE
        if wish.revision != thing.revision:
            last = [one for one in self.log if one.item == thing.id][-1]
            same = last.by == wish.person and wish.action in (last.action, last.toward)
            return "unchanged" if same and last.revision == wish.revision + 1 else "refused"
        row = EXPECTED[thing.kind].get((thing.status, wish.action))
        if bare_merge or row is None or not row.who or not self.needed(thing, wish.action) & self.duties(wish.person):
            return "refused"
        if self.held_by_another(thing.id, wish.person, self.needed(thing, wish.action), at):
            return "refused"
        must_write = row.text or (row.text_critical and self.critical(thing))
        if wish.proofs != thing.proofs or (row.reason and not wish.reason) or (must_write and not wish.text):
            return "refused"
        if not self.apart(thing, row.apart, wish.person):
            return "refused"
        if wish.action is Action.ROLL_BACK and not thing.once_active:
            return "refused"
        if row.two_when & self.weighty(thing) and not self.alone(wish.person):
            before = self.said_so(thing, wish.action)
            if before == {wish.person}:
                return "refused"
            if not before - {wish.person}:
                return "endorse"
        return "do"

    def write(self, id_: int, thing: Thing, action: Action, after: Status, by: str, **more: object) -> Act:
        before = thing.status
        thing.status, thing.revision = after, thing.revision + 1
        row = Act(id_, thing.id, action, before, after, thing.revision, by, proofs=thing.proofs, **more)  # type: ignore[arg-type]
        self.log.append(row)
        return row

    def may_edit(self, thing: Thing, person: str, text: str, at: datetime) -> bool:
        needed = frozenset({Duty.AUDITOR if self.critical(thing) else Duty.LEAD})
        if thing.status not in EDITABLE[thing.kind] or not needed & self.duties(person):
            return False
        if self.held_by_another(thing.id, person, needed, at) or text == thing.text:
            return False
        if thing.kind is Kind.NOTE:
            return True
        others = [one for one in self.things.values() if one.kind is thing.kind and one.text == text]
        dead = (Status.REJECTED, Status.APPEALED)
        return not any(one.status in dead if one.number == thing.number else one.status not in GONE for one in others)

    def may_merge(self, thing: Thing, half: Thing, person: str, text: str, at: datetime) -> bool:
        lead = frozenset({Duty.LEAD})
        if (thing.status, Action.MERGE) not in EXPECTED[thing.kind] or not lead & self.duties(person):
            return False
        if any(self.held_by_another(one.id, person, lead, at) for one in (thing, half)):
            return False
        if any(one.status is Status.ACTIVE for one in self.versions(thing)):
            return False
        if half.kind is not thing.kind or half.number == thing.number:
            return False
        if half.status not in (Status.ACTIVE, Status.PROPOSED):
            return False
        dead = (Status.REJECTED, Status.APPEALED)
        same = [one for one in self.things.values() if one.kind is thing.kind and one.text == text]
        others = [one for one in same if one.number != half.number and one.id != thing.id]
        own = [one for one in same if one.number == half.number and text != half.text]
        return not any(one.status in dead for one in own) and all(one.status in GONE for one in others)

    def set_aside(self, thing: Thing) -> list[Thing]:
        """The parents that wait for nothing but the fate of this version."""
        parents = sorted((self.things[one] for one in thing.parents), key=lambda one: (one.number, one.version))
        return [one for one in parents if one.status is Status.MERGED and self._for_this(one, thing)]

    def _for_this(self, parent: Thing, thing: Thing) -> bool:
        merged = [one for one in self.log if one.item == parent.id and one.action is Action.MERGE][-1]
        first = self.things[next(one.item for one in self.log if one.id == merged.cause)]
        replaced = first.number == thing.number and first.status is Status.SUPERSEDED
        return first.id == thing.id or replaced

    def may_undo(self, act: Act, person: str) -> bool:
        thing = self.things[act.item]
        if act.by != person or act.action in (Action.PROPOSE, Action.UNDO) or act.cause is not None:
            return False
        if act.action is Action.EDIT:
            needed = frozenset({Duty.AUDITOR if self.critical(thing) else Duty.LEAD})
        else:
            row = EXPECTED[thing.kind][act.before, act.toward or act.action]  # type: ignore[index]
            needed = row.who_critical if self.critical(thing) else row.who
        if not needed & self.duties(person) or any(one.undoes == act.id for one in self.log):
            return False
        together = [act, *(one for one in self.log if one.cause == act.id)]
        if any(self.things[one.item].revision != one.revision for one in together):
            return False
        return all(self.may_come_back(one, together, person) for one in together)

    def may_come_back(self, act: Act, together: list[Act], person: str) -> bool:
        thing = self.things[act.item]
        if act.before is not Status.ACTIVE or thing.status is Status.ACTIVE:
            return True
        leaving = {one.item for one in together}
        beside = (one for one in self.versions(thing) if one.id != thing.id and one.id not in leaving)
        if any(one.status is Status.ACTIVE for one in beside):
            return False
        weighty = {Weighty.AGENT_SCOPE, Weighty.POLICY} & self.weighty(thing)
        return self.alone(person) or len(self.said_yes(thing)) >= (2 if weighty else 1)

    def said_yes(self, thing: Thing) -> set[str]:
        """By whom it last came into force."""
        since: list[Act] = []
        yes: set[str] = set()
        for one in self.standing(thing.id):
            if one.after is Status.ACTIVE and one.before is not Status.ACTIVE:
                yes = {one.by} | {half.by for half in since if half.toward is one.action and half.proofs == one.proofs}
            since = [] if one.before is not one.after else [*since, one]
        return yes
