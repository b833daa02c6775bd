"""The strict check of one candidate: the same words, the same numbers, nothing harmful between, nothing cut in two.

Evidence, fourth step. Only the stretch that the skeleton pointed at is looked at.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from operator import attrgetter

from core.evidence.borders import cuts_a_word
from core.evidence.contract import Span
from core.evidence.folds import EDGE, decides, folds_between, harmless
from core.evidence.graphemes import on_border
from core.evidence.languages import REACH
from core.evidence.layers import Layer
from core.evidence.negation import negation_in
from core.evidence.quote import Piece
from core.evidence.readings import Reading
from core.evidence.seams import Seam, changes_sign, fuses_negation
from core.evidence.skeletons import Candidate
from core.evidence.tokens import Token, tokens

_CLEAN_START = re.compile(r"(?:(?:\A|[a-zA-Z.,;:!?)\"”*]\s{1,4}|\n(?:[ \t]*[-*•] )?)[\"“(*\[]{0,2}|[\"“(\[{])\Z")
_CLEAN_END = re.compile(r"[.,;:!?\"”’)\]*]{0,3}\s*(?:(?<=\s)[!-#&-/:-~]|\Z)|[.,;:!?]?[\"”)\]}]")
_NEAR = 8
AROUND = 64
"""How many characters to either side of a candidate are cut into words, at the least."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece stands. ``folds`` is empty where it stands letter for letter."""

    span: Span
    folds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Miss:
    """Where a piece nearly stands: its letters are there, but cut a word at an edge, or differ otherwise."""

    span: Span
    inside_word: bool


def surely_cut(layer: Layer, piece: Piece, candidate: Candidate) -> bool:
    """Whether a glance shows that the candidate begins or ends inside a word; a no decides nothing."""
    if not piece.has_plain_edges:
        return False
    text, words = layer.readings[candidate.part].text, piece.stripped.rstrip(".,;!?")
    end = candidate.first + len(words)
    if _is_plain_letter(text[candidate.first - 1 : candidate.first]):
        return True
    return _is_plain_letter(text[end : end + 1]) and text[candidate.first : end].lower() == words.lower()


def _is_plain_letter(character: str) -> bool:
    return character.isascii() and character.isalnum()


def checked(reading: Reading, turn: int, piece: Piece, candidate: Candidate) -> Place | Miss:
    """Whether the piece really stands where its skeleton was found, word by word."""
    around, first = _tokens_around(reading.text, piece, candidate)
    run = around[first : first + len(piece.tokens)] if first >= 0 else []
    if [token.key for token in run] != piece.keys:
        inside = _only_edges_differ(around, candidate, piece)
        return Miss(_span(turn, reading, candidate.first, candidate.last + 1), inside)
    span = _span(turn, reading, run[0].start, run[-1].end)
    if cuts_a_word(reading.text, around, first, len(run)):
        return Miss(span, True)
    exact = _verbatim(reading, piece, run)
    if exact is not None:
        return Place(Span(turn, *exact))
    folds = _folds(reading, piece, run)
    if folds is None:
        return Miss(span, False)
    return Place(span if EDGE in folds else _span(turn, reading, *_with_marks(reading.text, piece, run)), folds)


def plainly_verbatim(text: str, piece: Piece, start: int) -> bool:
    """The quick way for most quotes: letter for letter, between white space or brackets, and no measure beyond it.

    Where this says no, nothing is decided.
    """
    if not piece.has_plain_edges or not text.startswith(piece.stripped, start):
        return False
    if piece.stripped.rstrip(".,;!?")[-1].isdigit():
        return False
    before = text[max(0, start - _NEAR) : start]
    return bool(_CLEAN_START.search(before)) and bool(_CLEAN_END.match(text, start + len(piece.stripped)))


def _span(turn: int, reading: Reading, start: int, end: int) -> Span:
    return Span(turn, *reading.origin(start, end))


def _tokens_around(text: str, piece: Piece, candidate: Candidate) -> tuple[list[Token], int]:
    """The tokens near the candidate, and which of them the piece would begin with."""
    leading, trailing = piece.boneless_edges
    start = _window_start(text, candidate.first - 2 * leading.characters - AROUND)
    end = min(len(text), candidate.last + 1 + 2 * trailing.characters + AROUND)
    around = tokens(text, start, end)
    holding = bisect_right(around, candidate.first, key=attrgetter("start")) - 1
    return around, holding - leading.tokens


