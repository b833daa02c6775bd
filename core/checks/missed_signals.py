"""A feeling that the user put into words and that the agent's next reply passes over.

Part of the checks, second station of the flow. Deliberately narrow: the user names the feeling, or what they have lost;
a reply that says sorry, understands, thanks for patience or names the feeling in any way counts as having heard it.
Source: Self-reflection memory, the dimension "missed signals".
"""

import re

from core.checks.contract import Case, Finding
from core.checks.passages import Passage, passage_at, sentences
from core.evidence.contract import Span
from core.transcripts.message import Message
from core.vocabulary import Dimension, Role, Severity

NAME = "missed_signals"

FEELING = re.compile(
    r"\b(?:frustrat(?:ed|ing)|upset|disappoint(?:ed|ing)|annoy(?:ed|ing)|angry|furious|unacceptable|outrageous"
    r"|worried|anxious|stress(?:ed|ful)|scared|overwhelm(?:ed|ing)|devastat(?:ed|ing)|fed up|in tears|panick(?:ed|ing)"
    r"|passed away|(?:family|medical) emergency|funeral|in (?:the )?hospital)\b",
    re.I,
)
NOT_THEIRS = re.compile(
    r"(?:\b(?:not|never|no longer|without being|less|if|unless|avoid(?:ing)?)|n['’]t)\s+(?:\w+\s+){0,3}$", re.I
)
"""Words before a feeling that take it back, or make it somebody's condition."""

HEARD = re.compile(
    r"\b(?:sorry|apolog\w+|understand\w*|appreciat\w+|regret\w*|condolence\w*|hear (?:that|you|this)|inconvenien\w+"
    r"|concern\w*|frustrat\w+|upset\w*|disappoint\w+|stress\w*|worr\w+|anxi\w+|difficult|tough|rough|must (?:be|feel)"
    r"|i see (?:why|how)|take care|thank you for (?:your patience|telling|sharing)|rest assured|emergency)\b",
    re.I,
)
KEY = re.compile(r'\w+\\?"\s*:\s*\\?"')
IMPROVEMENT = (
    "When a user says how they feel or what has happened to them, answer that first in one plain sentence, "
    "and only then go on with the task."
)


def findings(case: Case) -> list[Finding]:
    """Turns in which the user names a feeling and the agent's next words do not answer it."""
    messages = case.transcript.messages
    found = []
    for turn, message in enumerate(messages):
        felt = _felt(message)
        reply = _reply(messages, turn)
        if felt is not None and reply is not None and not HEARD.search(messages[reply].content):
            found.append(_finding(messages, turn, felt, reply))
    return found


def _felt(message: Message) -> re.Match[str] | None:
    if message.role is not Role.USER:
        return None
    return next(
        (one for one in FEELING.finditer(message.content) if not NOT_THEIRS.search(message.content[: one.start()])),
        None,
    )


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


def _finding(messages: tuple[Message, ...], turn: int, felt: re.Match[str], reply: int) -> Finding:
    said = passage_at(sentences(messages[turn].content), felt.start()) or Passage(felt.start(), felt.end())
    answered = _first_words(messages[reply].content)
    return Finding(
        check=NAME,
        fault=f"{NAME}:feeling",
        dimension=Dimension.MISSED_SIGNAL,
        severity=Severity.MEDIUM,
        about=Role.ASSISTANT,
        observation=f"The user said “{felt.group()}”, and the agent's reply goes straight on with the task.",
        spans=(Span(turn, said.start, said.end), Span(reply, answered.start, answered.end)),
        improvement=IMPROVEMENT,
        trigger="When the user names a feeling or a loss",
        title="Answer the feeling first",
        tags=("feelings", "tone", "reply"),
    )
