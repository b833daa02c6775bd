"""An instruction that the agent never takes up is found; one that it follows, refuses or asks about is not."""

import pytest

from core.checks.dropped_instruction import findings
from core.checks.languages import language_of
from core.vocabulary import Severity

LONG = (
    "The course starts on Monday. It lasts six weeks. You need a laptop. The room is in the east wing. Bring your card."
)
LIST = "Here you are:\n- Monday, east wing\n- Tuesday, west wing\n- Friday, online"
ENGLISH = "The course starts on Monday and it will be in the east wing of the house."
GERMAN = "Der Kurs beginnt am Montag und ist für alle, die noch nicht dabei waren, im Haus an der Ecke."
CLOSING = "That is all I have for you on this, and it will be ready for you on Monday."
DROPPED = [
    ("Please answer in one sentence.", LONG, "form"),
    ("Can you explain it in two sentences?", LONG + " " + LONG, "form"),
    ("Tell me in at most five words.", LONG, "form"),
    ("Please reply in German.", ENGLISH, "form"),
    ("Could you answer in Spanish, please?", ENGLISH, "form"),
    ("Write to me in English.", GERMAN, "form"),
    ("Please don’t use bullet points.", LIST, "form"),
    ("No lists, please.", LIST, "form"),
    ("Answer without bullet points.", LIST, "form"),
    ("Please give me the dates as a bullet list.", LONG, "form"),
    ("Show it in a table.", LONG, "form"),
    ("Please don’t call me.", "Fine. Our office will call you tomorrow.", "contact"),
    ("No phone calls, please.", "Good. You can expect a call from our office at nine.", "contact"),
    ("I don’t want you to call me.", "Noted. I will give you a call on Monday.", "contact"),
    ("Please email me the form.", CLOSING, "contact"),
    ("Text me the address.", CLOSING, "contact"),
    ("Please send it by post.", CLOSING, "contact"),
    ("Also, please cancel the bicycle rental in Hamburg.", CLOSING, "second_request"),
    ("Could you also move my piano lesson with Jonas?", CLOSING, "second_request"),
    ("One more thing, please book the sauna for Katrin.", CLOSING, "second_request"),
]
TAKEN_UP = [
    ("Please answer in one sentence.", "The course starts on Monday."),
    ("Please answer in one sentence.", "Of course. The course starts on Monday. Anything else?"),
    ("I said it in one sentence.", LONG),
    ("Please reply in German.", GERMAN),
    ("Please reply in German.", "I am sorry, but I can only write to you in English, not in German, at this desk."),
    ("Do you speak German there?", ENGLISH),
    ("Please don’t use bullet points.", LONG),
    ("I made a list of bullet points.", LIST),
    ("Please give me the dates as a bullet list.", LIST),
    ("Please give me the dates as a bullet list.", "Which dates do you mean?"),
    ("Please don’t call me.", "Understood, we will not call you."),
    ("Please don’t call me.", "Our office will write to you instead of a call."),
    ("Call me back at nine.", "I will ring you at nine, as you wish and as it is written in the file."),
    ("Please email me the form.", "I have sent the form to your inbox, and it will be there in a minute."),
    ("Please email me the form.", "You are in good hands, and a colleague will take care of it with you."),
    ("If it is late, email me the form.", CLOSING),
    ("Also, please cancel the bicycle rental in Hamburg.", "The bicycle is cancelled, and you have it in your file."),
    ("Also, please cancel the bicycle rental in Hamburg.", "I cannot do both, but this is the one that you have."),
    ("Also, I am happy with the bicycle rental in Hamburg.", CLOSING),
    ("My aunt said: also check the bicycle rental.", CLOSING),
    ("Thanks for the form.", CLOSING),
]


@pytest.mark.parametrize(("said", "reply", "about"), DROPPED)
def test_an_instruction_that_is_never_taken_up_is_found(talk, words, said, reply, about):
    case = talk.user(f"When does the course start? {said}").agent(reply).user("Hm.").agent("Goodbye to you.").case()

    [finding] = findings(case)

    assert finding.fault == f"dropped_instruction:{about}"
    assert words(case, finding)[0] == said
    assert [span.turn for span in finding.spans] == [0, 1]


