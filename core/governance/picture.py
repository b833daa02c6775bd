"""The lifecycle table as pictures and tables, as they stand in ``docs/governance.md``.

``python -c "from core.governance.picture import drawn; print(drawn())"`` prints that part of the document anew.
"""

from core.governance.acts import in_words
from core.governance.lifecycle import ANYBODY, BEGINS, EDITED_FROM, TABLE, Move
from core.vocabulary import Action, Duty, Kind, Status


def drawn() -> str:
    """The pictures and tables of every kind, as Markdown."""
    parts = (f"## {kind.title()}\n\n```mermaid\n{picture(kind)}\n```\n\n{who_may(kind)}\n" for kind in Kind)
    return "\n".join(parts)


def picture(kind: Kind) -> str:
    """The states of one kind of item and the actions between them, as a Mermaid state diagram.

    A new version begins in the states after ``[*]``; from those that lead to ``[*]`` nothing more follows.
    """
    begins = [f"    [*] --> {status}" for status in sorted(BEGINS[kind])]
    moves = [f"    {before} --> {move.after}: {_act(action)}{_how(move)}" for (before, action), move in _rows(kind)]
    ends = [
        f"    {status} --> [*]" for status in _reached(kind) if not any(status is one for (one, _), _ in _rows(kind))
    ]
    return "\n".join(["stateDiagram-v2", *begins, *moves, *ends])


def who_may(kind: Kind) -> str:
    """The same table as Markdown rows: status, action, where it leads, who may and who not, how many, what is said."""
    rows = [
        "| in | action | leads to | who | somebody else than | two people when it | must be said |",
        "|---|---|---|---|---|---|---|",
    ]
    for (before, action), move in _rows(kind):
        apart, two = ", ".join(sorted(move.apart)), ", ".join(sorted(move.two_when))
        rows.append(f"| {before} | {_act(action)} | {move.after} | {_who(move)} | {apart} | {two} | {_said(move)} |")
    edited = ", ".join(status for status in Status if status in EDITED_FROM[kind])
    return "\n".join([*rows, "", f"A new version can be made of one that is {edited}."])


def _rows(kind: Kind) -> list[tuple[tuple[Status, Action], Move]]:
    """The rows in the order of the states' words."""
    order = list(Status)
    return sorted(TABLE[kind].items(), key=lambda row: order.index(row[0][0]))


def _reached(kind: Kind) -> list[Status]:
    after = {move.after for move in TABLE[kind].values()}
    return [status for status in Status if status in after]


def _act(action: Action) -> str:
    return "more proof" if action is Action.PROPOSE else in_words(action)


def _how(move: Move) -> str:
    if move.two_when:
        return " (one or two people)"
    if not move.who:
        return " (by rule)"
    return " (also by rule)" if move.by_rule else ""


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
