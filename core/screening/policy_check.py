"""Each policy beside a text: the sentence that may clash with it, for whoever decides about the text.

Screening, asked when a card is drawn. Where the screen of conflicts finds something, that is its sentence; otherwise it
is the sentence with the most words in common, two of them or one that is no common word, and is shown as nothing more
than that. Nothing follows from it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from core.screening.conflicts import conflicts_with_policies, policy_sentences
from core.screening.contract import PolicyText, ScreenFinding
from core.screening.plain import plain
from core.screening.stems import WORD, stem, words
from core.screening.word_lists import word_list

COMMON = ("verbs", "thin_verbs", "empty_verbs", "weightless_words", "minor_words")
"""Lists of words that many sentences have: one of them alone says nothing of what a sentence is about."""

SHORTEST = 3
"""Letters of the shortest word that counts as shared."""


@dataclass(frozen=True)
class PolicyLook:
    """What one policy says beside a text.

    ``sentence`` is empty where the policy speaks of something else. ``shared`` are the words of the sentence that the
    text has too, as they stand in it. ``finding`` says how the two clash, None where they do not.
    """

    policy: str
    title: str
    version: int
    sentence: str = ""
    shared: tuple[str, ...] = ()
    finding: ScreenFinding | None = None

    @property
    def speaks_of_it(self) -> bool:
        """Whether the policy speaks of what the text speaks of."""
        return bool(self.sentence)


def look_at_policies(text: str, policies: Iterable[PolicyText], further: Iterable[str] = ()) -> tuple[PolicyLook, ...]:
    """Every policy beside a text: what clashes first, then what shares most words with it.

    ``further`` are other texts of the same item, such as its title; of them only what clashes is shown.
    """
    read, others = plain(text).text, [plain(one).text for one in further]
    looks = [_look(read, others, policy) for policy in policies]
    return tuple(sorted(looks, key=lambda one: (one.finding is None, -len(one.shared), one.policy)))


def _look(text: str, others: list[str], policy: PolicyText) -> PolicyLook:
    found = next((one for part in (text, *others) for one in conflicts_with_policies(part, (policy,))), None)
    known = _stems(text)
    if found is not None and found.beside is not None:
        return _beside(policy, found.beside.sentence, known, found)
    nearest = max(policy_sentences(policy), key=lambda sentence: len(known & _stems(sentence)), default="")
    return _beside(policy, nearest if _tells(known & _stems(nearest), policy) else "", known, None)


def _tells(shared: frozenset[str], policy: PolicyText) -> bool:
    """Whether shared words say that two sentences speak of one thing: two do, or one that is rare or in the title."""
    return len(shared) > 1 or bool(shared - (_common() - _stems(policy.title)))


@cache
def _common() -> frozenset[str]:
    return frozenset(stem(word) for name in COMMON for word in word_list(name))


def _beside(policy: PolicyText, sentence: str, known: frozenset[str], found: ScreenFinding | None) -> PolicyLook:
    shared = dict.fromkeys(match[0] for match in WORD.finditer(sentence) if _weighs(match[0]) & known)
    return PolicyLook(policy.id, policy.title, policy.version, " ".join(sentence.split()), tuple(shared), found)


def _stems(text: str) -> frozenset[str]:
    return frozenset().union(*(_weighs(word) for word in words(text)))


def _weighs(word: str) -> frozenset[str]:
    """The stem of a word that says what a sentence is about; nothing for one that does not."""
    said = word.lower().replace("’", "'")
    counts = len(said) >= SHORTEST and said.isalpha() and said not in word_list("function_words")
    return frozenset({stem(said)}) if counts else frozenset()
