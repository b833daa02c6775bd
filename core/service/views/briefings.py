"""What an agent reads, as people are shown it: lines with their reasons, tokens by part, and what differs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum


@dataclass(frozen=True)
class ReadLine:
    """One line of what an agent reads, and why it is there. ``new`` marks text that would be added."""

    text: str
    why: str
    tokens: int
    item: str | None = None
    new: bool = False
    heading: bool = False
    part: str = ""
    item_id: int | None = None


@dataclass(frozen=True)
class BriefingView:
    """Exactly what an agent would read, line by line, and what was left out with the reason.

    ``missed`` just missed: with a little more room it would be read. ``budget`` is how many tokens it may have.
    ``remarks`` say what is not known any more of an earlier moment, and what is too long.
    """

    messages: tuple[dict[str, str], ...]
    lines: tuple[ReadLine, ...]
    tokens: int
    left_out: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    budget: int = 0

    @property
    def tokens_by_part(self) -> dict[str, int]:
        """Tokens of each part that is not empty, in the order in which they are read."""
        counted = Counter[str]()
        for line in self.lines:
            counted[line.part] += line.tokens
        return dict(counted)


class Change(StrEnum):
    """What became of a line between two briefings."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True)
class ChangedLine:
    """A line of either of two briefings, and whether both have it."""

    line: ReadLine
    change: Change


def difference(before: BriefingView, after: BriefingView) -> tuple[ChangedLine, ...]:
    """Every line of both, in order: those that are gone stand before those that are new in their place."""
    return tuple(_changes(before, after))


def _changes(before: BriefingView, after: BriefingView) -> Iterator[ChangedLine]:
    matcher = SequenceMatcher(None, _texts(before), _texts(after), autojunk=False)
    for what, b_from, b_to, a_from, a_to in matcher.get_opcodes():
        if what == "equal":
            yield from (ChangedLine(line, Change.SAME) for line in after.lines[a_from:a_to])
            continue
        yield from (ChangedLine(line, Change.GONE) for line in before.lines[b_from:b_to])
        yield from (ChangedLine(line, Change.NEW) for line in after.lines[a_from:a_to])


def _texts(briefing: BriefingView) -> list[str]:
    """The words of each line; the number of a procedure is no part of them."""
    return [
        line.text.partition(". ")[2] if line.part == "procedures" and line.item else line.text
        for line in briefing.lines
    ]
