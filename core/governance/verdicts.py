"""What an act says about an item: that it is kept or refused, that an agent may read it, that it is closed.

Each has one meaning, and it stands here: figures, agreement, signs, gates, bulk and the cases of critical notes ask
these. What may be done, and where it leads, is the table of ``lifecycle``.
"""

from core.governance.lifecycle import DECIDED_BLIND, TABLE
from core.vocabulary import Action, Kind, Status

KEEPS: dict[Kind, frozenset[Action]] = {
    Kind.NOTE: frozenset({Action.RELEASE, Action.RESOLVE}),
    Kind.LESSON: frozenset({Action.APPROVE, Action.REINSTATE, Action.ROLL_BACK}),
    Kind.PROCEDURE: frozenset({Action.APPROVE, Action.REINSTATE, Action.ROLL_BACK}),
    Kind.BELIEF: frozenset({Action.APPROVE, Action.REINSTATE, Action.ROLL_BACK}),
}
"""Whoever does this says that the item is right. Resolving a note says that it happened; releasing a lesson says only
that it can be decided."""

REFUSES = frozenset({Action.REJECT, Action.DISMISS, Action.RETIRE, Action.SUSPEND, Action.DENY, Action.MERGE})
"""Whoever does this says that the item is not right, or no longer."""

OPENS_AGAIN = (Action.REOPEN, Action.GRANT)
"""After these nobody has said anything."""

_ANSWERS = frozenset(action for _, actions in DECIDED_BLIND.values() for action in actions)
_SAY_KEPT = frozenset(action for actions in KEEPS.values() for action in actions)

KEPT, REFUSED = tuple(sorted(_ANSWERS & _SAY_KEPT)), tuple(sorted(_ANSWERS & REFUSES))
"""The two sides of a verdict, which is what people answer where an item waits for the first time: it is approved or
resolved, or it is rejected or dismissed. Shares of what people kept count these alone, so each item once."""

READ = {Kind.NOTE: Status.OPEN, Kind.LESSON: Status.ACTIVE, Kind.PROCEDURE: Status.ACTIVE, Kind.BELIEF: Status.ACTIVE}
"""The status in which an agent may read an item."""

LETS_IN: dict[Kind, frozenset[Action]] = {
    kind: frozenset(
        action for (before, action), row in TABLE[kind].items() if row.after is READ[kind] and before is not READ[kind]
    )
    for kind in Kind
}
"""The acts after which an agent may read an item that it could not read before."""

CLOSED = (Status.RESOLVED, Status.DISMISSED)
"""The statuses in which a note is closed: somebody has said what became of it."""