@pytest.mark.parametrize(("said", "reply"), TAKEN_UP)
def test_an_instruction_that_is_followed_refused_asked_about_or_none_is_fine(talk, said, reply):
    case = talk.user(f"When does the course start? {said}").agent(reply).user("Hm.").agent("Goodbye to you.").case()

    assert findings(case) == []


def test_taking_the_reply_that_takes_it_up_away_makes_it_a_finding(talk):
    asked = talk.user("When does it start? Also, please cancel the bicycle rental in Hamburg.").agent(CLOSING)
    assert len(findings(asked.case())) == 1

    assert findings(asked.user("And?").agent("The bicycle is cancelled.").case()) == []


def test_a_call_of_a_tool_takes_a_request_up(talk):
    talk.user("When does it start? Also, please cancel the bicycle rental in Hamburg.")

    assert findings(talk.tool("cancel_rental", {"ok": 1}, item="bicycle").agent(CLOSING).case()) == []


@pytest.mark.parametrize(
    "said",
    [
        "Please don’t cancel it.",
        "Please do not cancel my order.",
        "I don’t want you to cancel that.",
        "Don’t cancel anything.",
    ],
)
def test_a_forbidden_act_that_a_tool_does_all_the_same_is_high(talk, words, said):
    case = talk.user(f"It is late. {said}").tool("cancel_order", {"ok": 1}).agent("It has been cancelled.").case()

    [finding] = findings(case)

    assert (finding.fault, finding.severity) == ("dropped_instruction:forbidden_act", Severity.HIGH)
    assert words(case, finding) == [said, "It has been cancelled."]


@pytest.mark.parametrize(
    "said", ["Please don’t cancel it yet.", "Don’t cancel it if it costs more.", "Why don’t you cancel it?"]
)
def test_what_is_forbidden_only_in_some_case_is_not_followed_up(talk, said):
    case = talk.user(said).tool("cancel_order", {"ok": 1}).agent("It has been cancelled.").case()

    assert findings(case) == []


def test_a_user_who_comes_back_to_it_has_allowed_it(talk):
    talk.user("Please don’t cancel it.").agent("Then it costs $5.").user("Fine, then cancel it.")

    assert findings(talk.tool("cancel_order", {"ok": 1}).agent("It has been cancelled.").case()) == []


def test_a_tool_that_refuses_the_forbidden_act_is_no_breach(talk):
    talk.user("Please don’t cancel it.").tool("cancel_order", "error: not allowed", failed=True)

    assert findings(talk.agent("It stays as it is.").case()) == []


def test_looking_the_thing_up_is_not_doing_it(talk):
    talk.user("Please don’t book it.").tool("get_booking", {"id": 1}).agent("Your booking is for Monday.")

    assert findings(talk.case()) == []


def test_what_is_handed_over_to_people_is_theirs_to_answer(talk):
    talk.user("When does it start? Also, please cancel the bicycle rental in Hamburg.")

    assert findings(talk.agent("You are being transferred to a human agent.").case()) == []


def test_a_session_that_ends_before_any_reply_is_not_judged(talk):
    assert findings(talk.user("Please answer in one sentence.").case()) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "english"),
        (GERMAN, "german"),
        (
            "Le cours commence lundi et il est pour tous les élèves qui ne sont pas venus avec nous dans la maison.",
            "french",
        ),
        ("El curso empieza el lunes y es para todos los que no pueden venir con su familia por la tarde.", "spanish"),
        ("मैं समझ सकता हूँ कि आप परेशान हैं", "hindi"),
        ("HAT041 JFK LAX 2026", None),
        ("Ok.", None),
    ],
)
def test_a_language_is_told_by_its_everyday_words_or_its_script(text, language):
    assert language_of(text) == language
