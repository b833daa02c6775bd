"""The screens on real transcripts, real reflections and fault reports from the field."""

import json
import random
import re
from itertools import combinations

import pytest

from core.screening.comparison import Relation, compare
from core.screening.contract import Follows, KnownText, PolicyText, ScreenDraft, Support
from core.screening.gate import screen
from core.screening.known import KnownTexts
from core.screening.permissions import widenings
from core.screening.secrets import find_secrets, mask
from core.screening.vagueness import find_vagueness
from core.transcripts.read import read
from core.vocabulary import Form, Kind, Role, Source

pytestmark = pytest.mark.corpus

SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+|\n")


@pytest.fixture(scope="module")
def sentences(corpus):
    """Distinct real sentences, tool results and arguments of calls, in an order that is always the same."""
    found = {}
    for file in sorted((corpus / "data" / "tau2-bench").glob("*.json"))[:3]:
        for session in read(file.read_bytes(), file.name).sessions[:20]:
            for message in session.transcript.messages:
                spoken = [*SENTENCE_ENDS.split(message.content), *(call.arguments for call in message.tool_calls)]
                found |= dict.fromkeys(part for part in spoken if part.strip())
    texts = list(found)
    random.Random(5).shuffle(texts)
    return texts


def case(corpus, name):
    lines = (corpus / "cases" / "public-reports.jsonl").read_text("utf-8").splitlines()
    return next(row for line in lines if (row := json.loads(line))["id"] == name)


def seed(corpus, name):
    rows = json.loads((corpus / "cases" / "seed-cases.json").read_text("utf-8"))
    rows = rows if isinstance(rows, list) else rows["cases"]
    return next(row for row in rows if row["id"] == name)


def lesson(text, known=(), policies=(), **more):
    draft = ScreenDraft(**{"kind": Kind.LESSON, "text": text, "source": Source.PERSON, **more})
    return screen(draft, KnownTexts(known), policies)


def test_five_hundred_real_sentences_hold_no_credential(sentences):
    assert len(sentences) >= 500
    alarms = [
        (text[each.start : each.end], each.code) for text in sentences for each in find_secrets(text, personal=False)
    ]
    assert alarms == []


def test_what_counts_as_personal_in_them_is_personal(sentences):
    shapes = {
        "mail_address": r"[^@\s]+@[^@\s]+\.\w+",
        "date_of_birth": r"\d{4}-\d\d-\d\d",
        "phone_number": r"[+\d][\d() .-]{8,}",
    }
    for text in sentences:
        for each in find_secrets(text, personal=True):
            assert re.fullmatch(shapes[each.code], text[each.start : each.end])


def test_masking_leaves_them_as_they_are(sentences):
    assert all(mask(text).text == text for text in sentences)


@pytest.fixture(scope="module")
def reflections(corpus):
    """What agents wrote after a failed try, in an order that is always the same."""
    told = set()
    for file in (corpus / "data" / "reflexion" / "alfworld" / "reflexion_run_logs").glob("*.json"):
        told |= {text.strip() for trial in json.loads(file.read_text("utf-8")) for text in trial["memory"]}
    assert len(told) > 100
    return sorted(told)


def test_reflections_that_led_to_another_try_are_not_called_vague(reflections):
    assert [text for text in reflections if find_vagueness(text, form=Form.REFLECTION)] == []


def test_reflections_on_one_kind_of_task_do_not_contradict_each_other(reflections):
    """They tell of failures in the past and ask for much the same; what they tell contradicts nothing."""
    pairs = [(one, other) for one, other in combinations(reflections[::2], 2)]
    assert [pair for pair in pairs if compare(*pair).relation is Relation.CONFLICT] == []


def test_honest_rules_of_real_policies_are_rarely_held(corpus):
    """A policy may grant; all the same fewer than one in ten of its sentences looks like a loosening."""
    rules = []
    for file in sorted((corpus / "data" / "tau2-bench").glob("policy_*.md")):
        rules += [part for part in SENTENCE_ENDS.split(file.read_text("utf-8")) if len(part.split()) > 5]
    held = [rule for rule in rules if widenings(rule)]
    assert len(rules) > 100
    assert len(held) < 0.1 * len(rules), held


def test_m_03_every_rewording_of_an_approved_lesson_is_told_from_a_new_one(corpus):
    text, first, second = (re.search(r"'(.*)'", step)[1] for step in case(corpus, "M-03")["input"]["steps"][:3])
    known = [KnownText("L1", text)]
    assert lesson(first, known).refusal == "twin"
    near = lesson(second, known)
    assert (near.follows, near.findings[0].beside.reference) == (Follows.FLAG, "L1")
    assert lesson(text, known).refusal == "twin"


def test_m_04_the_contrary_of_an_approved_lesson_is_shown(corpus):
    given = case(corpus, "M-04")["input"]
    answer = lesson(given["proposal"], [KnownText("L1", given["approved"][0])])
    assert [finding.code for finding in answer.findings] == ["conflict:negation"]


def test_m_05_a_secret_never_comes_in(corpus):
    given = case(corpus, "M-05")["input"]
    answer = lesson(given["lesson"])
    assert answer.refusal == "contains_secret"
    assert "EXAMPLEexample" not in repr(answer)
    assert "4111" not in mask(given["note_evidence"]).text


def test_m_07_a_rule_planted_in_a_tool_result_is_held_and_labelled(corpus):
    given = case(corpus, "M-07")["input"]["proposed_lesson"]
    support = (Support(Role.TOOL, given["evidence"]),)
    answer = lesson(given["text"], source=Source.CRITIC, support=support)
    assert answer.follows is Follows.HOLD
    assert "untrusted_source:only_tool" in [finding.code for finding in answer.findings]


def test_m_12_similar_but_different_lessons_both_stay(corpus):
    one, other = case(corpus, "M-12")["input"]["lessons"]
    assert compare(one, other).relation is Relation.DIFFERENT


def test_near_duplicates_of_the_buffer_are_twins(corpus):
    one, other = seed(corpus, "seed-buffer-2")["reflections"]
    assert compare(one, other).relation is Relation.TWIN


def test_which_lessons_are_worth_storing(corpus):
    policy = PolicyText("refunds", "Refunds", 1, "A refund needs less than 20% of progress and is given within 7 days.")
    wanted = seed(corpus, "seed-lessons-2")["expected"]
    for text, verdict in wanted.items():
        answer = lesson(text, policies=[policy])
        kinds = {finding.code.partition(":")[0] for finding in answer.findings}
        expected = {"too vague": {"vague"}, "one case, not general": {"one_case"}, "good": set()}.get(verdict)
        assert kinds == expected if expected is not None else "against_policy" in kinds, (text, kinds)
