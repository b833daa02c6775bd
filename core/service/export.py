"""Every list as CSV or JSON lines, from a page and from the command line alike.

A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers. The prefix goes on
texts only, so ``-0.15`` as a number is exported as it is. A file of CSV begins with a byte order mark, without which
Excel reads é, ₹ and 日 as other signs.
"""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

_BEGINS_A_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
"""What a spreadsheet may take for the beginning of a formula; some read the wide forms of East Asian texts alike."""

_NOT_SEEN = " \n\v\f\xa0\u2007\u202f\u3000\u200b\u200c\u200d\u2060\ufeff"
"""Signs that a spreadsheet may drop from the beginning of a cell."""


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The rows under a line of column names, as RFC 4180 lines."""
    return csv_lines((columns, *rows))


def csv_lines(rows: Iterable[Sequence[object]]) -> str:
    """Rows without such a line, for a file that is written in pieces."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_csv_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def csv_file(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """The same as the bytes of a file that spreadsheets read rightly, in UTF-8 with its byte order mark."""
    return csv_text(columns, rows).encode("utf-8-sig")


def jsonl_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """One JSON object a row; values keep their kind, also within lists and objects.

    Times are ISO with their zone; exact decimals, and numbers that JSON has no sign for, are texts.
    """
    lines = (dict(zip(columns, map(_json_value, row), strict=True)) for row in rows)
    return "".join(_json(line) + "\n" for line in lines)


def cell_text(value: object) -> str:
    """Any value as the text of one cell: nothing is empty, a list or an object is its JSON."""
    if value is None:
        return ""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Mapping | list | tuple):
        return _json(_json_value(value))
    return str(value)


def _csv_cell(value: object) -> str:
    text = cell_text(value)
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return text if is_number else _safe(text)


def _safe(text: str) -> str:
    return f"'{text}" if text.lstrip(_NOT_SEEN).startswith(_BEGINS_A_FORMULA) else text


def _json_value(value: object) -> Any:
    if isinstance(value, Mapping):
        return {cell_text(key): _json_value(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(one) for one in value]
    is_kept = value is None or isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value))
    return value if is_kept else cell_text(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
