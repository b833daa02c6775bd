"""Where the quoted words stand: grounding, anchors, and spans drawn as segments."""

from core.evidence.contract import Grounding, Reason, Span
from core.evidence.grounding import PreparedTranscript, ground, prepare

__all__ = ["Grounding", "PreparedTranscript", "Reason", "Span", "ground", "prepare"]
