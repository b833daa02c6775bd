"""A figure needs a source: told, said, answered, or a little arithmetic away."""

import pytest

from core.checks import Policy
from core.checks.figures import figures
from core.checks.ungrounded_figures import findings as ungrounded_figures
from core.vocabulary import Severity


@pytest.mark.parametrize(
    ("reply", "kind", "severity"),
    [
        ("You receive ₹375 for the trouble.", "amount", Severity.HIGH),
        ("Such funds earn 13.5% a year.", "percentage", Severity.HIGH),
        ("Your case number is CMP-48213.", "code", Severity.HIGH),
        ("The money arrives within 5–7 business days.", "duration", Severity.MEDIUM),
        ("The re-sit takes place on 14 December.", "date", Severity.MEDIUM),
        ("The office opens at 9:30 am.", "time", Severity.MEDIUM),
        ("Call us on 18002667.", "number", Severity.MEDIUM),
    ],
)
def test_a_figure_from_nowhere_is_found_and_lit_exactly(talk, words, reply, kind, severity):
    case = talk.user("Tell me more.").agent("Well, let me see. " + reply + " Is that fine?").case()

    [finding] = ungrounded_figures(case)

    assert (finding.fault, finding.severity) == (f"ungrounded_figures:{kind}", severity)
    assert words(case, finding) == [reply]


@pytest.mark.parametrize(
    ("source", "reply"),
    [
        ("The price is 1250.", "It costs ₹1,250.00."),
        ("The price is ₹1,20,000.", "It costs 1.2 lakh rupees."),
        ("We charge 7 %.", "The fee is 7 per cent."),
        ('{"rate": 0.07}', "The rate is 7%."),
        ('{"amount_paise": 49900}', "You paid ₹499."),
        ("It takes seven days.", "It takes 7 days."),
        ('{"window_days": 7}', "You have 7 days."),
        ('{"return": {"3y": 6.5}}', "It earned 6.5% over three years."),
        ("We start on 2026-05-24.", "We start on 24 May."),
        ("We start on May 24th, 2026.", "We start on 24/05/2026."),
        ("Departure 15:00.", "You leave at 3 pm."),
        ("दोपहर के 2 बजे", "Around 2 PM then."),
        ("Order W4923227 is open.", "Your order #W4923227 is open."),
        ("The window is two weeks.", "The window is 14 days."),
        ("Notice runs for 24 hours.", "Notice runs for one day."),
        ("Card gift_card_7359776 is used.", "We use the card ending in 9776."),
    ],
)
def test_a_figure_is_known_however_it_is_written(talk, source, reply):
    assert ungrounded_figures(talk.user("Hello").tool("get_data", source).agent(reply).case()) == []


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ({"price": 185.5, "passengers": 3}, "For 3 passengers that makes $556.50."),
        ({"items": [{"price": 481.5}, {"price": 288.82}, {"price": 150.01}]}, "Together they cost $920.33."),
        ({"old": 503, "new": 317}, "You get $186 back."),
        ({"fares": [{"price": 404}, {"price": 417}], "paid": 699}, "The new fare is $821, so you pay $122 more."),
        ({"premium": 24000}, "That is ₹2,000 a month."),
        ({"price": 900, "vat_percent": 18, "note": "VAT 18%"}, "With 18% VAT of ₹162 it is ₹1,062."),
        ({"invested": 80, "of": 200}, "You have used 40% of it."),
        ({"start": "2026-11-16", "notice": "30 days"}, "It ends on 16 December."),
        ({"from": "2026-11-03", "to": "2026-11-06"}, "That is a stay of 3 days."),
        ({"day": "2026-05-15"}, "The flight lands a day later, on 16 May."),
        ({"deposit": 100000, "note": "7% a year for 5 years"}, "It grows to ₹1,40,255."),
        ({"deposit": 49873}, "That is about ₹50,000."),
    ],
)
def test_what_follows_by_a_little_arithmetic_is_not_reported(talk, answer, reply):
    assert ungrounded_figures(talk.user("How much?").tool("get_data", answer).agent(reply).case()) == []


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ({"price": 185.5, "passengers": 3}, "For 3 passengers that makes $561.50."),
        ({"items": [{"price": 481.5}, {"price": 288.82}, {"price": 150.01}]}, "Together they cost $925.33."),
        ({"old": 503, "new": 317}, "You get $189 back."),
        ({"start": "2026-11-16", "notice": "30 days"}, "It ends on 20 December."),
        ({"deposit": 49873}, "That is about ₹55,000."),
        ({"lessons": 7}, "You have 7 days to return it."),
    ],
)
def test_wrong_arithmetic_is_reported(talk, answer, reply):
    assert len(ungrounded_figures(talk.user("How much?").tool("get_data", answer).agent(reply).case())) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "Is your budget below $480?",
        "Tell me the date, e.g. 14 March.",
        "I would put ₹30,000 into a deposit and ₹20,000 into a fund.",
        "I can look for flights on 9 June.",
        "Split it as 60% and 40%.",
        "We are here 24/7, step 1 of 3.",
        "In 2024 the rules were different.",
        "See https://example.org/2031/CMP-48213 and /srv/files/CMP-48213.png for more.",
    ],
)
def test_questions_examples_proposals_and_idle_numbers_pass(talk, reply):
    assert ungrounded_figures(talk.user("Well?").agent(reply).case()) == []


