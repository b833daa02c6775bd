"""A feeling that the user put into words and that the agent's next reply passes over.

Part of the checks, second station of the flow. Deliberately narrow: the user names the feeling or what they have lost,
shouts, swears, says it for the third time, asks for a manager, or threatens to leave; a reply that says sorry,
understands, thanks for patience, hands over or names the feeling in any way counts as having heard it, and the same
words are judged once.
Source: Self-reflection memory, the dimension "missed signals".
"""

import re

from core.checks.contract import Case, Finding
from core.checks.feelings import Feeling, feeling_in, is_heard
from core.checks.passages import Passage, sentences, shortened
from core.evidence.contract import Span
from core.transcripts.message import Message
from core.vocabulary import Dimension, Role

NAME = "missed_signals"

KEY = re.compile(r'\w+\\?"\s*:\s*\\?"')
_LETTERS = 40
"""How many letters tell whether a user always writes in capitals."""
_NAMED = (
    "When a user says how they feel or what has happened to them, answer that first in one plain sentence, "
    "and only then go on with the task.",
    "When the user names a feeling or a loss",
    "Answer the feeling first",
)
_STRONG = (
    "When a user shouts, swears, repeats a complaint, asks for a manager or tells of a loss, say first in one plain "
    "sentence what went wrong for them and what happens now about it; only then go on with the task.",
    "When the user is outraged, threatens to leave or tells of a loss",
    "Hear the outrage before the task",
)


def findings(case: Case) -> list[Finding]:
    """Turns in which the user names a feeling and the agent's next words do not answer it; high where it is strong."""
    messages = case.transcript.messages
    shouting = not _always_in_capitals(messages)
    found = []
    told: set[str] = set()
    for turn, message in enumerate(messages):
        felt = feeling_in(message.content, capitals=shouting) if message.role is Role.USER else None
        if felt is None or felt.words.lower() in told:
            continue
        told.add(felt.words.lower())
        reply = _reply(messages, turn)
        if reply is not None and not is_heard(messages[reply].content):
            found.append(_finding(messages, turn, felt, reply))
    return found


def _always_in_capitals(messages: tuple[Message, ...]) -> bool:
    """Whether the user writes in capitals from turn to turn, so that they say nothing about a feeling."""
    turns = [message.content[:_LETTERS] for message in messages if message.role is Role.USER]
    written = [turn for turn in turns if any(letter.isalpha() for letter in turn)]
    return len(written) > 1 and 2 * sum(turn.isupper() for turn in written) > len(written)


def _reply(messages: tuple[Message, ...], turn: int) -> int | None:
    """The agent's next turn with words in it, before the user speaks again."""
    for later in range(turn + 1, len(messages)):
        if messages[later].role is Role.USER:
            return None
        if messages[later].role is Role.ASSISTANT and messages[later].content.strip():
            return later
    return None


def _first_words(content: str) -> Passage:
    """The first sentence of a reply, without the key of a reply that is itself JSON text."""
    first = next(iter(sentences(content)), Passage(0, len(content)))
    key = KEY.match(content, first.start, first.end)
    return Passage(key.end(), first.end) if key and key.end() < first.end else first


def _finding(messages: tuple[Message, ...], turn: int, felt: Feeling, reply: int) -> Finding:
    answered = _first_words(messages[reply].content)
    improvement, trigger, title = _STRONG if felt.strong else _NAMED
    return Finding(
        check=NAME,
        fault=f"{NAME}:{'strong_feeling' if felt.strong else 'feeling'}",
        dimension=Dimension.MISSED_SIGNAL,
        severity=felt.severity,
        about=Role.ASSISTANT,
        observation=f"The user said “{shortened(felt.words)}”, and the agent's reply goes straight on with the task.",
        spans=(Span(turn, felt.said.start, felt.said.end), Span(reply, answered.start, answered.end)),
        improvement=improvement,
        trigger=trigger,
        title=title,
        tags=("feelings", "tone", "reply"),
    )
