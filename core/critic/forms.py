"""The form that a lesson was asked for: one sentence, and for a reflection the sentence of a failed trial.

Critic. Sources: Using Feedback and Reflection in Agent Workflows (one sentence); Reflexion buffer ("I failed to …").
"""

import re

_REFLECTION = re.compile(r"I failed to \S.+? because \S.+?; ?next time,? \S.+", re.IGNORECASE | re.DOTALL)
_NEXT_SENTENCE = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)[.!?]['\"”’)]?\s+(?=[A-ZÀ-ÞА-Я])|[。！？](?=\S)")


def is_reflection(text: str) -> bool:
    """Whether a text reads "I failed to … because …; next time, …", as one sentence."""
    return _REFLECTION.fullmatch(text.strip()) is not None and sentences(text) == 1


def sentences(text: str) -> int:
    """How many sentences a text has, at least one."""
    return sum(1 + len(_NEXT_SENTENCE.findall(line.strip())) for line in text.strip().splitlines() if line.strip()) or 1
