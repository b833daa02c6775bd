"""The door for files: bytes in, sessions and errors out.

First station of the flow. Whatever the bytes are, the caller gets a ``Reading`` or a ``TutelageError`` that says what
is wrong and what is possible; nothing is stored here, and no name is ever used as a path.
"""

from dataclasses import dataclass
from datetime import UTC, tzinfo

from core.errors import BadRecord, FileRefused, UnknownFormat
from core.transcripts import (
    chatgpt_export,
    csv_rows,
    openai_chat,
    plain_text,
    sharegpt,
    tau2_bench,
    tau_bench,
    tau_few_shot,
)
from core.transcripts.document import Document, decoded
from core.transcripts.formats import EXTENSIONS, Format
from core.transcripts.json_text import flaw_in
from core.transcripts.names import extension, shown_name
from core.transcripts.reader import Reader
from core.transcripts.session import SessionDraft

LIMIT = 50 * 1024 * 1024
"""Bytes that a file may have."""

READERS: dict[Format, Reader] = {
    reader.format: reader
    for reader in (
        tau2_bench.READER,
        tau_bench.READER,
        tau_few_shot.READER,
        chatgpt_export.READER,
        sharegpt.READER,
        openai_chat.READER,
        csv_rows.READER,
        plain_text.READER,
    )
}
"""Every reader, in the order in which they are asked whether a file is theirs; the most particular first."""


@dataclass(frozen=True)
class Recognition:
    """The format of a file and the sign by which it was known, as half a sentence."""

    format: Format
    sign: str


@dataclass(frozen=True)
class Reading:
    """What a file holds: sessions in their order, what could not be read, and how many lines were blank."""

    format: Format
    sessions: tuple[SessionDraft, ...]
    errors: tuple[BadRecord, ...] = ()
    blank: int = 0
    sign: str = ""

    @property
    def failed(self) -> str:
        """The errors in one phrase, ``2 lines failed (lines 4, 9)``; empty where there are none."""
        if not self.errors:
            return ""
        unit = self.errors[0].unit
        places = [str(error.place) for error in self.errors]
        if len(places) == 1:
            return f"1 {unit} failed ({unit} {places[0]})"
        shown = ", ".join(places[:10]) + (" …" if len(places) > 10 else "")
        return f"{len(places)} {unit}s failed ({unit}s {shown})"


def read(
    data: bytes, name: str, *, format: Format | None = None, zone: tzinfo | None = None, limit: int = LIMIT
) -> Reading:
    """The sessions of a file.

    ``name`` is what the file is called where it comes from. ``format`` skips the recognition. ``zone`` is taken for
    times that name none (UTC where it is None), with a remark at the session. ``limit`` counts bytes.

    Raises ``FileRefused`` where name, size or encoding is not accepted or the JSON of the file is broken, and
    ``UnknownFormat`` where no reader knows the content. A record that cannot be read stands in ``errors`` with its
    line, or with its number where the file is one JSON value.
    """
    document = _accepted(data, name, limit)
    recognition = Recognition(format, "chosen by hand") if format else _recognition(document, name)
    taken = READERS[recognition.format].take(document, zone or UTC)
    return Reading(recognition.format, taken.sessions, taken.errors, taken.blank, recognition.sign)


def detect(data: bytes, name: str) -> Format:
    """The format of a file. Raises as ``read`` does."""
    return recognise(data, name).format


def recognise(data: bytes, name: str, *, limit: int = LIMIT) -> Recognition:
    """The format of a file with the sign by which it was known. Raises as ``read`` does."""
    return _recognition(_accepted(data, name, limit), name)


def _accepted(data: bytes, name: str, limit: int) -> Document:
    ending = extension(name)
    if ending not in EXTENSIONS:
        accepted = ", ".join(sorted(EXTENSIONS - {""}))
        raise FileRefused(shown_name(name), f"files that end in {shown_name(ending)} are not accepted, but {accepted}")
    if len(data) > limit:
        raise FileRefused(shown_name(name), f"it has {_size(len(data))} and the limit is {_size(limit)}")
    try:
        document = decoded(data)
    except UnicodeDecodeError as error:
        why = f"it begins as {error.encoding.upper()} and is not valid from byte {error.start} on"
        raise FileRefused(shown_name(name), why) from error
    if not document.text.strip():
        raise FileRefused(shown_name(name), "it is empty")
    return document


def _recognition(document: Document, name: str) -> Recognition:
    for reader in READERS.values():
        sign = reader.sign(document)
        if sign:
            return Recognition(reader.format, sign)
    why = _why_unreadable(document)
    if why:
        raise FileRefused(shown_name(name), f"it is {why}")
    raise UnknownFormat(shown_name(name), [format.label for format in Format])


def _why_unreadable(document: Document) -> str | None:
    """What is wrong with a file that is meant as JSON and holds no record that could be read; None for other files."""
    values = document.json
    if values.whole:
        return flaw_in(values.entries[0].value)
    looks_like_json = document.text.lstrip().startswith(("{", "["))
    return values.why_not_whole if looks_like_json and not values.entries else None


def _size(size: int) -> str:
    return f"{size / 1024 / 1024:.1f} MB" if size >= 1024 * 1024 else f"{size} bytes"
