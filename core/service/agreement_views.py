"""Whether people agree with each other, with the critic and with the checks: what the page and the command line show.

People against people counts only what was said blind, two verdicts an item, before either saw the other. An
endorsement that was given in sight of the first yes is no rating of its own and is not counted.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func, or_, select, text
from sqlalchemy.orm import aliased
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.effects.agreement import Agreement, among_many, between_two
from core.governance.blind import standing, waits_blind
from core.governance.desk_settings import settings_in_force, words_of_reasons
from core.governance.references import reference
from core.governance.sealing import sealed_verdicts, who_is_missing
from core.governance.verdicts import KEPT, REFUSED
from core.service.blind_views import Said, as_said
from core.service.critic.drafts import PROPOSER
from core.store.clock import day_in_words, now
from core.store.critic_records import Opinion
from core.store.database import Database
from core.store.oversight_records import BlindVerdict
from core.store.records import BLIND_CONDITION, Agent, Decision, Item, NoteBody
from core.vocabulary import Action, Severity, Support

WINDOW = timedelta(days=30)
WINDOWS = 12
CHECK = "check "
People = Mapping[tuple[str, int], tuple[str, str]]
"""What people said last of an item, by its kind and number: which side, and the severity that it had then."""

FEW = 20
"""Blind items at the head of the queue of which it is asked who is missing."""


@dataclass(frozen=True)
class Round:
    """Two verdicts about one item, given blind. ``dimension`` is None for what is no note."""

    item_id: int
    ref: str
    version: int
    kind: str
    severity: str
    agent: str
    dimension: str | None
    headline: str
    status: str
    first: Said
    second: Said

    @property
    def at(self) -> datetime:
        """When both had said."""
        return max(self.first.at, self.second.at)

    @property
    def same(self) -> bool:
        """Whether they said the same."""
        return self.first.action == self.second.action


@dataclass(frozen=True)
class Slice:
    """Agreement over a part: ``by`` says how the parts were cut, ``name`` which it is."""

    by: str
    name: str
    found: Agreement


@dataclass(frozen=True)
class CheckKept:
    """What people kept and refused of what one check, or the critic, proposed."""

    who: str
    kept: int
    refused: int


@dataclass(frozen=True)
class WaitsBlind:
    """An item with which nobody can go on, and who is missing."""

    ref: str
    item_id: int
    why: str


@dataclass(frozen=True)
class AgreementReport:
    """All of it. ``sealed`` counts verdicts that wait for another, ``partly`` opinions that say neither yes nor no."""

    share: float
    whole: Agreement
    pairs: tuple[Slice, ...]
    slices: tuple[Slice, ...]
    opinions: Agreement
    opinion_parts: tuple[Slice, ...]
    severities: Agreement
    proposed: tuple[CheckKept, ...]
    rounds: tuple[Round, ...] = ()
    sealed: int = 0
    partly: int = 0
    stuck: tuple[WaitsBlind, ...] = field(default=())

    @property
    def differ(self) -> tuple[Round, ...]:
        """The rounds in which two people said different things, newest first."""
        return tuple(sorted((one for one in self.rounds if not one.same), key=lambda one: one.at, reverse=True))

    def cut(self, by: str) -> tuple[Slice, ...]:
        """The parts that were cut so."""
        return tuple(one for one in self.slices if one.by == by)


def agreement_report(database: Database, *, at: datetime | None = None) -> AgreementReport:
    """Everything that can be said about agreement now. Whoever may see the desk may see it; sealed verdicts count as a
    number and nothing more.
    """
    with database.reading() as db:
        sealed = sealed_verdicts(db)
        rounds = tuple(_rounds(db, sealed))
        people = _verdicts(db)
        opinions, partly = _opinions(db, people)
        pairs = [one.pair for one in opinions]
        return AgreementReport(
            share=float(settings_in_force(db).blind_share),
            whole=_over(rounds),
            pairs=tuple(_pairs(rounds)),
            slices=tuple(_slices(rounds, at or now())),
            opinions=between_two(pairs),
            opinion_parts=tuple(_opinion_parts(opinions)),
            severities=between_two(_severities(db, people)),
            proposed=tuple(_proposed(db, people)),
            rounds=rounds,
            sealed=_given(db, sealed),
            partly=partly,
            stuck=stuck_blind(db),
        )


def stuck_blind(db: DatabaseSession) -> tuple[WaitsBlind, ...]:
    """The blind items at the head of the queue with which nobody can go on, and who is missing; for Home, too."""
    head = select(Item).where(text(BLIND_CONDITION)).order_by(col(Item.rank), col(Item.id))
    items = db.execute(head.limit(FEW)).scalars().all()
    found = ((item, who_is_missing(db, item)) for item in items if waits_blind(item))
    return tuple(WaitsBlind(reference(item), item.id or 0, why) for item, why in found if why)


def _given(db: DatabaseSession, sealed: frozenset[int]) -> int:
    rows = db.execute(select(BlindVerdict).where(col(BlindVerdict.id).in_(sealed))).scalars().all()
    said: dict[int, list[BlindVerdict]] = defaultdict(list)
    for row in rows:
        said[row.item_id].append(row)
    return sum(bool(standing(some)) for some in said.values())


def _rounds(db: DatabaseSession, sealed: frozenset[int]) -> Iterator[Round]:
    """The first round of each version: in a later one people know what was said in it."""
    query = (
        select(BlindVerdict, Item, col(Agent.name), col(NoteBody.dimension))
        .join(Item, col(Item.id) == BlindVerdict.item_id)
        .join(Agent, col(Agent.id) == Item.agent_id)
        .outerjoin(NoteBody, col(NoteBody.item_id) == Item.id)
        .where(col(BlindVerdict.action) != Action.RELEASE)
        .order_by(col(BlindVerdict.id))
    )
    words, known = words_of_reasons(db), {}
    said: dict[tuple[int, int, str], list[BlindVerdict]] = defaultdict(list)
    for row, item, agent, dimension in db.execute(query).all():
        if row.id not in sealed:
            said[row.item_id, row.revision, row.screen_hash].append(row)
            known[row.item_id] = (item, agent, dimension)
    for (item_id, *_), rows in said.items():
        both = standing(rows)
        if len(both) > 1 and item_id in known:
            item, agent, dimension = known.pop(item_id)
            yield _round(item, agent, dimension, [as_said(row, words) for row in both[:2]])


def _round(item: Item, agent: str, dimension: str | None, both: list[Said]) -> Round:
    about = (item.kind, item.severity, agent, dimension, item.headline, item.status)
    return Round(item.id or 0, reference(item), item.version, *about, *both)


def _over(rounds: Iterable[Round]) -> Agreement:
    return among_many([Counter((one.first.side, one.second.side)) for one in rounds])


def _pairs(rounds: Iterable[Round]) -> Iterator[Slice]:
    """Every two people, by name; the first of each pair of ratings is always the same person's."""
    said: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for one in rounds:
        first, second = sorted((one.first, one.second), key=lambda each: each.by)
        said[first.by, second.by].append((first.side, second.side))
    for (first_name, second_name), pairs in sorted(said.items()):
        yield Slice("pair", f"{first_name} and {second_name}", between_two(pairs))


