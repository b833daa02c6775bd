"""The lifecycle table as a picture: Mermaid text, as it stands in ``docs/governance.md``."""

from core.governance.lifecycle import BEGINS, TABLE
from core.vocabulary import Kind


def picture(kind: Kind) -> str:
    """The states of one kind of item and the actions between them, as a Mermaid state diagram."""
    begins = [f"    [*] --> {status}" for status in sorted(BEGINS[kind])]
    moves = [f"    {before} --> {move.after}: {action}" for (before, action), move in TABLE[kind].items()]
    return "\n".join(["stateDiagram-v2", *begins, *moves])


def who_may(kind: Kind) -> str:
    """The same table as Markdown rows: status, action, where it leads, who may, and what must be said."""
    rows = ["| in | action | leads to | who | must be said |", "|---|---|---|---|---|"]
    for (before, action), move in TABLE[kind].items():
        who = ", ".join(sorted(move.who))
        if move.who_critical != move.who:
            who += f" (critical: {', '.join(sorted(move.who_critical))})"
        said = "a reason" if move.needs_reason else "words" if move.needs_text else ""
        rows.append(f"| {before} | {action} | {move.after} | {who} | {said} |")
    return "\n".join(rows)
