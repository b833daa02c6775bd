"""Whether a decision may be taken back: every question that the desk asks before an undo.

An undo is no way round the table. What it would bring back into force must be fit for it now, and as many people as it
needs now must have said yes to it.
"""

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.errors import Refused
from core.governance import approval, lifecycle
from core.governance.acts import done, in_words
from core.governance.approvers import gravest, said_yes, weighty
from core.governance.people import Person, lost_duties
from core.governance.references import reference
from core.governance.sources import all_stand
from core.store.records import Decision, Item
from core.vocabulary import Action, Duty, Kind, Status

UNDOABLE = frozenset(Action) - {Action.PROPOSE, Action.UNDO}


def may_undo(db: DatabaseSession, decision: Decision, item: Item, person: Person) -> None:
    """Only whoever decided takes it back, once, and with a duty that the act needs. Raises ``Refused``."""
    by_itself = decision.cause is not None or decision.rule is not None
    if decision.action not in UNDOABLE or by_itself:
        raise Refused("not_undoable", f"“{in_words(decision.action)}” of {reference(item)} cannot be undone.")
    if decision.by != person.name:
        raise Refused("not_yours", f"{reference(item)} was {done(decision.action)} by {decision.by}.")
    needed = _duties_for(db, decision, item)
    if not needed & person.duties:
        act, lost = in_words(decision.action), lost_duties(db, person.name, needed)
        raise Refused("role", f"{person.name} may no longer {act} {reference(item)}, nor undo it{lost}.")
    if db.exec(select(Decision).where(Decision.undoes == decision.id)).first():
        raise Refused("already_undone", f"That decision about {reference(item)} was already taken back.")


def leads_back_to(decision: Decision, item: Item) -> Status:
    """Where an undo leads. Raises ``Refused`` for a status that this version of the desk does not know."""
    if not decision.before:
        return Status.SUPERSEDED
    if decision.before not in set(Status):
        text = f"{reference(item)} was {decision.before}, which is unknown here; it cannot be put back."
        raise Refused("unknown_status", text)
    return Status(decision.before)


def may_come_back(db: DatabaseSession, item: Item, person: Person) -> None:
    """Whether an item may be in force again without a decision of its own. Raises ``Refused``."""
    if item.kind == Kind.BELIEF:
        all_stand(db, item)
    findings = approval.fit_to_be_active(db, item).findings
    needed = 2 if lifecycle.INTO_FORCE & weighty(db, item, findings) else 1
    if len(said_yes(db, item)) < needed and not person.single_operator:
        text = f"{reference(item)} needs two people by now, and one has approved it. Nothing was put back."
        raise Refused("needs_two", text)


def _duties_for(db: DatabaseSession, decision: Decision, item: Item) -> frozenset[Duty]:
    """The duties that the act needed, by which it may be taken back."""
    severity = gravest(db, item)
    if decision.action == Action.EDIT:
        return lifecycle.editors(Kind(item.kind), severity)
    move = lifecycle.move(Kind(item.kind), decision.before, decision.toward or decision.action)
    return frozenset() if isinstance(move, lifecycle.Forbidden) else move.duties(severity)
