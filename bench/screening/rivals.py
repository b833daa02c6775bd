"""Other ways of finding twins and secrets, for comparison. None of them is used by the desk; each is optional."""

import importlib.util
import logging
from collections.abc import Callable

from core.screening.likeness import folded

Pairs = set[tuple[int, int]]


def installed(module: str) -> bool:
    """Whether an optional package is here."""
    return importlib.util.find_spec(module) is not None


def obeys_the_rule(one: str, other: str) -> bool:
    """Whether the longest common run covers 80 % of the shorter text; ``rapidfuzz`` finds it for the rivals."""
    from rapidfuzz.distance import LCSseq

    shorter = min(len(one), len(other))
    if 5 * LCSseq.similarity(one, other) < 4 * shorter:
        return False
    short, long = sorted((one, other), key=len)
    needed = -(-shorter * 4 // 5)
    return any(short[start : start + needed] in long for start in range(shorter - needed + 1))


def minhash_pairs(texts: list[str]) -> Pairs:
    """MinHash LSH at a threshold of 0.5 over words in threes of characters, then the rule on every candidate."""
    from datasketch import MinHash, MinHashLSH

    kept = [folded(text) for text in texts]
    grams = [[text[place : place + 5].encode() for place in range(len(text) - 4)] for text in kept]
    hashes = list(MinHash.bulk(grams, num_perm=128))
    index = MinHashLSH(threshold=0.5, num_perm=128)
    found: Pairs = set()
    for place, minhash in enumerate(hashes):
        found |= {(other, place) for other in index.query(minhash) if obeys_the_rule(kept[other], kept[place])}
        index.insert(place, minhash)
    return found


def cdist_pairs(texts: list[str]) -> Pairs:
    """rapidfuzz's matrix of partial ratios from 80 on, then the rule on every candidate."""
    from rapidfuzz import fuzz, process

    kept = [folded(text) for text in texts]
    scores = process.cdist(kept, kept, scorer=fuzz.partial_ratio, score_cutoff=80, workers=1)
    near = ((one, other) for one in range(len(kept)) for other in range(one + 1, len(kept)) if scores[one][other])
    return {(one, other) for one, other in near if obeys_the_rule(kept[one], kept[other])}


def cdist_one(text: str, texts: list[str]) -> list[int]:
    """rapidfuzz: one text against all."""
    from rapidfuzz import fuzz, process

    scores = process.cdist([folded(text)], texts, scorer=fuzz.partial_ratio, score_cutoff=80, workers=1)[0]
    return [place for place, score in enumerate(scores) if score]


def detect_secrets_scan() -> Callable[[str], int]:
    """detect-secrets with its default plugins, line by line."""
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import default_settings

    scanning = default_settings()
    scanning.__enter__()

    def found(text: str, _open: object = scanning) -> int:
        """``_open`` keeps the settings in force as long as the scanner lives."""
        return sum(1 for line in text.splitlines() for _ in scan_line(line))

    return found


def presidio_scan() -> Callable[[str], int]:
    """Presidio's own recognizers without a language model."""
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NoOpNlpEngine

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    engine = AnalyzerEngine(
        nlp_engine=NoOpNlpEngine(models=[{"lang_code": "en", "model_name": "none"}]), supported_languages=["en"]
    )
    return lambda text: len(engine.analyze(text, language="en"))
