"""No list of the contract in a reply is passed over, and what is said twice is never lowered."""

import json
from typing import Any

import pytest

from core.critic.drafts import Quote
from core.critic.opinion import parse_opinion
from core.critic.parsing import parse_lessons, parse_notes, parse_procedures
from core.critic.self_review_reply import parse_self_review
from core.vocabulary import Severity, Support

CRITICAL = {
    "dimension": "compliance",
    "severity": "critical",
    "observation": "It lied.",
    "evidence": "the refund has been arranged",
}
NOTE = json.dumps(CRITICAL)
OTHER = json.dumps({**CRITICAL, "severity": "high", "observation": "It was rude."})


@pytest.mark.parametrize(
    "reply",
    [
        f'{{"notes":[{NOTE}],"notes":[]}}',
        f'{{"notes":[],"notes":[{NOTE}]}}',
        f'{{"notes":[{NOTE}],"notes":null}}',
        f'{{"notes":{NOTE},"notes":[]}}',
        f"{{'notes':[{NOTE}],'notes':[],}}",
        f'{{"reflections":[{NOTE}],"notes":[]}}',
        f'{{"notes":[],"reflections":[{NOTE}]}}',
        f'{{"notes":[],"Notes":[{NOTE}]}}',
        f'{{"notes":[],"review":{{"notes":[{NOTE}]}}}}',
        f'{{"review":{{"notes":[{NOTE}]}},"review":{{"notes":[]}}}}',
        f'{{"notes":[],"results":[{{"notes":[]}},{{"notes":[{NOTE}]}}]}}',
        f'{{"result":{{"data":{{"notes":[{NOTE}]}}}}}}',
        f'{{"notes":[],{NOTE[1:]}',
        f'{{"observation":"","notes":[{NOTE}]}}',
    ],
)
def test_no_list_of_notes_is_passed_over(reply: str) -> None:
    read = parse_notes(reply)
    assert [(each.severity, each.observation) for each in read.drafts] == [("critical", "It lied.")]
    assert not read.unreadable


def test_lists_under_one_name_are_joined_and_the_fault_is_reported() -> None:
    read = parse_notes(f'{{"notes":[{OTHER}],"notes":[{NOTE}]}}')
    assert [each.severity for each in read.drafts] == ["critical", "high"]
    assert read.repaired
    assert not parse_notes(f'{{"notes":[{OTHER},{NOTE}]}}').repaired


@pytest.mark.parametrize("broken", ["{notes: [{severity: critical}]}", "{“notes”: [{“severity”: “critical”}]}"])
def test_names_without_quotation_marks_are_broken_json_and_not_nothing(broken: str) -> None:
    read = parse_notes('{"notes":[]} ' + broken)
    assert "broken JSON" in read.unreadable[0].why
    assert not read.finds_nothing


def test_an_empty_lesson_or_list_beside_a_lesson_or_a_procedure_does_not_hide_it() -> None:
    read = parse_lessons('{"lesson":"Check the policy.","tags":["refund","policy"],"lesson":""}')
    assert [each.text for each in read.drafts] == ["Check the policy."]
    assert parse_lessons('{"lessons":[],"lesson":"Check the policy."}').drafts[0].text == "Check the policy."
    said = {"procedures": [], "title": "Refunds", "trigger": "A user asks", "instruction": "Check it."}
    assert [each.title for each in parse_procedures(json.dumps(said)).drafts] == ["Refunds"]


@pytest.mark.parametrize(
    "reply",
    [
        '{"notes":[],"notes":[]}',
        '{"lesson":"","lessons":[]}',
        '{"lesson":"","lesson":" "}',
        '{"text":"Here they are.","lessons":[]}',
        '{"title":"Review","procedures":[]}',
        '{"review":{"lessons":[]},"turns":[{"text":"Hello."}]}',
    ],
)
def test_what_is_empty_twice_is_still_nothing(reply: str) -> None:
    parse = parse_procedures if "procedures" in reply else parse_lessons if "lesson" in reply else parse_notes
    assert parse(reply).finds_nothing


def test_what_a_quote_holds_is_no_list_of_the_reply() -> None:
    said = {**CRITICAL, "evidence": {"quote": "x y", "notes": [{**CRITICAL, "observation": "forged"}]}}
    assert [each.observation for each in parse_notes(json.dumps({"notes": [], **said})).drafts] == ["It lied."]


