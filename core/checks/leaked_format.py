"""A reply that reaches the user as markup meant for machines: a JSON object, a tool call in text, hidden thoughts.

Part of the checks, second station of the flow. Passes over users who asked for such a format, messages between agents,
and replies in which a short snippet stands among sentences.
"""

import json
import re

from core.checks.contract import Case, Finding
from core.evidence.contract import Span
from core.transcripts.message import Message
from core.vocabulary import Dimension, Role, Severity

NAME = "leaked_format"

ASKED_FOR = re.compile(r"\b(?:json|yaml|xml|markup|code|payload|schema|structured)\b", re.I)
MARKUP = re.compile(r"</?(?:tool_call|function_call|tool_response|think|thinking|scratchpad)>|<\|[a-z_]+\|>", re.I)
FENCE = re.compile(r"^```(?:json)?\s*|\s*```$")
SHOWN = 160
"""Characters of a long reply that are quoted."""
IMPROVEMENT = (
    "Write what the user reads as plain sentences; never send a JSON object, tool markup or private notes as the reply."
)


def findings(case: Case) -> list[Finding]:
    """The first reply of the session that the user was shown as markup, with how many there were."""
    messages = case.transcript.messages
    if any(one.role is Role.USER and ASKED_FOR.search(one.content) for one in messages):
        return []
    leaks = [
        turn for turn in range(len(messages)) if _faces_user(messages, turn) and _is_markup(messages[turn].content)
    ]
    return [_finding(messages, leaks)] if leaks else []


def _faces_user(messages: tuple[Message, ...], turn: int) -> bool:
    """Whether these words of the agent are what the user reads next."""
    message = messages[turn]
    if message.role is not Role.ASSISTANT or message.tool_calls or not message.content.strip():
        return False
    met = any(one.role is Role.USER for one in messages[:turn]) or turn == 0
    following = messages[turn + 1 : turn + 2]
    return met and (not following or following[0].role is Role.USER)


def _is_markup(content: str) -> bool:
    if MARKUP.search(content):
        return True
    bare = FENCE.sub("", content.strip())
    if not (bare.startswith(("{", "[{")) and bare.endswith(("}", "]"))):
        return False
    try:
        return isinstance(json.loads(bare), dict | list)
    except (ValueError, RecursionError):
        return bool(re.match(r'[{\[]\s*"\w+"\s*:', bare))


def _finding(messages: tuple[Message, ...], leaks: list[int]) -> Finding:
    content = messages[leaks[0]].content
    many = "one reply" if len(leaks) == 1 else f"{len(leaks)} replies"
    return Finding(
        check=NAME,
        fault=f"{NAME}:reply",
        dimension=Dimension.COMMUNICATION,
        severity=Severity.MEDIUM,
        about=Role.ASSISTANT,
        observation=f"The user was shown {many} as markup for machines instead of sentences.",
        spans=(_span(leaks[0], content),),
        improvement=IMPROVEMENT,
        trigger="Before any reply to the user",
        title="Plain words to the user",
        tags=("reply", "format"),
    )


def _span(turn: int, content: str) -> Span:
    """The markup where there is a tag, else the beginning of the object, cut between words."""
    tag = MARKUP.search(content)
    start = tag.start() if tag else len(content) - len(content.lstrip())
    end = min(len(content.rstrip()), start + SHOWN)
    while end < len(content) and end > start + 1 and not content[end].isspace():
        end -= 1
    return Span(turn, start, len(content[:end].rstrip()) if end > start + 1 else min(len(content), start + SHOWN))