def test_sources_are_prompt_policy_fact_and_user(talk):
    policy = Policy("p", "Refunds", "Desk", 1, "2026-01-01", "Money is back within 5 working days.")
    talk.user("I paid $81.").agent("You paid $81 and $44, the fee is $12.50; it is back within 5 working days.")

    case = talk.case(base_prompt="The fee is $12.50.", facts=("Paid $44 in May.",), policies=(policy,))

    assert ungrounded_figures(case) == []


def test_a_source_after_the_turn_comes_too_late(talk):
    talk.user("How much?").agent("It costs $812.35.").tool("get_price", {"price": 812.35})

    assert len(ungrounded_figures(talk.case())) == 1


def test_a_figure_is_reported_once_and_not_again_when_repeated(talk):
    talk.user("How much?").agent("It costs $812.35.").user("Sure?").agent("Yes, it costs $812.35.")

    assert [finding.spans[0].turn for finding in ungrounded_figures(talk.case())] == [1]


def test_where_nothing_is_known_of_the_prompt_only_figures_of_the_case_are_judged(talk):
    rule = "Refunds take 5–7 business days and bags cost $50 each."
    case = talk.user("And my refund?").agent(rule + " Your case number is CMP-48213.").case(base_prompt="")

    [finding] = ungrounded_figures(case)

    assert finding.observation.startswith("The agent gave “CMP-48213”, which")


def test_a_prompt_inside_the_transcript_counts_as_told(talk):
    talk.system("You help with refunds.").user("And?").agent("It takes 5–7 business days.")

    assert len(ungrounded_figures(talk.case(base_prompt=""))) == 1


def test_the_improvement_is_general_and_names_no_figure(talk):
    [finding] = ungrounded_figures(talk.user("And?").agent("You receive ₹375.").case())

    assert "375" not in finding.improvement + finding.trigger + "".join(finding.tags)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("HAT039, #W4923227, K1NW8N, gift_card_7359776", ["code"] * 4),
        ("COVID-19, iPhone15, 2nd, A4, 24/7", []),
        ("a 14-day trial, 30 minutes, 200 Mbps, two weeks", ["duration"] * 4),
        ("₹1.5 lakh, $1.5k, Rs. 500, 20 euros", ["amount"] * 4),
        ("7–8 % and 9 percent", ["percentage"] * 2),
        ("2024-05-15T15:00:00", ["date", "time"]),
        ("99/99/2024 and 25:61", []),
    ],
)
def test_figures_are_read_by_kind(text, kinds):
    assert [figure.kind for figure in figures(text) if figure.kind != "number"] == kinds


def test_a_figures_offsets_are_exact_among_wide_characters():
    text = "😀 नमस्ते İstanbul: ₹1,20,000 — fin"

    [figure] = figures(text)

    assert text[figure.start : figure.end] == figure.text == "₹1,20,000"
