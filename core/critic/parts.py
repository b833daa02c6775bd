"""A transcript that is too long for a model, in overlapping parts on the borders of turns.

Critic, before the door to the model. Every turn is in a part, in order, and a part says which turns it holds whole and
of which one only a beginning and an end. A call stays with its result where both fit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from core.critic.turn_data import longest_text, turn_tokens
from core.settings import DEFAULTS
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

_OVERLAP_SHARE = 4
"""The overlap may take one part in so many of a budget, lest a review of long turns never gets on."""


@dataclass(frozen=True)
class Part:
    """The turns at the indices ``start`` up to ``stop``, of a transcript with ``of`` turns.

    ``ends`` is set for a single turn that is longer than the budget, and for an outline: of each long text so many
    characters are sent of its beginning and as many of its end. ``tokens`` is the estimate of what is sent.
    """

    start: int
    stop: int
    of: int
    tokens: int
    ends: int | None = None

    @property
    def whole(self) -> range:
        """Indices of the turns that it holds whole."""
        return range(self.start, self.start if self.ends is not None else self.stop)

    @property
    def cut(self) -> int | None:
        """The index of the turn of which it holds a beginning and an end; None also where that goes for several."""
        return None if self.ends is None or self.stop - self.start > 1 else self.start

    @property
    def in_words(self) -> str:
        """Which turns it covers, counted from 1: ``turns 12 to 25 of 40``."""
        return turns_in_words(self.start + 1, self.stop, self.ends is None, self.of)


def turns_in_words(first: int, last: int, whole: bool, of: int) -> str:
    """``turns 1 to 9 of 9``; empty for a request without turns."""
    if not first:
        return ""
    if not whole and first < last:
        return f"turns {first} to {last} of {of}, long texts cut"
    if not whole:
        return f"beginning and end of turn {first} of {of}"
    return f"turn {first} of {of}" if first == last else f"turns {first} to {last} of {of}"


def whole_part(transcript: Transcript) -> Part:
    """The transcript as one part, however long it is."""
    costs = _costs(transcript.messages)
    return Part(0, len(costs), len(costs), sum(costs))


def parts_of(transcript: Transcript, budget: int, overlap: int = DEFAULTS.overlap_turns) -> tuple[Part, ...]:
    """Parts of at most ``budget`` tokens each that together hold every turn; none for a transcript without turns.

    A part begins at least ``overlap`` turns before the end of the one before it, or as many as fit into a quarter of
    the budget and beside the next turn; nothing is repeated of a turn that is cut. A turn longer than the budget is a
    part of its own and is cut to fit; what frames its texts (names and numbers) never is, and may exceed a tiny budget.
    """
    messages, costs = transcript.messages, _costs(transcript.messages)
    parts: list[Part] = []
    units = list(_units(messages, costs, budget))
    at = 0
    while at < len(units):
        first = units[at]
        if _cost(costs, first) > budget:
            parts.append(_cut_turn(messages, first.start, budget))
            at += 1
            continue
        begin = _overlap_start(units, costs, at, budget, overlap) if at else first.start
        tokens = sum(costs[begin : first.stop])
        while at + 1 < len(units) and tokens + _cost(costs, units[at + 1]) <= budget:
            at += 1
            tokens += _cost(costs, units[at])
        parts.append(Part(begin, units[at].stop, len(messages), tokens))
        at += 1
    return tuple(parts)


def outline_of(transcript: Transcript, budget: int) -> Part | None:
    """The whole transcript with long texts cut to a beginning and an end, so that it fits; None where it cannot.

    Every text is cut to the same length, the longest that fits.
    """
    messages = transcript.messages
    low, high = -1, max(map(longest_text, messages), default=0) // 2
    while low < high:
        middle = (low + high + 1) // 2
        fits = sum(turn_tokens(message, turn, middle) for turn, message in enumerate(messages)) <= budget
        low, high = (middle, high) if fits else (low, middle - 1)
    if low < 0:
        return None
    tokens = sum(turn_tokens(message, turn, low) for turn, message in enumerate(messages))
    return Part(0, len(messages), len(messages), tokens, low)


def halves(transcript: Transcript, part: Part, overlap: int = DEFAULTS.overlap_turns) -> tuple[Part, Part] | None:
    """Two smaller parts that hold the turns of one which a server finds too long; None for a single turn.

    The border is near the middle, and between a call and its result only where no other is. A single turn can be cut
    shorter: ``shorter`` does it.
    """
    if part.stop - part.start < 2:
        return None
    costs = _costs(transcript.messages)
    so_far = list(accumulate(costs[part.start : part.stop]))
    borders = range(part.start + 1, part.stop)
    apart = [at for at in borders if transcript.messages[at].role is not Role.TOOL] or list(borders)
    middle = min(apart, key=lambda at: (abs(2 * so_far[at - part.start - 1] - so_far[-1]), at))
    begin = max(part.start + 1, middle - min(overlap, (part.stop - middle) // 2))
    first = Part(part.start, middle, part.of, sum(costs[part.start : middle]))
    return first, Part(begin, part.stop, part.of, sum(costs[begin : part.stop]))


def shorter(transcript: Transcript, part: Part) -> Part | None:
    """The single turn of a part with its texts cut to half the tokens; None where nothing more can be left out."""
    if part.stop - part.start != 1 or part.ends == 0:
        return None
    cut = _cut_turn(transcript.messages, part.start, part.tokens // 2)
    return cut if cut.tokens < part.tokens else None


def _costs(messages: Sequence[Message]) -> list[int]:
    return [turn_tokens(message, turn) for turn, message in enumerate(messages)]


def _cost(costs: Sequence[int], turns: range) -> int:
    return sum(costs[turns.start : turns.stop])


def _units(messages: Sequence[Message], costs: Sequence[int], budget: int) -> Iterator[range]:
    """What is not parted: a turn with calls and the results behind it where they fit together, else single turns."""
    at = 0
    while at < len(messages):
        stop = at + 1
        while messages[at].tool_calls and stop < len(messages) and messages[stop].role is Role.TOOL:
            stop += 1
        fits = sum(costs[at:stop]) <= budget
        yield from [range(at, stop)] if fits else (range(turn, turn + 1) for turn in range(at, stop))
        at = stop


def _overlap_start(units: Sequence[range], costs: Sequence[int], at: int, budget: int, overlap: int) -> int:
    """The turn with which a part begins whose first new unit is at ``at``: whole units before it are repeated."""
    room = min(budget // _OVERLAP_SHARE, budget - _cost(costs, units[at]))
    begin = first = units[at].start
    while at > 0 and first - begin < overlap:
        at -= 1
        room -= _cost(costs, units[at])
        if room < 0:
            break
        begin = units[at].start
    return begin


def _cut_turn(messages: Sequence[Message], turn: int, budget: int) -> Part:
    """A part of one turn with the longest ends that fit into the budget."""
    message = messages[turn]
    low, high = 0, longest_text(message) // 2
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if turn_tokens(message, turn, middle) <= budget else (low, middle - 1)
    return Part(turn, turn + 1, len(messages), turn_tokens(message, turn, low), low)
