"""Files come in once, whole where they can, and every record is accounted for."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import func
from sqlmodel import select

from core.errors import FileRefused, UnknownFormat
from core.evidence import ground
from core.governance.bodies import quotes_of
from core.governance.drafts import Draft, NoteContent, Quoted
from core.governance.proposals import propose
from core.service.agents import agent_record, save_agent, user_facts
from core.service.bring_in import bring_in, dry_run
from core.service.session_views import session_id_of, session_list, session_view
from core.store.clock import now
from core.store.database import Database
from core.store.records import AgentSession, Import, SessionMessage
from core.vocabulary import Dimension, Role, Severity, Source

FOUR = [
    {"role": "user", "content": "My router blinks red."},
    {"role": "assistant", "content": "I will look at the line for you."},
    {"role": "user", "content": "And?"},
    {"role": "assistant", "content": "The line is fine, so I have ordered a new router."},
]
SIX = [*FOUR, {"role": "user", "content": "Thanks."}, {"role": "assistant", "content": "You are welcome."}]


def record(name: str | None, messages: list[dict[str, str]], **more: object) -> bytes:
    own = {"id": name} if name else {}
    return json.dumps({**own, "agent": "Line Desk", "messages": messages, **more}).encode()


def count(database: Database) -> int:
    with database.reading() as db:
        return db.exec(select(func.count()).select_from(AgentSession)).one()


def stored(database: Database, ref: str) -> list[str]:
    view = session_view(database, session_id_of(database, ref))
    return [message.content for message in view.transcript.messages]


def test_the_same_file_again_brings_in_nothing_new(database: Database) -> None:
    first, again = (bring_in(database, record("s1", FOUR), "a.json") for _ in range(2))
    assert (first.new, again.new, again.known) == (1, 0, 1)
    assert again.summary.startswith("0 imported, 1 already there")
    assert count(database) == 1


def test_a_longer_version_extends_the_session_and_its_quotes_stay_where_they_were(database: Database) -> None:
    bring_in(database, record("s1", FOUR), "a.json")
    session_id = session_id_of(database, "s1")
    view = session_view(database, session_id)
    grounding = ground("I have ordered a new router", view.transcript, speaker=Role.ASSISTANT)
    content = NoteContent(
        dimension=Dimension.COMPLIANCE, severity=Severity.HIGH, observation="Ordered unasked.", improvement="Ask first."
    )
    proof = Quoted(
        session_id=session_id,
        quote="I have ordered a new router",
        speaker=Role.ASSISTANT,
        grounding=grounding,
        sha256=view.sha256,
    )
    draft = Draft(
        content=content,
        severity=Severity.HIGH,
        agent_id=1,
        task_class="general",
        session_id=session_id,
        origin="test",
        proposer="check test",
        source=Source.CHECK,
        quotes=(proof,),
    )
    with database.writing() as db:
        made = propose(db, draft, at=now())
    report = bring_in(database, record("s1", SIX), "a.json")
    assert (report.extended, report.new) == (1, 0)
    assert stored(database, "s1") == [message["content"] for message in SIX]
    after = session_view(database, session_id)
    (span,) = after.quotes[0][1].grounding.spans
    assert after.transcript.messages[span.turn].content[span.start : span.end] == "I have ordered a new router"
    assert not after.quotes[0][1].stale
    with database.reading() as db:
        assert len(quotes_of(db, made.item_id)) == 1


def test_a_shorter_version_changes_nothing(database: Database) -> None:
    bring_in(database, record("s1", SIX), "a.json")
    report = bring_in(database, record("s1", FOUR), "a.json")
    assert [row.what for row in report.rows] == ["older"]
    assert len(stored(database, "s1")) == 6


def test_a_known_session_with_other_words_is_reported_and_left_as_it_is(database: Database) -> None:
    bring_in(database, record("s1", FOUR), "a.json")
    changed = [FOUR[0], {"role": "assistant", "content": "Switch it off."}, *FOUR[2:]]
    report = bring_in(database, record("s1", changed), "a.json")
    assert report.errors == (
        "record 1: s1 is here already and differs from turn 2; it was left as it is, and can be corrected",
    )
    assert stored(database, "s1") == [message["content"] for message in FOUR]


def test_two_imports_at_once_store_a_session_once(database: Database) -> None:
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(lambda _: bring_in(database, record("s2", FOUR), "b.json"), range(2)))
    assert sorted(report.new for report in reports) == [0, 1]
    assert count(database) == 1


def test_a_session_without_an_id_is_known_by_its_words_and_extended_by_its_file(database: Database) -> None:
    assert bring_in(database, record(None, FOUR), "chat.json").new == 1
    assert bring_in(database, record(None, FOUR), "other.json").known == 1
    assert bring_in(database, record(None, SIX), "chat.json").extended == 1
    assert count(database) == 1


def test_two_chats_that_begin_alike_in_one_file_stay_two(database: Database) -> None:
    two = b"\n".join([record(None, FOUR), record(None, SIX)])
    assert bring_in(database, two, "chats.jsonl").new == 2


def test_one_broken_line_is_reported_and_the_others_come_in(database: Database) -> None:
    lines = [record("a", FOUR), b"", record("b", FOUR[:2]), b'{"id": ', record("c", FOUR[:1])]
    report = bring_in(database, "\ufeff".encode() + b"\r\n".join(lines), "x.jsonl")
    assert (report.new, report.failed, report.blank) == (3, 1, 1)
    assert report.summary.startswith("3 imported, 1 failed (line 4: ")


def test_a_dry_run_says_what_would_come_in_and_writes_nothing(database: Database) -> None:
    bring_in(database, record("s1", FOUR), "a.json")
    both = b"\n".join([record("s1", SIX), record("s9", FOUR)])
    report = dry_run(database, both, "a.jsonl")
    assert (report.new, report.extended, report.dry_run) == (1, 1, True)
    assert report.summary.startswith("1 would come in, 1 extended")
    assert count(database) == 1
    assert len(stored(database, "s1")) == 4
    with database.reading() as db:
        assert db.exec(select(func.count()).select_from(Import)).one() == 1


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("x.json", b'{"nothing": "known"}', UnknownFormat),
        ("notes.exe", b"{}", FileRefused),
        ("x.json", b"", FileRefused),
    ],
)
def test_a_file_that_cannot_be_read_stores_nothing(
    database: Database, name: str, data: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error, match="Nothing was stored"):
        bring_in(database, data, name)
    with database.reading() as db:
        assert db.exec(select(func.count()).select_from(Import)).one() == 0


@pytest.mark.parametrize(
    "name", ["../../core/policy.json", "..\\..\\x.json", "/etc/x.jsonl", "a\u0000b.json", "con.json"]
)
def test_a_name_is_shown_and_never_a_path(database: Database, tmp_path: Path, name: str) -> None:
    bring_in(database, record("s1", FOUR), name)
    assert {path.name for path in tmp_path.rglob("*")} <= {"desk.db", "desk.db-wal", "desk.db-shm"}
    assert not any(mark in session_view(database, 1).source_file for mark in ("/", "\\", "\u0000"))


def test_agents_users_and_facts_come_with_the_file_and_never_overwrite(database: Database) -> None:
    more = {
        "user": "household 1",
        "facts": [{"text": "No calls after 8 pm.", "source": "contract"}],
        "base_prompt": "Be brief.",
    }
    bring_in(database, record("s1", FOUR, **more, task_class="repairs"), "a.json")
    bring_in(database, record("s2", SIX, user="household 1", base_prompt="Be long."), "b.json")
    assert agent_record(database, "Line Desk").base_prompt == "Be brief."
    assert agent_record(database, "Line Desk").task_classes == {"repairs": True, "general": True}
    assert [fact.text for fact in user_facts(database, "Line Desk", "household 1")] == ["No calls after 8 pm."]


def test_what_stands_in_a_list_and_what_was_said_can_be_searched(database: Database) -> None:
    bring_in(database, record("s1", FOUR), "a.json")
    bring_in(database, record("s2", SIX[:3], task="100 % of the line"), "a.json")
    found = {search: session_list(database, search=search).total for search in ("router", "ordered", "100 %", "%", "_")}
    assert found == {"router": 2, "ordered": 1, "100 %": 1, "%": 1, "_": 0}


def test_many_sessions_come_in_by_batches_with_progress(database: Database) -> None:
    lines = b"\n".join(record(f"n{number}", FOUR) for number in range(230))
    seen: list[tuple[int, int]] = []
    assert bring_in(database, lines, "many.jsonl", progress=lambda done, of: seen.append((done, of))).new == 230
    assert seen == [(100, 230), (200, 230), (230, 230)]


@pytest.mark.corpus
def test_the_real_airline_sessions_come_in_whole(database: Database, corpus: Path) -> None:
    path = corpus / "data/tau2-bench/toolorchestra_airline_gpt-5_1trial.json"
    report = bring_in(database, path.read_bytes(), path.name)
    assert (report.new, report.failed) == (50, 0)
    with database.reading() as db:
        assert db.exec(select(func.count()).select_from(SessionMessage)).one() == 1320
    outcomes = [row.outcome for row in session_list(database, size=100).rows]
    assert (outcomes.count("passed"), outcomes.count("failed")) == (28, 22)


def test_an_id_that_looks_like_a_reference_of_ours_is_kept_apart(database: Database) -> None:
    names = ["S-0002", "a/b c", "L-0001", "sha256:foo"]
    report = bring_in(database, b"\n".join(record(name, FOUR) for name in names), "odd.jsonl")
    assert (report.new, report.failed) == (4, 0)
    assert [row.ref for row in report.rows] == ["S-0001", "S-0002", "S-0003", "S-0004"]
    assert bring_in(database, b"\n".join(record(name, SIX) for name in names), "odd.jsonl").extended == 4
    assert bring_in(database, b"\n".join(record(name, SIX) for name in names), "odd.jsonl").known == 4


def test_a_growing_file_never_swallows_one_of_its_own_sessions(database: Database) -> None:
    short, long = record(None, FOUR[:1]), record(None, FOUR[:3])
    bring_in(database, short, "log.jsonl")
    assert bring_in(database, short + b"\n" + long, "log.jsonl").new == 1
    again = bring_in(database, short + b"\n" + long, "log.jsonl")
    assert (again.new, again.known, count(database)) == (0, 2, 2)


def test_a_dry_run_foresees_what_the_same_file_says_twice(database: Database) -> None:
    twice = b"\n".join([record("s1", FOUR), record("s1", SIX), record("s1", FOUR)])
    foreseen = [row.what for row in dry_run(database, twice, "a.jsonl").rows]
    assert foreseen == ["new", "extended", "older"]
    assert [row.what for row in bring_in(database, twice, "a.jsonl").rows] == foreseen


def test_a_dry_run_holds_nobody_up(database: Database) -> None:
    with database.writing():
        assert dry_run(database, record("s1", FOUR), "a.json").new == 1


def test_an_extension_is_told_by_its_number_of_turns(database: Database) -> None:
    bring_in(database, record("s1", FOUR), "a.json")
    assert bring_in(database, record("s1", SIX), "a.json").rows[0].detail == "2 further turns"


def test_what_is_said_of_a_known_session_later_is_kept(database: Database) -> None:
    bring_in(database, record("s1", FOUR, user="h1"), "a.json")
    reward = [{"source": "evaluator", "good": False, "score": 0.0, "text": "Reward 0"}]
    report = bring_in(database, record("s1", FOUR, user="h1", feedback=reward), "a.json")
    assert (report.known, report.rows[0].detail) == (1, "1 further signals")
    facts = [{"text": "No calls.", "source": "letter"}]
    bring_in(database, record("s1", SIX, user="h1", feedback=reward, facts=facts), "a.json")
    view = session_view(database, session_id_of(database, "s1"))
    assert ([one.text for one in view.signals], view.facts) == (["Reward 0"], (("No calls.", "letter"),))


def test_facts_about_nobody_are_left_out_with_a_remark(database: Database) -> None:
    facts = [{"text": "No calls.", "source": "letter"}]
    assert "names no user" in bring_in(database, record("s1", FOUR, facts=facts), "a.json").rows[0].detail


def test_a_score_is_read_by_the_agents_threshold_and_anew_when_it_changes(database: Database) -> None:
    reward = [{"source": "evaluator", "good": True, "score": 0.7, "text": "Reward 0.7"}]
    bring_in(database, record("s1", FOUR, feedback=reward), "a.json")
    outcomes = [session_list(database).rows[0].outcome]
    for threshold in (Decimal("0.60"), Decimal("0.80"), None):
        save_agent(database, replace(agent_record(database, "Line Desk"), evaluator_threshold=threshold))
        outcomes.append(session_list(database).rows[0].outcome)
    assert outcomes == ["failed", "passed", "failed", "failed"]
