"""The Decision log: by sequence, filtered by person, kind, act and day, exported so that anybody can check it."""

import csv
import hashlib
import io
import json
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import event, insert

from core.errors import BadInput
from core.governance.audit import verify
from core.governance.desk_settings import save_desk_settings
from core.governance.log import BEGINNING, head, log
from core.service.log_export import CHAIN, COLUMNS, log_csv, log_jsonl
from core.service.log_views import LogAsked, LogView, decisions, log_choices, log_page
from core.service.masking import mask_stored
from core.store.clock import now
from core.store.database import ROOT, Database
from core.store.governance_records import RightsChange
from core.store.oversight_records import PolicyDraft, PolicyVersion
from core.store.records import Decision, Item, Refusal
from core.vocabulary import Action
from tests.core.governed import filled, filled_with_oversight
from tests.desk import act, lesson

pytestmark = pytest.mark.databases("sqlite", "postgresql")


def acts(database: Database, **asked: object) -> list[tuple[str, str, str]]:
    rows = log_page(database, LogAsked(**asked), size=200).rows  # type: ignore[arg-type]
    return [(row.who, row.action, row.ref or row.about) for row in rows]


def test_the_newest_link_comes_first_whatever_the_clocks_said(database: Database) -> None:
    found = lesson(database).item_id
    early = datetime(2020, 1, 1, tzinfo=UTC)
    from core.governance.desk import decide
    from tests.desk import request

    decide(database, request(database, found, Action.APPROVE), at=early)
    rows = decisions(database).rows
    assert [(row.seq, row.action) for row in rows] == [(2, "approve"), (1, "propose")]
    assert rows[0].at == early


def test_a_row_says_who_what_to_which_version_from_where_to_where_why_and_on_which_words(database: Database) -> None:
    filled(database)
    row = next(row for row in log_page(database, LogAsked()).rows if row.action == "reject")
    assert (row.who, row.ref, row.version, row.before, row.after) == ("Ben", "L-0002", 1, "proposed", "rejected")
    assert (row.code, row.reason) == ("too_vague", "too vague")
    assert re.fullmatch(r"[0-9a-f]{64}", row.screen_hash)
    assert re.fullmatch(r"[0-9a-f]{64}", row.content_hash)
    assert re.fullmatch(r"[0-9a-f]{64}", row.link)


def test_each_view_shows_its_own_rows_and_together_they_are_the_log(database: Database) -> None:
    filled_with_oversight(database)
    totals = {view: log_page(database, LogAsked(view)).total for view in LogView}
    assert totals[LogView.REFUSALS] == 1
    assert totals[LogView.RIGHTS] == 6
    assert totals[LogView.OVERSIGHT] == 6
    assert sum(totals.values()) == head(database)[0]
    assert acts(database, view=LogView.REFUSALS) == [("Cleo", "approve", "L-0002")]
    assert acts(database, view=LogView.RIGHTS)[:2] == [
        ("Ada", "save", "numbers of the rules, version 1"),
        ("Ada", "save", "desk settings, version 1"),
    ]
    assert ("Ada", "propose", "new policy refunds") in acts(database, view=LogView.OVERSIGHT)
    assert ("Ben", "blind verdict: approve", "L-0001") in acts(database, view=LogView.OVERSIGHT)
    assert ("person Dora") in {about for _, _, about in acts(database, view=LogView.RIGHTS)}


def test_filters_narrow_by_person_kind_act_and_words_and_all_at_once(database: Database) -> None:
    filled(database)
    assert {who for who, _, _ in acts(database, person="Dora")} == {"Dora"}
    assert {ref[0] for _, _, ref in acts(database, kind="procedure")} == {"P"}
    assert {action for _, action, _ in acts(database, action="reopen")} == {"reopen"}
    assert {ref for _, _, ref in acts(database, search="L-0001")} == {"L-0001"}
    assert acts(database, person="Cleo", kind="procedure", action="suspend", search="Not now") == [
        ("Cleo", "suspend", "P-0001")
    ]
    assert acts(database, person="Cleo", kind="note") == []
    assert acts(database, person="Nobody") == []
    assert len(acts(database, view=LogView.RIGHTS, kind="people")) == 4
    assert len(acts(database, view=LogView.RIGHTS, kind="settings")) == 1
    assert acts(database, view=LogView.REFUSALS, search="L-0001") == []


