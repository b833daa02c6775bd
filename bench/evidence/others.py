"""Labelled quotes of transcripts that other people collected, and what they said of the mistakes in them.

Who&When tells at which turn a run went wrong, and why. Its reasons are told in a person's own words, so most of them
are no quotes; what is quoted in them, or repeats words of that turn, must be found there.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from bench.evidence.accuracy import answered, tallied, totals
from bench.evidence.adapters import Mistake, star, who_and_when
from bench.evidence.classes import FALSE_CLASSES, TRUE_CLASSES
from core.evidence import Grounding, PreparedTranscript, prepare
from core.evidence.graphemes import on_border
from core.transcripts.message import Transcript
from core.vocabulary import Role, Verdict

_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]|(?<!\w)'([^']+)'(?!\w)")
_SENTENCE = re.compile(r"(?<!\S)[^\s.!?][^.!?\n]*[^\s.!?][.!?]?(?!\S)")
_EDGES = "\"'“”‘’.,;:!?()[]{}*_`#"
_FEWEST = 3

Asked = Callable[[Mistake], list[str]]
"""What is asked about one mistake."""


def report(each: int, mistakes: int = 0) -> Iterator[str]:
    """The lines of the report; ``mistakes`` is how many wrong answers of each class to list."""
    runs = list(who_and_when())
    sources: dict[str, list[Transcript]] = {"who-and-when": [run.transcript for run in runs], "star": list(star())}
    for name, transcripts in sources.items():
        if transcripts:
            yield from _labelled(name, transcripts, each, mistakes)
    if runs:
        yield from _mistakes(runs)


def _labelled(name: str, transcripts: Sequence[Transcript], each: int, mistakes: int) -> Iterator[str]:
    answers = list(answered(transcripts, each))
    tallies = tallied(answers)
    torn = sum(not whole(sample.transcript, grounding) for _, sample, grounding in answers)
    yield f"{name}: {len(transcripts)} transcripts, {len(answers)} labelled quotes, {each} of each class at most"
    yield from totals(tallies)
    yield f"answers with a span outside its message or inside a character: {torn}"
    for kind in TRUE_CLASSES | FALSE_CLASSES:
        for sample, grounding in tallies[kind].wrong[:mistakes]:
            yield f"  {kind}: {grounding.verdict}: {sample.quote!r}"


def whole(transcript: Transcript, grounding: Grounding) -> bool:
    """Whether every span of an answer lies in its message, on borders of what a reader sees as one character."""
    for span in (*grounding.spans, *grounding.gaps, *grounding.nearest):
        content = transcript.messages[span.turn].content
        inside = 0 <= span.start < span.end <= len(content)
        if not (inside and on_border(content, span.start) and on_border(content, span.end)):
            return False
    return True


def _mistakes(runs: Sequence[Mistake]) -> Iterator[str]:
    """What becomes of the words about the mistake, asked of the blamed agent at the turn that is named."""
    prepared = [(run, prepare(run.transcript)) for run in runs]
    yield from _shares("sentences of the blamed turn", prepared, _sentences)
    yield from _shares("longest words of the reason that stand in the blamed turn", prepared, _repeated)
    yield from _shares("words in quotation marks of the reason", prepared, _quoted)
    yield from _shares("whole reasons", prepared, lambda run: [run.reason])


def _shares(what: str, prepared: Sequence[tuple[Mistake, PreparedTranscript]], asked: Asked) -> Iterator[str]:
    verdicts: Counter[Verdict] = Counter()
    there = 0
    for run, ready in prepared:
        for quote in asked(run):
            grounding = ready.ground(quote, speaker=Role.ASSISTANT, turn=run.turn)
            verdicts[grounding.verdict] += 1
            there += any(span.turn == run.turn for span in grounding.spans)
    grounded = sum(count for verdict, count in verdicts.items() if verdict.grounded)
    shares = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.most_common())
    yield f"{what}: {verdicts.total()} asked, {grounded} found, {there} of them in that turn  [{shares}]"


def _sentences(run: Mistake) -> list[str]:
    return _SENTENCE.findall(run.transcript.messages[run.turn].content)


def _quoted(run: Mistake) -> list[str]:
    return [first or second for first, second in _QUOTED.findall(run.reason)]


def _repeated(run: Mistake) -> list[str]:
    """The longest run of words that the reason has in common with the blamed turn, case and edge marks apart."""
    reason, turn = run.reason.split(), run.transcript.messages[run.turn].content.split()
    match = SequenceMatcher(None, _bare(reason), _bare(turn), autojunk=False).find_longest_match()
    words = reason[match.a : match.a + match.size]
    return [" ".join(words)] if match.size >= _FEWEST else []


def _bare(words: Sequence[str]) -> list[str]:
    return [word.strip(_EDGES).casefold() for word in words]
