"""Reader for CSV with one message a row: columns for session, role and content, and some that may be there.

First station of the flow. A row that cannot be read leaves its whole session out, with the line: a session with a turn
missing would be a false one.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from core.errors import BadRecord
from core.transcripts.chat_message import ROLES, role_and_name, says_error
from core.transcripts.document import Document, numbered_lines
from core.transcripts.fields import Flaw, listed, quoted
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.message import Message, Transcript
from core.transcripts.own_fields import first_time
from core.transcripts.reader import Reader, Taken
from core.transcripts.session import SessionDraft
from core.vocabulary import Role

COLUMNS = {
    "session": ("session", "session_id", "conversation", "conversation_id", "chat_id", "thread_id"),
    "role": ("role", "speaker", "author", "from"),
    "content": ("content", "text", "message", "body"),
    "time": ("time", "timestamp", "created_at", "date"),
    "name": ("name", "tool", "tool_name"),
    "user": ("user", "user_id", "customer", "customer_id"),
    "agent": ("agent", "agent_id"),
    "task_class": ("task_class",),
    "task": ("task",),
}
"""What a column is, and the headings by which it is known; case does not count, a space counts as an underscore."""

_NEEDED = ("session", "role", "content")
_ROLES = {**ROLES, "human": Role.USER, "customer": Role.USER, "agent": Role.ASSISTANT}
_DELIMITERS = ",;\t"

csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True)
class _Header:
    delimiter: str
    places: dict[str, int]
    width: int
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class _Row:
    line: int
    cells: dict[str, str]


@dataclass
class _Rows:
    """Rows by session, errors by line, sessions with a broken row (None: a row of no known session), blank rows."""

    sessions: dict[str, list[_Row]] = field(default_factory=dict)
    errors: list[BadRecord] = field(default_factory=list)
    broken: set[str | None] = field(default_factory=set)
    blank: int = 0


def _header(text: str) -> _Header | None:
    """The header, with the delimiter under which it has all needed columns."""
    first = next((line for _, line in numbered_lines(text) if line.strip()), "")
    for delimiter in _DELIMITERS:
        headings = [heading.strip().strip('"').lower().replace(" ", "_") for heading in first.split(delimiter)]
        places = {
            column: headings.index(known)
            for column, names in COLUMNS.items()
            if (known := next((name for name in names if name in headings), None))
        }
        if all(column in places for column in _NEEDED):
            unknown = [heading for place, heading in enumerate(headings) if place not in places.values()]
            return _Header(delimiter, places, len(headings), tuple(unknown))
    return None


def _sign(document: Document) -> str | None:
    return "its first line names the columns session, role and content" if _header(document.text) else None


def _take(document: Document, zone: tzinfo) -> Taken:
    header = _header(document.text)
    if header is None:
        return Taken(errors=(BadRecord(1, "the first line must name the columns session, role and content"),))
    rows = _sorted_rows(document, header)
    sessions = (
        _with_remarks(own_rows, Intake(own_rows[0].line, zone), header, rows)
        for session_id, own_rows in rows.sessions.items()
        if session_id not in rows.broken
    )
    return Taken(tuple(sessions), tuple(rows.errors), rows.blank)


def _with_remarks(own_rows: list[_Row], intake: Intake, header: _Header, rows: _Rows) -> SessionDraft:
    if header.unknown:
        intake.remark(f"ignored: {listed(header.unknown)}")
    if None in rows.broken:
        intake.remark("a row of the file could not be read; a turn of this session may be missing")
    return replace(_session(own_rows, intake), remarks=intake.remarks)


def _sorted_rows(document: Document, header: _Header) -> _Rows:
    rows = _Rows()
    for line, last, cells in _raw_rows(document.text, header.delimiter):
        if _is_blank(cells):
            rows.blank += 1
            continue
        session_id = _session_id(cells, header)
        try:
            row = _row(line, last, cells, header, document)
            rows.sessions.setdefault(row.cells["session"], []).append(row)
        except Flaw as flaw:
            left_out = f"; session {quoted(session_id)} is left out, for a turn of it is missing" if session_id else ""
            rows.errors.append(BadRecord(line, f"{flaw}{left_out}"))
            rows.broken.add(session_id)
    return rows


def _raw_rows(text: str, delimiter: str) -> Iterator[tuple[int, int, list[str] | Flaw]]:
    """Rows after the header: first line, last line and the cells, or what the row suffers from."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    is_header = True
    while True:
        line = reader.line_num + 1
        try:
            cells: list[str] | Flaw = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells = Flaw(f"not valid CSV: {error}")
        if is_header:
            is_header = _is_blank(cells)
        else:
            yield line, reader.line_num, cells


def _is_blank(cells: list[str] | Flaw) -> bool:
    return isinstance(cells, list) and not any(cell.strip() for cell in cells)


def _session_id(cells: list[str] | Flaw, header: _Header) -> str | None:
    place = header.places["session"]
    return (cells[place].strip() or None) if isinstance(cells, list) and len(cells) > place else None


def _row(line: int, last: int, cells: list[str] | Flaw, header: _Header, document: Document) -> _Row:
    if isinstance(cells, Flaw):
        raise cells
    no_text = next(
        (document.bad_lines[number] for number in range(line, last + 1) if number in document.bad_lines), None
    )
    if no_text:
        raise Flaw(no_text)
    needed = max(header.places[column] for column in _NEEDED) + 1
    if not needed <= len(cells) <= header.width:
        raise Flaw(f"the row has {len(cells)} cells, the header {header.width}")
    found = {column: cells[place] for column, place in header.places.items() if place < len(cells)}
    for column in ("session", "role"):
        found[column] = found[column].strip()
        if not found[column]:
            raise Flaw(f"the {column} is empty")
    return _Row(line, found)


def _session(rows: list[_Row], intake: Intake) -> SessionDraft:
    messages = tuple(_message(row, intake) for row in rows)
    return SessionDraft(
        transcript=Transcript(messages=messages),
        place=intake.place,
        external_id=rows[0].cells["session"],
        agent=_said_once(rows, "agent", intake),
        user=_said_once(rows, "user", intake),
        task_class=_said_once(rows, "task_class", intake),
        task=_said_once(rows, "task", intake),
        started_at=first_time(messages),
    )


def _message(row: _Row, intake: Intake) -> Message:
    role, name = role_and_name(row.cells["role"], row.cells.get("name", "").strip() or None, _ROLES)
    content = row.cells["content"]
    failed = role is Role.TOOL and says_error(content)
    return Message(role=role, name=name, content=content, time=intake.time(row.cells.get("time")), failed=failed)


def _said_once(rows: list[_Row], column: str, intake: Intake) -> str | None:
    """What the rows of a session say of it; the first word counts, and a remark names the others."""
    said = list(dict.fromkeys(text for row in rows if (text := row.cells.get(column, "").strip())))
    if len(said) > 1:
        intake.remark(f"the rows give more than one {column}: {listed(said)}; the first is taken")
    return said[0] if said else None


READER = Reader(Format.CSV, _sign, _take)
