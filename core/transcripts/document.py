"""A file's bytes as text, with what is wrong in it known line by line.

First station of the flow. Nothing is repaired here: a byte that is no text stays marked, and the line that holds it is
known.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.errors import BadRecord
from core.transcripts.json_text import NotJson, may_hold_unstorable, parsed

_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8-sig"),
)
_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\n|\r)|[^\r\n]+\Z")
_NO_TEXT = re.compile("[\x00\udc80-\udcff]")


@dataclass(frozen=True)
class Entry:
    """One JSON value of a file and the line that it stands on, from 1."""

    line: int
    value: object


@dataclass(frozen=True)
class JsonValues:
    """The JSON of a file.

    ``whole`` says that the file is one JSON value; else each line is one. ``why_not_whole`` is the reason of the
    parser.
    """

    entries: tuple[Entry, ...] = ()
    errors: tuple[BadRecord, ...] = ()
    blank: int = 0
    whole: bool = False
    why_not_whole: str = ""


@dataclass(frozen=True)
class Document:
    """The text of one file."""

    text: str

    @cached_property
    def bad_lines(self) -> dict[int, str]:
        """Lines that hold a byte which is no text, from 1, each with the reason."""
        if not _NO_TEXT.search(self.text):
            return {}
        found = ((number, _NO_TEXT.search(line)) for number, line in numbered_lines(self.text))
        return {number: _why_no_text(match.group()) for number, match in found if match}

    @cached_property
    def may_hold_unstorable(self) -> bool:
        """Whether its JSON could hold characters that no database stores."""
        return may_hold_unstorable(self.text)

    @cached_property
    def json(self) -> JsonValues:
        """The file read as one JSON value, or else as one JSON value a line."""
        try:
            if not self.text.lstrip().startswith(("{", "[")):
                raise NotJson("not JSON: it does not begin with { or [")
            return JsonValues(entries=(Entry(1, parsed(self.text)),), whole=True)
        except NotJson as error:
            return self._json_lines(str(error))

    def _json_lines(self, why_not_whole: str) -> JsonValues:
        entries, errors, blank = [], [], 0
        for number, line in numbered_lines(self.text):
            if not line.strip():
                blank += 1
                continue
            try:
                entries.append(Entry(number, self._json_line(number, line)))
            except NotJson as error:
                errors.append(BadRecord(number, str(error)))
        return JsonValues(tuple(entries), tuple(errors), blank, why_not_whole=why_not_whole)

    def _json_line(self, number: int, line: str) -> object:
        if number in self.bad_lines:
            raise NotJson(self.bad_lines[number])
        if not line.lstrip().startswith(("{", "[")):
            raise NotJson("not a JSON object or list")
        return parsed(line)


def decoded(data: bytes) -> Document:
    """The document of these bytes: UTF-8, or what a byte order mark says.

    Raises ``UnicodeDecodeError`` where a file that begins as UTF-16 or UTF-32 does not go on as such. A byte that is
    not UTF-8 is kept as a lone surrogate, for ``bad_lines`` to find.
    """
    encoding = next((encoding for mark, encoding in _ENCODINGS if data.startswith(mark)), "utf-8")
    return Document(data.decode(encoding, "surrogateescape" if encoding.startswith("utf-8") else "strict"))


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their number from 1, each with its own ending (CRLF, LF or CR)."""
    return ((number, match.group()) for number, match in enumerate(_LINE.finditer(text), start=1))


def _why_no_text(character: str) -> str:
    if character == "\x00":
        return "it holds a zero byte, which no text has"
    return f"byte 0x{ord(character) - 0xDC00:02X} is not valid UTF-8"
