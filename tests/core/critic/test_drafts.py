"""From a reply to drafts: no bad part loses its siblings, no unknown word is guessed, no quote is changed."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.critic.drafts import Quote
from core.critic.fields import dimension_of, hundredths, severity_of
from core.critic.parsing import parse_episodes, parse_lessons, parse_notes, parse_procedures
from core.settings import DEFAULTS
from core.vocabulary import Dimension, ProcedureKind, Severity


def note(**changes: object) -> dict[str, object]:
    said = {
        "dimension": "compliance",
        "severity": "high",
        "observation": "It recommended a fund.",
        "evidence": "I would recommend a fund",
        "improvement": "Offer deposits only.",
    }
    return {key: value for key, value in {**said, **changes}.items() if value is not None}


def reply(*notes: object) -> str:
    return json.dumps({"notes": list(notes)})


def test_a_note_is_read_whole():
    read = parse_notes(reply(note()))
    (draft,) = read.drafts
    assert (draft.dimension, draft.severity) == (Dimension.COMPLIANCE, Severity.HIGH)
    assert (draft.observation, draft.improvement) == ("It recommended a fund.", "Offer deposits only.")
    assert draft.evidence == (Quote(words="I would recommend a fund"),)
    assert (read.held, read.unreadable, read.cut, read.repaired, read.error) == ((), (), 0, False, None)


@pytest.mark.parametrize("text", ['{"notes": []}', '{"reflections": []}', '{"reflections": [],}'])
def test_a_reply_that_finds_nothing_has_no_error(text):
    read = parse_notes(text)
    assert read.finds_nothing
    assert read.error is None


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "empty reply"),
        (" \n", "empty reply"),
        ('[{"dimension":"consistency"}]', "not an object with key notes or reflections"),
        ("I found nothing wrong.", "not an object with key notes or reflections"),
        ('{"result": []}', "not an object with key notes or reflections"),
        ('<think>well {"notes": []}', "the reply ends in the middle of its reasoning"),
        ('{"notes": [{"observa', "broken JSON: the end of a string expected at character 21"),
    ],
)
def test_a_reply_without_notes_says_why_and_is_not_one_that_finds_nothing(text, error):
    read = parse_notes(text)
    assert read.error == error
    assert not read.finds_nothing


def test_one_odd_severity_neither_drops_its_siblings_nor_is_lowered():
    said = [
        note(dimension="compliance", severity="Critical"),
        note(dimension="completeness", severity="HIGH "),
        note(dimension="consistency", severity="blocker"),
        note(dimension="Missed Signals", severity="low"),
    ]
    read = parse_notes(json.dumps({"reflections": said}))
    assert [(each.dimension, each.severity) for each in read.drafts] == [
        ("compliance", "critical"),
        ("completeness", "high"),
        ("missed_signal", "low"),
    ]
    assert [(each.dimension, each.severity, each.held) for each in read.held] == [
        ("consistency", None, ("unknown_severity:blocker",))
    ]


@pytest.mark.parametrize("said", ["blocker", "critical | high", "very high", "", None, 5, ["high"], "highest"])
def test_a_severity_that_is_not_one_of_five_is_none_of_them(said):
    assert severity_of(said) is None


@pytest.mark.parametrize(
    ("said", "dimension"),
    [
        ("Missed signals", Dimension.MISSED_SIGNAL),
        ("missed-signal", Dimension.MISSED_SIGNAL),
        ("Constraint compliance", Dimension.COMPLIANCE),
        ("COMMUNICATION_QUALITY", Dimension.COMMUNICATION),
        ("consistency and compliance", None),
        ("signal", None),
        ("tone", None),
        (3, None),
    ],
)
def test_a_dimension_is_known_by_its_words(said, dimension):
    assert dimension_of(said) is dimension


@pytest.mark.parametrize(
    ("changes", "held"),
    [
        ({"dimension": "tone"}, "unknown_dimension:tone"),
        ({"severity": None}, "unknown_severity:"),
        ({"evidence": None}, "no_evidence"),
        ({"evidence": " "}, "no_evidence"),
        ({"evidence": []}, "no_evidence"),
    ],
)
def test_a_note_that_lacks_something_is_held_with_the_reason(changes, held):
    read = parse_notes(reply(note(**changes)))
    assert read.drafts == ()
    assert read.held[0].held == (held,)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (note(observation=None), "it has no observation"),
        (note(observation=7), "it has no observation"),
        ("a sentence", "it is no object but “a sentence”"),
        (None, "it is no object but “None”"),
        ([[note()]], "it is no object but “a list”"),
        (note(observation="half \ud83d a pair"), "its observation cannot be read"),
    ],
)
def test_a_bad_part_is_reported_and_its_siblings_stay(part, why):
    read = parse_notes(reply(note(observation="first"), part, note(observation="last")))
    assert [each.observation for each in read.drafts] == ["first", "last"]
    assert [(each.place, each.why[: len(why)]) for each in read.unreadable] == [(2, why)]
    assert not parse_notes(reply(part)).finds_nothing


def test_broken_json_in_one_note_loses_that_note_only_and_is_reported():
    broken = '{"observation": oops, "severity": "critical"}'
    text = f'{{"notes": [{json.dumps(note())}, {broken}, {json.dumps(note(severity="low"))}]}}'
    read = parse_notes(text)
    assert [each.severity for each in read.drafts] == ["high", "low"]
    assert read.repaired
    assert [each.place for each in read.unreadable] == [0]
    assert "broken JSON" in read.unreadable[0].why


def test_at_most_three_notes_the_most_severe_first_and_the_rest_is_counted():
    said = [note(severity=each, observation=each) for each in ("low", "medium", "positive", "critical", "high")]
    read = parse_notes(reply(*said))
    assert [each.severity for each in read.drafts] == ["critical", "high", "medium"]
    assert read.cut == 2
    assert parse_notes(reply(*said), DEFAULTS.model_copy(update={"notes_in_reply": 5})).cut == 0


def test_of_two_alike_the_first_in_the_reply_comes_first_and_a_repeated_note_counts_once():
    read = parse_notes(reply(note(observation="b"), note(observation="a"), note(observation="b")))
    assert [each.observation for each in read.drafts] == ["b", "a"]


@pytest.mark.parametrize("text", [json.dumps(note()), json.dumps({"notes": note()}), f"{json.dumps(note())}\nDone."])
def test_a_single_object_in_place_of_a_list_is_a_list_of_one(text):
    assert len(parse_notes(text).drafts) == 1


def test_notes_that_come_one_object_a_line_are_all_read():
    text = "\n".join(json.dumps(note(observation=each)) for each in "abc")
    assert [each.observation for each in parse_notes(text).drafts] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("evidence", "quotes"),
    [
        ("  two  blanks — and “marks” ", [("  two  blanks — and “marks” ", None, None)]),
        (["one", "two"], [("one", None, None), ("two", None, None)]),
        ({"quote": "one", "speaker": "user", "turn": "3"}, [("one", "user", 3)]),
        ([{"quote": "one", "turn": "turn 2"}, "two", 3, None, {}], [("one", None, 2), ("two", None, None)]),
        ({"words": "one", "turn": 0}, [("one", None, None)]),
        ({"text": "one", "role": "assistant", "turn": True}, [("one", "assistant", None)]),
    ],
)
def test_evidence_is_one_text_or_several_with_speaker_and_turn(evidence, quotes):
    (draft,) = parse_notes(reply(note(evidence=evidence))).drafts
    assert [(each.words, each.speaker, each.turn) for each in draft.evidence] == quotes


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_the_words_of_a_quote_are_those_of_the_reply_to_the_character(words):
    (draft,) = parse_notes(f"Sure!\n```json\n{reply(note(evidence=words))}\n```").drafts
    assert draft.evidence[0].words == words


@given(st.text())
def test_no_reply_raises_and_each_is_read_the_same_twice(text):
    for parse in (parse_notes, parse_lessons, parse_procedures, parse_episodes):
        assert parse(text) == parse(text)
        parse('{"notes": [{"observation": "a", "evidence": "' + text)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["high", "low"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["quote", "turn", "a"]), inner),
    max_leaves=6,
)
FIELDS = ("dimension", "severity", "observation", "evidence", "improvement", "turn", "speaker")


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), ANYTHING) | ANYTHING, max_size=6))
def test_every_part_of_a_list_is_accounted_for(parts):
    said = [{**part, "n": place} if isinstance(part, dict) else part for place, part in enumerate(parts)]
    named = [{**part, "improvement": str(part["n"])} if isinstance(part, dict) else part for part in said]
    read = parse_notes(json.dumps({"notes": named}))
    assert len(read.drafts) + len(read.held) + len(read.unreadable) + read.cut == len(parts)


def test_a_list_within_lists_of_any_depth_breaks_nothing():
    deep = "[" * 900 + "]" * 900
    read = parse_notes('{"notes": [' + deep + ', {"observation": "a", "severity": ' + deep + "}]}")
    assert [each.why for each in read.unreadable] == ["it is no object but “a list”"]
    assert read.held[0].held == ("unknown_dimension:", "unknown_severity:a list", "no_evidence")
    assert parse_lessons('{"lesson": "a", "tags": [' + deep + "]}").drafts[0].remarks == ("no_tag:a list", "few_tags")


@pytest.mark.parametrize("name", ["review", "result"])
def test_what_is_wrapped_in_one_object_more_is_read(name):
    assert len(parse_notes(json.dumps({name: {"notes": [note()]}, "summary": "ok"})).drafts) == 1


def test_a_lesson_is_one_object_with_two_or_three_tags():
    read = parse_lessons('{"lesson": "Check the policy first.", "tags": ["Refund", "#policy", "Course Credit"]}')
    assert read.drafts[0].text == "Check the policy first."
    assert read.drafts[0].tags == ("refund", "policy", "course-credit")
    assert read.drafts[0].remarks == ()


@pytest.mark.parametrize(
    ("tags", "kept", "remarks"),
    [
        ("refund, policy", ("refund", "policy"), ()),
        (["a1", "b1", "c1", "d1"], ("a1", "b1", "c1"), ("tag_cut:d1",)),
        (["refund", "refund"], ("refund",), ("few_tags",)),
        (["refund", "50%", 7], ("refund",), ("no_tag:7", "no_tag:50%", "few_tags")),
        (None, (), ("few_tags",)),
    ],
)
def test_tags_that_are_none_or_too_many_are_remarked(tags, kept, remarks):
    (draft,) = parse_lessons(json.dumps({"lessons": [{"lesson": "Check.", "tags": tags}]})).drafts
    assert (draft.tags, draft.remarks) == (kept, remarks)


def procedure(**changes: object) -> str:
    said = {"title": "Fees", "trigger": "asked for a fee", "instruction": "Name it.", "kind": "rule", "confidence": 0.7}
    return json.dumps({"procedures": [{**said, **changes}]})


@pytest.mark.parametrize(
    ("said", "confidence", "remarks"),
    [
        (0.7, "0.70", ()),
        ("0.60", "0.60", ()),
        (0.85, "0.85", ()),
        ("0.85", "0.85", ()),
        (0.1, "0.60", ("confidence_clamped:0.10",)),
        (0.95, "0.85", ("confidence_clamped:0.95",)),
        (-1, "0.60", ("confidence_clamped:-1.00",)),
        ("high", "0.60", ("confidence_unreadable:high",)),
        (True, "0.60", ("confidence_unreadable:True",)),
        (None, "0.60", ("confidence_unreadable:None",)),
        ("NaN", "0.60", ("confidence_unreadable:NaN",)),
        ("Infinity", "0.60", ("confidence_unreadable:Infinity",)),
    ],
)
def test_a_procedure_starts_with_a_confidence_that_it_may_start_with(said, confidence, remarks):
    (draft,) = parse_procedures(procedure(confidence=said)).drafts
    assert (draft.confidence, draft.remarks) == (Decimal(confidence), remarks)
    assert str(draft.confidence) == confidence


def test_the_bounds_of_a_first_confidence_are_those_of_the_settings():
    bounds = DEFAULTS.model_copy(update={"first_confidence": Decimal("0.20"), "top_first_confidence": Decimal("0.40")})
    for said, confidence in ((0.1, "0.20"), (0.3, "0.30"), (0.9, "0.40"), ("high", "0.20")):
        (draft,) = parse_procedures(procedure(confidence=said), bounds).drafts
        assert str(draft.confidence) == confidence


def test_an_unknown_kind_of_procedure_is_remarked_and_not_guessed():
    (draft,) = parse_procedures(procedure(kind="habit")).drafts
    assert (draft.kind, draft.remarks) == (None, ("unknown_kind:habit",))
    assert parse_procedures(procedure(kind="Workflows")).drafts[0].kind is ProcedureKind.WORKFLOW


def test_at_most_three_procedures_are_read_and_the_rest_is_counted():
    four = [json.loads(procedure(title=each))["procedures"][0] for each in "abcd"]
    read = parse_procedures(json.dumps({"procedures": four}))
    assert ([each.title for each in read.drafts], read.cut) == (["a", "b", "c"], 1)


@pytest.mark.parametrize(
    ("said", "importance", "remarks"),
    [
        (0.8, Decimal("0.80"), ()),
        ("1", Decimal("1.00"), ()),
        (8, None, ("importance_unreadable:8",)),
        ("much", None, ("importance_unreadable:much",)),
    ],
)
def test_the_importance_of_an_episode_is_from_0_to_1_or_unknown(said, importance, remarks):
    text = json.dumps({"episodes": [{"text": "Asked for a refund.", "importance": said}]})
    (draft,) = parse_episodes(text).drafts
    assert (draft.importance, draft.remarks) == (importance, remarks)


@pytest.mark.parametrize("said", ["inf", "nan", "1e999", "", "0,7", [1], 10**400])
def test_what_is_no_finite_number_is_none(said):
    assert hundredths(said) is None


@pytest.mark.parametrize("reply", ['{"lesson": "", "tags": []}', '{"lessons": [{"lesson": " "}]}', '{"lessons": []}'])
def test_an_empty_lesson_says_that_there_is_none(reply: str) -> None:
    assert parse_lessons(reply).finds_nothing


@pytest.mark.parametrize(
    "reply", ['{"lesson": null}', '{"lesson": 3, "tags": []}', '{"tags": ["a", "b"], "lessons": [7]}']
)
def test_what_stands_in_place_of_a_lesson_is_not_taken_for_none(reply: str) -> None:
    drafts = parse_lessons(reply)
    assert drafts.unreadable
    assert not drafts.finds_nothing