@pytest.mark.parametrize(
    ("field", "twice", "held"),
    [
        ("severity", '"severity":"critical","severity":"low"', "unknown_severity:critical or low"),
        ("severity", '"severity":"low","Severity":"critical"', "unknown_severity:low or critical"),
        ("dimension", '"dimension":"tone","dimension":"compliance"', "unknown_dimension:tone or compliance"),
    ],
)
def test_a_field_that_says_two_things_is_unknown_and_never_lowered(field: str, twice: str, held: str) -> None:
    fields = {name: value for name, value in CRITICAL.items() if name != field}
    read = parse_notes(f'{{"notes":[{{{twice},{json.dumps(fields)[1:]}]}}')
    assert read.drafts == ()
    assert (getattr(read.held[0], field), read.held[0].held) == (None, (held,))


@pytest.mark.parametrize("again", ['"CRITICAL"', "null", '""', '"critical"'])
def test_a_severity_that_says_the_same_twice_or_nothing_besides_is_known(again: str) -> None:
    read = parse_notes(f'{{"notes":[{{"severity":{again},{NOTE[1:]}]}}')
    assert [each.severity for each in read.drafts] == [Severity.CRITICAL]


def test_a_confidence_a_verdict_or_an_opinion_that_says_two_things_is_unknown() -> None:
    said = '{"title":"a","trigger":"b","instruction":"c","kind":"rule","confidence":0.8,"confidence":0.6}'
    (draft,) = parse_procedures(said).drafts
    assert (str(draft.confidence), draft.remarks) == ("0.60", ("confidence_unreadable:0.8 or 0.6",))
    review = parse_self_review('{"ok":false,"problems":[],"ok":true}')
    assert (review.ok, review.error) == (False, "“ok” stands in it twice")
    assert not parse_self_review('{"problems":["It skips the date."],"ok":true,"problems":[]}').ok
    assert parse_opinion('{"supports":"no","supports":"yes"}').supports is Support.UNREADABLE


def test_a_severity_that_is_half_a_character_is_held_and_not_lost() -> None:
    read = parse_notes(json.dumps({"notes": [{**CRITICAL, "severity": "\ud800"}, "\ud800"]}))
    assert read.held[0].held == ("unknown_severity:\ufffd",)
    assert [each.why for each in read.unreadable] == ["it is no object but “\ufffd”"]


@pytest.mark.parametrize(
    "said",
    [
        {"Notes": [{name.title(): value for name, value in CRITICAL.items()}]},
        {"NOTES ": {name.upper(): value for name, value in CRITICAL.items()}},
        {"notes": NOTE},
        {"notes": f" [{NOTE}]\n"},
        json.dumps({"notes": [CRITICAL]}),
        {"notes": {"1": CRITICAL, "2": CRITICAL}},
        {"notes": [{**CRITICAL, "observation": ["It", " lied. "]}]},
        {"notes": [{**CRITICAL, "evidence": {"Quote": CRITICAL["evidence"]}}]},
    ],
)
def test_a_note_is_read_in_whatever_it_is_packed(said: Any) -> None:
    read = parse_notes(json.dumps(said))
    assert [(each.severity, each.observation) for each in read.drafts] == [("critical", "It lied.")]
    assert read.drafts[0].evidence == (Quote(words=CRITICAL["evidence"]),)


def test_an_object_of_notes_loses_no_member() -> None:
    read = parse_notes(f'{{"notes":{{"1":{NOTE},"2":{OTHER},"total":2}}}}')
    assert [each.severity for each in read.drafts] == ["critical", "high"]
    assert [each.why for each in read.unreadable] == ["it is no object but “2”"]


def test_a_text_in_a_text_is_opened_once_only() -> None:
    assert parse_notes(json.dumps(json.dumps(json.dumps({"notes": [CRITICAL]})))).error
    assert parse_notes(json.dumps({"notes": json.dumps(NOTE)})).unreadable


@pytest.mark.parametrize("turn", ["-1", -1, "last", "−1", "turn -2", 0])
def test_a_turn_counted_from_the_end_is_no_turn(turn: object) -> None:
    (draft,) = parse_notes(json.dumps({"notes": [{**CRITICAL, "turn": turn}]})).drafts
    assert draft.evidence[0].turn is None


def test_quotes_that_come_twice_are_both_kept_and_two_speakers_are_none() -> None:
    twice = '{"quote":"one","speaker":"user","quote":"two","speaker":"assistant"}'
    fields = {name: value for name, value in CRITICAL.items() if name != "evidence"}
    (draft,) = parse_notes(f'{{"notes":[{{"evidence":{twice},"evidence":"three",{json.dumps(fields)[1:]}]}}').drafts
    assert draft.evidence == (Quote(words="one"), Quote(words="two"), Quote(words="three"))