def _slices(rounds: tuple[Round, ...], at: datetime) -> Iterator[Slice]:
    cuts: dict[str, Callable[[Round], str | None]] = {
        "dimension": lambda one: one.dimension and one.dimension.replace("_", " "),
        "severity": lambda one: one.severity,
        "kind": lambda one: one.kind,
        "agent": lambda one: one.agent,
    }
    for by, part_of in cuts.items():
        parts: dict[str, list[Round]] = defaultdict(list)
        for one in rounds:
            if (name := part_of(one)) is not None:
                parts[name].append(one)
        order = list(Severity) if by == "severity" else sorted(parts)
        yield from (Slice(by, str(name), _over(parts[name])) for name in order if name in parts)
    for window in range(WINDOWS):
        end, start = at - window * WINDOW, at - (window + 1) * WINDOW
        inside = [one for one in rounds if start < one.at <= end]
        if inside:
            yield Slice("30 days", f"{day_in_words(start)} to {day_in_words(end)}", _over(inside))


@dataclass(frozen=True)
class _Opined:
    """What the critic's second opinion and people said of an item; ``dimension`` is None for what is no note."""

    severity: str
    dimension: str | None
    pair: tuple[str, str]


def _opinions(db: DatabaseSession, people: People) -> tuple[list[_Opined], int]:
    """The critic's second opinion against what people said, item by item, and how many opinions say only partly.

    The least that is said of any of an item's quotes is what is said of the item.
    """
    rows = db.execute(
        select(col(Item.kind), col(Item.number), col(Opinion.supports), col(Item.severity), col(NoteBody.dimension))
        .join(Item, col(Item.id) == Opinion.item_id)
        .outerjoin(NoteBody, col(NoteBody.item_id) == Item.id)
        .order_by(col(Opinion.id))
    ).all()
    said: dict[tuple[str, int], set[str]] = defaultdict(set)
    about: dict[tuple[str, int], tuple[str, str | None]] = {}
    for kind, number, supports, *part in rows:
        said[kind, number].add(supports)
        about[kind, number] = (part[0], part[1])
    found, partly = [], 0
    for key, supports in said.items():
        if key not in people or Support.UNREADABLE in supports:
            continue
        if Support.NO not in supports and Support.PARTLY in supports:
            partly += 1
            continue
        found.append(_Opined(*about[key], ("refused" if Support.NO in supports else "kept", people[key][0])))
    return found, partly


