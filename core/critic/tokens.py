"""How many tokens a text has, roughly, and whether a server has read far fewer.

Critic. No tokenizer is at hand for the models of every server, so this is an estimate by script, low on purpose: a
server is suspected only where no tokenizer could explain its count.
"""

import re

from core.critic.answer import Request

_PLAIN = 0.25
"""Tokens per ASCII character of prose."""

_OTHER = 0.3
"""Tokens per other character: the newest tokenizers need about as many for Cyrillic, and more for most scripts."""

_SURE_FROM = 600
"""Estimated tokens from which a count can be judged; no server's context is so small that less would be cut."""

_MARGIN = 2
"""How many times more than the server's count the estimate must be."""

_RUNS = re.compile(r"([\W_])\1+")


def estimate(text: str) -> int:
    """Tokens of a text, roughly and rather too few: a run of one mark or blank counts as one."""
    short = _RUNS.sub(r"\1", text)
    plain = sum(map(str.isascii, short))
    return round(plain * _PLAIN + (len(short) - plain) * _OTHER)


def prompt_estimate(request: Request) -> int:
    """Tokens of all messages of a request, roughly."""
    return sum(estimate(said.content) for said in request.messages)


def looks_cut(request: Request, counted: int | None) -> bool:
    """Whether the server has read much less than was sent; False where it counts nothing."""
    expected = prompt_estimate(request)
    return bool(counted) and expected >= _SURE_FROM and expected > _MARGIN * (counted or 0)
