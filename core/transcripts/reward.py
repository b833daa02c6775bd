"""The reward of a benchmark run as feedback of an evaluator.

First station of the flow.
"""

from core.transcripts.fields import Flaw, number_of
from core.transcripts.session import FeedbackDraft
from core.vocabulary import Source

_FULL = 1 - 1e-6
"""A reward from here on is full; benchmarks leave rounding errors."""


def reward_feedback(reward: object, basis: str) -> tuple[FeedbackDraft, ...]:
    """One signal with the reward as its score, good only where it is full; none where there is no reward.

    Raises ``Flaw`` where the reward is no number between 0 and 1.
    """
    score = number_of(reward, "“reward”")
    if score is None:
        return ()
    if not 0 <= score <= 1 + 1e-6:
        raise Flaw(f"“reward” must lie between 0 and 1; it is {score:g}")
    return (FeedbackDraft(Source.EVALUATOR, score >= _FULL, f"Reward {score:g} ({basis})", min(score, 1.0)),)