def _opinion_parts(opinions: Iterable[_Opined]) -> Iterator[Slice]:
    """The second opinion against people, by dimension and by severity."""
    parts: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for one in opinions:
        parts["severity", one.severity].append(one.pair)
        if one.dimension is not None:
            parts["dimension", one.dimension.replace("_", " ")].append(one.pair)
    order = [key for key in sorted(parts) if key[0] == "dimension"]
    order += [key for each in Severity if (key := ("severity", each.value)) in parts]
    yield from (Slice(by, name, between_two(parts[by, name])) for by, name in order)


def _severities(db: DatabaseSession, people: People) -> list[tuple[str, str]]:
    """The severity that the critic gave against the one with which people kept the item."""
    wrote = select(col(Item.kind), col(Item.number), col(Item.severity)).where(col(Item.version) == 1)
    rows = db.execute(wrote.where(col(Item.proposer) == PROPOSER)).all()
    left = ((severity, people.get((kind, number))) for kind, number, severity in rows)
    return [(severity, found[1]) for severity, found in left if found is not None and found[0] == "kept"]


def _proposed(db: DatabaseSession, people: People) -> Iterator[CheckKept]:
    """What people kept and refused of what each check, and the critic, proposed first."""
    wrote = select(col(Item.kind), col(Item.number), col(Item.proposer)).where(col(Item.version) == 1)
    rows = db.execute(wrote.where(_written_by(Item))).all()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for kind, number, who in rows:
        if (kind, number) in people:
            counts[who][people[kind, number][0]] += 1
    yield from (CheckKept(who, sides["kept"], sides["refused"]) for who, sides in sorted(counts.items()))


def _verdicts(db: DatabaseSession) -> People:
    """What people said last of what a check or the critic proposed, or the critic had an opinion of: asked once, and
    the database says which decision was the last one of each item.
    """
    undone = select(col(Decision.undoes)).where(col(Decision.undoes).is_not(None))
    seen, named = aliased(Item), aliased(Item)
    noted = select(col(seen.number)).join(Opinion, col(Opinion.item_id) == col(seen.id))
    wrote = select(col(named.number)).where(col(named.version) == 1, _written_by(named))
    last: Any = (
        select(func.max(col(Decision.id)))
        .join(Item, col(Item.id) == Decision.item_id)
        .where(col(Decision.action).in_([*KEPT, *REFUSED]), col(Decision.rule).is_(None))
        .where(col(Decision.id).not_in(undone))
        .where(
            or_(
                col(Item.number).in_(noted.where(col(seen.kind) == col(Item.kind))),
                col(Item.number).in_(wrote.where(col(named.kind) == col(Item.kind))),
            )
        )
        .group_by(col(Item.kind), col(Item.number))
    )
    query: Any = (
        select(col(Item.kind), col(Item.number), col(Decision.action), col(Item.severity))
        .join(Item, col(Item.id) == Decision.item_id)
        .where(col(Decision.id).in_(last))
    )
    return {
        (kind, number): ("kept" if action in KEPT else "refused", severity)
        for kind, number, action, severity in db.execute(query).all()
    }


def _written_by(item: Any) -> Any:
    """The condition that a check or the critic wrote an item."""
    return or_(col(item.proposer).startswith(CHECK), col(item.proposer) == PROPOSER)
