"""How packages that look quotes up compare: their time beside ours, and how many true and false quotes they accept.

Transcripts of 5,000 to 25,000 characters, ten quotes each. Each package is asked right before us about the same
transcript, in CPU time, so that only the ratios of one run mean anything. A quote that stands and one that does not
are also measured apart, because for the latter we look for the nearest passage.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from bench.evidence.accuracy import labelled
from bench.evidence.classes import OPEN_CLASSES
from bench.evidence.peers import GOALS, PEERS, Peer, version
from bench.evidence.rivals import joined
from bench.evidence.samples import Labelled, stands_anyway
from bench.evidence.speed import Question, ours, questions
from core.transcripts.message import Transcript

_SMALLEST, _LARGEST = 5_000, 25_000
_TRANSCRIPTS = 20
_EACH = 3
_ABSENT = "not installed; bench/requirements.txt names its version, for an environment of its own"


def report(transcripts: Sequence[Transcript]) -> Iterator[str]:
    """The lines of the report: one for each package."""
    chosen = [transcript for transcript in transcripts if _SMALLEST <= transcript.characters < _LARGEST]
    random.Random(5).shuffle(chosen)
    asked = questions(chosen)[:_TRANSCRIPTS]
    if not asked:
        return
    samples = [sample for name, sample in labelled(chosen, _EACH) if name not in OPEN_CLASSES]
    each = statistics.mean(_seconds(partial(ours, question)) for question in asked)
    yield f"packages, {len(asked)} transcripts of 5 to 25 k characters, ten quotes each: ours {1000 * each:.2f} ms each"
    for name, (package, make) in PEERS.items():
        installed = version(package)
        yield (
            f"  {name}: {_ABSENT}"
            if installed is None
            else f"  {name} {installed} (goal {GOALS[name]:g}): {_compared(make(), asked, samples)}"
        )


def _compared(peer: Peer, asked: Sequence[Question], samples: Sequence[Labelled]) -> str:
    standing, changed = ([_only(question, kind) for question in asked] for kind in (True, False))
    true, false = ([sample for sample in samples if (sample.spans is not None) is kind] for kind in (True, False))
    return (
        f"{_ratio(peer, asked):.1f} × our time "
        f"({_ratio(peer, standing):.1f} × on quotes that stand, {_ratio(peer, changed):.1f} × on changed ones), "
        f"accepts {_accepted(peer, true):.1%} of true and {_accepted(peer, false):.1%} of false quotes"
    )


def _only(question: Question, standing: bool) -> Question:
    quotes = (quote for quote in question.quotes if stands_anyway(quote, question.transcript) is standing)
    return replace(question, quotes=tuple(quotes))


def _ratio(peer: Peer, asked: Sequence[Question]) -> float:
    peer(asked[0].quotes, asked[0].text)
    theirs = own = 0.0
    for question in asked:
        theirs += _seconds(partial(peer, question.quotes, question.text))
        own += _seconds(partial(ours, question))
    return theirs / own


def _accepted(peer: Peer, samples: Sequence[Labelled]) -> float:
    return statistics.mean(peer([sample.quote], joined(sample.transcript))[0] for sample in samples)


def _seconds(work: Callable[[], object]) -> float:
    """The better of two runs, in CPU seconds."""
    runs = []
    for _ in range(2):
        began = time.process_time()
        work()
        runs.append(time.process_time() - began)
    return min(runs)
