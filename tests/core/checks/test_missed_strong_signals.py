"""A strong feeling that is passed over is high; what only looks like one is none."""

import pytest

from core.checks.contract import Case
from core.checks.missed_signals import findings
from core.transcripts import Message, Transcript
from core.vocabulary import Severity

STRONG = [
    "This is ridiculous.",
    "That’s completely unacceptable, and you know it.",
    "I am furious about the bill.",
    "I’m telling you this for the third time.",
    "How many times do I have to send you the form?",
    "I have already called four times about this.",
    "I want to speak to a manager.",
    "Get me your supervisor, now.",
    "I will never order from you again.",
    "I’m taking my business elsewhere.",
    "I’m going to sue you over this.",
    "I will take legal action against you.",
    "I lost my home in the storm.",
    "My lawyer will write to you.",
    "The worst customer service I have met.",
    "What the hell is going on with my line?",
    "Where is my money, damn it?",
    "WHY DO YOU NOT ANSWER ME",
    "My account is empty!!!",
    "My mother passed away last week, so I must change the date.",
    "My son is seriously ill and I need to go home.",
    "It is a family emergency, please move the flight.",
    "I lost my job, so please stop the plan.",
]
NOT_STRONG = [
    "This is ridiculously cheap, I take it.",
    "The film is called Outrage.",
    "Is the manager of the hotel there in the morning?",
    "I’m not furious, just curious.",
    "If this is unacceptable to you, say so.",
    "Thank you so much!!!",
    "187!!! 🚀",
    "Wow, that was fast!!!",
    "Holy shit, that is exactly what I needed.",
    "FLIGHT HAT041 FROM NEW YORK TO LOS ANGELES",
    "The code is ABC DEF GHI JKL.",
    "DO NOT IRON",
    "I lost my card number.",
    "I lost my house keys.",
    "Can I take legal action if my neighbour is loud?",
    "What does a lawyer cost?",
    "What are the signs of a heart attack?",
    "In case of a medical emergency, whom do I call?",
    "I will never need the second seat.",
    "For the second seat I take the window.",
    "I asked for two tickets.",
    "The course Stress and Anger starts when?",
    '{"note": "THIS IS NOT WHAT I WANT"}',
]
PLAIN = "Please send me your customer number."


def _case(*turns: tuple[str, str]) -> Case:
    return Case(Transcript(messages=tuple(Message(role=role, content=text) for role, text in turns)))


@pytest.mark.parametrize("said", STRONG)
def test_a_strong_feeling_that_is_passed_over_is_high(said):
    [finding] = findings(_case(("user", f"Hi. {said}"), ("assistant", PLAIN)))

    assert (finding.fault, finding.severity) == ("missed_signals:strong_feeling", Severity.HIGH)
    assert [span.turn for span in finding.spans] == [0, 1]


@pytest.mark.parametrize("said", NOT_STRONG)
def test_cheer_codes_titles_denials_and_conditions_are_no_strong_feeling(said):
    assert findings(_case(("user", said), ("assistant", PLAIN))) == []


@pytest.mark.parametrize(
    "reply",
    [
        "I’m sorry about that.",
        "I understand.",
        "I can transfer you to a colleague.",
        "That should not have happened.",
        "Let’s fix that right away.",
        "My condolences. Which date suits you?",
        "You are right, that took too long.",
        "I hear you. What is the number?",
        "I have escalated it.",
        "That must be hard.",
        "Main samajh sakta hoon. Account number?",
        "मैं समझ सकता हूँ।",
        "Das tut mir leid.",
        "Lamento lo ocurrido.",
        "Unfortunate, and our mistake.",
    ],
)
@pytest.mark.parametrize("said", ["This is ridiculous.", "I want to speak to a manager.", "My father died."])
def test_a_reply_that_hears_it_in_any_way_is_fine(said, reply):
    assert findings(_case(("user", said), ("assistant", reply))) == []


def test_taking_the_answer_to_the_feeling_away_makes_it_a_finding():
    said = ("user", "This is ridiculous, I want my money back.")
    heard = _case(said, ("assistant", "I’m sorry. Please send me your customer number."))

    assert findings(heard) == []
    assert len(findings(_case(said, ("assistant", PLAIN)))) == 1


def test_a_user_who_always_writes_in_capitals_does_not_shout():
    calm = ("user", "HELLO THERE, MY ORDER")
    loud = ("user", "I WANT TO GET THE ORDER NOW")

    assert findings(_case(calm, ("assistant", "Yes?"), loud, ("assistant", PLAIN))) == []
    assert len(findings(_case(("user", "Hello, my order"), ("assistant", "Yes?"), loud, ("assistant", PLAIN)))) == 1


def test_the_same_words_are_judged_once():
    said = ("user", "It is a family emergency.")

    assert len(findings(_case(said, ("assistant", PLAIN), said, ("assistant", PLAIN)))) == 1


def test_a_feeling_that_is_only_named_stays_medium():
    [finding] = findings(_case(("user", "I’m really worried."), ("assistant", PLAIN)))

    assert (finding.fault, finding.severity) == ("missed_signals:feeling", Severity.MEDIUM)


@pytest.mark.parametrize(
    "said",
    ["That's kinda disappointing.", "She is scared of dogs.", "When I'm anxious, I walk.", "My sister is annoyed."],
)
def test_a_hedge_or_somebody_elses_feeling_is_no_signal(said):
    assert findings(_case(("user", said), ("assistant", PLAIN))) == []


def test_a_pasted_text_is_nobodys_voice():
    assert findings(_case(("user", "This is ridiculous. " * 200), ("assistant", PLAIN))) == []
