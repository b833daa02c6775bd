"""The log as a file: CSV for a spreadsheet, JSON lines from which somebody with nothing else can check the chain."""

from collections.abc import Iterator
from typing import Any

from core.governance.log import canonical, moment_text, sha256_of
from core.service.export import csv_file, csv_lines, jsonl_text
from core.service.log_views import LogAsked, links
from core.service.views import LogRow
from core.store.database import Database

COLUMNS = (
    "seq",
    "at",
    "who",
    "rule",
    "self_approved",
    "action",
    "item",
    "version",
    "about",
    "from",
    "to",
    "reason_code",
    "reason",
    "text",
    "screen_hash",
    "content_hash",
    "masked",
    "hash",
    "batch",
    "second",
)
"""What both kinds of file hold.

``item`` is empty where there is none; ``masked`` marks a later link of its row; ``batch`` names what was
decided together, ``second`` who agreed where ``who`` made something that two people must.
"""

CHAIN = ("before", "logged", "row_id", "row_sha256", "row", "sealed")
"""What JSON lines hold besides: the hash of the link before, what is named, its hash, and its canonical form.

``row`` is null where secrets were taken out of the row after this link; a later link then has its new form. It is null,
too, and ``sealed`` is true, for a blind verdict of which nobody may read yet what was said.
"""


def log_csv(database: Database, asked: LogAsked) -> Iterator[bytes]:
    """The links that are asked for as CSV in UTF-8 with its byte order mark, in pieces."""
    yield csv_file(COLUMNS, ())
    with database.reading() as db:
        for row, _, _ in links(db, asked):
            yield csv_lines([_said(row)]).encode()


def log_jsonl(database: Database, asked: LogAsked) -> Iterator[bytes]:
    """The links that are asked for as JSON lines, in pieces."""
    with database.reading() as db:
        for row, link, record in links(db, asked):
            text = canonical(record.model_dump())
            kept = text if sha256_of(text) == link.row_sha256 and not row.sealed else None
            chained = (link.before, link.logged, link.row_id, link.row_sha256, kept, row.sealed)
            yield jsonl_text((*COLUMNS, *CHAIN), [(*_said(row), *chained)]).encode()


def _said(row: LogRow) -> tuple[Any, ...]:
    return (
        row.seq,
        moment_text(row.at),
        row.who,
        row.rule,
        row.self_approved,
        row.action,
        row.ref or None,
        row.version or None,
        row.about or None,
        row.before,
        row.after,
        row.code,
        row.reason,
        row.text,
        row.screen_hash,
        row.content_hash,
        row.masked,
        row.link,
        row.batch or None,
        row.second or None,
    )
