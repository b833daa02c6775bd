"""What an act says about an item has one meaning, which fits the table of the lifecycle."""

import pytest

from core.governance.lifecycle import DECIDED_BLIND, TABLE
from core.governance.never_in_bulk import TOGETHER
from core.governance.verdicts import CLOSED, KEEPS, KEPT, LETS_IN, OPENS_AGAIN, READ, REFUSED, REFUSES
from core.vocabulary import Action, Kind, Status


def test_no_act_says_two_things_of_an_item() -> None:
    for keeps in KEEPS.values():
        assert not keeps & REFUSES
        assert not (keeps | REFUSES) & set(OPENS_AGAIN)


def test_a_verdict_is_what_people_answer_where_an_item_waits_first_and_has_two_sides() -> None:
    assert (set(KEPT), set(REFUSED)) == (
        {Action.APPROVE, Action.RESOLVE},
        {Action.REJECT, Action.DISMISS},
    )
    for kind, (_, answers) in DECIDED_BLIND.items():
        assert answers <= set(KEPT) | set(REFUSED)
        assert answers & KEEPS[kind] == answers & set(KEPT)


@pytest.mark.parametrize("kind", list(Kind))
def test_what_lets_an_item_in_leads_to_where_an_agent_may_read_it(kind: Kind) -> None:
    leading = {action for (_, action), row in TABLE[kind].items() if row.after is READ[kind]}
    assert LETS_IN[kind] <= leading
    together = LETS_IN[kind] & {action for action, kinds in TOGETHER.items() if kind in kinds}
    assert (
        together
        == {
            Kind.NOTE: {Action.RELEASE},
            Kind.LESSON: {Action.APPROVE, Action.REINSTATE},
            Kind.PROCEDURE: {Action.APPROVE},
            Kind.BELIEF: {Action.APPROVE},
        }[kind]
    )


def test_a_note_is_closed_where_somebody_said_what_became_of_it() -> None:
    led = {row.after for (before, _), row in TABLE[Kind.NOTE].items() if row.who and before in (Status.OPEN,)}
    assert set(CLOSED) == led - {Status.HELD}
