"""How fast quotes are grounded, as ratios against other ways, all measured in one run, interleaved.

A cold question prepares the transcript and asks ten quotes of it, as a critic's reply does.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.evidence.rivals import OncePlain, fuzzy_check, joined, plain_check, regex_collapse
from bench.evidence.samples import passage
from core.evidence import prepare
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

_QUOTES = 10
_ABSENT = "the crimson lighthouse keeper forgave every wandering gull before supper number {0}"


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


def report(transcripts: Sequence[Transcript]) -> Iterator[str]:
    """The lines of the report, by the size of the transcripts."""
    rivals: dict[str, Callable[[Question], None] | None] = {
        "plain check": plainly,
        "one plain folding + find (the limit)": at_the_limit,
        "regex folding": by_regex,
        "rapidfuzz partial_ratio_alignment": _fuzzily(),
    }
    for label, low, high in (
        ("1 to 5 k", 1_000, 5_000),
        ("5 to 25 k", 5_000, 25_000),
        ("25 k and more", 25_000, 300_000),
    ):
        chosen = questions([transcript for transcript in transcripts if low <= transcript.characters < high])[:60]
        if chosen:
            yield from _ratios(label, chosen, rivals)
    yield from _stress()


def _ratios(
    label: str, chosen: Sequence[Question], rivals: dict[str, Callable[[Question], None] | None]
) -> Iterator[str]:
    mean = statistics.mean(question.transcript.characters for question in chosen)
    own = [_seconds(ours, question) for question in chosen]
    milliseconds = 1000 * statistics.mean(own)
    yield f"cold, {label} characters: {len(chosen)} transcripts, mean {mean:,.0f}, ours {milliseconds:.2f} ms"
    for name, rival in rivals.items():
        if rival is None:
            yield f"  {name}: not installed"
            continue
        theirs = [_seconds(rival, question) for question in chosen]
        own = [_seconds(ours, question) for question in chosen]
        yield f"  {name}: {sum(theirs) / sum(own):.2f} × our time"


def _seconds(work: Callable[[Question], None], question: Question) -> float:
    """The better of two runs, in CPU seconds."""
    runs = []
    for _ in range(2):
        started = time.process_time()
        work(question)
        runs.append(time.process_time() - started)
    return min(runs)


def _stress() -> Iterator[str]:
    """Texts that are made to hurt, and twice as long, to show that the cost is linear."""
    for name, unit, quote in (
        ("repeated word", "no ", "on on on on on on on"),
        ("one letter", "a", "a a a a a a a b"),
        ("half a quote again and again", "we pay the fee back ", "we pay the fee back to you we pay"),
        ("escapes", "\\\\n", "n n n n n"),
    ):
        times = [_seconds(ours, _hostile(unit, length, quote)) for length in (100_000, 200_000)]
        yield f"hostile, {name}, 200 kB: {1000 * times[1]:.0f} ms, {times[1] / times[0]:.1f} × that of 100 kB"
    line = "The customer asked about order {0} and the agent looked at page {0} of the catalogue again. "
    text = "".join(line.format(number) for number in range(2_150))
    absent = tuple(_ABSENT.format(number) for number in range(30))
    question = Question(_one_message(text), absent, text)
    yield f"30 absent quotes of 12 words in {len(text):,} characters: {1000 * _seconds(ours, question):.0f} ms"


def _hostile(unit: str, length: int, quote: str) -> Question:
    text = (unit * (length // len(unit) + 1))[:length]
    return Question(_one_message(text), (quote,), text)


def _one_message(text: str) -> Transcript:
    return Transcript(messages=(Message(role=Role.ASSISTANT, content=text),))
