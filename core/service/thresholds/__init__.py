"""Other numbers tried on the past: what agents would have read, and what gates would contradict that people decided.

``past`` gathers once what happened; ``different`` compares two sets of numbers over it. Neither writes anything.
"""

from core.service.thresholds.different import Different, different
from core.service.thresholds.gathering import past
from core.service.thresholds.happened import Past

__all__ = ["Different", "Past", "different", "past"]
