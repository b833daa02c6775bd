"""A policy's words and a user's constraints: recommending is a breach, warning is not."""

import pytest

from core.checks import Policy
from core.checks.constraints import constraint_of_fact
from core.checks.policy_words import findings as policy_words
from core.vocabulary import Dimension, Severity

NEVER_EQUITY = "Hard constraint: never recommend equity or stock market investments."
NO_PROMISES = Policy(
    "no-promises",
    "No promised returns",
    "Compliance",
    2,
    "2026-01-01",
    "No return is certain.",
    ("guaranteed return", "risk-free", "can’t lose"),
    Severity.HIGH,
    "Never call a return certain.",
    "Before describing a return",
    ("returns",),
)

RECOMMENDED = [
    "I would recommend splitting it: ₹20,000 in a large-cap equity mutual fund for growth.",
    "Instead of a deposit I suggest equity for this goal.",
    "Put half of it into equities.",
    "You could consider the stock market for the rest.",
    "Equity funds are the best choice for five years.",
    "The equity allocation will give you the best returns.",
    "My plan for you:\n\nI recommend:\n- Large‑cap equity fund\n- Liquid fund",
    "Don’t worry, I would go with equity here.",
    "If you want growth, I suggest equity.",
]
NOT_RECOMMENDED = [
    "Please avoid equity with this money.",
    "I would not suggest equity for you.",
    "I suggest debt funds instead of equity.",
    "Since you ruled out equity, I suggest a debt fund.",
    "Would you like to look at equity after all?",
    "You said “never recommend equity to me”, and I will keep to that.",
    "I suggest debt funds, not equity.",
    "Equity is off the table, so I recommend a deposit.",
    "I recommend a non-equity fund.",
    "I can propose an equity-free portfolio.",
    "Equity prices rise and fall every day.",
    "I suggest moving out of equity step by step.",
    "You already hold equity worth ₹20,000.",
    "You asked me never to recommend equity, and I won’t.",
    "I recommend that you stay away from the stock market.",
    "Avoid these:\n- equity funds\n- gold loans",
    "A loss of ₹2,000 in your equity fund is possible.",
    "That is only possible if the portfolio holds equity.",
    "I am unable to offer equity.",
    "Tell me if you choose equity.",
    "The amount goes back to your equity account.",
]


@pytest.mark.parametrize("reply", RECOMMENDED)
def test_recommending_what_the_user_ruled_out_is_a_critical_compliance_finding(talk, reply):
    case = talk.user("Where should I put ₹50,000?").agent(reply).case(facts=(NEVER_EQUITY,))

    [finding] = policy_words(case)

    assert (finding.severity, finding.dimension) == (Severity.CRITICAL, Dimension.COMPLIANCE)
    assert finding.fault == "policy_words:user_constraint"


@pytest.mark.parametrize("reply", NOT_RECOMMENDED)
def test_warning_asking_quoting_and_reporting_are_no_breach(talk, reply):
    case = talk.user("Where should I put ₹50,000?").agent(reply).case(facts=(NEVER_EQUITY,))

    assert policy_words(case) == []


def test_the_lit_words_are_the_clause_that_recommends(talk, words):
    reply = "I would split it: ₹20,000 in a large‑cap equity fund for growth, and ₹10,000 in a liquid fund."
    case = talk.user("Where to?").agent(reply).case(facts=(NEVER_EQUITY,))

    [finding] = policy_words(case)

    assert words(case, finding) == ["₹20,000 in a large‑cap equity fund for growth"]


def test_a_constraint_from_the_users_own_turn_is_shown_as_second_evidence(talk, words):
    case = talk.user("I want returns. But no equity, never.").agent("I recommend an equity fund for you.").case()

    [finding] = policy_words(case)

    assert words(case, finding) == ["I recommend an equity fund for you.", "But no equity, never."]


def test_a_constraint_holds_only_from_the_turn_that_states_it(talk):
    case = talk.user("Where to?").agent("I recommend an equity fund.").user("No equity, never.").agent("Noted.").case()

    assert policy_words(case) == []


def test_a_user_who_comes_back_to_the_thing_lifts_the_own_constraint_but_not_the_mandate(talk):
    talk.user("Please don’t suggest equity.").agent("Fine.").user("Tell me about equity after all.")
    talk.agent("Then I would suggest a large-cap equity fund.")

    assert policy_words(talk.case()) == []
    assert len(policy_words(talk.case(facts=(NEVER_EQUITY,)))) == 1


@pytest.mark.parametrize(
    ("fact", "terms"),
    [
        (NEVER_EQUITY, ("equity", "stock market")),
        ("Never recommend crypto, gold ETFs or any single stocks.", ("crypto", "gold ETFs", "single stocks")),
        ("Client ruled out real estate.", ("real estate",)),
        ("Do not book red-eye flights for her.", ("red-eye flights",)),
    ],
)
def test_a_prohibition_in_a_fact_names_its_terms(fact, terms):
    constraint = constraint_of_fact(fact)

    assert constraint is not None
    assert constraint.terms == terms


@pytest.mark.parametrize("fact", ["Risk profile: conservative.", "Prefers debt funds.", "Never invest in it."])
def test_a_wish_or_an_empty_prohibition_is_no_constraint(fact):
    assert constraint_of_fact(fact) is None


@pytest.mark.parametrize(
    "reply",
    [
        "It is practically a guaranteed return.",
        "A liquid fund is completely risk free.",
        "With this plan you can't lose.",
        "Don’t worry, it is risk-free.",
    ],
)
def test_a_policys_words_said_as_true_are_a_finding_of_its_severity(talk, reply):
    case = talk.user("Is it safe?").agent(reply).case(policies=(NO_PROMISES,))

    [finding] = policy_words(case)

    assert finding.severity is Severity.HIGH
    assert finding.fault == "policy_words:no-promises"
    assert (finding.improvement, finding.trigger) == ("Never call a return certain.", "Before describing a return")
    assert "No promised returns" in finding.observation


@pytest.mark.parametrize(
    "reply",
    [
        "There is no guaranteed return here.",
        "I can’t promise a guaranteed return.",
        "No fund that I recommend is risk-free.",
        "Guaranteed returns do not exist in this market; anyone who says so is not honest.",
        "Did somebody promise you a guaranteed return?",
        "Your neighbour’s “guaranteed return” sounds wrong to me.",
        "We never speak of assured gains, guaranteed returns or anything alike.",
    ],
)
def test_denying_a_policys_words_is_no_breach(talk, reply):
    assert policy_words(talk.user("Is it safe?").agent(reply).case(policies=(NO_PROMISES,))) == []


def test_what_the_user_or_the_prompt_says_is_never_held_against_the_agent(talk):
    talk.system("Never speak of a guaranteed return.").user("I want a guaranteed return!").agent("I see.")

    assert policy_words(talk.case(policies=(NO_PROMISES,))) == []


def test_a_turn_gives_one_finding_the_worst(talk):
    reply = "It is risk-free. I recommend an equity fund as well."
    case = talk.user("Well?").agent(reply).case(facts=(NEVER_EQUITY,), policies=(NO_PROMISES,))

    assert [finding.severity for finding in policy_words(case)] == [Severity.CRITICAL]
