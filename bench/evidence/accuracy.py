"""How rightly labelled quotes are judged: the rate of every class of noise and of falsehood."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from bench.evidence.classes import FALSE_CLASSES, OPEN_CLASSES, TRUE_CLASSES
from bench.evidence.rivals import joined, plain_check
from bench.evidence.samples import Labelled, passage
from core.evidence import Grounding, prepare
from core.evidence.contract import Span
from core.transcripts.message import Transcript
from core.vocabulary import Verdict

_KINDS = {"true": TRUE_CLASSES, "false": FALSE_CLASSES, "open": OPEN_CLASSES}


@dataclass
class Tally:
    """Counts of one class."""

    asked: int = 0
    accepted: int = 0
    span_right: int = 0
    plain_accepted: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[Labelled, Grounding]] = field(default_factory=list)


def labelled(transcripts: Sequence[Transcript], each: int, seed: int = 7) -> Iterator[tuple[str, Labelled]]:
    """``each`` quotes of every class, from transcripts drawn at random; always the same for the same seed."""
    chance = random.Random(seed)
    for name, make in (TRUE_CLASSES | FALSE_CLASSES | OPEN_CLASSES).items():
        made = 0
        for _ in range(40 * each):
            found = passage(chance.choice(transcripts), chance)
            sample = make(found, chance) if found is not None else None
            if sample is not None:
                made += 1
                yield name, sample
            if made == each:
                break


def answered(transcripts: Sequence[Transcript], each: int, seed: int = 7) -> Iterator[tuple[str, Labelled, Grounding]]:
    """Every labelled quote with our answer."""
    for name, sample in labelled(transcripts, each, seed):
        yield name, sample, prepare(sample.transcript).ground(sample.quote, speaker=sample.speaker)


def tallied(answers: Iterable[tuple[str, Labelled, Grounding]]) -> dict[str, Tally]:
    """The tally of every class."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for name, sample, grounding in answers:
        tally = tallies[name]
        tally.asked += 1
        tally.accepted += grounding.grounded
        tally.verdicts[str(grounding.verdict)] += 1
        tally.plain_accepted += plain_check(sample.quote, joined(sample.transcript))
        right = sample.spans is not None and _covers(grounding, sample)
        tally.span_right += grounding.grounded and right
        if grounding.grounded != (sample.spans is not None) or (grounding.grounded and not right):
            tally.wrong.append((sample, grounding))
    return tallies


def _covers(grounding: Grounding, sample: Labelled) -> bool:
    """Whether the right place is lit, edge marks apart; an elision that closed up may be lit as one span."""
    lit = {_core(span, sample.transcript) for span in grounding.spans}
    wanted = [_core(span, sample.transcript) for span in sample.spans or ()]
    if grounding.verdict is Verdict.AMBIGUOUS:
        return bool(lit & set(wanted))
    whole = (wanted[0][0], wanted[0][1], wanted[-1][2])
    return lit == set(wanted) or lit == {whole}


def _core(span: Span, transcript: Transcript) -> tuple[int, int, int]:
    content = transcript.messages[span.turn].content
    start, end = span.start, span.end
    while start < end and not content[start].isalnum():
        start += 1
    while end > start and not content[end - 1].isalnum():
        end -= 1
    return span.turn, start, end


def report(transcripts: Sequence[Transcript], each: int, mistakes: int = 0) -> Iterator[str]:
    """The lines of the report; ``mistakes`` is how many wrong answers of each class to list."""
    tallies = tallied(answered(transcripts, each))
    counts = ", ".join(f"{len(names)} {kind}" for kind, names in _KINDS.items())
    yield f"classes: {counts}; {each} quotes each at most"
    for kind, names in _KINDS.items():
        for name in names:
            yield from _lines(kind, name, tallies.get(name, Tally()), mistakes)
    yield from totals(tallies)


def totals(tallies: dict[str, Tally]) -> Iterator[str]:
    """How many quotes of all true and of all false classes are accepted, and how many spans are right."""
    for kind, names in _KINDS.items():
        of_kind = [tallies[name] for name in names if name in tallies]
        if not of_kind:
            continue
        asked, accepted = sum(t.asked for t in of_kind), sum(t.accepted for t in of_kind)
        plain = sum(t.plain_accepted for t in of_kind)
        yield (
            f"all {kind}: accepted {accepted}/{asked} ({accepted / asked:.2%}) in {len(of_kind)} classes; "
            f"plain check {plain / asked:.2%}"
        )
        if kind == "true":
            yield f"span right: {sum(t.span_right for t in of_kind)}/{accepted}"


def _lines(kind: str, name: str, tally: Tally, mistakes: int) -> Iterator[str]:
    if not tally.asked:
        yield f"  {kind:5} {name:28} no passage of the corpus fits"
        return
    span = f"span right {tally.span_right}/{tally.accepted}" if kind == "true" else ""
    verdicts = ", ".join(f"{verdict} {count}" for verdict, count in tally.verdicts.most_common(4))
    yield (
        f"  {kind:5} {name:28} accepted {tally.accepted}/{tally.asked} "
        f"(plain check {tally.plain_accepted}) {span}  [{verdicts}]"
    )
    for sample, grounding in tally.wrong[:mistakes]:
        yield f"      {grounding.verdict}: {sample.quote!r}"
        yield f"        {'; '.join(reason.text for reason in grounding.reasons)}"
        for span_wanted in sample.spans or ():
            content = sample.transcript.messages[span_wanted.turn].content
            yield f"        source: {content[max(0, span_wanted.start - 20) : span_wanted.end + 20]!r}"
