"""THE table: what may be done to an item of each kind in each status, by whom, and where it leads.

Nothing else in the product decides about a status. The picture in the docs is drawn from ``TABLE``. A row that is not
here is a refusal. Undo is not listed: it leads back to wherever the decision that it takes back came from.
"""

from dataclasses import dataclass

from core.vocabulary import Action, Duty, Kind, Severity, Status

LEAD, AUDITOR = Duty.LEAD, Duty.AUDITOR


@dataclass(frozen=True)
class Move:
    """One row: the status it leads to, who may, and whether a reason code or a text must be given.

    ``who_critical`` may when the item is critical.
    """

    after: Status
    who: frozenset[Duty]
    who_critical: frozenset[Duty]
    needs_reason: bool = False
    needs_text: bool = False

    def duties(self, severity: str) -> frozenset[Duty]:
        """Of which any one is needed, for an item of this severity."""
        return self.who_critical if severity == Severity.CRITICAL else self.who


@dataclass(frozen=True)
class Forbidden:
    """There is no such row; ``possible`` names the actions that there are."""

    possible: tuple[Action, ...]


def _by_lead(after: Status, *, reason: bool = False, text: bool = False) -> Move:
    return Move(after, frozenset({LEAD}), frozenset({LEAD}), reason, text)


def _note(after: Status, *, text: bool = True) -> Move:
    return Move(after, frozenset({LEAD, AUDITOR}), frozenset({AUDITOR}), needs_text=text)


NOTES: dict[tuple[Status, Action], Move] = {
    (Status.OPEN, Action.RESOLVE): _note(Status.RESOLVED),
    (Status.OPEN, Action.DISMISS): _note(Status.DISMISSED),
    (Status.OPEN, Action.SUSPEND): _note(Status.HELD),
    (Status.HELD, Action.RELEASE): _note(Status.OPEN),
    (Status.HELD, Action.DISMISS): _note(Status.DISMISSED),
    (Status.OPEN, Action.SUPERSEDE): _note(Status.SUPERSEDED, text=False),
    (Status.HELD, Action.SUPERSEDE): _note(Status.SUPERSEDED, text=False),
    (Status.RESOLVED, Action.REOPEN): _note(Status.OPEN),
    (Status.DISMISSED, Action.REOPEN): _note(Status.OPEN),
}

GOVERNED: dict[tuple[Status, Action], Move] = {
    (Status.PROPOSED, Action.APPROVE): _by_lead(Status.ACTIVE),
    (Status.PROPOSED, Action.REJECT): _by_lead(Status.REJECTED, reason=True),
    (Status.PROPOSED, Action.SUPERSEDE): _by_lead(Status.SUPERSEDED),
    (Status.HELD, Action.RELEASE): _by_lead(Status.PROPOSED, text=True),
    (Status.HELD, Action.REJECT): _by_lead(Status.REJECTED, reason=True),
    (Status.HELD, Action.SUPERSEDE): _by_lead(Status.SUPERSEDED),
    (Status.ACTIVE, Action.SUPERSEDE): _by_lead(Status.SUPERSEDED),
    (Status.ACTIVE, Action.SUSPEND): _by_lead(Status.SUSPENDED, text=True),
    (Status.ACTIVE, Action.RETIRE): _by_lead(Status.RETIRED, text=True),
    (Status.SUSPENDED, Action.REINSTATE): _by_lead(Status.ACTIVE, text=True),
    (Status.SUSPENDED, Action.RETIRE): _by_lead(Status.RETIRED, text=True),
    (Status.REJECTED, Action.REOPEN): _by_lead(Status.PROPOSED, text=True),
    (Status.RETIRED, Action.REOPEN): _by_lead(Status.PROPOSED, text=True),
}

PROCEDURES: dict[tuple[Status, Action], Move] = {
    **GOVERNED,
    (Status.ACTIVE, Action.REINSTATE): _by_lead(Status.ACTIVE, text=True),
}

TABLE: dict[Kind, dict[tuple[Status, Action], Move]] = {
    Kind.NOTE: NOTES,
    Kind.LESSON: GOVERNED,
    Kind.PROCEDURE: PROCEDURES,
}

BEGINS: dict[Kind, frozenset[Status]] = {
    Kind.NOTE: frozenset({Status.OPEN, Status.HELD}),
    Kind.LESSON: frozenset({Status.PROPOSED, Status.HELD}),
    Kind.PROCEDURE: frozenset({Status.PROPOSED, Status.HELD}),
}
"""The statuses that a new version may begin in."""

EDITED_FROM: dict[Kind, frozenset[Status]] = {
    Kind.NOTE: frozenset({Status.OPEN, Status.HELD}),
    Kind.LESSON: frozenset({Status.PROPOSED, Status.HELD, Status.ACTIVE, Status.SUSPENDED}),
    Kind.PROCEDURE: frozenset({Status.PROPOSED, Status.HELD, Status.ACTIVE, Status.SUSPENDED}),
}
"""The statuses in which an edit may follow: it makes a new version and leaves an approved one in force."""


def editors(kind: Kind, severity: str) -> frozenset[Duty]:
    """The duties of which any one is needed to make a new version."""
    critical_note = kind is Kind.NOTE and severity == Severity.CRITICAL
    return frozenset({AUDITOR}) if critical_note else frozenset({LEAD})


def move(kind: Kind, status: str, action: Action) -> Move | Forbidden:
    """The row for an action, or what is possible instead. An unknown status has no rows."""
    for (before, act), found in TABLE[kind].items():
        if before == status and act is action:
            return found
    return Forbidden(possible(kind, status))


def possible(kind: Kind, status: str) -> tuple[Action, ...]:
    """The actions that the table knows for an item of this kind in this status."""
    return tuple(action for (before, action) in TABLE[kind] if before == status)
