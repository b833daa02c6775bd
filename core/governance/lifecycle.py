"""THE table: what may be done to an item of each kind in each status, by whom, how many of them, and where it leads.

Nothing else in the product decides about a status; the desk writes none that has no row here. The pictures in the docs
are drawn from ``TABLE``. A row that is not here is a refusal. Undo is not listed: it leads back to wherever the
decision came from that it takes back. Neither is ``endorse``: it is the first half of any row that needs two people.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from core.vocabulary import Action, Duty, Kind, Severity, Status

LEAD, AUDITOR = Duty.LEAD, Duty.AUDITOR
NOBODY: frozenset[Duty] = frozenset()
ANYBODY = frozenset(Duty)


class Weighty(StrEnum):
    """What makes one person too few."""

    CRITICAL = "is critical"
    FOUR_EYES = "is critical, where the desk's settings ask for four eyes"
    AGENT_SCOPE = "holds for every task of the agent"
    POLICY = "touches a policy"


class Apart(StrEnum):
    """Who must be somebody else than the one who acts; alone at the desk nobody is."""

    PROPOSER = "whoever proposed it"
    DECIDER = "whoever decided it"
    APPELLANT = "whoever appealed"


@dataclass(frozen=True)
class Move:
    """One row: the status it leads to, who may, who may not, how many, and what must be said.

    ``who_critical`` may when the item is critical; any one of the duties suffices. ``reason`` asks for a code, ``text``
    for words, ``text_critical`` for words about a critical item. ``two_when`` names what asks for a second person.
    ``by_rule`` says that an automatic rule may make the move too; where nobody is named, only a rule may.
    """

    after: Status
    who: frozenset[Duty]
    who_critical: frozenset[Duty]
    reason: bool = False
    text: bool = False
    text_critical: bool = False
    two_when: frozenset[Weighty] = frozenset()
    apart: frozenset[Apart] = frozenset()
    by_rule: bool = False

    def duties(self, severity: str) -> frozenset[Duty]:
        """Of which any one is needed, for an item of this severity."""
        return self.who_critical if severity == Severity.CRITICAL else self.who

    def needs_text(self, severity: str) -> bool:
        """Whether words must be written, for an item of this severity."""
        return self.text or (self.text_critical and severity == Severity.CRITICAL)

    def people(self, weighty: Collection[Weighty]) -> int:
        """How many people must say yes to an item that is weighty in these ways."""
        return 2 if self.two_when & set(weighty) else 1


@dataclass(frozen=True)
class Forbidden:
    """There is no such row; ``possible`` names the actions that there are."""

    possible: tuple[Action, ...]


Rows = dict[tuple[Status, Action], Move]

INTO_FORCE = frozenset({Weighty.AGENT_SCOPE, Weighty.POLICY})
"""What needs two people before an agent reads it."""

NOT_ITS_OWN = frozenset({Apart.PROPOSER})
ANOTHER_LOOK = frozenset({Apart.APPELLANT, Apart.DECIDER})
TOUCHES_POLICY = frozenset({Weighty.POLICY})


def _lead(
    after: Status,
    *,
    reason: bool = False,
    text: bool = False,
    two_when: frozenset[Weighty] = frozenset(),
    apart: frozenset[Apart] = frozenset(),
    by_rule: bool = False,
) -> Move:
    who = frozenset({LEAD})
    return Move(after, who, who, reason, text, two_when=two_when, apart=apart, by_rule=by_rule)


def _note(
    after: Status,
    *,
    reason: bool = False,
    text: bool = False,
    text_critical: bool = False,
    two_when: frozenset[Weighty] = frozenset(),
    apart: frozenset[Apart] = frozenset(),
    by_rule: bool = False,
) -> Move:
    who = frozenset({LEAD, AUDITOR})
    return Move(after, who, frozenset({AUDITOR}), reason, text, text_critical, two_when, apart, by_rule)


def _rule(after: Status) -> Move:
    """A move that follows from another decision, or from new evidence; no person makes it by itself."""
    return Move(after, NOBODY, NOBODY, by_rule=True)


def _anybody(after: Status) -> Move:
    return Move(after, ANYBODY, ANYBODY, text=True)


_DISMISS = _note(Status.DISMISSED, reason=True, text_critical=True, two_when=frozenset({Weighty.CRITICAL}))

NOTES: Rows = {
    (Status.OPEN, Action.RESOLVE): _note(Status.RESOLVED, text=True, two_when=frozenset({Weighty.FOUR_EYES})),
    (Status.OPEN, Action.DISMISS): _DISMISS,
    (Status.OPEN, Action.SUSPEND): _note(Status.HELD, text=True, by_rule=True),
    (Status.OPEN, Action.PROPOSE): _rule(Status.OPEN),
    (Status.OPEN, Action.SUPERSEDE): _rule(Status.SUPERSEDED),
    (Status.HELD, Action.RELEASE): _note(Status.OPEN, text=True, two_when=TOUCHES_POLICY, apart=NOT_ITS_OWN),
    (Status.HELD, Action.DISMISS): _DISMISS,
    (Status.HELD, Action.PROPOSE): _rule(Status.HELD),
    (Status.HELD, Action.SUPERSEDE): _rule(Status.SUPERSEDED),
    (Status.RESOLVED, Action.REOPEN): _note(Status.OPEN, text=True, by_rule=True),
    # A held note that was dismissed must not come out more easily than by its release.
    (Status.DISMISSED, Action.REOPEN): _note(Status.OPEN, text=True, two_when=TOUCHES_POLICY, apart=NOT_ITS_OWN),
    (Status.DISMISSED, Action.APPEAL): _anybody(Status.APPEALED),
    (Status.APPEALED, Action.GRANT): _note(Status.OPEN, two_when=TOUCHES_POLICY, apart=ANOTHER_LOOK | NOT_ITS_OWN),
    (Status.APPEALED, Action.DENY): _note(Status.DISMISSED, text=True, apart=ANOTHER_LOOK),
}

GOVERNED: Rows = {
    (Status.PROPOSED, Action.APPROVE): _lead(Status.ACTIVE, two_when=INTO_FORCE, apart=NOT_ITS_OWN),
    (Status.PROPOSED, Action.REJECT): _lead(Status.REJECTED, reason=True),
    (Status.PROPOSED, Action.PROPOSE): _rule(Status.PROPOSED),
    (Status.PROPOSED, Action.MERGE): _lead(Status.MERGED, by_rule=True),
    (Status.PROPOSED, Action.SUPERSEDE): _rule(Status.SUPERSEDED),
    (Status.HELD, Action.RELEASE): _lead(Status.PROPOSED, text=True),
    (Status.HELD, Action.REJECT): _lead(Status.REJECTED, reason=True),
    (Status.HELD, Action.PROPOSE): _rule(Status.HELD),
    (Status.HELD, Action.SUPERSEDE): _rule(Status.SUPERSEDED),
    (Status.MERGED, Action.REOPEN): _lead(Status.PROPOSED, text=True, by_rule=True),
    (Status.ACTIVE, Action.SUPERSEDE): _rule(Status.SUPERSEDED),
    (Status.ACTIVE, Action.SUSPEND): _lead(Status.SUSPENDED, text=True, by_rule=True),
    (Status.ACTIVE, Action.RETIRE): _lead(Status.RETIRED, text=True, by_rule=True),
    (Status.SUSPENDED, Action.REINSTATE): _lead(Status.ACTIVE, text=True, two_when=INTO_FORCE, apart=NOT_ITS_OWN),
    (Status.SUSPENDED, Action.RETIRE): _lead(Status.RETIRED, text=True),
    (Status.SUSPENDED, Action.SUPERSEDE): _rule(Status.SUPERSEDED),
    (Status.SUPERSEDED, Action.ROLL_BACK): _lead(Status.ACTIVE, text=True, two_when=INTO_FORCE, apart=NOT_ITS_OWN),
    (Status.REJECTED, Action.REOPEN): _lead(Status.PROPOSED, text=True),
    (Status.REJECTED, Action.APPEAL): _anybody(Status.APPEALED),
    (Status.APPEALED, Action.GRANT): _lead(Status.PROPOSED, apart=ANOTHER_LOOK),
    (Status.APPEALED, Action.DENY): _lead(Status.REJECTED, text=True, apart=ANOTHER_LOOK),
    (Status.RETIRED, Action.REOPEN): _lead(Status.PROPOSED, text=True),
}

LESSONS: Rows = {
    **GOVERNED,
    # Reflections live by the trials of their task class; one that is read no more can be proposed again.
    (Status.ACTIVE, Action.EXPIRE): _rule(Status.EXPIRED),
    (Status.SUSPENDED, Action.EXPIRE): _rule(Status.EXPIRED),
    (Status.EXPIRED, Action.REOPEN): _lead(Status.PROPOSED, text=True),
    # What a compaction brought together gives way to it once a person has approved it.
    (Status.ACTIVE, Action.MERGE): _rule(Status.MERGED),
}

PROCEDURES: Rows = {
    **GOVERNED,
    (Status.ACTIVE, Action.REINSTATE): _lead(Status.ACTIVE, text=True, two_when=INTO_FORCE, apart=NOT_ITS_OWN),
}

BELIEFS: Rows = {
    **GOVERNED,
    # A proposal whose source was withdrawn waits until somebody has looked at what is left of its sources.
    (Status.PROPOSED, Action.SUSPEND): _rule(Status.HELD),
}

TABLE: dict[Kind, Rows] = {
    Kind.NOTE: NOTES,
    Kind.LESSON: LESSONS,
    Kind.PROCEDURE: PROCEDURES,
    Kind.BELIEF: BELIEFS,
}

DECIDED_BLIND: dict[Kind, tuple[Status, frozenset[Action]]] = {
    Kind.NOTE: (Status.OPEN, frozenset({Action.RESOLVE, Action.DISMISS})),
    Kind.LESSON: (Status.PROPOSED, frozenset({Action.APPROVE, Action.REJECT})),
    Kind.PROCEDURE: (Status.PROPOSED, frozenset({Action.APPROVE, Action.REJECT})),
    Kind.BELIEF: (Status.PROPOSED, frozenset({Action.APPROVE, Action.REJECT})),
}
"""Where an item that is decided blind waits for two people, and what each of them may say (``governance.blind``)."""

BEGINS: dict[Kind, frozenset[Status]] = {
    Kind.NOTE: frozenset({Status.OPEN, Status.HELD}),
    Kind.LESSON: frozenset({Status.PROPOSED, Status.HELD}),
    Kind.PROCEDURE: frozenset({Status.PROPOSED, Status.HELD}),
    Kind.BELIEF: frozenset({Status.PROPOSED, Status.HELD}),
}
"""The statuses that a new version may begin in."""

EDITED_FROM: dict[Kind, frozenset[Status]] = {
    Kind.NOTE: frozenset({Status.OPEN, Status.HELD}),
    Kind.LESSON: frozenset({Status.PROPOSED, Status.HELD, Status.ACTIVE, Status.SUSPENDED}),
    Kind.PROCEDURE: frozenset({Status.PROPOSED, Status.HELD, Status.ACTIVE, Status.SUSPENDED}),
    Kind.BELIEF: frozenset({Status.PROPOSED, Status.HELD, Status.ACTIVE, Status.SUSPENDED}),
}
"""The statuses in which an edit may follow: it makes a new version and leaves an approved one in force."""


def editors(kind: Kind, severity: str) -> frozenset[Duty]:
    """The duties of which any one is needed to make a new version."""
    critical_note = kind is Kind.NOTE and severity == Severity.CRITICAL
    return frozenset({AUDITOR}) if critical_note else frozenset({LEAD})


def move(kind: Kind, status: str, action: str) -> Move | Forbidden:
    """The row for an action, or what is possible instead. An unknown status, or an unknown action, has no rows."""
    for (before, act), found in TABLE[kind].items():
        if before == status and act == action:
            return found
    return Forbidden(possible(kind, status))


def possible(kind: Kind, status: str) -> tuple[Action, ...]:
    """The actions that people may take with an item of this kind in this status."""
    return tuple(action for (before, action), row in TABLE[kind].items() if before == status and row.who)
