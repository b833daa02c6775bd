"""Contents and quotes of items, to and from the store."""

from collections.abc import Iterable, Sequence

from pydantic import TypeAdapter
from sqlalchemy import func
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.evidence.anchors import Anchor
from core.evidence.in_words import STALE, VERDICTS
from core.governance.drafts import AnyContent, BeliefContent, LessonContent, NoteContent, ProcedureContent, Quoted
from core.governance.groundings import from_json, to_json
from core.governance.queueing import requeue
from core.screening.twins import folded
from core.store.asked_once import once
from core.store.memory_records import BeliefBody, Citation, Episode
from core.store.records import Decision, Evidence, Item, LessonBody, NoteBody, ProcedureBody
from core.vocabulary import EpisodeSource, Kind, Role, Severity, Verdict

ANCHORS: TypeAdapter[tuple[Anchor, ...]] = TypeAdapter(tuple[Anchor, ...])


def content_of(db: DatabaseSession, item: Item) -> AnyContent:
    """What this version says. A note of a severity that is not known here is read as critical."""
    if item.kind == Kind.NOTE:
        note = db.get_one(NoteBody, item.id).model_dump(exclude={"item_id"})
        severity = item.severity if item.severity in set(Severity) else Severity.CRITICAL
        return NoteContent.model_validate({**note, "severity": severity})
    if item.kind == Kind.LESSON:
        lesson = db.get_one(LessonBody, item.id).model_dump(exclude={"item_id", "folded", "from_trial"})
        return LessonContent.model_validate(lesson)
    if item.kind == Kind.BELIEF:
        belief = db.get_one(BeliefBody, item.id).model_dump(exclude={"item_id"})
        return BeliefContent.model_validate({**belief, "cites": cited_by(db, item.id or 0)})
    return ProcedureContent.model_validate(db.get_one(ProcedureBody, item.id).model_dump(exclude={"item_id"}))


def write_content(db: DatabaseSession, item_id: int, content: AnyContent) -> None:
    """Store what a new version says."""
    fields = content.model_dump()
    if isinstance(content, NoteContent):
        fields.pop("severity")
        db.add(NoteBody(item_id=item_id, **fields))
    elif isinstance(content, LessonContent):
        db.add(LessonBody(item_id=item_id, **{**fields, "tags": list(content.tags)}, folded=folded(content.text)))
    elif isinstance(content, BeliefContent):
        cites = fields.pop("cites")
        db.add(BeliefBody(item_id=item_id, **fields))
        db.add_all(Citation(item_id=item_id, episode_id=one) for one in cites)
        _among_the_episodes(db, item_id, content)
    else:
        db.add(ProcedureBody(item_id=item_id, **fields))
    db.flush()
    item = db.get_one(Item, item_id)
    requeue(db, item)
    db.add(item)
    db.flush()


def _among_the_episodes(db: DatabaseSession, item_id: int, content: BeliefContent) -> None:
    """Give a version of a belief its place among the episodes. It is true from the first that it rests on."""
    item = db.get_one(Item, item_id)
    since = db.exec(select(func.min(Episode.true_from)).where(col(Episode.id).in_(content.cites))).one()
    made = db.exec(select(func.min(Decision.at)).where(Decision.item_id == item_id)).one()
    db.add(
        Episode(
            agent_id=item.agent_id,
            user=item.user,
            source=EpisodeSource.BELIEF,
            belief_id=item_id,
            depth=content.depth,
            text=content.text,
            importance=content.importance,
            true_from=since or item.created_at,
            at=made or item.created_at,
        )
    )


def cited_by(db: DatabaseSession, item_id: int) -> Sequence[int]:
    """The ids of the episodes that a version of a belief rests on, smallest first."""
    rests_on = select(Citation.episode_id).where(Citation.item_id == item_id).order_by(col(Citation.episode_id))
    return once(db, ("cites", item_id), lambda: db.exec(rests_on).all())


def quotes_of(db: DatabaseSession, item_id: int) -> list[Quoted]:
    """The quotes of a version, oldest first."""
    return [from_row(row) for row in rows_of_quotes(db, item_id)]


