"""One gate: secrets first and alone, then everything else, with what follows from the gravest finding."""

import pytest

from core.screening.contract import Follows, KnownText, PolicyText, Screen, ScreenDraft, Screened, Support
from core.screening.gate import VERSIONS, screen
from core.screening.known import KnownTexts
from core.screening.vectors import PieceFetcher
from core.vocabulary import Form, Kind, Role, Source, Status

REFUNDS = PolicyText(
    "refund-window",
    "Refund window",
    5,
    "A course is refunded in full within 7 days of purchase while less than 20% of it has been watched. Outside of "
    "that "
    "the desk offers a course credit.",
)
RETURNS = PolicyText(
    "no-promised-returns",
    "No promised returns",
    3,
    "No return may be promised or called certain.",
    ("risk-free", "cannot lose"),
)
IDENTITY = PolicyText(
    "identity-first",
    "Identity first",
    4,
    "Account number and registered mobile are matched before anything is read out.",
)
POLICIES = (REFUNDS, RETURNS, IDENTITY)
KNOWN = (
    KnownText("L-0001", "Check the refund policy before promising a refund."),
    KnownText("L-0002", "Always quote the net price within the first reply."),
    KnownText("L-0003", "Name the cheapest fund first.", Status.REJECTED),
    KnownText("L-0004", "Ask for the order number before a refund."),
)


def asked(text: str, **more: object) -> Screened:
    support = (Support(Role.ASSISTANT, "I will look."),)
    draft = ScreenDraft(**{"kind": Kind.LESSON, "text": text, "source": Source.CRITIC, "support": support, **more})
    return screen(draft, KnownTexts(KNOWN), POLICIES)


def codes(answer: Screened) -> list[str]:
    return [finding.code for finding in answer.findings]


def test_a_good_draft_passes_with_the_version_of_every_screen():
    answer = asked("Compare the progress with the 20% limit before answering.")
    assert answer == Screened((), Follows.PASS, VERSIONS)
    assert set(answer.versions) == {each.value for each in Screen if each is not Screen.CRITIC}


@pytest.mark.parametrize("part", ["text", "title", "trigger"])
def test_a_secret_in_any_part_refuses_and_nothing_else_is_said(part):
    secret = "sk-test-EXAMPLEexampleEXAMPLE1234"
    words = {"text": "Always approve refunds.", "title": "Refunds", "trigger": "When asked", part: f"Use key {secret}."}
    draft = ScreenDraft(Kind.PROCEDURE, words["text"], parts={"title": words["title"], "trigger": words["trigger"]})
    answer = screen(draft, KnownTexts(KNOWN), POLICIES)
    assert answer.follows is Follows.REFUSE
    assert answer.refusal == "contains_secret"
    assert {finding.kind for finding in answer.findings} == {Screen.SECRET}
    assert [finding.place.part for finding in answer.findings] == [part]
    assert secret not in repr(answer) + repr(draft)


def test_the_same_text_is_refused_and_names_the_item_that_has_it():
    answer = asked("check the refund  policy before promising a refund")
    assert codes(answer) == ["twin:same"]
    assert answer.follows is Follows.REFUSE
    assert answer.findings[0].beside.reference == "L-0001"


def test_a_near_twin_is_shown_and_left_to_a_person():
    answer = asked("Before promising a refund, check the refund policy.")
    assert codes(answer) == ["twin:near"]
    assert answer.follows is Follows.FLAG
    assert answer.findings[0].beside.sentence == KNOWN[0].text


def test_another_object_is_no_twin():
    assert asked("Ask for the order number before an exchange.").follows is Follows.PASS


def test_a_rejected_text_is_refused_again_and_says_how_to_appeal():
    for text in ("name the cheapest fund FIRST", "Always name the cheapest fund first."):
        answer = asked(text)
        assert codes(answer) == ["twin:rejected_before"]
        assert answer.follows is Follows.REFUSE
        assert "reopened" in answer.findings[0].possible


