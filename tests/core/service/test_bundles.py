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

from core import __version__
from core.errors import BadInput, NotFound, Refused
from core.governance.audit import verify
from core.governance.log import head, log, sha256_of
from core.governance.people import set_person
from core.service.bundle import bundle, check_bundle
from core.service.bundle.data import island
from core.service.bundle.document import ISLAND, RECIPE, SCRIPT
from core.service.bundle.reading import read_page
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


def with_data(text: str, change: Callable[[dict], object], *, as_made: bool = False) -> str:  # type: ignore[type-arg]
    """The file with other data, as somebody with an editor would leave it; ``as_made`` writes it as the desk does."""
    data = data_of(text)
    change(data)
    start, end = text.index('id="bundle">') + len('id="bundle">'), text.index("</script>")
    return text[:start] + (island(data) if as_made else json.dumps(data).replace("<", "\\u003c")) + text[end:]


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
        lambda text: text.replace(
            f'data-said="row:3:text" dir="auto">{WORDS}<', 'data-said="row:3:text" dir="auto">Nothing was done.<'
        ),
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


def rehashed(text: str) -> str:
    """The file with the hashes of its page and of its bytes made anew, as somebody who knows of them would leave it."""
    page = "".join(read_page(text)[0].main)
    text = with_data(text, lambda data: put(data, "page_sha256", value=sha256_of(page)), as_made=True)
    data = data_of(text)
    first, _, rest = text.partition(ISLAND)
    outside = first + ISLAND + rest[rest.index("</script>") :]
    return text.replace(data["outside_sha256"], sha256_of(outside))


def dropped(seq: int) -> Callable[[str], str]:
    """A link is taken out of the data and its row out of the page, and every hash is made anew."""

    def tamper(text: str) -> str:
        rows = re.findall(r"<tr><td><span data-said=\"link:\d+:seq\".*?</tr>", text, re.S)
        row = next(one for one in rows if f'"link:{seq}:seq"' in one)
        return rehashed(with_data(text.replace(row, ""), lambda data: _unlinked(data, seq), as_made=True))

    return tamper


def _unlinked(data: dict, seq: int) -> None:  # type: ignore[type-arg]
    data["links"] = [link for link in data["links"] if link["seq"] != seq]
    del data["did"][str(seq)]


def without_policy(text: str) -> str:
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)


def into_the_case(markup: str) -> Callable[[str], str]:
    return lambda text: text.replace("<h3>Case</h3>", f"{markup}<h3>Case</h3>", 1)


OTHER_STYLE = '.lesson{font-size:0}.lesson::after{font-size:20px;content:"No refund was promised."}</style>'
OTHER_SCRIPT = 'document.getElementById("checked").className = "fits";'
STRANGE = "“{}” stands in the page, which no bundle has"
COMMENT = "a comment stands in the page, which no bundle has"
HEADLESS = "the head of the file has other parts than it was made with"
BESIDE = "something was put beside the page"
OUTSIDE = "the file was changed outside its data: its page, style, script or content policy"
TWO = "2 sets of data stand in the file, and a bundle holds one"
SECOND = '<script type="application/json" id="bundle">{"form":"x"}</script>'

SEEN_OTHERWISE: dict[str, tuple[Callable[[str], str], str]] = {
    "a row of the log is hidden": (
        lambda text: text.replace('<tr><td><span data-said="link:3', '<tr hidden><td><span data-said="link:3'),
        STRANGE.format("hidden"),
    ),
    "a row of the log is hidden, with every hash anew": (
        lambda text: rehashed(
            text.replace('<tr><td><span data-said="link:3', '<tr hidden><td><span data-said="link:3')
        ),
        STRANGE.format("hidden"),
    ),
    "a field shows words": (into_the_case('<input size="80" value="Dismissed.">'), STRANGE.format("input")),
    "a picture shows words": (into_the_case('<img alt="Dismissed.">'), STRANGE.format("img")),
    "a template": (into_the_case("<template></template>"), STRANGE.format("template")),
    "an element has a style": (
        lambda text: text.replace('<h2 class="lesson">', '<h2 class="lesson" style="display:none">', 1),
        STRANGE.format("style"),
    ),
    "a comment that ends at once": (into_the_case("<!--><p>It was dismissed.</p><!-- -->"), COMMENT),
    "a comment that ends with a bang": (into_the_case("<!-- --!><p>It was dismissed.</p><!-- -->"), COMMENT),
    "another style, without the content policy": (
        lambda text: without_policy(text).replace("</style>", OTHER_STYLE, 1),
        HEADLESS,
    ),
    "an act of the body": (
        lambda text: without_policy(text).replace("<body>", '<body onload="1">', 1),
        STRANGE.format("onload"),
    ),
    "a second set of data": (lambda text: text.replace(ISLAND, SECOND + ISLAND, 1), TWO),
    "a second set of data in the head": (lambda text: text.replace("</head>", f"{SECOND}</head>", 1), TWO),
    "what was observed, unmarked, with every hash anew": (
        lambda text: rehashed(
            re.sub(
                r'(<h2 class="lesson"><span) data-said="[^"]*"( dir="auto">).*?<', r"\1\2Nothing was promised.<", text
            )
        ),
        "the words of N-0001 v2 is not shown",
    ),
    "why it was decided, unmarked, with every hash anew": (
        lambda text: rehashed(text.replace(f' data-said="row:3:text" dir="auto">{WORDS}<', ">She agreed.<")),
        "what link 3 names is not shown",
    ),
    "its severity, with every hash anew": (
        lambda text: rehashed(text.replace(">Critical<", ">Low<")),
        "the severity of N-0001 is shown otherwise than it was hashed",
    ),
    "its severity in data and page, with every hash anew": (
        lambda text: rehashed(
            with_data(
                text.replace(">Critical<", ">Low<"),
                lambda data: put(data, "notes", 0, "severity", value="low"),
                as_made=True,
            )
        ),
        "N-0001 is shown as low, and its last decision says critical",
    ),
    "the time of a step, with every hash anew": (
        lambda text: rehashed(re.sub(r'("step:0:0:0" dir="auto">).*?<', r"\g<1>1 Jan 2020, 00:00:00 UTC<", text)),
        "the case of N-0001 is shown otherwise than it was hashed",
    ),
    "the first decision is dropped": (dropped(2), "the decision that made revision 1 of N-0001 is missing"),
    "a decision in between is dropped": (dropped(3), "the decision that made revision 2 of N-0001 is missing"),
    "the only decision of its recurrence is dropped": (
        dropped(4),
        "the decision that made revision 1 of N-0002 is missing",
    ),
}
"""Changes that a reader sees; the page's own script names them in the same words."""