def _window_start(text: str, start: int) -> int:
    """A little further left, so that the window does not begin inside a word."""
    if start <= 0:
        return 0
    lowest = max(0, start - AROUND)
    while start > lowest and not text[start - 1].isspace():
        start -= 1
    return start


def _only_edges_differ(around: list[Token], candidate: Candidate, piece: Piece) -> bool:
    """Whether the piece would stand there, were its first and last word not cut."""
    run = [token for token in around if token.end > candidate.first and token.start <= candidate.last]
    keys = piece.keys[piece.boneless_edges[0].tokens : len(piece.keys) - piece.boneless_edges[1].tokens]
    if len(run) != len(keys) or [token.key for token in run[1:-1]] != keys[1:-1]:
        return False
    if len(run) == 1:
        return keys[0] in run[0].key
    return run[0].key.endswith(keys[0]) and run[-1].key.startswith(keys[-1])


def _verbatim(reading: Reading, piece: Piece, run: list[Token]) -> tuple[int, int] | None:
    """The span of the whole piece, edge punctuation included, where it stands letter for letter in the original."""
    if reading.resolved and reading.kinds(run[0].start, run[-1].end):
        return None
    if piece.resolved:
        return None
    start = run[0].start - piece.tokens[0].start + piece.margin
    if start < 0 or not reading.text.startswith(piece.stripped, start):
        return None
    end = start + len(piece.stripped)
    return reading.origin(start, end) if on_border(reading.text, start) and on_border(reading.text, end) else None


def _folds(reading: Reading, piece: Piece, run: list[Token]) -> tuple[str, ...] | None:
    """What was folded away, or None where a difference between the words does harm."""
    text, names = reading.text, dict.fromkeys(sorted(reading.kinds(run[0].start, run[-1].end) | piece.resolved))
    negates = negation_in(lambda: text[max(0, run[0].start - REACH) : run[-1].end + REACH])
    for place, (ours, theirs) in enumerate(zip(run, piece.tokens, strict=True)):
        if place:
            source = text[run[place - 1].end : ours.start]
            quote = piece.text[piece.tokens[place - 1].end : theirs.start]
            if source != quote:
                seams = Seam(text, run[place - 1], ours), Seam(piece.text, piece.tokens[place - 1], theirs)
                if not harmless(source, quote, *seams[1][1:], negates):
                    return None
                if fuses_negation(*seams, negates) or changes_sign(*seams):
                    return None
                names.update(dict.fromkeys(folds_between(source, quote)))
        source, quote = text[ours.start : ours.end], piece.text[theirs.start : theirs.end]
        if source != quote:
            names.update(dict.fromkeys(folds_between(source, quote)))
    differing = _edges_that_differ(text, piece, run)
    if any(map(decides, differing)):
        return None
    if differing:
        names[EDGE] = None
    return tuple(names) or (EDGE,)


def _edges_that_differ(text: str, piece: Piece, run: list[Token]) -> list[str]:
    """The marks around the quoted words that do not stand around them in the source."""
    (before, after), (head, tail) = _marks(piece), _around(text, piece, run)
    return [before] * (not head.rstrip().endswith(before)) + [after] * (not tail.lstrip().startswith(after))


def _with_marks(text: str, piece: Piece, run: list[Token]) -> tuple[int, int]:
    """The place of the run with the marks at the edges of the quote, which stand around it."""
    (before, after), (head, tail) = _marks(piece), _around(text, piece, run)
    start = run[0].start - len(head) + len(head.rstrip()) - len(before) if before else run[0].start
    end = run[-1].end + len(tail) - len(tail.lstrip()) + len(after) if after else run[-1].end
    whole = on_border(text, start) and on_border(text, end)
    return (start, end) if whole else (run[0].start, run[-1].end)


def _marks(piece: Piece) -> tuple[str, str]:
    """The marks before the first word of a piece, and those after its last."""
    return piece.text[: piece.tokens[0].start].strip(), piece.text[piece.tokens[-1].end :].strip()


def _around(text: str, piece: Piece, run: list[Token]) -> tuple[str, str]:
    """The source before and after a run, as far as the marks of the piece may stand."""
    before, after = _marks(piece)
    start, end = run[0].start, run[-1].end
    return text[max(0, start - len(before) - AROUND) : start], text[end : end + len(after) + AROUND]
