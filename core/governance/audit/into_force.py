"""Nothing is in force without what the table asked for when it was decided, so far as the log can say.

What was decided before the log was a chain is held to nothing but its moves: two people were not asked for then.
"""

from collections.abc import Iterator, Sequence

from sqlalchemy import func, select
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.governance import lifecycle
from core.governance.approvers import OF_POLICY
from core.governance.audit.contract import Break
from core.governance.audit.rights import Rights
from core.governance.audit.words import named, version_in_words
from core.governance.people import TOKEN
from core.store.governance_records import LogEntry
from core.store.records import Decision, Item, LessonBody, Screening
from core.vocabulary import Action, Kind, Scope, Status


def into_force(db: DatabaseSession, item: Item, history: Sequence[Decision], rights: Rights) -> Iterator[Break]:
    """What is wrong with the decisions by which an active item is in force."""
    undone = {row.undoes for row in history if row.undoes is not None}
    stands = [row for row in history if row.id not in undone and row.action != Action.UNDO]
    led = [at for at, row in enumerate(stands) if row.after == Status.ACTIVE and row.before != Status.ACTIVE]
    if not led:
        about = version_in_words(item, item.id)
        yield Break(None, "item", item.id, about, "it is active, and no decision that stands brought it into force")
        return
    row, said = stands[led[-1]], stands[: led[-1]]
    if row.severity is not None:
        for why in _lacks(db, item, row, said, rights):
            yield Break(_seq(db, row), "decision", row.id, named(db, "decision", row.model_dump()), why)


def _lacks(db: DatabaseSession, item: Item, row: Decision, said: Sequence[Decision], rights: Rights) -> Iterator[str]:
    move = lifecycle.move(Kind(item.kind), row.before, row.action)
    if isinstance(move, lifecycle.Forbidden):
        return  # named already, with the moves
    seq = _seq(db, row)
    if row.rule is not None and not move.by_rule:
        yield f"the rule “{row.rule}” brought it into force, which only people may"
    elif row.by.startswith(TOKEN):
        yield "an agent's token decided"
    elif row.self_approved:
        if not rights.alone(seq):
            yield "it is marked as self-approved, and more than one person had a duty"
    else:
        yield from _two_people(db, item, row, said, move)
        if not rights.may(row.by, move.duties(row.severity or item.severity), seq):
            yield f"{row.by} had none of the duties that it needs"


def _two_people(
    db: DatabaseSession, item: Item, row: Decision, said: Sequence[Decision], move: lifecycle.Move
) -> Iterator[str]:
    if lifecycle.Apart.PROPOSER in move.apart and row.by == item.proposer:
        yield f"{row.by} proposed it and brought it into force"
    why = weighty_then(db, item, row)
    turned = [at for at, one in enumerate(said) if one.before != one.after]
    since = said[turned[-1] + 1 :] if turned else said
    halves = {
        one.by
        for one in since
        if one.action == Action.ENDORSE and one.toward == row.action and one.screen_hash == row.screen_hash
    }
    if move.people(why) == 2 and not halves - {row.by}:
        yield f"one person brought it into force, and it {' and '.join(sorted(why & move.two_when))}"


def weighty_then(db: DatabaseSession, item: Item, row: Decision) -> frozenset[lifecycle.Weighty]:
    """What made an item weighty, by what is known of the time of a decision; later remarks do not count."""
    found = set()
    body = db.get(LessonBody, item.id) if item.kind == Kind.LESSON else None
    if body is not None and body.scope == Scope.AGENT:
        found.add(lifecycle.Weighty.AGENT_SCOPE)
    remarks = db.get(Screening, item.id)
    known = remarks.findings if remarks is not None and remarks.at <= row.at else ()
    if any(str(one.get("code", "")).startswith(OF_POLICY) for one in known):
        found.add(lifecycle.Weighty.POLICY)
    return frozenset(found)


def _seq(db: DatabaseSession, row: Decision) -> int:
    mine = (col(LogEntry.logged) == "decision", col(LogEntry.row_id) == row.id)
    return int(db.execute(select(func.min(LogEntry.seq)).where(*mine)).scalar() or 0)
