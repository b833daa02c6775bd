"""What commonly follows a word for a credential without being one.

Screening, secrets. These lists are why ordinary sentences about passwords pass.
"""

import re

PLACEHOLDER = re.compile(
    r"[<{\[(*%]|\$[{(]|(?-i:\$[A-Z_]{3,}\b)|x{3,}|\.{2,}|…|•|(?:your|my|the)[_-]|yourpass\w*$|(?-i:[A-Z]{2,}(?:_[A-Z]+)+$)"
    r"|(?:redacted|masked|hidden|removed|none|null|true|false|undefined|params|placeholder|example|todo|string|str|int|bool"
    r"|password|passwd|secret|token|api[_-]?key|key|value|(?:change|replace)[_-]?me)$"
    r"|(?:os|env|process|config|settings|self|request|user|secrets|vault)\.|getenv",
    re.IGNORECASE,
)
"""Stands for a credential without being one."""

STATES = frozenset(
    """
    a an the this that these those their theirs his her hers its our ours your yours my mine it one ones not no only too so
    very also just now then there here still yet never always already at in on for to of from by with without as if when
    where who what which why how and or but because until unless than about into over under after before
    is are was were be been being has have had do does did can could may might must shall should will would
    ask tell send give use enter type check reset set sent changed change share shared show shown new old wrong right correct
    incorrect invalid valid weak strong short long safe unsafe secure insecure secret public private plain clear blank empty
    null none missing lost found gone stolen leaked known unknown expired required optional mandatory needed necessary
    important sensitive confidential case-sensitive protected encrypted hashed salted stored saved kept hidden masked visible
    written given chosen taken forgotten broken mistyped misspelt accepted rejected refused denied locked unlocked blocked
    changed updated rotated renewed created generated requested received confirmed verified unchanged identical different
    same similar equal unique random temporary permanent default custom fine good bad okay ok enough due void active
    inactive enabled disabled working failing up down away back off out open closed free fresh stale handy ready done
    reset-only one-time up-to-date out-of-date yes nothing something anything everything else more less most least
    """.split()
)
"""Words that say how a credential is, or that begin another clause."""

CODE_WORDS = {"pin": "pin", "otp": "one_time_code", "one": "one_time_code", "ver": "one_time_code"}
"""Codes of findings for short numbers, by the first letters of their names."""

_UNIT = re.compile(
    r"[- ]?(?:char|digit|letter|symbol|word|minute|min\b|hour|day|week|month|year|second|sec\b|attempt|time|tr(?:y|ies)|bit|byte"
    r"|%|percent|tokens?\b|keys?\b|items?\b|or more\b|or longer\b)",
    re.IGNORECASE,
)


def followed_by_unit(rest: str) -> bool:
    """Whether a number that is followed by these words counts something: “8 characters”."""
    return bool(_UNIT.match(rest))
