"""Every check runs by its name and version, and says a thing only as often as it helps."""

import pytest

from core.checks import CHECKS, run


def test_each_check_has_its_name_and_a_version():
    assert list(CHECKS) == [
        "policy_words",
        "ungrounded_figures",
        "claimed_not_done",
        "missed_signals",
        "leaked_format",
        "asked_again",
        "unsupported_promise",
        "dropped_instruction",
    ]
    assert CHECKS["missed_signals"].version == 2
    assert all(check.name == name and check.version >= 1 for name, check in CHECKS.items())


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError):
        CHECKS["policy_words"] = None  # type: ignore[index]


def test_one_fault_gives_three_findings_a_session_at_most(talk):
    for amount in (111, 250, 345, 478, 599):
        talk.user("And?").agent(f"You receive ₹{amount}.")

    assert [finding.spans[0].turn for finding in run(talk.case())] == [1, 3, 5]


def test_the_same_words_are_a_finding_once(talk):
    facts = ("Never recommend equity.",)
    talk.user("And?").agent("I suggest equity.").user("No.").agent("I  SUGGEST equity.").user("!").agent("Buy equity.")

    assert [finding.spans[0].turn for finding in run(talk.case(facts=facts))] == [1, 5]


def test_a_case_gives_the_same_findings_every_time(talk):
    case = talk.user("And?").agent("You receive ₹111. I suggest equity.").case(facts=("Never recommend equity.",))

    assert run(case) == run(case)
    assert {finding.check for finding in run(case)} == {"policy_words", "ungrounded_figures"}


def test_a_transcript_without_messages_gives_no_finding(talk):
    assert run(talk.case()) == []