def rows_of_quotes(db: DatabaseSession, item_id: int) -> Sequence[Evidence]:
    """The same as they are stored."""
    of_item = select(Evidence).where(Evidence.item_id == item_id).order_by(col(Evidence.id))
    return once(db, ("quotes", item_id), lambda: db.exec(of_item).all())


def from_row(row: Evidence) -> Quoted:
    """One stored quote as a value."""
    return Quoted(
        session_id=row.session_id,
        quote=row.quote,
        speaker=Role(row.speaker),
        turn=row.turn,
        grounding=from_json(row.grounding),
        anchors=ANCHORS.validate_python(row.anchors),
        stale=row.stale,
        sha256=row.sha256,
    )


def rewrite(row: Evidence, quote: Quoted) -> None:
    """Put what became of a stored quote into its row; its words stay."""
    row.verdict, row.grounding = quote.grounding.verdict, to_json(quote.grounding)
    row.anchors = ANCHORS.dump_python(quote.anchors, mode="json")
    row.stale, row.sha256 = quote.stale, quote.sha256


def add_quotes(db: DatabaseSession, item: Item, quotes: Iterable[Quoted]) -> int:
    """Store the quotes that the item does not have yet, and count them on it; returns how many."""
    fresh = unknown_quotes(db, item.id or 0, quotes)
    sessions = {quote.session_id for quote in fresh}
    of_item = select(Evidence.session_id).distinct().where(Evidence.item_id == item.id)
    known = set(db.exec(of_item.where(col(Evidence.session_id).in_(sessions))).all())
    db.add_all(_row(item, quote) for quote in fresh)
    item.quotes += len(fresh)
    item.not_found += sum(not quote.found for quote in fresh)
    item.sessions += len(sessions - known)
    requeue(db, item)
    db.add(item)
    db.flush()
    return len(fresh)


def unknown_quotes(db: DatabaseSession, item_id: int, quotes: Iterable[Quoted]) -> list[Quoted]:
    """Those of the quotes that an item does not have yet, each once."""
    by_key = {(quote.session_id, quote.quote): quote for quote in quotes}
    sessions = {session for session, _ in by_key}
    of_item = select(Evidence.session_id, Evidence.quote).where(Evidence.item_id == item_id)
    known = set(db.exec(of_item.where(col(Evidence.session_id).in_(sessions))).all())
    return [quote for key, quote in by_key.items() if key not in known]


def _row(item: Item, quote: Quoted) -> Evidence:
    return Evidence(
        item_id=item.id or 0,
        session_id=quote.session_id,
        quote=quote.quote,
        speaker=quote.speaker,
        turn=quote.turn,
        verdict=quote.grounding.verdict,
        grounding=to_json(quote.grounding),
        anchors=ANCHORS.dump_python(quote.anchors, mode="json"),
        stale=quote.stale,
        sha256=quote.sha256,
    )


def evidence_in_words(db: DatabaseSession, item_ids: Sequence[int]) -> dict[int, str]:
    """What became of the quotes of items, in a few words each; what was not found comes first."""
    stale = col(Evidence.stale).is_not(None)
    counted = select(col(Evidence.item_id), col(Evidence.verdict), stale, func.count())
    rows = db.execute(
        counted.where(col(Evidence.item_id).in_(item_ids)).group_by(col(Evidence.item_id), col(Evidence.verdict), stale)
    )
    by_item: dict[int, list[tuple[bool, str, int]]] = {}
    for item, verdict, is_stale, count in rows.all():
        words = STALE if is_stale else VERDICTS[Verdict(verdict)]
        by_item.setdefault(item, []).append((Verdict(verdict).grounded and not is_stale, words, count))
    return {item: _counted(sorted(parts)) for item, parts in by_item.items()}


def _counted(parts: Sequence[tuple[bool, str, int]]) -> str:
    if len(parts) == 1 and parts[0][2] == 1:
        return parts[0][1]
    return ", ".join(f"{count} × {words}" for _, words, count in parts)
