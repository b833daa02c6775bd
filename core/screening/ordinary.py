"""What commonly follows a word for a credential without being one.

Screening, secrets. These lists are why ordinary sentences about passwords pass.
"""

import re

from core.screening.word_lists import word_list

PLACEHOLDER = re.compile(
    r"[<{\[(*%]|\$[{(]|(?-i:\$[A-Z_]{3,}\b)|x{3,}|\.{2,}|…|•|(?:your|my|the)[_-]|yourpass\w*$"
    r"|(?-i:[A-Z]{2,}(?:_[A-Z]+)+$)"
    r"|(?:redacted|masked|hidden|removed|none|null|true|false|undefined|params|placeholder|example|todo|string|str|int"
    r"|bool"
    r"|password|passwd|secret|token|api[_-]?key|key|value|(?:change|replace)[_-]?me)$"
    r"|(?:os|env|process|config|settings|self|request|user|secrets|vault)\.|getenv",
    re.IGNORECASE,
)
"""Stands for a credential without being one."""

STATES = word_list("states_of_a_credential")
"""Words that say how a credential is, or that begin another clause."""

CODE_WORDS = {"pin": "pin", "otp": "one_time_code", "one": "one_time_code", "ver": "one_time_code"}
"""Codes of findings for short numbers, by the first letters of their names."""

_UNIT = re.compile(
    r"[- ]?(?:char|digit|letter|symbol|word|minute|min\b|hour|day|week|month|year|second|sec\b|attempt|time|tr(?:y"
    r"|ies)|bit|byte"
    r"|%|percent|tokens?\b|keys?\b|items?\b|or more\b|or longer\b)",
    re.IGNORECASE,
)


def followed_by_unit(rest: str) -> bool:
    """Whether a number that is followed by these words counts something: “8 characters”."""
    return bool(_UNIT.match(rest))