def test_who_agreed_to_a_policy_is_named_found_offered_and_exported(database: Database) -> None:
    filled_with_oversight(database)
    (made,) = log_page(database, LogAsked(LogView.OVERSIGHT, person="Ben", kind="policies", search="refunds")).rows
    assert (made.who, made.second, made.action) == ("Ada", "Ben", "bring into force")
    with database.writing() as db:
        body = {"withdrawn": True}
        draft = PolicyDraft(policy="refunds", base=1, body=body, by="Ada", reason="No lamps any more", at=now())
        log(db, draft)
        version = db.get_one(PolicyVersion, 1)
        said = {**version.model_dump(exclude={"id"}), "draft_id": draft.id, "withdrawn": True, "second": "Eve"}
        log(db, PolicyVersion(**said))
    assert ("Ada", "withdraw", "policy refunds v1") in acts(database, view=LogView.OVERSIGHT, person="Eve")
    assert acts(database, view=LogView.OVERSIGHT, person="Eve") == acts(database, view=LogView.OVERSIGHT, search="Eve")
    assert "Eve" in log_choices(database, LogView.OVERSIGHT).people
    assert ("Ada", "propose to withdraw", "policy refunds, after v1") in acts(database, view=LogView.OVERSIGHT)
    exported = [(one["who"], one["second"]) for one in lines(database, LogAsked(LogView.OVERSIGHT))]
    assert ("Ada", "Ben") in exported
    assert ("Ada", "Eve") in exported


@pytest.mark.parametrize("search", ["%", "_", "\\", "'", "L-99999999999999999999", "L-", "🙂"])
def test_whatever_is_looked_for_breaks_nothing(database: Database, search: str) -> None:
    filled(database)
    for view in LogView:
        log_page(database, LogAsked(view, search=search))


def test_what_filters_offer_stands_in_the_log(database: Database) -> None:
    filled(database)
    offered = log_choices(database, LogView.DECISIONS)
    assert {"Ben", "Cleo", "Dora"} <= set(offered.people)
    assert log_choices(database, LogView.REFUSALS).people == ("Cleo",)
    assert log_choices(database, LogView.REFUSALS).actions == ("approve",)
    assert "Ada" in log_choices(database, LogView.RIGHTS).people


ZONED = [
    ("Asia/Kolkata", date(2026, 6, 24), ["2026-06-23T18:30:00", "2026-06-24T18:29:59.999500"],
     ["2026-06-23T18:29:59.999", "2026-06-24T18:30:00"]),
    ("Europe/Berlin", date(2026, 10, 25), ["2026-10-24T22:00:00", "2026-10-25T22:59:59.999999"],
     ["2026-10-24T21:59:59.999999", "2026-10-25T23:00:00"]),
    ("America/New_York", date(2026, 3, 8), ["2026-03-08T05:00:00", "2026-03-09T03:59:59"],
     ["2026-03-08T04:59:59", "2026-03-09T04:00:00"]),
    ("Pacific/Kiritimati", date(2026, 1, 1), ["2025-12-31T10:00:00", "2026-01-01T09:59:59"],
     ["2025-12-31T09:59:59", "2026-01-01T10:00:00"]),
]  # fmt: skip


@pytest.mark.parametrize(("zone", "day", "inside", "outside"), ZONED, ids=[one[0] for one in ZONED])
def test_a_day_of_the_viewers_zone_has_all_its_moments_and_no_other(
    database: Database, zone: str, day: date, inside: list[str], outside: list[str]
) -> None:
    with database.writing() as db:
        for at in (*inside, *outside):
            moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
            log(db, Refusal(at=moment, action="make a token", by="Ben", code="role", text="no"))
    asked = LogAsked(LogView.REFUSALS, first=day, last=day, zone=zone)
    shown = sorted(row.at for row in log_page(database, asked).rows)
    assert shown == [datetime.fromisoformat(at).replace(tzinfo=UTC) for at in inside]


def test_days_in_wrong_order_are_refused(database: Database) -> None:
    with pytest.raises(BadInput, match="cannot come after the last"):
        log_page(database, LogAsked(first=date(2026, 2, 2), last=date(2026, 2, 1)))


