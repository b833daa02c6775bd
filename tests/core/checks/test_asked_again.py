"""What the user has given is not asked for again without a reason."""

import pytest

from core.checks.asked_again import findings
from core.checks.contract import Policy
from core.vocabulary import Dimension, Severity

AGAIN = [
    ("Could you please provide your order number?", "It is W-48213."),
    ("May I have your email address?", "Sure, mira.k@example.org"),
    ("What is your phone number?", "+49 30 5557 1234"),
    ("Please share your booking ID.", "XKZ4Q9"),
    ("Can I get your user ID?", "My user ID is lena_roth_12"),
    ("I need your account number, please.", "88 41 20 17"),
    ("Please tell me your customer number.", "C-20991"),
    ("Could you give me the ticket number?", "T-30981"),
    ("Please enter your PIN.", "4471"),
    ("What’s your zip code?", "20017"),
    ("Could you share your date of birth?", "14/02/2004"),
    ("May I have your full name, please?", "Asha Rao"),
    ("What was your mother’s maiden name?", "Sanders"),
    ("Please provide your shipping address.", "12 Harbour Lane, Kiel"),
    ("When would you like your party to start?", "At 7 pm"),
    ("How many guests will you bring?", "67"),
    ("For what day would you like the table?", "Saturday"),
]
NOT_AGAIN = [
    ("I don’t have it with me.", "Could you please provide your order number?"),
    ("Why do you need it?", "Could you please provide your order number?"),
    ("W-48213", "I could not find that. Could you please provide your order number?"),
    ("W-48213", "That number is invalid. Please provide your order number."),
    ("W-48213", "Just to confirm, is your order number W-48213?"),
    ("W-48213", "Could you confirm your order number?"),
    ("W-48213", "Please provide your order number for the second parcel."),
    ("W-48213", "What is the order number of the other delivery?"),
    ("W-48213", "Could you please provide your email address?"),
    ("W-48213. Sorry, that was the wrong one.", "Could you please provide your order number?"),
    ("Maybe W-48213, I’m not sure.", "Could you please provide your order number?"),
    ("I forgot it, something with 48213", "Could you please provide your order number?"),
    ("W-48213", "If you have another parcel, tell me its order number."),
    ("W-48213", "I will look it up using your order number."),
    ("W-48213", "Thank you. Your order number is all I need."),
    ("My booking ID is XKZ4Q9.", "Could you please provide your order number?"),
]


def _asked_twice(talk, ask, answer, again):
    return talk.user("Hello, I need help.").agent(ask).user(answer).agent(again).case()


@pytest.mark.parametrize(("ask", "answer"), AGAIN)
def test_what_was_asked_for_and_given_is_found_when_it_is_asked_for_again(talk, words, ask, answer):
    case = _asked_twice(talk, ask, answer, f"Thank you. {ask}")

    [finding] = findings(case)

    assert words(case, finding)[1] == ask
    assert words(case, finding)[0] in answer
    assert (finding.fault, finding.severity) == ("asked_again:detail", Severity.MEDIUM)
    assert finding.dimension is Dimension.COMMUNICATION


@pytest.mark.parametrize(("answer", "again"), NOT_AGAIN)
def test_a_reason_another_thing_or_no_answer_makes_the_second_question_a_fair_one(talk, answer, again):
    assert findings(_asked_twice(talk, "Could you please provide your order number?", answer, again)) == []


@pytest.mark.parametrize(
    "said",
    [
        "My order number is W-48213 and it never came.",
        "It is about order number: W-48213.",
        "my email is mira.k@example.org",
        "Account number hai 88412017, please check.",
    ],
)
def test_what_the_user_gave_with_its_name_need_not_have_been_asked_for(talk, said):
    ask = "Could you please provide your order number, email address and account number?"

    assert len(findings(talk.user(said).agent(ask).case())) == 1


def test_a_tool_that_finds_nothing_is_a_reason_to_ask_again(talk):
    ask = "Could you please provide your order number?"
    case = talk.user("Hello.").agent(ask).user("W-48213").tool("find_order", "[]").agent(ask).case()

    assert findings(case) == []


def test_a_tool_that_finds_it_is_none(talk):
    ask = "Could you please provide your order number?"
    case = talk.user("Hello.").agent(ask).user("W-48213").tool("find_order", {"id": "W-48213"}).agent(ask).case()

    assert len(findings(case)) == 1


@pytest.mark.parametrize("rule", ["Verify again before each change.", "Ask for the number every time.", "Ask twice."])
def test_a_policy_that_asks_every_time_is_followed(talk, rule):
    ask = "Could you please provide your order number?"
    talk.user("Hello.").agent(ask).user("W-48213").agent(ask)

    assert findings(talk.case(base_prompt=rule)) == []
    policy = Policy("p", "Identity", "Ops", 1, "2026-11-01", rule)
    assert findings(talk.case(policies=(policy,))) == []


def test_a_thing_is_found_once_a_session(talk):
    ask = "Could you please provide your order number?"
    talk.user("Hello.").agent(ask).user("W-48213").agent(ask).user("W-48213!").agent(ask)

    assert len(findings(talk.case())) == 1


def test_the_user_who_moves_on_to_something_else_is_asked_anew(talk):
    ask = "Could you please provide your order number?"
    talk.user("Hello.").agent(ask).user("W-48213").agent("It arrives on Monday.")

    assert findings(talk.user("And there is another parcel.").agent(ask).case()) == []


def test_pasted_text_gives_no_answer(talk):
    ask = "Could you please provide your order number?"

    assert findings(talk.user("order number W-48213 " * 200).agent(ask).case()) == []
