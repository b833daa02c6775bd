"""The next version of an item: written, screened and put to a decision, with what stood in its place put aside.

Between the desk and whoever makes a version: an edit, a settled doubt about a quote, a merge.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused, Tombstone
from core.governance.acts import Act, Decided
from core.governance.approvers import effective
from core.governance.assignments import go_along
from core.governance.bodies import add_quotes, evidence_in_words, write_content
from core.governance.desk import bring_back, notice
from core.governance.drafts import AnyContent, NoteContent, Quoted
from core.governance.for_whom import user_named
from core.governance.gate import Text, carried, keep, passed, source_of, twin_of, with_carried
from core.governance.kept_words import forget
from core.governance.leases import give_back
from core.governance.numbers import numbers_in_force
from core.governance.parents import add_parents, gathered, parents_of, set_aside
from core.governance.people import duties_of
from core.governance.proposals import WAITING, first_status, masked_quote
from core.governance.references import reference, version_reference
from core.governance.reflections import of_its_form
from core.governance.status_writer import begin, moved_on, turn
from core.screening.comparison import Relation, compare
from core.screening.contract import ScreenFinding
from core.screening.likeness import Alike
from core.screening.secrets import mask
from core.store.records import Decision, Item
from core.vocabulary import Action, Severity, Source, Status

OF_ONE_VERSION = {"id", "active_at", "cause", "quotes", "not_found", "sessions", "returns"}
"""What a newer version does not take over."""


@dataclass(frozen=True)
class Merged:
    """What goes into a version besides: another item, where both come from, and how grave the graver one is."""

    other: Item
    source: Source
    severity: Severity
    remarks: tuple[ScreenFinding, ...] = ()
    """What was remarked about either, and goes along whatever the new words are."""


def next_version(
    db: DatabaseSession,
    item: Item,
    content: AnyContent,
    quotes: Sequence[Quoted],
    act: Act,
    merged: Merged | None = None,
) -> Decided:
    """Write the version, and put those that waited under the same number aside, and what is merged into it."""
    waiting = select(Item).where(Item.kind == item.kind, Item.number == item.number, col(Item.status).in_(WAITING))
    before = db.exec(waiting).all()
    source = merged.source if merged else source_of(db, item)
    quotes = [masked_quote(db, quote) for quote in quotes]
    _not_rejected_before(db, item, content)
    instead_of = frozenset({version_reference(merged.other)} if merged else ())
    user = user_named(db, content, item.user, quotes)
    about = (item.agent_id, item.task_class, source, tuple(quotes), item.number)
    text = Text(content, *about, instead_of=instead_of, user=user)
    answer = passed(db, text)
    answer = with_carried(answer, of_its_form(db, content, item.agent_id, item.task_class, by_rule=False))
    for one in (item, merged.other) if merged else (item,):
        answer = with_carried(answer, carried(db, one, content))
    answer = with_carried(answer, merged.remarks) if merged else answer
    twin = twin_of(db, answer)
    if twin is not None and twin.status in (Status.REJECTED, Status.APPEALED):
        raise tombstone(db, twin, content.headline)
    if twin is not None:
        raise Refused("twin", f"{reference(twin)} says the same and is {twin.status}; nothing was stored.")
    fresh = _next(db, item, content, act)
    fresh.user = user
    if merged:
        fresh.proposer, fresh.severity, fresh.weight = act.by, merged.severity.value, merged.severity.rank
    status = first_status(content, quotes, answer.follows)
    if status is Status.OPEN and item.status == Status.HELD and _stays_held(db, item, content, act):
        status = Status.HELD
    alone, said = duties_of(db, act.by).single_operator, mask(act.text).text
    made = Act(act.action, status, act.by, act.at, text=said, self_approved=alone, hash_before=item.content_hash)
    row = begin(db, fresh, made)
    write_content(db, fresh.id or 0, content)
    go_along(db, item, fresh, act.by, act.at)
    add_quotes(db, fresh, quotes)
    keep(db, fresh, source, answer, act.at)
    give_back(db, item.id or 0, act.by)
    forget(db, item.id or 0, act.by)
    for one in before:
        turn(db, one, Act(Action.SUPERSEDE, Status.SUPERSEDED, act.by, act.at, rule="a newer version", cause=row.id))
    if merged:
        gone = Act(Action.MERGE, Status.MERGED, act.by, act.at, text=said, self_approved=alone, cause=row.id)
        turn(db, merged.other, gone)
        give_back(db, merged.other.id or 0, act.by)
    _parents(db, fresh, item, before, merged, row)
    notice(db, fresh, row)
    then = "and waits for a decision" if fresh.status != Status.OPEN else "and is open"
    lost = evidence_in_words(db, [fresh.id or 0])[fresh.id or 0] if fresh.not_found else ""
    told = f"{reference(item)} is now v{fresh.version} {then}{f'; its quotes: {lost}' if lost else ''}"
    return Decided(row.id or 0, reference(item), fresh.status, told, item_id=fresh.id or 0)


def _parents(
    db: DatabaseSession, fresh: Item, item: Item, before: Sequence[Item], merged: Merged | None, row: Decision
) -> None:
    """Cite what went into a version. Words put in order keep a merge; another version put in its place ends it."""
    waits_on_it = [*set_aside(db, item), *gathered(db, item)]
    if merged:
        add_parents(db, fresh, (item, merged.other, *waits_on_it))
    elif waits_on_it:
        add_parents(db, fresh, parents_of(db, item.id or 0))
    for one in before:
        if one.id != item.id:
            bring_back(db, one, row)


def _not_rejected_before(db: DatabaseSession, item: Item, content: AnyContent) -> None:
    """Refuse other words that an earlier version had when it was rejected. Raises ``Tombstone``.

    Versions of one text are much alike. One that is no more like the rejected one than the version it is made from was
    is no return of it.
    """
    words, twins, alike = content.headline, (Relation.SAME, Relation.TWIN), Alike.by(numbers_in_force(db))
    if compare(words, item.headline).relation is Relation.SAME:
        return
    of_number = select(Item).where(Item.kind == item.kind, Item.number == item.number)
    for other in db.exec(of_number.where(col(Item.status).in_((Status.REJECTED, Status.APPEALED)))).all():
        how = compare(words, other.headline, alike=alike).relation
        nearer = how in twins and compare(item.headline, other.headline, alike=alike).relation not in twins
        if how is Relation.SAME or nearer:
            raise tombstone(db, other, words)


def _stays_held(db: DatabaseSession, item: Item, content: AnyContent, act: Act) -> bool:
    """Whether a held note is held as its next version, too: other words or proof, or held by a person.

    Whoever edits it has become its proposer, so that somebody else releases it.
    """
    into = next((row for row in reversed(effective(db, item)) if row.before != row.after), None)
    by_a_person = into is not None and into.action == Action.SUSPEND and into.rule is None
    return act.after is Status.HELD or content.hash != item.content_hash or by_a_person


def _next(db: DatabaseSession, item: Item, content: AnyContent, act: Act) -> Item:
    last = db.exec(select(func.max(Item.version)).where(Item.kind == item.kind, Item.number == item.number)).one()
    kept = item.model_dump(exclude=OF_ONE_VERSION)
    now_so: dict[str, Any] = {
        "version": (last or 0) + 1,
        "headline": content.headline,
        "content_hash": content.hash,
        "proposer": item.proposer if content.hash == item.content_hash else act.by,
    }
    if isinstance(content, NoteContent):
        now_so |= {"severity": content.severity.value, "weight": content.severity.rank}
    return Item(**{**kept, **now_so})


def tombstone(db: DatabaseSession, twin: Item, text: str) -> Tombstone:
    """The refusal of a text that was rejected before, itself or a twin of it: by whom, when and why."""
    said = moved_on(db, twin)
    return Tombstone(twin.id or 0, reference(twin), f"was {said.what} by {said.by} on {said.when}", text)
