"""What must hold before an item becomes active, by whatever act: its words stand, the screens find nothing that nobody
has looked at, and there is room.
"""

from collections.abc import Sequence
from decimal import Decimal

from sqlmodel import Session as DatabaseSession

from core.errors import Refused
from core.governance.acts import Request
from core.governance.beside import InForce, beside_now, named_by
from core.governance.bodies import content_of, quotes_of
from core.governance.gate import Text, remarked, screened, source_of
from core.governance.references import reference
from core.governance.room import room_is_made
from core.governance.sources import enough_stand
from core.memory.confidence import ZERO
from core.screening.contract import Screen, Screened
from core.screening.invisible import says_nothing
from core.store.records import Item
from core.vocabulary import Action, GivesWay, Kind


def all_quotes_found(item: Item) -> None:
    """Refuse what quotes words that were not found. Raises ``Refused``."""
    if item.not_found:
        raise Refused("quote_not_found", f"A quote of {reference(item)} was not found: edit it, or reject.")


def was_approved_once(item: Item, action: Action) -> None:
    """Refuse to roll back to a version that nobody ever approved. Raises ``Refused``."""
    if action is Action.ROLL_BACK and item.active_at is None:
        text = f"v{item.version} of {reference(item)} was never in force; a version with its words can be proposed."
        raise Refused("never_approved", text)


def fit_to_be_active(db: DatabaseSession, item: Item, request: Request | None = None) -> Screened:
    """Quoted words stand, nothing is hidden, policies and whatever is in force were looked at, and there is room.

    ``request`` says what gives way and why; without one no choice was made. Returns what the screens say now. Raises
    ``Refused``.
    """
    if item.quotes and item.not_found == item.quotes:
        raise Refused("quote_not_found", f"None of the quotes of {reference(item)} stands: edit it, or reject.")
    if item.kind == Kind.BELIEF:
        enough_stand(db, item)
    answer = answer_now(db, item, only_in_force=True)
    _nothing_unseen(db, item, answer)
    beside = named_by(db, answer.findings)
    leaving = giving_way(item, beside, request)
    _choice_made(item, beside, leaving, request)
    room_is_made(db, item, leaving, request)
    return answer


def giving_way(item: Item, beside: Sequence[InForce], request: Request | None) -> list[Item]:
    """What is in force and gives way, by what the request says. Raises ``Refused`` for what the screens do not name."""
    if request is None or request.yields is None:
        all_of_them = request is not None and request.gives_way is GivesWay.THE_OTHER
        return [one.item for one in beside if one.contrary] if all_of_them else []
    known = {one.item.id: one.item for one in beside}
    strange = [one for one in request.yields if one not in known]
    if strange:
        can = " or ".join(one.ref for one in beside)
        then = f"{can} can" if can else "nothing can"
        text = f"Item {strange[0]} is no twin of {reference(item)} in force, nor its contrary; {then} give way to it."
        raise Refused("not_beside", text)
    return [known[one] for one in dict.fromkeys(request.yields)]


def giving_way_now(db: DatabaseSession, item: Item, request: Request) -> list[Item]:
    """The same by what is in force now."""
    return giving_way(item, beside_now(db, item), request)


def _nothing_unseen(db: DatabaseSession, item: Item, answer: Screened) -> None:
    hidden = answer.of(Screen.INVISIBLE)
    if hidden:
        raise Refused("hidden_text", f"{hidden[0].text} {reference(item)} can be edited, or rejected.")
    known = {(one.code, one.beside) for one in remarked(db, item.id or 0)}
    of_policy = (one for one in answer.findings if one.code.startswith("against_policy"))
    against = [one for one in of_policy if (one.code, one.beside) not in known]
    if against:
        raise Refused(
            "against_policy",
            f"{against[0].text} It stands on the card now; the act can be repeated, or the item edited.",
        )


def _choice_made(item: Item, beside: Sequence[InForce], leaving: list[Item], request: Request | None) -> None:
    stays = [one.ref for one in beside if one.contrary and one.item not in leaving]
    if not stays:
        return
    against = " and ".join(dict.fromkeys(stays))
    if request is None or (request.gives_way is None and request.yields is None):
        choice = f"either {against} gives way, or both stay, with a reason"
        raise Refused("conflict", f"{reference(item)} contradicts {against}: {choice}.")
    if says_nothing(request.text):
        raise Refused("text_needed", f"To keep {reference(item)} beside {against}, a reason must be written.")


def answer_now(db: DatabaseSession, item: Item, *, only_in_force: bool = False) -> Screened:
    """What the screens say of an item as things stand now, beside all that is known or only beside what is read."""
    content, quotes = content_of(db, item), tuple(quotes_of(db, item.id or 0))
    text = Text(content, item.agent_id, item.task_class, source_of(db, item), quotes, item.number, user=item.user)
    return screened(db, text, only_in_force=only_in_force)


def confidence_stated(item: Item, confidence: Decimal | None) -> None:
    """A procedure comes back at a confidence that a person states. Raises ``Refused`` without one from 0 to 1."""
    stated = confidence is not None and confidence.is_finite() and 0 <= confidence <= 1
    if not stated or confidence != round(confidence or ZERO, 2):
        text = f"To reinstate {reference(item)}, a confidence from 0.00 to 1.00 must be stated; {confidence} is none."
        raise Refused("confidence_needed", text)
