"""Reads the content and the quotes of an item back from the store."""

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.governance.drafts import AnyContent, LessonContent, NoteContent, ProcedureContent, Quoted
from core.governance.groundings import from_json
from core.store.records import Evidence, Item, LessonBody, NoteBody, ProcedureBody
from core.vocabulary import Kind, Role


def content_of(db: DatabaseSession, item: Item) -> AnyContent:
    """What this version says."""
    if item.kind == Kind.NOTE:
        note = db.get_one(NoteBody, item.id).model_dump(exclude={"item_id"})
        return NoteContent.model_validate({**note, "severity": item.severity})
    if item.kind == Kind.LESSON:
        return LessonContent.model_validate(db.get_one(LessonBody, item.id).model_dump(exclude={"item_id", "folded"}))
    return ProcedureContent.model_validate(db.get_one(ProcedureBody, item.id).model_dump(exclude={"item_id"}))


def quotes_of(db: DatabaseSession, item_id: int) -> list[Quoted]:
    """The quotes of a version, oldest first."""
    rows = db.exec(select(Evidence).where(Evidence.item_id == item_id).order_by(col(Evidence.id))).all()
    return [quoted(row) for row in rows]


def quoted(row: Evidence) -> Quoted:
    """One stored quote as a value."""
    return Quoted(
        session_id=row.session_id,
        quote=row.quote,
        speaker=Role(row.speaker),
        turn=row.turn,
        grounding=from_json(row.grounding),
        sha256=row.sha256,
    )
