"""An evidence bundle: complete, the same for the same state, made by who may, and found out when it was changed."""

import hashlib
import html
import json
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import select

from core.errors import BadInput, NotFound, Refused
from core.governance.audit import verify
from core.governance.log import head, log
from core.governance.people import set_person
from core.service.bundle import bundle, check_bundle
from core.service.bundle.document import RECIPE
from core.service.log_views import LogAsked, LogView, log_page
from core.service.masking import mask_stored
from core.service.views import NotesAsked
from core.store.database import Database
from core.store.governance_records import RightsChange
from core.store.oversight_records import BlindVerdict, PolicyVersion
from core.store.records import Agent
from core.vocabulary import Action, Duty, Severity
from tests.core.governance.at_the_desk import edited, refusals
from tests.core.governance.test_cases import WORDS, breach, resolved_once
from tests.core.governed import run
from tests.desk import OPERATOR, act

pytestmark = pytest.mark.databases("sqlite", "postgresql")

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
EVERY = NotesAsked(severity="critical", state="all")


def a_case(database: Database) -> int:
    """A case that was resolved, came back, and has a second version."""
    set_person(database, OPERATOR, set(Duty))
    first = resolved_once(database)
    breach(database, "CD-2")
    return edited(database, first, OPERATOR, observation="A refund was promised, and none was due.")


def made(database: Database, what: int | NotesAsked) -> str:
    return bundle(database, what, by=OPERATOR, at=AT).decode()


def test_a_bundle_fits_and_says_what_it_holds(database: Database) -> None:
    found = check_bundle(made(database, a_case(database)))
    assert found.broken is None
    assert found.text == "1 transcript, 1 quote, 6 rows fit their hashes"


def test_a_bundle_of_every_note_of_a_filter_holds_them_all(database: Database) -> None:
    a_case(database)
    text = made(database, EVERY)
    assert check_bundle(text).text == "2 transcripts, 2 quotes, 6 rows fit their hashes"
    assert 'id="N-0001"' in text
    assert 'id="N-0002"' in text


def test_the_same_state_and_time_give_the_same_bytes(database: Database) -> None:
    item = a_case(database)
    one = bundle(database, item, by=OPERATOR, at=AT)
    run(database, "delete from rights_change where what = 'bundle'")
    run(database, f"delete from log_entry where seq = {head(database)[0]}")
    assert bundle(database, item, by=OPERATOR, at=AT) == one


def test_making_a_bundle_is_logged_with_the_hash_of_the_file(database: Database) -> None:
    item = a_case(database)
    file = bundle(database, item, by=OPERATOR, at=AT)
    with database.reading() as db:
        row = db.exec(select(RightsChange).where(RightsChange.what == "bundle")).one()
    assert (row.by, row.name, row.after) == (OPERATOR, "N-0001", ["N-0001"])
    assert row.text == f"SHA-256 {hashlib.sha256(file).hexdigest()}"
    (shown,) = log_page(database, LogAsked(LogView.RIGHTS, kind="bundles")).rows
    assert (shown.action, shown.about, shown.after) == ("take along", "bundle N-0001", "N-0001")
    assert verify(database).whole


@pytest.mark.parametrize("duty", list(Duty))
def test_only_an_auditor_or_an_admin_makes_a_bundle(database: Database, duty: Duty) -> None:
    item = a_case(database)
    set_person(database, "Ann", {duty})
    if duty in (Duty.AUDITOR, Duty.ADMIN):
        assert check_bundle(bundle(database, item, by="Ann").decode()).broken is None
        return
    with pytest.raises(Refused, match="Only a person with the duty admin or auditor may make a bundle, not Ann"):
        bundle(database, item, by="Ann")
    assert refusals(database) == [("role", "Ann")]
    with database.reading() as db:
        assert db.exec(select(RightsChange).where(RightsChange.what == "bundle")).all() == []


def test_nothing_is_made_of_what_is_not_there(database: Database) -> None:
    with pytest.raises(NotFound):
        bundle(database, 99, by=OPERATOR)
    with pytest.raises(Refused, match="No note fits the filter"):
        bundle(database, EVERY, by=OPERATOR)
    with database.reading() as db:
        assert db.exec(select(RightsChange)).all() == []


def data_of(text: str) -> dict:  # type: ignore[type-arg]
    found = re.search(r'<script type="application/json" id="bundle">(.*?)</script>', text)
    assert found is not None
    return json.loads(found[1])  # type: ignore[no-any-return]


