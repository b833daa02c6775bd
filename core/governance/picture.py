"""The lifecycle table as a picture: Mermaid text, as it stands in ``docs/governance.md``."""

from core.governance.lifecycle import ANYBODY, BEGINS, TABLE, Move
from core.vocabulary import Duty, Kind


def picture(kind: Kind) -> str:
    """The states of one kind of item and the actions between them, as a Mermaid state diagram."""
    begins = [f"    [*] --> {status}" for status in sorted(BEGINS[kind])]
    moves = [f"    {before} --> {move.after}: {action}{_how(move)}" for (before, action), move in TABLE[kind].items()]
    return "\n".join(["stateDiagram-v2", *begins, *moves])


def who_may(kind: Kind) -> str:
    """The same table as Markdown rows: status, action, where it leads, who may and who not, how many, what is said."""
    rows = [
        "| in | action | leads to | who | somebody else than | two people when it | must be said |",
        "|---|---|---|---|---|---|---|",
    ]
    for (before, action), move in TABLE[kind].items():
        apart, two = ", ".join(sorted(move.apart)), ", ".join(sorted(move.two_when))
        rows.append(f"| {before} | {action} | {move.after} | {_who(move)} | {apart} | {two} | {_said(move)} |")
    return "\n".join(rows)


def _how(move: Move) -> str:
    if move.two_when:
        return " (one or two people)"
    return "" if move.who else " (by rule)"


def _who(move: Move) -> str:
    who = _duties(move.who)
    if move.who_critical != move.who:
        who += f" (critical: {_duties(move.who_critical)})"
    return ", ".join(part for part in (who, "a rule" if move.by_rule else "") if part)


def _duties(duties: frozenset[Duty]) -> str:
    return "anybody with a duty" if duties == ANYBODY else ", ".join(sorted(duties))


def _said(move: Move) -> str:
    reason = "a reason" if move.reason else ""
    words = "words" if move.text else "words if it is critical" if move.text_critical else ""
    return ", ".join(part for part in (reason, words) if part)
