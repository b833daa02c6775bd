"""What pages and bundles show of a critical note as a case: its first note or its recurrences, and its way in time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import aliased
from sqlmodel import Session as DatabaseSession
from sqlmodel import col

from core.errors import Refused, TutelageError
from core.governance.acts import Request
from core.governance.by_whom import by_whom
from core.governance.cases import RULE, case_of, recurrences_of
from core.governance.desk import decide
from core.governance.desk_settings import why, words_of_reasons
from core.governance.on_screen import screen_hash
from core.governance.references import reference
from core.governance.verdicts import CLOSED
from core.store.asked_once import once
from core.store.clock import day_in_words, now
from core.store.database import Database
from core.store.oversight_records import Recurrence
from core.store.records import AgentSession, Decision, Item
from core.vocabulary import Action, Kind, Status

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class Closing:
    """How a note was closed: by whom, when, in which words; ``stood`` says that it still was when another note came."""

    status: str
    by: str
    at: datetime
    words: str
    stood: bool


@dataclass(frozen=True)
class CaseNote:
    """A note that stands in a case. ``seen_at`` is when its session began; ``revision`` and ``screen`` are as shown."""

    id: int
    ref: str
    status: str
    observation: str
    session_ref: str
    user: str | None
    seen_at: datetime
    revision: int
    screen: str


@dataclass(frozen=True)
class CaseStep:
    """One step of a case in time. ``note`` names the other note that it is about, where there is one.

    A move of the note itself has the status ``before`` it, empty where it began, and ``after`` it; ``undo`` says that
    it took back what had been done.
    """

    at: datetime
    what: str
    who: str = ""
    words: str = ""
    note: str | None = None
    before: str = ""
    after: str = ""
    undo: bool = False

    @property
    def closes(self) -> bool:
        """Whether somebody closed the note so."""
        return self.after in CLOSED and not self.undo

    @property
    def opens_again(self) -> bool:
        """Whether what had been closed was opened again; an undo says that it never was to be closed."""
        return self.before in CLOSED and self.after == Status.OPEN and not self.undo


@dataclass(frozen=True)
class CaseView:
    """The case of one note. ``first`` is the note of which it is a recurrence, with ``then``: how that had been closed
    last when this one came, None where it never was.
    """

    summary: str
    steps: tuple[CaseStep, ...]
    first: CaseNote | None = None
    then: Closing | None = None
    recurrences: tuple[CaseNote, ...] = ()

    @property
    def open_recurrences(self) -> tuple[CaseNote, ...]:
        """The recurrences that wait for somebody to resolve them."""
        return tuple(one for one in self.recurrences if one.status == Status.OPEN)


def case_view(database: Database, item_id: int, *, at: datetime | None = None) -> CaseView:
    """The case that a note is, or belongs to. ``at`` is the present moment."""
    with database.reading() as db:
        return case_in(db, db.get_one(Item, item_id), at or now())


def case_in(db: DatabaseSession, item: Item, at: datetime) -> CaseView:
    """The same within a transaction."""
    first, again = case_of(db, item), recurrences_of(db, item)
    words = words_of_reasons(db)
    steps = _steps(db, item, again, words)
    return CaseView(
        summary=_summary(item, steps, at),
        steps=steps,
        first=_note(db, first) if first else None,
        then=_closed_before(db, first, _decisions(db, item), words) if first else None,
        recurrences=tuple(_note(db, one) for one in again),
    )


def case_words(db: DatabaseSession, numbers: Sequence[int]) -> Mapping[int, str]:
    """What the list of notes says of the case of each of these notes, by number; one query a page."""
    note, case = aliased(Item), aliased(Item)
    query = (
        select(col(note.number), col(case.number))
        .select_from(Recurrence)
        .join(note, col(note.id) == col(Recurrence.item_id))
        .join(case, col(case.id) == col(Recurrence.case_id))
        .where(col(note.number).in_(numbers) | col(case.number).in_(numbers))
        .order_by(col(note.number))
    )
    said: dict[int, list[str]] = {}
    counts: dict[int, int] = {}
    for again, first in db.execute(query).all():
        said.setdefault(again, []).append(f"again; first case {Kind.NOTE.reference(first)}")
        counts[first] = counts.get(first, 0) + 1
    for number, count in counts.items():
        said.setdefault(number, []).append("1 recurrence" if count == 1 else f"{count} recurrences")
    return {number: "; ".join(parts) for number, parts in said.items()}


def opened_again(db: DatabaseSession, item_ids: Sequence[int]) -> frozenset[int]:
    """Those of these notes that the rule *recurrence* opened again at some time."""
    mine = (col(Decision.item_id).in_(item_ids), col(Decision.rule) == RULE)
    return frozenset(db.execute(select(col(Decision.item_id)).where(*mine)).scalars())


def resolve_too(
    database: Database, notes: Sequence[CaseNote], person: str, text: str, *, at: datetime | None = None
) -> tuple[str, ...]:
    """Resolve recurrences with the words by which their case was, one decision each; what became of each.

    ``notes`` are as they were shown: one that has changed since is refused and said.
    """
    said = []
    for note in notes:
        try:
            request = Request(note.id, Action.RESOLVE, person, note.revision, note.screen, text=text)
            said.append(decide(database, request, at=at).text)
        except Refused as refused:
            said.append(str(refused))
        except TutelageError as error:
            said.append(f"{note.ref}: {error}")
    return tuple(said)


def _note(db: DatabaseSession, item: Item) -> CaseNote:
    session = db.get(AgentSession, item.session_id) if item.session_id else None
    return CaseNote(
        id=item.id or 0,
        ref=reference(item),
        status=item.status,
        observation=item.headline,
        session_ref=session.ref if session else "",
        user=item.user,
        seen_at=session.started_at if session else item.created_at,
        revision=item.revision,
        screen=screen_hash(db, item),
    )


def _decisions(db: DatabaseSession, item: Item) -> list[Decision]:
    """The decisions about all versions of a note, in the order of the log."""
    versions = select(col(Item.id)).where(col(Item.kind) == item.kind, col(Item.number) == item.number)
    rows = select(Decision).where(col(Decision.item_id).in_(versions)).order_by(col(Decision.id))
    return once(db, ("decisions of its versions", item.id or 0), lambda: list(db.execute(rows).scalars()))


def _steps(db: DatabaseSession, item: Item, again: Sequence[Item], words: Mapping[str, str]) -> tuple[CaseStep, ...]:
    """In the order of the log, also where a clock went back; the session comes first."""
    session = db.get(AgentSession, item.session_id) if item.session_id else None
    seen = [CaseStep(session.started_at, f"first seen, in {session.ref}")] if session else []
    steps: dict[int, CaseStep] = {}
    for one in again:
        came = _decisions(db, one)[0]
        steps[came.id or 0] = CaseStep(came.at, "the breach returned", came.by, note=reference(one))
    since: datetime | None = None
    for row in _decisions(db, item):
        if row.before == row.after or row.after == Status.SUPERSEDED or (row.before == "" and since is not None):
            continue
        steps[row.id or 0] = _step(row, by_whom(db, row), since, words)
        since = row.at if row.after not in CLOSED else None
    return (*seen, *(steps[key] for key in sorted(steps)))


def _step(row: Decision, who: str, since: datetime | None, words: Mapping[str, str]) -> CaseStep:
    undo = row.action == Action.UNDO
    step = CaseStep(row.at, "", who, why(words, row), before=row.before, after=row.after, undo=undo)
    return replace(step, what=_said(step, since))


def _said(step: CaseStep, since: datetime | None) -> str:
    """What a move of the note was, in words; ``since`` is when it began to be what it was before."""
    if step.undo:
        return f"put back to {step.after}"
    if step.opens_again:
        return "opened again"
    if step.after == Status.OPEN:
        return {"": "opened", Status.HELD: "released", Status.APPEALED: "opened on appeal"}.get(step.before, "opened")
    if step.before == "":
        return f"began {step.after}"
    return f"{step.after} after {_lasted(step.at - since)}" if step.closes and since else step.after


def _summary(item: Item, steps: Sequence[CaseStep], at: datetime) -> str:
    """``first seen 9 Nov 2026 · resolved after 4 days · opened again once · open for 2 days``."""
    said = [f"first seen {day_in_words(steps[0].at)}"] if steps else []
    moves = [one for one in steps if one.after]
    said += [one.what for one in moves if one.closes][-1:]
    said += _times("opened again", sum(one.opens_again for one in moves))
    said += _times("put back", sum(one.undo for one in moves))
    if item.status not in CLOSED and moves:
        said.append(f"{item.status} for {_lasted(at - moves[-1].at)}")
    return " · ".join(said)


def _times(what: str, count: int) -> list[str]:
    return [f"{what} {'once' if count == 1 else f'{count} times'}"] if count else []


def _lasted(span: timedelta) -> str:
    if span >= DAY:
        return "1 day" if span.days == 1 else f"{span.days:,} days"
    hours = int(span / HOUR)
    return "less than an hour" if hours < 1 else "1 hour" if hours == 1 else f"{hours} hours"


def _closed_before(
    db: DatabaseSession, first: Item, came: Sequence[Decision], words: Mapping[str, str]
) -> Closing | None:
    """How the case had been closed last when a recurrence came, by the order of the log; None where it never was.

    It came when it opened the case or, where it opened none, when it was written down.
    """
    acts, moves = {row.id for row in came}, [row for row in _decisions(db, first) if row.before != row.after]
    opened = next((row.id for row in moves if row.rule == RULE and row.cause in acts), came[0].id) or 0
    before = [row for row in moves if (row.id or 0) < opened and row.after != Status.SUPERSEDED]
    closed = [row for row in before if row.after in CLOSED]
    if not closed:
        return None
    last = closed[-1]
    return Closing(last.after, last.by, last.at, why(words, last), stood=before[-1] is last)