def with_data(text: str, change: Callable[[dict], object]) -> str:  # type: ignore[type-arg]
    """The file with other data, as somebody with an editor would leave it."""
    data = data_of(text)
    change(data)
    start, end = text.index('id="bundle">') + len('id="bundle">'), text.index("</script>")
    return text[:start] + json.dumps(data).replace("<", "\\u003c") + text[end:]


def put(data: dict, *path: object, value: object) -> None:  # type: ignore[type-arg]
    for one in path[:-1]:
        data = data[one]  # type: ignore[index]
    data[path[-1]] = value  # type: ignore[index]


TAMPERED: dict[str, tuple[Callable[[str], str], str]] = {
    "a word of the transcript": (
        lambda text: with_data(
            text, lambda data: put(data, "transcripts", 0, "turns", 0, value='["user", null, "No", null, []]')
        ),
        "the transcript of CD-1 does not fit its hash",
    ),
    "a word of the transcript on the page": (
        lambda text: text.replace(">Can I get my money back?", ">Can I keep my money?"),
        "turn 1 of CD-1 is shown otherwise than it was hashed",
    ),
    "a decision's text": (
        lambda text: with_data(
            text,
            lambda data: put(data, "links", 1, "row", value=data["links"][1]["row"].replace("called", "sued")),
        ),
        "link 3, decision 2: its row was changed",
    ),
    "a decision's text on the page": (
        lambda text: text.replace(f">{WORDS}</span>", ">Nothing was done.</span>"),
        "what link 3 names is shown otherwise than it was hashed",
    ),
    "a link": (
        lambda text: with_data(text, lambda data: put(data, "links", 1, "at", value="2026-11-01T00:00:00+00:00")),
        "link 3, decision 2: the link was changed",
    ),
    "a link and its hash": (
        lambda text: with_data(text, _relinked),
        "link 4, decision 3 does not stand on the link before",
    ),
    "a link is taken out of its row": (
        lambda text: with_data(text, lambda data: put(data, "links", 1, "row", value=None)),
        "link 3, decision 2: its row is missing",
    ),
    "an offset": (
        lambda text: with_data(text, lambda data: put(data, "quotes", 0, "spans", 0, 1, value=6)),
        "quote 1 of N-0001: other words stand in turn 2, characters 6 to 33",
    ),
    "the words of the note": (
        lambda text: with_data(
            text,
            lambda data: put(
                data, "contents", 1, "said", value=data["contents"][1]["said"].replace("none was due", "it was due")
            ),
        ),
        "the words of N-0001 v2 do not fit their hash",
    ),
    "the words of the note and their hash": (
        lambda text: with_data(text, _other_words),
        "the words of N-0001 v2 are not those that were decided about",
    ),
    "the state of the note": (
        lambda text: with_data(text, lambda data: put(data, "notes", 0, "state", value="resolved")),
        "N-0001 is shown as resolved, and its last decision says open",
    ),
    "what is lit": (
        lambda text: text.replace('data-lit="0.0">the refund has', 'data-lit="0.0">a refund has'),
        "turn 2 of CD-1 is shown otherwise than it was hashed",
    ),
    "the light itself": (
        lambda text: text.replace(' data-lit="0.0"', ""),
        "quote 1 of N-0001: other words are lit than were quoted",
    ),
    "any other word": (
        lambda text: text.replace("quote found", "quote not found"),
        "the page shows other words than it was made with",
    ),
    "a turn less": (
        lambda text: text.replace('data-said="turn:0:0"', 'data-sayd="turn:0:0"'),
        "turn 1 of CD-1 is not shown",
    ),
    "something beside it": (
        lambda text: text.replace("</main>", "</main><p>All was well.</p>"),
        "something was put beside the page",
    ),
    "the data is no bundle's": (
        lambda text: with_data(text, lambda data: put(data, "links", value=[{}])),
        "its data cannot be read any more, so it was changed",
    ),
}


def _relinked(data: dict) -> None:  # type: ignore[type-arg]
    link = data["links"][1]
    link["at"] = "2026-11-01T00:00:00.000000+00:00"
    parts = (link[name] for name in ("seq", "at", "before", "logged", "row_id", "row_sha256"))
    link["sha256"] = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def _other_words(data: dict) -> None:  # type: ignore[type-arg]
    content = data["contents"][1]
    content["said"] = content["said"].replace("none was due", "it was due")
    content["sha256"] = hashlib.sha256(content["said"].encode()).hexdigest()


@pytest.mark.parametrize("part", TAMPERED)
def test_whatever_was_changed_in_a_bundle_is_named(database: Database, part: str) -> None:
    tamper, named = TAMPERED[part]
    text = made(database, a_case(database))
    changed = tamper(text)
    assert changed != text
    assert check_bundle(changed).broken == named


