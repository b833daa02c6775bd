"""What has changed since somebody was here: decisions, procedures, cases, sessions, policies, numbers.

What was taken back since counts for nothing.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import func, literal, union_all
from sqlalchemy import select as columns
from sqlmodel import col, select

from core.effects.paths import paths
from core.governance.acts import DONE
from core.governance.as_of import UpTo
from core.governance.references import reference
from core.memory.confidence import Path
from core.service.counting import Count
from core.service.home.facts import NEWEST, Asked, Fact, short, some
from core.service.log_views import LogView
from core.store.critic_records import CriticSettingsVersion
from core.store.governance_records import DeskSettingsVersion
from core.store.oversight_records import NumbersVersion, PolicyVersion
from core.store.records import AgentSession, Decision, Import, Item
from core.vocabulary import Action, Kind, Severity

TOLD = (
    Action.APPROVE,
    Action.REJECT,
    Action.RELEASE,
    Action.RESOLVE,
    Action.DISMISS,
    Action.SUSPEND,
    Action.REINSTATE,
    Action.RETIRE,
    Action.MERGE,
)
"""The acts that Home counts, in the order in which it tells them."""

SPELLED = {
    Kind.NOTE: ("note", "notes"),
    Kind.LESSON: ("lesson", "lessons"),
    Kind.PROCEDURE: ("procedure", "procedures"),
    Kind.BELIEF: ("belief", "beliefs"),
}
MOST_LINES = 5
"""Lines about decisions; the other acts stand in the log."""


def what_changed(asked: Asked) -> tuple[Fact, ...]:
    """The lines in the order in which they matter."""
    lines = (_reopened(asked), *_moved(asked), *_decisions(asked), _policies(asked), _numbers(asked), _sessions(asked))
    return tuple(line for line in lines if line.number)


def _decisions(asked: Asked) -> Iterator[Fact]:
    newest = select(Decision.item_id, Decision.action, Decision.by, Decision.rule).where(Decision.at > asked.since)
    newest = newest.where(_stands(asked))
    new = newest.order_by(col(Decision.at).desc()).limit(NEWEST).subquery()
    what = (new.c.action, col(Item.kind), new.c.by, new.c.rule)
    query = columns(*what, func.count()).join(Item, new.c.item_id == Item.id)
    query = query.where(new.c.action.in_(TOLD)).group_by(*what)
    rows = asked.db.execute(query).all()
    many = sum(row[-1] for row in rows) >= NEWEST
    told: dict[tuple[str, str], Counter[str]] = {}
    for action, kind, by, rule, number in rows:
        who = f"the rule “{rule}”" if rule else "you" if by == asked.person.name else by
        told.setdefault((action, kind), Counter())[who] += number
    in_order = sorted(told, key=lambda one: (TOLD.index(Action(one[0])), one[1]))
    for action, kind in in_order[:MOST_LINES]:
        who = told[action, kind]
        number = sum(who.values())
        words = f"{some(number, *SPELLED[Kind(kind)])} {DONE[Action(action)]}"
        detail = ", ".join(f"{count} by {name}" for name, count in who.most_common(4))
        query_of = (("kind", kind), ("did", action))
        yield Fact(Count(number, many), words, detail, "decisions", "Decision log", query_of)


def _stands(asked: Asked) -> Any:
    """That a decision since then was not taken back."""
    undone = select(Decision.undoes).where(col(Decision.undoes).is_not(None), col(Decision.at) > asked.since)
    return col(Decision.id).not_in(undone)


def _reopened(asked: Asked) -> Fact:
    query = select(Item).join(Decision).where(Decision.at > asked.since, Decision.action == Action.REOPEN)
    query = query.where(_stands(asked), Item.kind == Kind.NOTE, Item.severity == Severity.CRITICAL).order_by(
        col(Decision.at).desc()
    )
    found = list({item.id: item for item in asked.db.exec(query.limit(NEWEST)).all()}.values())
    detail = f"{reference(found[0])}: {short(found[0].headline)}" if found else ""
    query_of = (("note", reference(found[0])),) if found else ()
    words = some(len(found), "resolved case re-opened", "resolved cases re-opened")
    return Fact(Count(len(found)), words, detail, "critical_notes", "Critical notes", query_of)


def _moved(asked: Asked) -> Iterator[Fact]:
    """Procedures that outcomes took out of the briefing or brought into it, by what was known then and is now."""
    if not asked.paths:
        return
    last = select(Decision.id).where(Decision.at <= asked.since).order_by(col(Decision.at).desc()).limit(1)
    then = UpTo(asked.since, 0, asked.db.exec(last).first() or 0)
    before, line = paths(asked.db, list(asked.paths), asked.numbers, then), asked.numbers.procedure_threshold
    out = [one for one, path in asked.paths.items() if before[one].now >= line > path.now]
    back = [one for one, path in asked.paths.items() if before[one].now < line <= path.now]
    for numbers, words in ((out, "fell out of the briefing"), (back, "came into the briefing")):
        yield Fact(
            Count(len(numbers)),
            f"{some(len(numbers), 'procedure', 'procedures')} {words}",
            "; ".join(_step(asked, one, before[one]) for one in numbers[:3]),
            "procedures",
            "Procedures",
        )


def _step(asked: Asked, number: int, before: Path) -> str:
    return f"“{short(asked.procedures[number].headline, 50)}”, {before.now} → {asked.paths[number].now}"


def _policies(asked: Asked) -> Fact:
    """What the desk recorded at its very first adoption was no change; it is told as recorded."""
    query = select(PolicyVersion).where(PolicyVersion.at > asked.since).order_by(col(PolicyVersion.id).desc())
    new = asked.db.exec(query.limit(NEWEST)).all()
    first = asked.db.exec(select(func.min(col(PolicyVersion.at)))).one() if new else None
    changed = [one for one in new if one.at != first]
    found = changed or new
    detail = ", ".join(f"{one.policy} v{one.version}" for one in found[:4])
    act = "changed" if changed else "recorded"
    words = some(len(found), f"policy {act}", f"policies {act}")
    return Fact(Count(len(found)), words, detail, "policies", "Policies")


def _numbers(asked: Asked) -> Fact:
    """Versions of the numbers, of the desk's own settings and of the critic's."""
    tables: tuple[tuple[Any, str], ...] = (
        (NumbersVersion, "numbers of the rules"),
        (DeskSettingsVersion, "desk settings"),
        (CriticSettingsVersion, "critic"),
    )
    new = (columns(literal(name), table.by, table.at).where(table.at > asked.since) for table, name in tables)
    said = [f"{name} by {by}" for name, by, _ in asked.db.execute(union_all(*new).limit(NEWEST)).all()]
    words = some(len(said), "change of settings", "changes of settings")
    detail = ", ".join(dict.fromkeys(said))
    return Fact(
        Count(len(said)), words, short(detail, 120), "decisions", "Decision log", (("view", LogView.RIGHTS.value),)
    )


def _sessions(asked: Asked) -> Fact:
    came = select(Import.id, Import.file_name).where(Import.at > asked.since).order_by(col(Import.id).desc())
    files = asked.db.exec(came.limit(100)).all()
    ids = [one for one, _ in files]
    counted = select(func.count(), func.count(col(AgentSession.debriefed_sha256))).where(
        col(AgentSession.import_id).in_(ids)
    )
    number, debriefed = asked.db.execute(counted).one() if ids else (0, 0)
    words = some(number, "agent session came in", "agent sessions came in")
    detail = f"{debriefed:,} debriefed; the newest from {short(files[0][1], 50)}" if files else ""
    return Fact(Count(number), words, detail, "sessions", "Sessions")
