"""How many tokens a text has, roughly, and whether a server has read fewer than it can have.

Critic. No tokenizer is at hand for the models of every server. The estimate is for people; the suspicion rests on the
fewest tokens that a tokenizer in use could make: they do not join words across a blank.
"""

import re

from core.critic.answer import Request

_ALPHABETIC = 0.25
"""Tokens per character of scripts with an alphabet."""

_IDEOGRAPHIC = 0.6
"""Tokens per character from U+2E80 on: Chinese, Japanese, Korean, and pictures."""

_FEWEST_IDEOGRAPHIC = 0.35
"""Tokens per such character that a tokenizer made for these languages needs at least."""

_IDEOGRAPHS = "\u2e80"

_MOST_ASCII = 0.4
"""Tokens per character of ASCII at most, in prose and in JSON; identifiers and digits come near it."""

_MARGIN = 1.5
"""How many times more the estimate may be than the tokens there are: 1.36 in prose of long English words."""

_SURE_FROM = 400
"""Tokens from which a count is judged; no server's context is so small that less would be cut."""

_RUNS = re.compile(r"([\W_])\1+")


def estimate(text: str) -> int:
    """Tokens of a text, roughly; a run of one mark or blank counts as one."""
    short = _RUNS.sub(r"\1", text)
    ideographs = _ideographs(short)
    return round((len(short) - ideographs) * _ALPHABETIC + ideographs * _IDEOGRAPHIC)


def fewest(text: str) -> int:
    """Tokens that a text has at least: one for each word, and what the estimate leaves after its margin."""
    return round(max(len(text.split()) + _ideographs(text) * _FEWEST_IDEOGRAPHIC, estimate(text) / _MARGIN))


def prompt_estimate(request: Request) -> int:
    """Tokens of all messages of a request, roughly."""
    return sum(estimate(said.content) for said in request.messages)


def most_in_prompt(request: Request) -> int:
    """Tokens that all messages of a request have at most, for what is reserved: one for each character beyond ASCII."""
    texts = [said.content for said in request.messages]
    beyond = sum(len(text) - len(text.encode("ascii", "ignore")) for text in texts)
    return round(sum(map(len, texts)) * _MOST_ASCII) + beyond


def looks_cut(request: Request, counted: int | None) -> bool:
    """Whether the server has read less than was sent; False where it counts nothing."""
    least = sum(fewest(said.content) for said in request.messages)
    return bool(counted) and least >= _SURE_FROM and least > (counted or 0)


def _ideographs(text: str) -> int:
    return sum(character >= _IDEOGRAPHS for character in text)
