"""Prints how fast the screens are beside other ways, and how right. Times are CPU time; only the ratios mean
anything.
"""

import json
import sys
from collections.abc import Callable
from time import process_time

from bench.evidence.corpus import transcripts
from bench.screening import rivals
from bench.screening.lessons import lessons
from core.screening.contract import KnownText, ScreenDraft
from core.screening.gate import screen
from core.screening.known import KnownTexts
from core.screening.likeness import folded
from core.screening.secrets import find_secrets, mask
from core.screening.twins import TwinIndex
from core.vocabulary import Kind, Source


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    began = process_time()
    work()
    return process_time() - began


def say(row: str, ours: float, theirs: float, more: str = "") -> None:
    """One line: our time, the other's, and how many times faster we are."""
    print(f"{row:<58} {ours * 1e3:>10.2f} ms {theirs * 1e3:>10.2f} ms {theirs / ours:>8.1f} ×  {more}")


def index_of(texts: list[str]) -> TwinIndex:
    return TwinIndex((str(place), text) for place, text in enumerate(texts))


def our_pairs(texts: list[str]) -> rivals.Pairs:
    """All twins by the index, as sorted places."""
    found = ((int(twin.one), int(twin.other)) for twin in index_of(texts).pairs())
    return {(min(pair), max(pair)) for pair in found}


def all_pairs(count: int, rival: Callable[[list[str]], rivals.Pairs], row: str) -> None:
    """All pairs among ``count`` lessons; says what the rival missed and what it has that we have not."""
    texts = lessons(count)
    results: dict[str, rivals.Pairs] = {}
    ours = seconds(lambda: results.update(ours=our_pairs(texts)))
    theirs = seconds(lambda: results.update(theirs=rival(texts)))
    missed, extra = len(results["ours"] - results["theirs"]), len(results["theirs"] - results["ours"])
    say(row, ours, theirs, f"{len(results['ours'])} pairs; the other misses {missed} and adds {extra}")


def one_against_many(count: int) -> None:
    texts = lessons(count)
    index = index_of(texts)
    asked = [f"{text[:-1]} today." for text in texts[:: count // 200]]
    times = sorted(seconds(lambda text=text: index.find(text)) for text in asked)  # type: ignore[misc]
    kept = [folded(text) for text in texts]
    theirs = sum(seconds(lambda text=text: rivals.cdist_one(text, kept)) for text in asked[:20]) / 20  # type: ignore[misc]
    say(
        f"one lesson against {count:,}: rapidfuzz cdist",
        sum(times) / len(times),
        theirs,
        f"p95 {times[int(len(times) * 0.95)] * 1e3:.2f} ms",
    )


def scanning(row: str, scan: Callable[[str], int]) -> None:
    texts = lessons(300)
    scan(texts[0])
    find_secrets(texts[0], personal=True)
    ours = seconds(lambda: [find_secrets(text, personal=True) for text in texts]) / len(texts)
    theirs = seconds(lambda: [scan(text) for text in texts]) / len(texts)
    say(row, ours, theirs, "a text")


def masking() -> None:
    """All messages of the corpus as on import, beside reading the same text as JSON, which an import cannot avoid."""
    texts = [message.content for transcript in transcripts() for message in transcript.messages] or lessons(5_000)
    written, megabytes = json.dumps(texts), sum(map(len, texts)) / 1e6
    mask(texts[0])
    ours = seconds(lambda: [mask(text) for text in texts])
    theirs = seconds(lambda: json.loads(written))
    say(f"masking {megabytes:.1f} MB of messages: json.loads of them", ours, theirs, f"{megabytes / ours:.1f} MB/s")


def whole_gate(count: int) -> None:
    known = KnownTexts(KnownText(f"L-{place}", text) for place, text in enumerate(lessons(count)))
    drafts = [ScreenDraft(Kind.LESSON, f"{text[:-1]} today.", source=Source.CHECK) for text in lessons(200)]
    times = sorted(seconds(lambda draft=draft: screen(draft, known)) for draft in drafts)  # type: ignore[misc]
    print(
        f"all screens, one draft beside {count:,} known lessons: p50 {times[100] * 1e3:.1f} ms, p95 "
        f"{times[190] * 1e3:.1f} ms"
    )


def main() -> None:
    print(f"{'':<58} {'ours':>13} {'the other':>13} {'faster':>10}")
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    twins = (
        (
            "datasketch",
            lambda: all_pairs(size, rivals.minhash_pairs, f"all pairs of {size:,}: MinHash LSH (0.5) + the rule"),
        ),
        ("rapidfuzz", lambda: all_pairs(1_000, rivals.cdist_pairs, "all pairs of 1,000: rapidfuzz cdist + the rule")),
        ("rapidfuzz", lambda: one_against_many(size)),
    )
    scans = (
        ("detect_secrets", lambda: scanning("secrets in one text: detect-secrets", rivals.detect_secrets_scan())),
        (
            "presidio_analyzer",
            lambda: scanning("secrets in one text: Presidio without a model", rivals.presidio_scan()),
        ),
    )
    for module, measure in (*twins, *scans):
        if rivals.installed(module):
            measure()
        else:
            print(f"{module} is not installed; its row is left out.")
    masking()
    whole_gate(size)


if __name__ == "__main__":
    main()