def test_what_is_no_bundle_is_refused() -> None:
    for text in ("", "<p>hello</p>", '<script type="application/json" id="bundle">{"form": "x"}</script>'):
        with pytest.raises(BadInput):
            check_bundle(text)


def test_a_head_that_was_kept_elsewhere_finds_a_bundle_that_was_written_anew(database: Database) -> None:
    item = a_case(database)
    kept = head(database)
    text = made(database, item)
    assert check_bundle(text, kept).broken is None
    assert check_bundle(text, (kept[0], "0" * 64)).broken == (
        f"link {kept[0]} is another one than the link that was kept elsewhere"
    )
    with pytest.raises(BadInput, match="The bundle does not hold link 999; it can be held against links"):
        check_bundle(text, (999, "0" * 64))


def test_masked_rows_and_masked_words_are_said_and_fail_nothing(database: Database) -> None:
    set_person(database, OPERATOR, set(Duty))
    first = resolved_once(database)
    key = "sk-proj-abcdEFGH1234567890abcdEFGH1234567890"
    run(
        database,
        f"update note set observation = 'The key {key} was told.' where item_id = {first}",
        f"update decision set text = 'The key {key} was changed.' where item_id = {first} and action = 'resolve'",
    )
    mask_stored(database)
    text = made(database, first)
    assert key not in text
    assert "secrets were masked in these words later" in text
    assert "secrets were taken out of this row later; a later link has its new form" in text
    found = check_bundle(text)
    assert (found.broken, found.kept_back) == (None, 1)
    assert found.text.endswith("fit their hashes; 1 kept back, as said in it")


def test_a_sealed_verdict_is_said_and_not_told(database: Database) -> None:
    first = a_case(database)
    run(database, f"update item set blind = true where id = {first}")
    verdict = {"action": Action.RESOLVE, "screen_hash": "0" * 64, "reason": None, "text": "Only I know this."}
    with database.writing() as db:
        log(db, BlindVerdict(item_id=first, revision=2, by="Ann", at=AT, **verdict))
    text = made(database, first)
    assert "Only I know this." not in text
    assert "a blind verdict, sealed until another person has said, too" in text
    assert check_bundle(text).kept_back == 1
    with database.writing() as db:
        log(db, BlindVerdict(item_id=first, revision=2, by="Ben", at=AT, **verdict))
    text = made(database, first)
    assert "Only I know this." in text
    assert check_bundle(text).kept_back == 0


def test_versions_of_the_agents_policies_stand_in_its_bundle(database: Database) -> None:
    first = a_case(database)
    said = {"title": "Refunds", "owner": "Ada", "date": "2026-11-01", "text": "Refunds end after 7 days."}
    version = {"version": 1, "severity": Severity.HIGH, "sha256": "0" * 64, "origin": "page", "by": "Ada", "at": AT}
    with database.writing() as db:
        db.exec(select(Agent)).one().policies = ["refunds"]
        log(db, PolicyVersion(policy="refunds", reason="It is one now", second="Ben", **said, **version))
    text = made(database, first)
    assert ">Ada</span> and Ben</span>" in text
    assert ">Refunds end after 7 days.</span>" in text
    assert "policy refunds v1, in force" in text
    assert check_bundle(text).broken is None


def test_the_recipe_in_the_bundle_checks_it_with_python_alone(database: Database, tmp_path: Path) -> None:
    text = made(database, a_case(database))
    recipe, good, bad = tmp_path / "recipe.py", tmp_path / "good.html", tmp_path / "bad.html"
    recipe.write_text(RECIPE, encoding="utf-8")
    good.write_text(text, encoding="utf-8", newline="")
    bad.write_text(TAMPERED["an offset"][0](text), encoding="utf-8", newline="")
    told = [
        subprocess.run([sys.executable, str(recipe), str(file)], capture_output=True, text=True, check=False)
        for file in (good, bad)
    ]
    assert told[0].stdout == "fits: 1 transcripts, 1 quotes, 6 links\n"
    assert (told[1].returncode, "AssertionError: quote 1 of N-0001" in told[1].stderr) == (1, True)


def test_nothing_in_a_bundle_comes_from_afar(database: Database) -> None:
    text = made(database, a_case(database))
    assert "default-src 'none'" in html.unescape(text)
    assert re.findall(r"(?:src|href|action|url)\s*[=(]\s*[\"']?(?!#)[a-z]+:", text) == []


def test_an_item_that_was_decided_since_is_another_bundle(database: Database) -> None:
    item = a_case(database)
    before = made(database, item)
    act(database, item, Action.RESOLVE, text="Paid again.")
    after = made(database, item)
    assert ">Paid again.</span>" in after
    assert ">Paid again.</span>" not in before
