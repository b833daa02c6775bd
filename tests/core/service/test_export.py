"""Exports: no text runs as a formula, numbers stay numbers, and Excel reads every sign as it was written."""

import csv
import io
import json
import math
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from core.service.export import cell_text, csv_file, csv_text, jsonl_text
from core.store.database import ROOT
from core.vocabulary import Severity

TEXTS = ["=1+1", "-5% is the fee", "+91 desk", "@all staff", "\t=2", "\r=3", 'plain, with "quotes"\nand a second line']
SAFE = ["'=1+1", "'-5% is the fee", "'+91 desk", "'@all staff", "'\t=2", "'\r=3", TEXTS[6]]


def test_a_text_cell_is_never_a_formula_and_reads_back():
    rows = list(csv.reader(io.StringIO(csv_text(["text"], [[text] for text in TEXTS]), newline="")))
    assert [row[0] for row in rows[1:]] == SAFE


def test_numbers_keep_their_sign():
    rows = list(csv.reader(io.StringIO(csv_text(["n"], [[-0.15], [0.08], [Decimal("-0.15")]]))))
    assert [row[0] for row in rows[1:]] == ["-0.15", "0.08", "-0.15"]


def test_a_column_of_mixed_kinds_has_one_text_a_cell():
    values = [1, "two", None, [3, 4], {"a": 1}, "2026-01-01"]
    assert [cell_text(value) for value in values] == ["1", "two", "", "[3, 4]", '{"a": 1}', "2026-01-01"]


MIXED = [1, "two", None, [3, 4], {"a": 1}, "2026-01-01", Decimal("0.50"), True, ("x",)]
SAID = ["1", "two", "", "[3, 4]", '{"a": 1}', "2026-01-01", "0.50", "True", '["x"]']


def test_both_files_of_a_column_of_mixed_kinds_read_back_with_nothing_logged(caplog):
    rows = list(csv.reader(io.StringIO(csv_file(["column"], [[one] for one in MIXED]).decode("utf-8-sig"), newline="")))
    assert [row[0] if row else "" for row in rows] == ["column", *SAID]
    lines = jsonl_text(["column"], [[one] for one in MIXED]).splitlines()
    kept = [1, "two", None, [3, 4], {"a": 1}, "2026-01-01", "0.50", True, ["x"]]
    assert [json.loads(line)["column"] for line in lines] == kept
    assert caplog.records == []


def test_no_table_of_the_desk_goes_through_arrow():
    """Streamlit's own tables convert a column to one type, and log a traceback where it has several."""
    asked = ("st.dataframe", "st.table", "st.data_editor")
    pages = [*(ROOT / "ui").glob("*.py"), *(ROOT / "pages").glob("*.py")]
    assert pages
    assert [path.name for path in pages if any(one in path.read_text() for one in asked)] == []


def test_json_lines_keep_the_kinds_of_values():
    line = jsonl_text(["a", "b", "c", "d"], [["=1", 3, None, Severity.HIGH]])
    assert json.loads(line) == {"a": "=1", "b": 3, "c": None, "d": "high"}


def refuse_constant(name):
    raise AssertionError(f"{name} is not JSON")


def test_what_stands_within_lists_and_objects_is_exported_as_it_is_outside():
    at = datetime(2026, 11, 9, 8, 30, tzinfo=UTC)
    value = {"at": at, "shares": [Decimal("0.50"), math.nan], Severity.HIGH: (Severity.LOW, -math.inf, None, 3, True)}
    said = {"at": at.isoformat(), "shares": ["0.50", "nan"], "high": ["low", "-inf", None, 3, True]}
    line = json.loads(jsonl_text(["v", "n"], [[value, math.nan]]), parse_constant=refuse_constant)
    assert line == {"v": said, "n": "nan"}
    assert json.loads(cell_text(value), parse_constant=refuse_constant) == said


def test_a_row_of_another_length_is_an_error_and_no_shifted_export():
    with pytest.raises(ValueError, match="zip"):
        jsonl_text(["a", "b"], [["only one"]])


@pytest.mark.parametrize(
    "begin", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", " =", "\xa0=", "\u3000＝", "\ufeff="]
)
def test_whatever_a_spreadsheet_may_drop_or_widen_a_formula_stays_text(begin):
    (_, (cell,)) = csv.reader(io.StringIO(csv_text(["t"], [[f"{begin}HYPERLINK(1)"]]), newline=""))
    assert cell == f"'{begin}HYPERLINK(1)"


@pytest.mark.parametrize("text", ["a=1", "1-2", "  indented", "·-", "", "'=1", "–5 % is the fee", "(−1)"])
def test_a_text_that_no_spreadsheet_takes_for_a_formula_stays_as_it_is(text):
    (_, *rows) = csv.reader(io.StringIO(csv_text(["t", "u"], [[text, "x"]]), newline=""))
    assert rows == [[text, "x"]]


def test_the_name_of_a_column_is_never_a_formula():
    assert csv_text(["=1+1"], []) == "'=1+1\r\n"


def test_a_file_begins_with_a_byte_order_mark_ends_its_lines_as_excel_does_and_keeps_every_sign():
    words = "Zoë paid ₹500 für 日本語 🙂"
    data = csv_file(["t"], [[words], ["two\nlines"]])
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.decode("utf-8-sig") == f't\r\n{words}\r\n"two\nlines"\r\n'


def test_every_kind_of_number_stays_a_number_and_a_truth_is_none():
    rows = list(csv.reader(io.StringIO(csv_text(["n"], [[-3], [Decimal("-0.10")], [-1e-7], [False]]))))
    assert [row[0] for row in rows[1:]] == ["-3", "-0.10", "-1e-07", "False"]
