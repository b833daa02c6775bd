"""Where the blocks of a briefing stand in a message that is not the agent's, and where they end.

Evidence. A block is a heading, items as bullets or numbers, each one paragraph, and perhaps a closing line. It ends at
a blank line after its last item. Whoever forges an ending must not turn what the agent was told into somebody's words:
text between two items, text that touches the block, and all that follows a heading without items, was told.
"""

import re

from core.vocabulary import (
    BELIEFS_HEADING,
    LESSONS_HEADING,
    NOTES_CLOSING,
    NOTES_HEADING,
    PROCEDURES_HEADING,
    REFLECTIONS_HEADING,
)

_HEADINGS = (PROCEDURES_HEADING, NOTES_HEADING, LESSONS_HEADING, REFLECTIONS_HEADING, BELIEFS_HEADING)
_HEADING = re.compile(
    r"(?:^|\n)[ \t#*]*(?:" + "|".join(re.escape(heading.split(" (")[0]) for heading in _HEADINGS) + r")[^\n]*",
    re.IGNORECASE,
)
"""The line that begins a block, known without what stands in brackets."""

_BULLET, _NUMBER = r"[-*•][ \t]", r"[0-9]{1,3}[.)][ \t]"
_FIRST_ITEM = re.compile(rf"\s*\n[ \t]*(?:(?P<bullet>{_BULLET})|{_NUMBER})")
_BLANK = re.compile(r"\n[ \t\r]*(?=\n)")
_GOES_ON = re.compile(rf"\s*\n(?:[ \t]+\S|\.\.\.|…|[ \t]*(?:{re.escape(NOTES_CLOSING)}|{_BULLET}|{_NUMBER}))")


def told_stretches(text: str) -> list[tuple[int, int]]:
    """Where the blocks of briefings stand in ``text``, as (start, end); those that end at one place are one."""
    ends: dict[str, int] = {}
    stretches: dict[int, int] = {}
    for heading in _HEADING.finditer(text):
        first = _FIRST_ITEM.match(text, heading.end())
        if first is None:
            stretches.setdefault(len(text), heading.start())
            break
        mark = _BULLET if first["bullet"] else _NUMBER
        if mark not in ends:
            ends[mark] = _end(text, mark)
        stretches.setdefault(ends[mark], heading.start())
    return [(start, end) for end, start in stretches.items()]


def _end(text: str, mark: str) -> int:
    """Where the paragraph ends that holds the last line marked like this, with what still belongs to its block."""
    *_, last = re.finditer(rf"\n[ \t]*{mark}", text)
    for blank in _BLANK.finditer(text, last.end()):
        if not _GOES_ON.match(text, blank.end()):
            return blank.start()
    return len(text)
