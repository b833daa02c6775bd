"""What a reader is, and how every reader of JSON goes through its records.

First station of the flow. One broken record becomes one ``BadRecord``; the others come in.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import tzinfo

from core.errors import BadRecord
from core.transcripts.document import Document
from core.transcripts.fields import Flaw
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.json_text import flaw_in, mended, strings_in
from core.transcripts.session import SessionDraft

LOOKED_AT = 50
"""Values of a file that are looked at to recognise its format."""

SHARE = 0.2
"""Share of the lines of a JSONL file that must show the format; less is another file that holds such a line."""

_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True)
class Taken:
    """What a reader took from a document."""

    sessions: tuple[SessionDraft, ...] = ()
    errors: tuple[BadRecord, ...] = ()
    blank: int = 0


@dataclass(frozen=True)
class Reader:
    """One format. ``sign`` says by what a document was recognised, None where it is something else."""

    format: Format
    sign: Callable[[Document], str | None]
    take: Callable[[Document, tzinfo], Taken]


@dataclass(frozen=True)
class JsonShape:
    """How one format lies in JSON.

    ``sign`` looks at one JSON value. ``records`` gives the records that such a value holds, broken ones included.
    ``session`` reads one record; it raises ``Flaw`` where it cannot.
    """

    format: Format
    sign: Callable[[object], str | None]
    records: Callable[[object], list[object]]
    session: Callable[[object, Intake], SessionDraft]


def json_reader(shape: JsonShape) -> Reader:
    """A reader for JSON files and JSONL files of this shape."""
    return Reader(shape.format, lambda document: _sign(shape, document), lambda doc, zone: _take(shape, doc, zone))


def items_of(value: object) -> list[object]:
    """The records of a value that is one record or a list of them."""
    return list(value) if isinstance(value, list) else [value]


def first_sign(value: object, sign: Callable[[dict[str, object]], str | None]) -> str | None:
    """The sign of an object, or of the first object in a list that has one."""
    looked_at = value[:LOOKED_AT] if isinstance(value, list) else [value]
    return next((found for item in looked_at if isinstance(item, dict) and (found := sign(item))), None)


def _sign(shape: JsonShape, document: Document) -> str | None:
    """The first sign, where enough of the file carries one: an example inside prose does not make the file a format."""
    values = document.json
    looked_at = values.entries[:LOOKED_AT]
    signs = [sign for entry in looked_at if (sign := shape.sign(entry.value))]
    end = looked_at[-1].line if len(values.entries) > LOOKED_AT else None
    broken = sum(1 for error in values.errors if end is None or error.place < end)
    return signs[0] if signs and len(signs) >= SHARE * (len(looked_at) + broken) else None


def _take(shape: JsonShape, document: Document, zone: tzinfo) -> Taken:
    values = document.json
    unit = "record" if values.whole else "line"
    sessions, errors = [], list(values.errors)
    for place, record in _placed_records(shape, document):
        intake = Intake(place, zone)
        try:
            draft = shape.session(_sound(record, document, intake), intake)
            sessions.append(replace(draft, remarks=intake.remarks))
        except Flaw as flaw:
            errors.append(BadRecord(place, str(flaw), unit))
    return Taken(tuple(sessions), tuple(sorted(errors, key=lambda error: error.place)), values.blank)


def _placed_records(shape: JsonShape, document: Document) -> list[tuple[int, object]]:
    values = document.json
    if values.whole:
        return list(enumerate(shape.records(values.entries[0].value), start=1))
    return [(entry.line, record) for entry in values.entries for record in shape.records(entry.value)]


def _sound(record: object, document: Document, intake: Intake) -> object:
    """The record, free of what cannot be stored, or ``Flaw``."""
    why = flaw_in(record)
    if why:
        raise Flaw(why)
    if document.bad_lines and any(_ESCAPED_BYTE.search(text) for text in strings_in(record)):
        line, why = next(iter(document.bad_lines.items()))
        raise Flaw(f"not all of it is text: {why} (first on line {line})")
    if not document.may_hold_unstorable:
        return record
    whole = mended(record)
    if whole != record:
        intake.remark("characters that no text can hold (zero, or half an emoji) were replaced by \ufffd")
    return whole
