"""A question about one event goes to episodes, one about a pattern to beliefs, and the words that decided are named."""

import pytest

from core.memory.routing import Layer, route


@pytest.mark.parametrize(
    "question",
    [
        "When did the user mention they were vegetarian?",
        "On which date was the refund promised?",
        "How many times did the user ask for logs?",
        "What did the user say last time?",
        "Did the user cancel on Monday?",
        "Was the course moved on 3 March?",
        "How many times exactly does she call?",
        "What happened on 2026-03-01?",
        "When was it that they said they always want logs?",
        "Who asked for the invoice?",
        "What were her exact words?",
        "How many euros precisely?",
        "When exactly did she say that she always wants logs?",
    ],
)
def test_one_event(question: str) -> None:
    found = route(question)
    assert found.layer is Layer.EPISODES
    assert found.words
    assert all(words.lower() in question.lower() for words in found.words)


@pytest.mark.parametrize(
    "question",
    [
        "What does this user usually want at deploy time?",
        "Does the user prefer mail or phone?",
        "What does the user want before a retry?",
        "Does she tend to pay late? She tends to.",
        "Did the user usually ask on Mondays?",
        "Is he always in a hurry?",
        "How often does the user ask for logs?",
        "How does this user like to be addressed?",
        "When does the user normally deploy?",
        "What exactly does this client usually want?",
        "Does she prefer an exact answer?",
        "Is he always so precise?",
        "What precisely does the user need?",
    ],
)
def test_a_pattern(question: str) -> None:
    found = route(question)
    assert found.layer is Layer.BELIEFS
    assert found.words


@pytest.mark.parametrize("question", ["", "Refunds?", "Was will der Nutzer?"])
def test_with_no_sign_a_pattern_is_asked_for_and_no_word_is_named(question: str) -> None:
    found = route(question)
    assert (found.layer, found.words) == (Layer.BELIEFS, ())
    assert "No word" in found.why
