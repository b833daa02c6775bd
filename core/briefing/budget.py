"""What gives way where a briefing would be longer than its budget of tokens.

The rule: beliefs give way first, the least relevant of them before the others; then reflections, the oldest first (the
line that sums up counts them); then lessons; then procedures, the least confident first; then notes, the mildest and
oldest first. The base prompt and critical notes never give way: what is longer then is said. The same candidates and
the same numbers give the same text.
"""

from core.briefing.chosen import Chosen, Part
from core.briefing.compose import tokens_of
from core.settings import Settings
from core.vocabulary import Severity

GIVES_WAY = (Part.BELIEFS, Part.REFLECTIONS, Part.LESSONS, Part.PROCEDURES, Part.NOTES)


def within(chosen: Chosen, settings: Settings) -> tuple[Chosen, tuple[str, ...]]:
    """What of it is read within the budget, and what must be said of it where that does not suffice."""
    most = settings.briefing_tokens
    tokens = tokens_of(chosen, settings)
    why = f"gave way: all of it would be {tokens:,} tokens, {most:,} at most"
    while tokens > most:
        part = next((part for part in GIVES_WAY if _may_give_way(chosen, part)), None)
        if part is None:
            return chosen, (f"The base prompt and critical notes alone have {tokens:,} tokens; {most:,} at most.",)
        chosen = chosen.with_choice(part, chosen.of(part).without_last(why))
        tokens = tokens_of(chosen, settings)
    return chosen, ()


def _may_give_way(chosen: Chosen, part: Part) -> bool:
    taken = chosen.of(part).taken
    return bool(taken) and not (part is Part.NOTES and taken[-1].item.severity is Severity.CRITICAL)
