"""What may be done to items, written down by hand a second time, so that tests do not ask the desk what is right."""

from core.governance.lifecycle import Apart, Move, Weighty
from core.vocabulary import Action, Duty, Kind, Status

NOTES = """
open      | resolve   | resolved   | L A / A | text          | F    |       |
open      | dismiss   | dismissed  | L A / A | reason text!  | C    |       |
open      | suspend   | held       | L A / A | text          |      |       | rule
open      | propose   | open       |         |               |      |       | rule
open      | supersede | superseded |         |               |      |       | rule
held      | release   | open       | L A / A | text          | P    | P     |
held      | dismiss   | dismissed  | L A / A | reason text!  | C    |       |
held      | propose   | held       |         |               |      |       | rule
held      | supersede | superseded |         |               |      |       | rule
resolved  | reopen    | open       | L A / A | text          |      |       | rule
dismissed | reopen    | open       | L A / A | text          | P    | P     |
dismissed | appeal    | appealed   | *       | text          |      |       |
appealed  | grant     | open       | L A / A |               | P    | P A D |
appealed  | deny      | dismissed  | L A / A | text          |      | A D   |
"""
GOVERNED = """
proposed   | approve   | active     | L |         | S P | P     |
proposed   | reject    | rejected   | L | reason  |     |       |
proposed   | propose   | proposed   |   |         |     |       | rule
proposed   | merge     | merged     | L |         |     |       | rule
proposed   | supersede | superseded |   |         |     |       | rule
held       | release   | proposed   | L | text    |     |       |
held       | reject    | rejected   | L | reason  |     |       |
held       | propose   | held       |   |         |     |       | rule
held       | supersede | superseded |   |         |     |       | rule
merged     | reopen    | proposed   | L | text    |     |       | rule
active     | supersede | superseded |   |         |     |       | rule
active     | suspend   | suspended  | L | text    |     |       | rule
active     | retire    | retired    | L | text    |     |       | rule
suspended  | reinstate | active     | L | text    | S P | P     |
suspended  | retire    | retired    | L | text    |     |       |
suspended  | supersede | superseded |   |         |     |       | rule
superseded | roll_back | active     | L | text    | S P | P     |
rejected   | reopen    | proposed   | L | text    |     |       |
rejected   | appeal    | appealed   | * | text    |     |       |
appealed   | grant     | proposed   | L |         |     | A D   |
appealed   | deny      | rejected   | L | text    |     | A D   |
retired    | reopen    | proposed   | L | text    |     |       |
"""
LESSONS = (
    GOVERNED
    + """
active     | expire    | expired    |   |         |     |       | rule
active     | merge     | merged     |   |         |     |       | rule
suspended  | expire    | expired    |   |         |     |       | rule
expired    | reopen    | proposed   | L | text    |     |       |
"""
)
PROCEDURES = GOVERNED + "active | reinstate | active | L | text | S P | P |\n"
BELIEFS = GOVERNED + "proposed | suspend | held | | | | | rule\n"

DUTIES = {"L": Duty.LEAD, "A": Duty.AUDITOR}
WEIGHTY = {"C": Weighty.CRITICAL, "F": Weighty.FOUR_EYES, "S": Weighty.AGENT_SCOPE, "P": Weighty.POLICY}
APART = {"P": Apart.PROPOSER, "A": Apart.APPELLANT, "D": Apart.DECIDER}


def _row(line: str) -> tuple[tuple[Status, Action], Move]:
    before, action, after, who, must, two, apart, rule = (part.strip() for part in line.split("|"))
    anybody, _, critical = who.partition("/")
    duties = frozenset(Duty) if who == "*" else frozenset(DUTIES[one] for one in anybody.split())
    move = Move(
        after=Status(after),
        who=duties,
        who_critical=frozenset(DUTIES[one] for one in critical.split()) if critical else duties,
        reason="reason" in must.split(),
        text="text" in must.split(),
        text_critical="text!" in must.split(),
        two_when=frozenset(WEIGHTY[one] for one in two.split()),
        apart=frozenset(APART[one] for one in apart.split()),
        by_rule=rule == "rule",
    )
    return (Status(before), Action(action)), move


def _rows(text: str) -> dict[tuple[Status, Action], Move]:
    return dict(_row(line) for line in text.splitlines() if line)


EXPECTED = {
    Kind.NOTE: _rows(NOTES),
    Kind.LESSON: _rows(LESSONS),
    Kind.PROCEDURE: _rows(PROCEDURES),
    Kind.BELIEF: _rows(BELIEFS),
}
"""Letters: L lead, A auditor, * anybody with a duty; after a stroke, for a critical item. ``text!`` for a critical one.

Two people where it is C critical, F critical while four eyes are asked for, of S agent scope, or touches a P policy.
Somebody else than P its proposer, A who appealed, D who decided.
"""
