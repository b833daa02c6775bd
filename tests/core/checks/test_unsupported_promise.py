"""A promise or a rule that nothing supports is found; what a source speaks of, and what is no promise, is not."""

import pytest

from core.checks import CHECKS
from core.checks.contract import Policy
from core.checks.unsupported_promise import findings
from core.vocabulary import Severity

PROMISES = [
    ("I guarantee that your seat stays free.", "guarantee"),
    ("You are guaranteed a window seat.", "guarantee"),
    ("I promise you that the parcel is safe.", "guarantee"),
    ("I assure you that you will have the best table.", "guarantee"),
    ("A specialist will call you back this afternoon.", "contact"),
    ("Our team will get back to you.", "contact"),
    ("I will call you back very soon.", "contact"),
    ("You will get a call back today.", "contact"),
    ("You’ll hear back from our office.", "contact"),
    ("One of our managers will contact you personally.", "contact"),
    ("We will refund you in full.", "money"),
    ("You will receive a voucher from us.", "money"),
    ("You’ll be fully reimbursed.", "money"),
    ("We’ll waive the fee.", "money"),
    ("Your line will be restored by Friday.", "time"),
    ("It will be fixed tomorrow morning.", "time"),
    ("The room will be ready this afternoon.", "time"),
    ("Our policy allows free rebooking for gold travellers during winter holidays.", "rule"),
    ("According to our policy, students travel with bicycles free on weekends.", "rule"),
    ("You are entitled to lounge access, breakfast vouchers and a bicycle.", "rule"),
]
NO_PROMISES = [
    "Shall I ask a specialist to call you back?",
    "I can’t guarantee a seat.",
    "I cannot promise anything.",
    "If the check is positive, we will refund you in full.",
    "You will receive a voucher if the flight is late.",
    "Once that is done, our team will contact you.",
    "We might refund you.",
    "We will try to fix it by Friday.",
    "I hope it will be fixed tomorrow.",
    "You asked whether our team will call you back.",
    "I will look it up.",
    "Let me check our policy.",
    "It usually will be ready this afternoon.",
    "You wrote “you will receive a voucher”.",
    "Please call us back tomorrow.",
    "Our policy does not allow free rebooking for gold travellers in winter.",
    "This may take a minute. I will get back to you.",
]
SUPPORT = [
    ("A specialist will call you back this afternoon.", "Offer a callback where the customer waits long."),
    ("Our team will get back to you.", "Open a ticket for the back office when you cannot help."),
    ("We will refund you in full.", "Refunds are possible within 14 days."),
    ("You will receive a voucher from us.", "A voucher may be given for delays."),
    ("I guarantee that your seat stays free.", "We guarantee the seat for an hour."),
    ("Your line will be restored by Friday.", "Repairs are done by Friday."),
    (
        "Our policy allows free rebooking for gold travellers during winter holidays.",
        "Gold travellers may rebook free of charge in the winter holidays.",
    ),
]


@pytest.mark.parametrize(("reply", "kind"), PROMISES)
def test_a_promise_that_no_source_supports_is_found(talk, words, reply, kind):
    case = talk.user("What happens now?").agent(f"Thanks. {reply}").case(base_prompt="You answer questions on trains.")

    [finding] = findings(case)

    assert finding.fault == f"unsupported_promise:{kind}"
    assert words(case, finding) == [reply]
    assert finding.severity is (Severity.MEDIUM if kind in ("rule", "time") else Severity.HIGH)


@pytest.mark.parametrize("reply", NO_PROMISES)
def test_questions_conditions_denials_hopes_and_quotations_are_no_promises(talk, reply):
    case = talk.user("What happens now?").agent(reply).case(base_prompt="You answer questions on trains.")

    assert findings(case) == []


@pytest.mark.parametrize(("reply", "source"), SUPPORT)
def test_a_word_in_prompt_policy_fact_system_message_or_tool_supports_it(talk, reply, source):
    talk.user("What happens now?").agent(reply)
    policy = Policy("p", "Rule", "Ops", 1, "2026-11-01", source)

    assert findings(talk.case(base_prompt="You answer questions on trains.")) != []
    assert findings(talk.case(base_prompt=source)) == []
    assert findings(talk.case(policies=(policy,))) == []
    assert findings(talk.case(facts=(source,))) == []
    assert findings(talk.system(source).case()) == []


def test_a_call_that_does_it_supports_a_promise(talk):
    talk.user("My line is dead.").tool("create_ticket", {"id": "T-1"}).agent("Our team will contact you.")

    assert findings(talk.case()) == []


def test_a_tool_that_failed_supports_nothing(talk):
    talk.user("My line is dead.").tool("lookup", "error: refund service down", failed=True).agent("We will refund you.")

    assert len(findings(talk.case())) == 1


def test_taking_the_supporting_rule_away_makes_the_promise_a_finding(talk):
    talk.user("And now?").agent("A specialist will call you back this afternoon.")

    assert findings(talk.case(base_prompt="Specialists call back on the same day.")) == []
    assert len(findings(talk.case(base_prompt="Be kind."))) == 1


def test_without_any_knowledge_of_the_prompt_a_rule_is_not_judged_but_a_promise_of_this_case_is(talk):
    talk.user("And now?").agent("Our policy allows free rebooking for gold travellers during winter holidays.")
    assert findings(talk.case(base_prompt="")) == []

    talk.user("And my money?").agent("We will refund you in full.")
    assert [each.fault for each in findings(talk.case(base_prompt=""))] == ["unsupported_promise:money"]


def test_words_that_another_check_finds_are_left_to_it(talk):
    talk.user("And now?").agent("You will receive a refund of $731.55.")

    assert findings(talk.case()) == []
    assert len(CHECKS["ungrounded_figures"](talk.case())) == 1


def test_the_same_promise_is_found_once(talk):
    talk.user("And now?").agent("Our team will contact you.").user("Sure?").agent("Yes. Our team will contact you.")

    assert len(findings(talk.case())) == 1
