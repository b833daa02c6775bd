"""How fast quotes are grounded, as ratios against other ways, all measured in one run, interleaved.

A cold question prepares the transcript and asks ten quotes of it, as a critic's reply does.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bench.evidence import stress
from bench.evidence.rivals import OncePlain, fuzzy_check, joined, plain_check, regex_collapse
from bench.evidence.samples import passage
from core.evidence import prepare
from core.transcripts.message import Transcript

_QUOTES = 10


@dataclass(frozen=True)
class Question:
    """A transcript with its quotes: half of them stand there, some retyped, half were changed."""

    transcript: Transcript
    quotes: tuple[str, ...]
    text: str


def questions(transcripts: Sequence[Transcript], seed: int = 11) -> list[Question]:
    """One question for each transcript that holds enough words of the agent."""
    chance = random.Random(seed)
    made = []
    for transcript in transcripts:
        found = [passage(transcript, chance) for _ in range(_QUOTES)]
        quotes = [_varied(place.text, number) for number, place in enumerate(found) if place is not None]
        if len(quotes) >= _QUOTES // 2:
            made.append(Question(transcript, tuple(quotes), joined(transcript)))
    return made


def _varied(text: str, number: int) -> str:
    if number % 2:
        words = text.split()
        return " ".join([*words[: len(words) // 2], "ordinarily", *words[len(words) // 2 :]])
    return text.replace("'", "’").replace("-", "‑") if number % 4 else text


def ours(question: Question) -> None:
    """Prepare, then ask every quote."""
    prepared = prepare(question.transcript)
    for quote in question.quotes:
        prepared.ground(quote)


def plainly(question: Question) -> None:
    """The plain check folds the text anew for every piece of every quote."""
    for quote in question.quotes:
        plain_check(quote, question.text)


def at_the_limit(question: Question) -> None:
    """One folding pass, then a bare search; nothing is checked and no place is known."""
    once = OncePlain(question.text)
    for quote in question.quotes:
        once.found(quote)


def by_regex(question: Question) -> None:
    """Folding by regular expression, then a bare search."""
    for quote in question.quotes:
        regex_collapse(quote, question.text)


def _fuzzily() -> Callable[[Question], None] | None:
    check = fuzzy_check()
    if check is None:
        return None

    def asked(question: Question) -> None:
        for quote in question.quotes:
            check(quote, question.text)

    return asked


@dataclass(frozen=True)
class Rival:
    """Another way to answer, and how many times our time it should take at least, by the size of the transcripts."""

    name: str
    asked: Callable[[Question], None] | None
    """None where it is not installed."""

    goals: Mapping[str, float] = field(default_factory=dict)

    def ratio(self, size: str, chosen: Sequence[Question]) -> str:
        """The line of the report."""
        if self.asked is None:
            return f"  {self.name}: not installed"
        theirs = sum(_seconds(self.asked, question) for question in chosen)
        own = sum(_seconds(ours, question) for question in chosen)
        goal = f" (goal {self.goals[size]:g})" if size in self.goals else ""
        return f"  {self.name}: {theirs / own:.2f} × our time{goal}"


_SMALL, _MIDDLE, _BIG = "1 to 5 k", "5 to 25 k", "25 k and more"
_SIZES = {_SMALL: (1_000, 5_000), _MIDDLE: (5_000, 25_000), _BIG: (25_000, 300_000)}


def _rivals() -> list[Rival]:
    return [
        Rival("plain check", plainly, {_BIG: 4}),
        Rival("one plain folding + find (the limit)", at_the_limit, {_BIG: 0.4}),
        Rival("regex folding", by_regex),
        Rival("rapidfuzz partial_ratio_alignment", _fuzzily(), {_BIG: 1.5}),
    ]


def report(transcripts: Sequence[Transcript]) -> Iterator[str]:
    """The lines of the report, by the size of the transcripts, and what hostile texts cost."""
    rivals = _rivals()
    for size, (low, high) in _SIZES.items():
        chosen = questions([transcript for transcript in transcripts if low <= transcript.characters < high])[:60]
        if chosen:
            mean = statistics.mean(question.transcript.characters for question in chosen)
            own = 1000 * statistics.mean(_seconds(ours, question) for question in chosen)
            yield f"cold, {size} characters: {len(chosen)} transcripts, mean {mean:,.0f}, ours {own:.2f} ms"
            for rival in rivals:
                yield rival.ratio(size, chosen)
    yield from stress.report()


def _seconds(work: Callable[[Question], None], question: Question) -> float:
    """The better of two runs, in CPU seconds."""
    runs = []
    for _ in range(2):
        started = time.process_time()
        work(question)
        runs.append(time.process_time() - started)
    return min(runs)