def statements(database: Database, asked: LogAsked, size: int, page: int = 1) -> int:
    asked_of: list[str] = []

    def listen(*args: object) -> None:
        asked_of.append(str(args[2]))

    event.listen(database.engine, "before_cursor_execute", listen)
    assert len(log_page(database, asked, size=size, page=page).rows) == size
    event.remove(database.engine, "before_cursor_execute", listen)
    return len(asked_of)


def test_a_page_asks_the_same_few_statements_however_many_rows_it_has(database: Database) -> None:
    with database.writing() as db:
        for number in range(120):
            log(db, Refusal(at=datetime.now(UTC), action="make a token", by=f"p{number}", code="role", text="no"))
    asked = LogAsked(LogView.REFUSALS)
    counts = {statements(database, asked, size) for size in (5, 25, 50)} | {statements(database, asked, 25, page=4)}
    assert len(counts) == 1
    assert counts.pop() <= 6


def lines(database: Database, asked: LogAsked) -> list[dict[str, object]]:
    return [json.loads(line) for line in b"".join(log_jsonl(database, asked)).decode().splitlines()]


def test_a_csv_of_the_log_opens_in_a_spreadsheet_and_runs_nothing(database: Database) -> None:
    filled(database)
    with database.writing() as db:
        text = '=HYPERLINK("http://x") for Zoë, ₹500, 日本語'
        log(db, RightsChange(at=datetime.now(UTC), by="@Ada", what="token", name="t", before=[], after=[], text=text))
    data = b"".join(log_csv(database, LogAsked(LogView.RIGHTS)))
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\n") == data.count(b"\r\n")
    columns, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert tuple(columns) == COLUMNS
    last = dict(zip(columns, rows[-1], strict=True))
    assert (last["who"], last["text"]) == ("'@Ada", f"'{text}")
    assert [int(row[0]) for row in rows] == sorted(int(row[0]) for row in rows)
    assert {len(row) for row in rows} == {len(COLUMNS)}


def test_a_filtered_export_holds_what_the_page_shows(database: Database) -> None:
    filled(database)
    for asked in (LogAsked(person="Ben"), LogAsked(kind="note"), LogAsked(LogView.REFUSALS), LogAsked(search="works")):
        shown = [row.seq for row in reversed(log_page(database, asked, size=500).rows)]
        assert [line["seq"] for line in lines(database, asked)] == shown
        assert len(list(csv.reader(io.StringIO(b"".join(log_csv(database, asked)).decode())))) == len(shown) + 1


def recipe() -> str:
    """The program that docs/audit.md gives to somebody who has only the file."""
    (found,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/audit.md").read_text(), re.S)
    return str(found)


def checked(files: dict[str, str]) -> str:
    """What the program of the document prints about an export."""
    said: list[str] = []
    given = {"open": lambda name, **_: io.StringIO(files[name]), "print": lambda text: said.append(text)}
    exec(compile(recipe(), "docs/audit.md", "exec"), {**given, "__name__": "__main__"})
    return "\n".join(said)


def whole_log(database: Database) -> dict[str, str]:
    return {f"{view.name.lower()}.jsonl": b"".join(log_jsonl(database, LogAsked(view))).decode() for view in LogView}


def test_somebody_with_only_the_files_can_check_the_chain(database: Database) -> None:
    filled_with_oversight(database)
    files = whole_log(database)
    seq, sha256 = head(database)
    assert checked(files) == f"whole: {seq} links, head {seq}:{sha256}"


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ('\\"by\\":\\"Ben\\"', '\\"by\\":\\"Eve\\"'),
        ('\\"after\\":\\"active\\"', '\\"after\\":\\"held\\"'),
        ('"row_id": 3', '"row_id": 4'),
    ],
)
def test_the_program_of_the_document_finds_a_changed_file(database: Database, was: str, becomes: str) -> None:
    filled(database)
    files = whole_log(database)
    changed = files["decisions.jsonl"].replace(was, becomes, 1)
    assert changed != files["decisions.jsonl"]
    assert checked({**files, "decisions.jsonl": changed}).startswith("broken at link ")


def test_the_program_of_the_document_finds_a_line_that_is_gone(database: Database) -> None:
    filled(database)
    files = whole_log(database)
    kept = files["decisions.jsonl"].splitlines(keepends=True)
    assert checked({**files, "decisions.jsonl": "".join(kept[:4] + kept[5:])}).startswith("broken at link ")


