"""Drafts whose words come from outside: a user's sentence, a tool's text, or more leave than the agent had.

Screening, the last screen. Provenance decides, not phrasing: however polite a planted sentence is, it stands in
somebody's turn. Such a draft is held and labelled until a person has looked at that one draft; findings of code checks
and words of people at the desk are apart.
"""

from collections.abc import Iterable

from core.screening.comparison import Relation, compare
from core.screening.contract import Follows, Heard, Place, Screen, ScreenDraft, ScreenFinding
from core.screening.hidden_text import decoded_runs
from core.screening.likeness import folded
from core.screening.meaning import sayings
from core.screening.permissions import widenings
from core.screening.plain import plain
from core.screening.yielding import gave_in
from core.vocabulary import TOLD, Role, Severity, Source

VERSION = 3

OUTSIDE = frozenset({Role.USER, Role.TOOL, Role.OTHER})
"""Speakers whose words are nobody's instruction."""

TRUSTED = frozenset({Source.CHECK, Source.PERSON})
"""Sources whose drafts are not suspected of repeating an outsider."""

_UNPROVEN = OUTSIDE | TOLD
"""Speakers whose words alone prove nothing of what the agent does: outsiders, and what it was told."""

_WHO = {Role.USER: "a user's", Role.TOOL: "a tool's", Role.OTHER: "another speaker's"}
_WHO |= dict.fromkeys(TOLD, "the agent's instructions'")
_LOOK = "A person looks at this one draft and releases or rejects it; it is in no bulk decision."
_LEAVE = {
    "guard_dropped": "It drops a check or a guard",
    "grant_without_condition": "It grants without a condition",
    "word_taken_for_it": "It takes somebody's word as proof",
    "claimed_authority": "It rests on an authority that it only claims",
    "outside_instructions": "It makes outsiders' words an instruction",
    "access_widened": "It widens access",
}


def find_plants(draft: ScreenDraft) -> tuple[ScreenFinding, ...]:
    """Findings that hold a draft: who its words come from, and what leave it would give."""
    return (*_by_provenance(draft), *widening_findings(draft.text), *encoded_findings(draft.text))


def encoded_findings(text: str, part: str = "text") -> list[ScreenFinding]:
    """Every run of encoded words in a part of a draft."""
    return [_by_encoding(start, end, part) for start, end, _ in decoded_runs(plain(text).text)]


def _by_provenance(draft: ScreenDraft) -> list[ScreenFinding]:
    if draft.source in TRUSTED:
        return []
    if draft.source in (Source.USER, Source.TOOL):
        return [_untrusted(draft, f"from_{draft.source.value}", f"It was made from a {draft.source.value}'s words.")]
    speakers = {support.speaker for support in draft.support}
    if draft.source is Source.EVALUATOR and not speakers:
        return []
    if not speakers:
        return [_untrusted(draft, "no_support", "No words of any turn support it.")]
    if speakers <= _UNPROVEN and not (draft.shown_by_user and speakers == {Role.USER}):
        whose = " and ".join(_WHO[speaker] for speaker in sorted(speakers))
        return [_untrusted(draft, f"only_{min(speakers).value}", f"Its only support is {whose} words.")]
    if echoed := _echoed(draft.text, draft.heard):
        who = _WHO.get(echoed.speaker, "somebody's")
        return [_untrusted(draft, f"echoes_{echoed.speaker.value}", f"It repeats {who} own sentence.")]
    outside = [each for each in draft.heard if each.speaker in OUTSIDE]
    if asked := gave_in(draft.text, draft.support, outside):
        who = _WHO.get(asked.speaker, "somebody's")
        return [_untrusted(draft, f"agreed_{asked.speaker.value}", f"The agent agreed to {who} rule, and it is that.")]
    return []


def _untrusted(draft: ScreenDraft, code: str, why: str) -> ScreenFinding:
    return ScreenFinding(
        Screen.PLANT,
        f"untrusted_source:{code}",
        Severity.HIGH,
        draft.text,
        Place(0, len(draft.text)),
        why,
        _LOOK,
        Follows.HOLD,
    )


def _echoed(text: str, heard: Iterable[Heard]) -> Heard | None:
    """Who said the draft before: one of their sentences says the same, or their sentences together hold all its
    words.
    """
    outside = [each for each in heard if each.speaker in OUTSIDE]
    for each in outside:
        if folded(text) in folded(each.text) or _said_by(text, plain(each.text).text):
            return each
    return next(iter(outside), None) if _split_over(text, outside) else None


def _said_by(text: str, spoken: str) -> bool:
    mine = frozenset().union(*(saying.all for saying in sayings(text)))
    return any(
        len(mine & saying.all) >= max(2, 0.75 * len(mine))
        and compare(text, saying.text).relation in (Relation.SAME, Relation.TWIN)
        for saying in sayings(spoken)
    )


def _split_over(text: str, outside: list[Heard]) -> bool:
    """Whether the draft is made of halves that outsiders said in several turns."""
    halves = [folded(half) for half in text.replace(";", ",").replace(".", ",").split(",") if len(half.split()) >= 3]
    turns = [folded(each.text) for each in outside]
    return len(halves) > 1 and all(any(half in turn for turn in turns) for half in halves)


def widening_findings(text: str, part: str = "text") -> list[ScreenFinding]:
    """The first place of each kind of loosening in a part of a draft, whoever wrote it."""
    text = plain(text).text
    first = {found.code: found for found in reversed(widenings(text))}
    return [
        ScreenFinding(
            Screen.PLANT,
            f"widens_permission:{code}",
            Severity.HIGH,
            text[found.start : found.end],
            Place(found.start, found.end, part),
            f"{_LEAVE[code]}: “{text[found.start : found.end]}”.",
            _LOOK,
            Follows.HOLD,
        )
        for code, found in sorted(first.items(), key=lambda pair: pair[1].start)
    ]


def _by_encoding(start: int, end: int, part: str) -> ScreenFinding:
    return ScreenFinding(
        Screen.PLANT,
        "hidden_text:base64",
        Severity.HIGH,
        "",
        Place(start, end, part),
        "It holds encoded text that reads as words.",
        "Write the words out, or leave them out.",
        Follows.HOLD,
    )
