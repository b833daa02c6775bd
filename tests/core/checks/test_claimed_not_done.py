"""An action is claimed: was there a tool that did it, before, with success, for the same thing?"""

import pytest

from core.checks import Case, run
from core.checks.actions import reads_only
from core.checks.claimed_not_done import findings as claimed_not_done
from core.checks.claims import claims
from core.transcripts.message import Message, ToolCall, Transcript
from core.vocabulary import Severity

CLAIMS = [
    ("I have cancelled your reservation.", "cancel"),
    ("I’ve just canceled it for you.", "cancel"),
    ("We went ahead and booked the room.", "book"),
    ("Your refund has been processed.", "refund"),
    ("A refund of $20 has been issued to your card.", "refund"),
    ("I’ve updated your address.", "change"),
    ("Your subscription is now paused.", "change"),
    ("I sent you a voucher.", "send"),
    ("YOU ARE BEING TRANSFERRED TO A HUMAN AGENT.", "transfer"),
    ("Your appointment has been successfully rescheduled.", "schedule"),
    ("I have documented your complaint on the account.", "record"),
    ("I’ve filed an objection for you.", "submit"),
]
NO_CLAIMS = [
    "I will cancel your reservation now.",
    "I can cancel it if you like.",
    "Shall I cancel it?",
    "Has your reservation been cancelled?",
    "Once it has been cancelled, you get the money back.",
    "If the order has been shipped, I cannot change it.",
    "Your reservation has not been cancelled yet.",
    "I could not cancel it.",
    "I haven’t cancelled anything.",
    "The flight has been cancelled by the airline.",
    "You have already cancelled it.",
    "You wrote “I have cancelled it”, but I see it open.",
    "Before I have updated anything, I need a yes.",
    "To confirm: cancel the reservation, refund to the card. Reply YES to go on.",
    "I’ve completed the two searches that you asked for.",
]


@pytest.mark.parametrize(("reply", "kind"), CLAIMS)
def test_a_claim_without_any_deed_is_found(talk, words, reply, kind):
    case = talk.user("Please do.").tool("get_account", {"id": 1}).agent("Thanks. " + reply).case()

    [finding] = claimed_not_done(case)

    assert finding.fault == f"claimed_not_done:{kind}"
    assert finding.severity is Severity.HIGH
    assert words(case, finding) == [reply]


@pytest.mark.parametrize("reply", NO_CLAIMS)
def test_plans_offers_questions_conditions_and_denials_are_no_claims(talk, reply):
    case = talk.user("Please do.").tool("get_account", {"id": 1}).agent(reply).case()

    assert claimed_not_done(case) == []


@pytest.mark.parametrize(
    ("tool", "reply"),
    [
        ("cancel_reservation", "I have cancelled your reservation."),
        ("CancelOrder", "Your order has been cancelled."),
        ("book_reservation", "Your flight has been booked."),
        ("refunds.create", "Your refund has been processed."),
        ("cancel_order", "Your refund has been issued to the card."),
        ("modify_user_address", "I’ve updated your address."),
        ("send_certificate", "I have sent you a certificate."),
        ("transfer_to_human_agents", "YOU ARE BEING TRANSFERRED TO A HUMAN AGENT."),
        ("exchange_delivered_order_items", "The exchange has been processed."),
        ("waitlist_add", "I’ve added you to the list."),
    ],
)
def test_a_claim_with_its_deed_stands(talk, tool, reply):
    case = talk.user("Please do.").tool(tool, {"ok": True}).agent(reply).case()

    assert claimed_not_done(case) == []


def test_a_tool_that_does_something_else_is_no_deed(talk):
    case = talk.user("Cancel it.").tool("send_certificate", {"ok": True}).agent("I have cancelled it.").case()

    assert [finding.fault for finding in claimed_not_done(case)] == ["claimed_not_done:cancel"]


def test_a_claim_after_a_refusal_is_critical_and_shows_the_refusal(talk, words):
    answer = {"status": "rejected", "reason": "outside the window"}
    talk.user("Refund?").tool("refunds_create", answer).agent("Yes, your refund has been processed.")
    case = talk.case()

    [finding] = claimed_not_done(case)

    assert finding.severity is Severity.CRITICAL
    assert words(case, finding)[1] == '{"status": "rejected", "reason": "outside the window"}'
    assert "refunds_create" in finding.observation


def test_a_refusal_is_remembered_over_later_turns(talk):
    talk.user("Refund?").tool("refunds_create", {"error": "no"}).agent("Let me see.").user("And?")

    [finding] = claimed_not_done(talk.agent("Your refund has been processed.").case())

    assert finding.severity is Severity.CRITICAL


def test_a_second_try_with_success_settles_a_refusal(talk):
    talk.user("Book it.").tool("book_room", "Error: no such room").tool("book_room", {"id": "R-1"})

    assert claimed_not_done(talk.agent("Your room has been booked.").case()) == []


def test_a_reply_that_admits_the_failure_is_not_held_against_the_agent(talk):
    talk.user("Book both.").tool("book_room", {"error": "full"})

    assert claimed_not_done(talk.agent("I have booked one of them, the other could not be booked.").case()) == []