ONLY_FROM_OUTSIDE: dict[str, tuple[Callable[[str], str], str]] = {
    "the script is another one": (lambda text: without_policy(text).replace(SCRIPT, OTHER_SCRIPT), HEADLESS),
    "the script is another one, under the same policy": (lambda text: text.replace(SCRIPT, OTHER_SCRIPT), OUTSIDE),
    "the script is gone": (lambda text: text.replace(SCRIPT, ""), OUTSIDE),
    "the style is another one, under the same policy": (lambda text: text.replace("</style>", OTHER_STYLE, 1), OUTSIDE),
    "a class": (lambda text: text.replace('class="lesson"', 'class="meta"', 1), OUTSIDE),
    "the script is another one, with every hash anew": (
        lambda text: rehashed(text.replace(SCRIPT, OTHER_SCRIPT)),
        "drawn again from its data, it is another file",
    ),
    "words that nothing holds, with every hash anew": (
        lambda text: rehashed(text.replace("quote found", "quote not found")),
        "drawn again from its data, it is another file",
    ),
    "more data": (
        lambda text: with_data(text, lambda data: put(data, "more", value=1), as_made=True),
        "drawn again from its data, it is another file",
    ),
}
"""Changes that only another program than the page's own script can find."""


@pytest.mark.parametrize("part", [*SEEN_OTHERWISE, *ONLY_FROM_OUTSIDE])
def test_whatever_a_reader_would_see_otherwise_is_found_also_with_every_hash_anew(
    database: Database, part: str
) -> None:
    tamper, named = {**SEEN_OTHERWISE, **ONLY_FROM_OUTSIDE}[part]
    text = made(database, a_case(database))
    changed = tamper(text)
    assert changed != text
    assert check_bundle(changed).broken == named


def test_a_file_that_was_only_hashed_anew_is_the_same_file(database: Database) -> None:
    text = made(database, a_case(database))
    assert rehashed(text) == text


def test_a_bundle_of_another_version_says_that_it_was_not_drawn_again(database: Database) -> None:
    text = made(database, a_case(database))
    older = rehashed(text.replace(f'"made:program" dir="auto">{__version__}<', '"made:program" dir="auto">0.0.1<'))
    assert check_bundle(older).broken == "how the bundle was made is shown otherwise than it was hashed"
    older = rehashed(with_data(older, lambda data: put(data, "made", "program", value="0.0.1"), as_made=True))
    found = check_bundle(older)
    assert (found.broken, found.made_with) == (None, "0.0.1")
    assert "its page was not drawn again from its data" in found.text
    assert check_bundle(older.replace('class="lesson"', 'class="meta"')).broken == OUTSIDE


def test_a_bundle_says_how_much_of_the_log_is_not_in_it(database: Database) -> None:
    text = made(database, a_case(database))
    assert f"Of {data_of(text)['made']['head'].partition(':')[0]} links of the log, 6 are in it." in text


def test_what_is_no_bundle_is_refused() -> None:
    nested = f"{ISLAND}{'[' * 100_000}</script>"
    for text in ("", "<p>hello</p>", "<![x", nested, f'{ISLAND}{{"form": "x"}}</script>'):
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
    assert re.search(r'>Ada</span><span> and <span data-said="row:\d+:second" dir="auto">Ben</span></span>', text)
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