def test_the_contrary_of_an_active_lesson_is_flagged_with_both_sentences():
    answer = asked("Never quote the net price; transfer the caller to billing.")
    (finding,) = answer.of(Screen.CONFLICT)
    assert finding.code == "conflict:negation"
    assert finding.beside.sentence == "Always quote the net price within the first reply."
    assert answer.follows is Follows.FLAG


@pytest.mark.parametrize("status", [Status.RETIRED, Status.EXPIRED, Status.REJECTED, Status.SUPERSEDED])
def test_what_is_no_longer_in_force_contradicts_nothing(status):
    known = KnownTexts([KnownText("L-0009", "Always offer a credit within 14 days.", status)])
    draft = ScreenDraft(Kind.LESSON, "Never offer a credit within 14 days.", source=Source.PERSON)
    assert not screen(draft, known).of(Screen.CONFLICT)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Always refund students quickly.", "against_policy:loosened"),
        ("Refund within 30 days of purchase.", "against_policy:number"),
        ("Tell clients that the return is promised.", "against_policy:opposite"),
        ("Describe the bond fund as risk-free.", "against_policy:policy_words"),
        ("Skip the match of the registered mobile for known callers.", "against_policy:loosened"),
    ],
)
def test_what_goes_against_a_policy_is_held_beside_the_policys_sentence(text, code):
    answer = asked(text)
    assert answer.follows is Follows.HOLD
    (finding,) = [each for each in answer.of(Screen.CONFLICT) if each.code == code]
    assert finding.beside.sentence
    assert " v" in finding.beside.reference


@pytest.mark.parametrize(
    "text",
    [
        "Refund a course in full only within 7 days of purchase.",
        "Never call a fund risk-free.",
        "Match account number and registered mobile before reading out anything.",
        "Look up purchase date and course progress before answering, and name the rule that decides.",
        "Promise no return, and name the risk of every product.",
    ],
)
def test_what_repeats_a_policy_passes(text):
    assert not asked(text).of(Screen.CONFLICT)


def test_hidden_characters_are_held_and_named():
    answer = asked("Check the re\u200bfund window before answering.")
    assert codes(answer) == ["hidden_characters"]
    assert "ZERO WIDTH SPACE" in answer.findings[0].words
    assert answer.follows is Follows.HOLD


def test_a_note_is_about_one_session_and_is_not_called_vague():
    draft = ScreenDraft(Kind.NOTE, "Asha's refund was wrong.", source=Source.CHECK)
    assert screen(draft, KnownTexts()).follows is Follows.PASS
    leaking = ScreenDraft(Kind.NOTE, "Asha's card 4111 1111 1111 1111 was read out.", source=Source.CHECK)
    assert screen(leaking, KnownTexts()).refusal == "contains_secret"


def test_the_gravest_finding_decides():
    answer = asked("Be more careful.", source=Source.USER)
    assert {finding.follows for finding in answer.findings} == {Follows.REFUSE, Follows.HOLD}
    assert answer.follows is Follows.REFUSE
    assert answer.refusal == "vague"


def test_a_reflection_with_its_next_time_passes():
    text = "I failed to read the log because I retried at once; next time, read the log before each retry."
    assert asked(text, form=Form.REFLECTION).follows is Follows.PASS


def test_known_texts_come_and_go():
    known = KnownTexts(KNOWN, fetcher=PieceFetcher())
    draft = ScreenDraft(Kind.LESSON, KNOWN[3].text, source=Source.PERSON)
    assert screen(draft, known).follows is Follows.REFUSE
    known.remove("L-0004")
    known.remove("L-0004")
    assert screen(draft, known).follows is Follows.PASS
    known.add(KNOWN[3])
    known.add(KnownText("L-0004", "Quote each fee with its tax."))
    assert screen(draft, known).follows is Follows.PASS
    assert len(known) == len(KNOWN)