@pytest.mark.parametrize(
    ("answer", "failed"),
    [("done", True), ("Error: not found", False), ('{"success": false}', False), ('{"error": "x"}', False)],
)
def test_failure_is_read_from_the_mark_and_from_the_text(talk, answer, failed):
    talk.user("Cancel.").tool("cancel_order", answer, failed=failed).agent("I have cancelled the order.")

    assert [finding.severity for finding in claimed_not_done(talk.case())] == [Severity.CRITICAL]


@pytest.mark.parametrize("answer", ['{"error": null}', '{"errors": [], "status": "ok"}', "No errors found"])
def test_a_success_that_mentions_errors_is_a_success(talk, answer):
    assert (
        claimed_not_done(talk.user("Cancel.").tool("cancel_order", answer).agent("I have cancelled it.").case()) == []
    )


def test_the_deed_for_another_reference_does_not_carry_the_claim(talk):
    talk.user("Cancel GXWCPN and DQST39.").tool("get_order", {"ok": 1}, order="GXWCPN")
    talk.tool("get_order", {"ok": 1}, order="DQST39").tool("cancel_order", {"ok": True}, order="GXWCPN")

    assert claimed_not_done(talk.agent("Order GXWCPN has been cancelled.").case()) == []
    [finding] = claimed_not_done(talk.agent("Order DQST39 has been cancelled, too.").case())
    assert "only for something else" in finding.observation


def test_a_state_that_a_tool_reports_may_be_passed_on(talk):
    talk.user("What about my order?").tool("get_order", {"status": "cancelled"})

    assert claimed_not_done(talk.agent("Your order has been cancelled.").case()) == []


def test_a_field_name_is_no_report_of_a_state(talk):
    talk.user("Change it.").tool("get_order", {"updated_at": "2026-01-01"})

    assert len(claimed_not_done(talk.agent("Your order has been updated.").case())) == 1


def test_the_deed_may_follow_in_the_same_stretch_but_not_after_the_user_spoke(talk):
    talk.user("Cancel.").agent("I have cancelled it.")
    before = talk.tool("get_order", {"ok": 1}).case()
    after = talk.user("Really?").tool("cancel_order", {"ok": True}).case()

    assert len(claimed_not_done(before)) == len(claimed_not_done(after)) == 1


def test_plain_talk_without_tools_is_passed_over(talk):
    assert claimed_not_done(talk.user("Cancel.").agent("I have cancelled it.").case()) == []


def test_tools_named_in_the_prompt_show_that_there_are_tools(talk):
    talk.user("Cancel.").agent("I have cancelled it.")

    assert len(claimed_not_done(talk.case(base_prompt="Use cancel_order to cancel."))) == 1


def test_an_abbreviation_in_the_prompt_is_no_tool(talk):
    talk.user("Cancel.").agent("I have cancelled it.")

    assert claimed_not_done(talk.case(base_prompt="Be brief, i.e. short; see www.example.com at 9 a.m.")) == []


def test_an_unnamed_answer_may_be_the_deed_but_an_unnamed_error_is_none(talk):
    done, failed = type(talk)(), type(talk)()
    done.user("Cancel.").unnamed('{"status": "ok"}').agent("I have cancelled it.")
    failed.user("Cancel.").unnamed("Error: not found").agent("I have cancelled it.")

    assert claimed_not_done(done.case()) == []
    assert len(claimed_not_done(failed.case())) == 1


def test_a_call_whose_answer_is_missing_is_given_the_benefit_of_the_doubt():
    call = ToolCall(name="cancel_order", id="c1")
    messages = (
        Message(role="user", content="Cancel."),
        Message(role="assistant", tool_calls=(call,)),
        Message(role="assistant", content="I have cancelled it."),
    )

    assert claimed_not_done(Case(Transcript(messages=messages))) == []


def test_a_claim_that_is_repeated_is_one_fault(talk):
    talk.user("Cancel.").tool("get_order", {"ok": 1}).agent("I have cancelled it.").user("Sure?")

    case = talk.agent("Yes, it has been cancelled.").case()

    assert [finding.spans[0].turn for finding in run(case)] == [3]


def test_a_reply_that_is_itself_json_is_lit_without_its_key(talk, words):
    case = talk.user("Cancel.").tool("get_order", {}).agent('{\n "message": "I have cancelled your order."\n}').case()

    [finding] = claimed_not_done(case)

    assert words(case, finding) == ["I have cancelled your order."]


@pytest.mark.parametrize(
    ("tool", "reads"),
    [
        ("get_refund_status", True),
        ("orders_lookup", True),
        ("searchDirectFlight", True),
        ("update_order_status", False),
        ("check_in_passenger", False),
        ("refunds.create", False),
    ],
)
def test_a_tools_name_says_whether_it_only_reads(tool, reads):
    assert reads_only(tool) is reads


def test_a_sentence_makes_one_claim():
    assert [claim.verb for claim in claims("I have cancelled and refunded it. I also updated your address.")] == [
        "cancelled",
        "updated",
    ]
