"""The lines in which a briefing by other numbers differs, each with the reason."""

from dataclasses import dataclass

from core.briefing.compose import about_tokens, sections
from core.service.thresholds.happened import PastBriefing
from core.service.thresholds.taking import chosen
from core.settings import Settings


@dataclass(frozen=True)
class ChangedLine:
    """Lines of a briefing that leave it or enter it, with the reason and the tokens."""

    key: str
    text: str
    enters: bool
    why: str
    tokens: int


@dataclass(frozen=True)
class BriefingFlip:
    """A briefing that would have been another one."""

    briefing: PastBriefing
    lines: tuple[ChangedLine, ...]

    @property
    def tokens(self) -> int:
        """By how many tokens it would have been longer; below zero where it would have been shorter."""
        return sum(line.tokens if line.enters else -line.tokens for line in self.lines)


class Text:
    """One briefing by some numbers, as lines by the item behind them."""

    def __init__(self, one: PastBriefing, numbers: Settings, known: dict[int, list[int]]) -> None:
        self.chosen = chosen(one, numbers, known)
        self.numbers, self.briefing = numbers, one
        found = (line for section in sections(self.chosen, numbers) for line in section.lines)
        self.lines = {line.key: line.text for line in found if line.key}

    def why(self, key: str) -> str:
        """Why an item is read."""
        confidence = next((one.item.confidence for one in self.chosen.procedures.taken if one.item.key == key), None)
        if confidence is not None:
            return f"confidence {confidence}, read from {self.numbers.procedure_threshold} up"
        return next((one.why for _, choice in self.chosen.parts() for one in choice.taken if one.item.key == key), "")

    def why_not(self, key: str) -> str:
        """Why an item is not read."""
        left = (one for _, choice in self.chosen.parts() for one in choice.left if one.item.key == key)
        found = next(left, None)
        if found is not None:
            return found.why
        note = next(note for note in self.briefing.notes if note.key == key)
        return f"{note.severity}, below {self.numbers.notes_read_from}"


def flip(one: PastBriefing, before: Text, after: Text) -> BriefingFlip:
    """What leaves and enters; where nothing does, what stands in another place."""
    leaving = [
        ChangedLine(key, text, False, after.why_not(key), about_tokens(text))
        for key, text in before.lines.items()
        if key not in after.lines
    ]
    entering = [
        ChangedLine(key, text, True, after.why(key), about_tokens(text))
        for key, text in after.lines.items()
        if key not in before.lines
    ]
    moved = list(before.lines) != list(after.lines) and not leaving and not entering
    again = [
        ChangedLine(key, text.partition("\n")[0], True, "another place among the others", 0)
        for key, text in (after.lines.items() if moved else ())
        if before.lines[key] != text or list(before.lines).index(key) != list(after.lines).index(key)
    ]
    return BriefingFlip(one, (*leaving, *entering, *again))
