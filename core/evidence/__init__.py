"""Where the quoted words stand: grounding, anchors, and spans drawn as segments."""

from core.evidence.anchors import Anchor, Moved, Stale, Standing, anchor, recheck
from core.evidence.contract import Grounding, Reason, Span
from core.evidence.grounding import PreparedTranscript, ground, prepare
from core.evidence.places import at_place
from core.evidence.segments import Segment, segments
from core.evidence.word_diff import DiffPart, word_diff

__all__ = [
    "Anchor",
    "DiffPart",
    "Grounding",
    "Moved",
    "PreparedTranscript",
    "Reason",
    "Segment",
    "Span",
    "Stale",
    "Standing",
    "anchor",
    "at_place",
    "ground",
    "prepare",
    "recheck",
    "segments",
    "word_diff",
]
