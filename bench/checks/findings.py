"""How many findings each check has in each corpus, and what a session costs beside a plain pass over its text."""

import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from bench.checks.sessions import RealSession
from core.checks import CHECKS, Case
from core.checks.claims import claims
from core.checks.figures import figures, numbers
from core.checks.passages import clauses, sentences
from core.checks.promises import promises

_WORD = re.compile(r"\w+")
_ROUNDS = 3
"""How often a time is taken; the shortest counts."""


def report(sessions: Sequence[RealSession]) -> Iterator[str]:
    """The lines of the report, corpus by corpus."""
    by_corpus: dict[str, list[RealSession]] = defaultdict(list)
    for session in sessions:
        by_corpus[session.corpus].append(session)
    for corpus, members in by_corpus.items():
        yield from _of_corpus(corpus, members)


def shown(check: str, sessions: Sequence[RealSession]) -> Iterator[str]:
    """Every finding of one check with the words that it lights; ``*`` marks the half that was kept back."""
    for session in sessions:
        messages = session.case.transcript.messages
        for finding in CHECKS[check](session.case):
            yield f"{'*' if session.kept_back else ' '} {session.corpus}, {session.name}: {finding.observation}"
            for span in finding.spans:
                words = " ".join(messages[span.turn].content[span.start : span.end].split())
                yield f"      turn {span.turn + 1}, {messages[span.turn].role}: {words}"


def _of_corpus(corpus: str, members: Sequence[RealSession]) -> Iterator[str]:
    back = sum(session.kept_back for session in members)
    yield f"{corpus}: {len(members)} sessions, {back} of them kept back"
    cases = [session.case for session in members]
    plain = _seconds(cases, _plain_pass)
    for name, check in CHECKS.items():
        found = Counter(session.kept_back for session in members for _ in check(session.case))
        cost = _seconds(cases, check) / plain
        yield f"  {name}: {found.total()} findings, {found[True]} of them kept back; {cost:.1f} × a plain pass"


def _plain_pass(case: Case) -> int:
    """Every word of a session, in small letters, counted once: what any reading costs at least."""
    texts = (message.content for message in case.transcript.messages)
    return len({word for text in texts for word in _WORD.findall(text.lower())})


def _forget() -> None:
    """What is kept between calls, forgotten, so that every check reads anew."""
    for kept in (sentences, clauses, claims, promises, figures, numbers):
        kept.cache_clear()


def _seconds(cases: Sequence[Case], work: Callable[[Case], object]) -> float:
    """Seconds of processor time over all cases, the shortest of some rounds."""
    rounds = []
    for _ in range(_ROUNDS):
        _forget()
        start = time.process_time()
        for case in cases:
            work(case)
        rounds.append(time.process_time() - start)
    return max(min(rounds), 1e-9)
