"""A procedure that stays with one user, proposed for everybody: a new procedure, which somebody else decides about."""

from datetime import datetime

from core.errors import Refused
from core.governance.allowed import is_a_person
from core.governance.bodies import content_of, quotes_of
from core.governance.drafts import Draft
from core.governance.gate import source_of
from core.governance.people import duties_of
from core.governance.proposals import Proposed, propose
from core.governance.references import item_of, reference
from core.governance.refusals import refusals_kept
from core.governance.tokens import said_to_be
from core.store.clock import now
from core.store.database import Database
from core.vocabulary import Action, Kind, Severity, Status

GOES_ON = (Status.PROPOSED, Status.ACTIVE)
"""What was held, turned down or taken out for this user is no pattern for the others."""


def propose_for_everybody(database: Database, item_id: int, *, person: str, at: datetime | None = None) -> Proposed:
    """Propose what one user asked for as a procedure of every user; the one of this user stays as it is.

    It is trusted no further than what it was made from. Raises ``NotFound``, and ``Refused`` for what is for everybody
    already, for what neither waits nor is in force, and for somebody without a duty.
    """
    moment = at or now()
    with database.reading() as db:
        item_of(db, item_id)
        who = said_to_be(db, person)
    with refusals_kept(database, item_id, Action.PROPOSE, who, moment), database.writing() as db:
        item, me = item_of(db, item_id), duties_of(db, who)
        is_a_person(me)
        if not me.duties:
            raise Refused("role", f"{who} has no duty at the desk and cannot propose anything. Nothing was stored.")
        if item.kind != Kind.PROCEDURE or item.user is None:
            raise Refused("for_everybody", f"{reference(item)} is for everybody already. Nothing was stored.")
        if item.status not in GOES_ON:
            said = f"{reference(item)} is {item.status}; one for everybody is made of what is proposed or active."
            raise Refused("not_standing", f"{said} Nothing was stored.")
        draft = Draft(
            content=content_of(db, item),
            severity=Severity(item.severity),
            agent_id=item.agent_id,
            task_class=item.task_class,
            origin=f"{reference(item)} v{item.version}, for everybody",
            proposer=who,
            owner=who,
            source=source_of(db, item),
            quotes=tuple(quotes_of(db, item_id)),
        )
        return propose(db, draft, at=moment)
