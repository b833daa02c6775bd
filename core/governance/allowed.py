"""Whether a request may be carried out: every question that the desk asks before it writes anything.

The order matters to people: what the item is comes first, then who asks, then what they saw and said, then the item.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlmodel import Session as DatabaseSession

from core.errors import Refused
from core.governance import approval, lifecycle
from core.governance.acts import DONE, Request, in_words
from core.governance.approvers import endorsers, gravest, must_be_apart, still_may, weighty
from core.governance.desk_settings import DeskSettings
from core.governance.leases import free_for
from core.governance.people import TOKEN, Person, lost_duties
from core.governance.pressing import Early
from core.governance.references import reference
from core.screening.contract import ScreenFinding
from core.screening.invisible import says_nothing
from core.store.records import Item
from core.vocabulary import Action, Duty, Kind, Status


@dataclass(frozen=True)
class Asked:
    """A request with all that is known when it is carried out."""

    request: Request
    item: Item
    person: Person
    at: datetime
    settings: DeskSettings
    screen: str
    opened: int | None = None
    """How many of its quotes the person has looked at in their transcript; None where nothing was on a screen."""


@dataclass(frozen=True)
class Allowed:
    """The move that a request asks for, and whether somebody else must say the same before it is made."""

    move: lifecycle.Move
    first_of_two: bool


def allowed(db: DatabaseSession, asked: Asked) -> Allowed:
    """The row of the table that is carried out. Raises ``Refused`` with the first reason why it is not."""
    item, person, request = asked.item, asked.person, asked.request
    severity = gravest(db, item)
    move = lifecycle.move(Kind(item.kind), item.status, request.action)
    if isinstance(move, lifecycle.Forbidden):
        raise no_such_move(item, request.action, move)
    if not move.who:
        raise no_such_move(item, request.action, lifecycle.Forbidden(lifecycle.possible(Kind(item.kind), item.status)))
    needed = move.duties(severity)
    has_a_duty(db, item, person, needed, request.action)
    free_for(db, item, reference(item), person.name, needed, asked.at)
    _long_enough_on_screen(asked)
    if request.hash_seen != asked.screen:
        raise Refused("content_changed", f"{reference(item)} was changed since it was shown. Nothing was decided.")
    _said_why(asked, move, severity)
    must_be_apart(db, item, move, person)
    if request.action is Action.APPROVE:
        approval.all_quotes_found(item)
    if states_confidence(item, request.action):
        approval.confidence_stated(item, request.confidence)
    findings: Sequence[ScreenFinding] = ()
    if move.after is Status.ACTIVE:
        approval.was_approved_once(item, request.action)
        findings = approval.fit_to_be_active(db, item, request).findings
    return Allowed(move, _is_first_of_two(db, asked, move, findings))


def states_confidence(item: Item, action: Action) -> bool:
    """Whether the act says at which confidence the item goes on; what is stated with any other is left out."""
    return action is Action.REINSTATE and item.kind == Kind.PROCEDURE


def _is_first_of_two(
    db: DatabaseSession, asked: Asked, move: lifecycle.Move, findings: Sequence[ScreenFinding]
) -> bool:
    """Whether nobody else has said so yet where two must. Raises ``Refused`` for the same person twice."""
    item, request, person = asked.item, asked.request, asked.person
    if person.single_operator or move.people(weighty(db, item, findings)) == 1:
        return False
    stated = request.confidence if states_confidence(item, request.action) else None
    said = set(still_may(db, endorsers(db, item, request.action, asked.screen, stated), move, gravest(db, item)))
    if said == {person.name}:
        raise Refused("endorsed", f"{person.name} said so already; {reference(item)} needs one more person.")
    return not said - {person.name}


def is_a_person(person: Person) -> None:
    if person.name.startswith(TOKEN):
        raise Refused("agent_token", f"“{person.name}” is what an agent shows at its door; it can never decide.")


def has_a_duty(db: DatabaseSession, item: Item, person: Person, needed: frozenset[Duty], action: Action) -> None:
    """Refuse whoever has none of these duties, and say since when they have it no longer. Raises ``Refused``."""
    if not needed & person.duties:
        which, lost = " or ".join(sorted(needed)), lost_duties(db, person.name, needed)
        text = f"Only a person with the duty {which} may {in_words(action)} {reference(item)}{lost}."
        raise Refused("role", text)


def _long_enough_on_screen(asked: Asked) -> None:
    """A press that comes too soon is answered, never swallowed: it asks again."""
    shown = asked.request.shown_at
    if shown is None or shown > asked.at:  # a clock that was set back says nothing about how long it was
        return
    seconds = Decimal((asked.at - shown).total_seconds())
    if seconds < asked.settings.decide_after:
        raise Refused(Early.TOO_SOON, Early.TOO_SOON.said(reference(asked.item), f"{seconds:.1f}"))


def _said_why(asked: Asked, move: lifecycle.Move, severity: str) -> None:
    item, request = asked.item, asked.request
    act, codes = in_words(request.action), [one.code for one in asked.settings.reasons(request.action)]
    if move.reason and request.reason is None:
        raise Refused("reason_needed", f"To {act} {reference(item)}, one of the reasons must be named.")
    if move.reason and request.reason not in codes:
        text = f"“{request.reason}” is none of the reasons to {act} {reference(item)}; these are: {', '.join(codes)}."
        raise Refused("unknown_reason", text)
    if move.needs_text(severity) and says_nothing(request.text):
        raise Refused("text_needed", f"To {act} {reference(item)}, a reason must be written.")


def no_such_move(item: Item, action: Action, forbidden: lifecycle.Forbidden) -> Refused:
    can = " or ".join(DONE[one] for one in forbidden.possible)
    then = f"it can be {can}" if can else "nothing more can be done to it"
    return Refused("no_such_move", f"{reference(item)} is {item.status} and cannot be {DONE[action]}; {then}.")