def test_a_masked_row_is_exported_without_its_old_form_and_the_file_checks(database: Database) -> None:
    filled(database)
    key = "sk-proj-abcdEFGH1234567890abcdEFGH1234567890"
    with database.writing() as db:
        log(db, Refusal(at=datetime.now(UTC), action="make a token", by="Ben", code="role", text=f"Not with {key}."))
    mask_stored(database)
    was, now = lines(database, LogAsked(LogView.REFUSALS))[-2:]
    assert (was["row"], was["masked"], now["masked"]) == (None, False, True)
    assert key not in str(now["row"])
    seq, sha256 = head(database)
    assert checked(whole_log(database)) == f"whole: {seq} links, head {seq}:{sha256}"
    assert log_page(database, LogAsked(LogView.REFUSALS)).rows[0].masked


def test_the_canonical_row_is_what_was_hashed(database: Database) -> None:
    filled(database)
    before = {line["seq"]: line for view in LogView for line in lines(database, LogAsked(view))}
    assert before[1]["before"] == BEGINNING
    assert set(before[1]) == {*COLUMNS, *CHAIN}
    for line in before.values():
        assert hashlib.sha256(str(line["row"]).encode()).hexdigest() == line["row_sha256"]
        assert json.loads(str(line["row"]))["id"] == line["row_id"]


def test_a_log_of_many_pages_is_checked_and_exported_whole(database: Database) -> None:
    from core.governance.log import canonical, link_hash, sha256_of
    from core.store.governance_records import LogEntry

    lesson(database)
    at, before, rows, chain = datetime.now(UTC), head(database)[1], [], []
    for number in range(1, 2_101):
        row = {"id": number, "at": at + timedelta(seconds=number), "item_id": 1, "action": "approve", "by": "Ben",
               "code": "role", "text": f"Refused {number}"}  # fmt: skip
        link = LogEntry(seq=number + 1, at=row["at"], logged="refusal", row_id=number, before=before, sha256="",
                        row_sha256=sha256_of(canonical(row)))  # fmt: skip
        link.sha256 = before = link_hash(link)
        rows.append(row)
        chain.append(link.model_dump())
    with database.writing() as db:
        db.connection().execute(insert(Refusal), rows)
        db.connection().execute(insert(LogEntry), chain)
    assert verify(database).breaks == ()
    assert [line["seq"] for line in lines(database, LogAsked(LogView.REFUSALS))] == list(range(2, 2_102))
    assert log_page(database, LogAsked(LogView.REFUSALS), page=42).rows[-1].seq == 2_101 - 42 * 50 + 1
    act(database, 1, Action.APPROVE)
    with database.reading() as db:
        assert db.get_one(Item, 1).status == "active"
        assert db.get_one(Decision, 2).by


@pytest.mark.databases("sqlite")
def test_reading_the_log_writes_nothing(database: Database) -> None:
    filled(database)
    before = head(database)
    verify(database)
    for view in LogView:
        log_page(database, LogAsked(view))
        list(log_csv(database, LogAsked(view)))
        list(log_jsonl(database, LogAsked(view)))
    assert head(database) == before


def test_a_sealed_verdict_is_exported_without_what_it_says_and_the_files_check(database: Database) -> None:
    filled(database)
    save_desk_settings(database, {"blind_share": "1.00"}, by="Ada", reason="to see whether we agree")
    found = lesson(database, "Name the building when a room is booked.").item_id
    act(database, found, Action.REJECT, person="Ben", reason="too_vague", text="Which building?")
    sealed = lines(database, LogAsked(LogView.OVERSIGHT))[-1]
    assert (sealed["who"], sealed["row"], sealed["sealed"], sealed["text"]) == ("sealed", None, True, "")
    assert checked(whole_log(database)).startswith("whole: ")
    act(database, found, Action.REJECT, person="Cleo", reason="too_vague")
    opened = next(one for one in lines(database, LogAsked(LogView.OVERSIGHT)) if one["seq"] == sealed["seq"])
    assert (opened["who"], opened["text"], opened["row_sha256"]) == ("Ben", "Which building?", sealed["row_sha256"])
    assert checked(whole_log(database)).startswith("whole: ")
