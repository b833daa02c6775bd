"""What becomes of the quotes that real models wrote: the share of each verdict, beside the plain check."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bench.evidence.corpus import quote_sets
from bench.evidence.rivals import joined, plain_check
from core.evidence import Grounding, prepare
from core.transcripts.message import Transcript


@dataclass(frozen=True)
class Judged:
    """One quote with both answers."""

    quote: str
    transcript: Transcript
    grounding: Grounding
    plain: bool

    @property
    def differs(self) -> bool:
        return self.plain != self.grounding.grounded


def judged(name: str) -> Iterator[Judged]:
    """Every quote of a set, grounded without a claimed speaker, and checked plainly."""
    for quotes in quote_sets(name):
        prepared, text = prepare(quotes.transcript), joined(quotes.transcript)
        for quote in quotes.quotes:
            yield Judged(quote, quotes.transcript, prepared.ground(quote), plain_check(quote, text))


def report(name: str, differences: int = 0) -> Iterator[str]:
    """The lines of the report; ``differences`` is how many disagreements to list."""
    answers = list(judged(name))
    if not answers:
        return
    verdicts = Counter((str(answer.grounding.verdict), answer.plain) for answer in answers)
    yield f"{name}: {len(answers)} quotes"
    for verdict in sorted({verdict for verdict, _ in verdicts}):
        ours, plain = verdicts[verdict, True] + verdicts[verdict, False], verdicts[verdict, True]
        yield f"  {verdict:24} {ours / len(answers):7.2%} {ours:6}   plain check accepts {plain} of them"
    for answer in [answer for answer in answers if answer.differs][:differences]:
        yield from _difference(answer)


def _difference(answer: Judged) -> Iterator[str]:
    side = "plain accepts, we do not" if answer.plain else "we accept, plain does not"
    yield f"  [{answer.grounding.verdict}] {side}: {' '.join(answer.quote.split())}"
    for reason in answer.grounding.reasons:
        yield f"      {reason.text}"
