"""Every number that a rule uses, with its bounds and source, in one frozen value.

Changing one is a new version of the settings. Confidences and importances are exact hundredths. The line below a field
is what people are told of it; ``core.settings_told`` says beside it how it is named, in which unit and steps it moves.
"""

import hashlib
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.vocabulary import EpisodesRead, GroundedNotes, SecondRanker, Severity


class Settings(BaseModel):
    """The numbers in force. Defaults are those of the memory techniques; a source is named where it is not ours."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    notes_in_briefing: int = Field(4, ge=0, le=50)
    """Notes an agent reads at most. Source: Self-reflection memory."""

    notes_read_from: Severity = Severity.MEDIUM
    """The mildest severity at which a note is read. Source: Self-reflection memory."""

    grounded_notes: GroundedNotes = GroundedNotes.ALL
    """Whether an open note whose words were found is read before a person has looked at it. Source: Self-reflection
    memory.
    """

    notes_looked_at: int = Field(50, ge=1, le=500)
    """Notes of a user among which one briefing chooses: the most severe, the newest first."""

    notes_in_reply: int = Field(3, ge=1, le=50)
    """Notes of one reply of the critic that are read at most. Source: Self-reflection memory."""

    procedures_in_reply: int = Field(3, ge=1, le=50)
    """Procedures of one reply of the critic that are read at most. Source: Procedural memory."""

    earlier_sessions_tokens: int = Field(1_500, ge=0, le=100_000)
    """Tokens, roughly, that summaries and notes of a user's earlier sessions may take in a request to the critic."""

    facts_tokens: int = Field(3_000, ge=0, le=1_000_000)
    """Tokens, roughly, that what is known of a user may take in a request to the critic; the newest facts first."""

    overlap_turns: int = Field(2, ge=0, le=50)
    """Turns of a long transcript that a part of it repeats of the part before."""

    procedure_threshold: Decimal = Field(Decimal("0.55"), ge=0, le=1, decimal_places=2)
    """Confidence from which a procedure is read. Source: Procedural memory."""

    procedures_in_briefing: int = Field(6, ge=0, le=50)
    """Procedures an agent reads at most. Source: Procedural memory."""

    success_step: Decimal = Field(Decimal("0.08"), ge=0, le=1, decimal_places=2)
    """What one success adds to a confidence. Source: Procedural memory."""

    failure_step: Decimal = Field(Decimal("0.15"), ge=0, le=1, decimal_places=2)
    """What one failure takes from a confidence. Source: Procedural memory."""

    first_confidence: Decimal = Field(Decimal("0.60"), ge=0, le=1, decimal_places=2)
    """Where a procedure starts that was seen once, or that a check or a person proposes. Source: Procedural memory."""

    top_first_confidence: Decimal = Field(Decimal("0.85"), ge=0, le=1, decimal_places=2)
    """The highest confidence a procedure may start with. Source: Procedural memory."""

    lessons_in_briefing: int = Field(2, ge=0, le=50)
    """Instructions an agent reads at most for one task. Source: Using Feedback and Reflection in Agent Workflows."""

    active_lessons: int = Field(50, ge=1, le=10_000)
    """Active instructions an agent may have. Source: Using Feedback and Reflection in Agent Workflows."""

    second_ranker: SecondRanker = SecondRanker.OFF
    """Another way to find lessons for a task, shown beside the first on the Briefing page; agents read by the first."""

    reflection_trials: int = Field(10, ge=1, le=1_000)
    """Trials of its task class for which a reflection lives, counted from its activation. Source: Reflexion buffer."""

    reflections_in_briefing: int = Field(6, ge=0, le=50)
    """Reflections that an agent reads at most; one line sums up the others. Source: Reflexion buffer."""

    buffer_budget: int = Field(12, ge=1, le=1_000)
    """Active reflections of a task class beyond which the buffer is made smaller in the background."""

    expiring_soon: int = Field(3, ge=1, le=1_000)
    """Trials left from which a reflection stands in the report of what will expire soon."""

    belief_sum: Decimal = Field(Decimal("15.00"), ge=Decimal("0.01"), le=1_000, decimal_places=2)
    """Importance of new episodes that together set off a consolidation. Source: Reflection: From Experiences to
    Beliefs.
    """

    high_importance: Decimal = Field(Decimal("0.70"), ge=0, le=1, decimal_places=2)
    """Importance from which an episode counts towards the floor."""

    episode_floor: int = Field(50, ge=0, le=100_000)
    """Episodes of high importance that there must be before beliefs are drawn. Source: Reflection: From Experiences to
    Beliefs, "When reflection helps".
    """

    recent_episodes: int = Field(100, ge=1, le=1_000)
    """Newest episodes from which the questions are drawn. Source: Reflection: From Experiences to Beliefs."""

    salient_questions: int = Field(3, ge=1, le=20)
    """Questions of one consolidation. Source: Reflection: From Experiences to Beliefs."""

    episodes_of_question: int = Field(8, ge=2, le=100)
    """Episodes that are given for one question, the best first. Source: Reflection: From Experiences to Beliefs."""

    beliefs_of_question: int = Field(5, ge=1, le=50)
    """Beliefs of one question that are read at most. Source: Reflection: From Experiences to Beliefs."""

    belief_citations: int = Field(2, ge=2, le=20)
    """Different episodes that a belief must cite. Source: Reflection: From Experiences to Beliefs."""

    belief_importance: Decimal = Field(Decimal("0.85"), ge=0, le=1, decimal_places=2)
    """Importance of a belief among the episodes. Source: Reflection: From Experiences to Beliefs."""

    belief_depth: int = Field(2, ge=1, le=2)
    """How deep beliefs may rest on beliefs: 1 on episodes alone. Source: Reflection: From Experiences to Beliefs."""

    beliefs_in_briefing: int = Field(10, ge=0, le=50)
    """Beliefs that an agent reads at most."""

    stale_walk: int = Field(4, ge=1, le=10)
    """Steps from a withdrawn source along which beliefs that rest on it are marked."""

    recency_half_life: int = Field(30, ge=1, le=3_650)
    """Days after which an episode counts for half as recent."""

    recency_weight: Decimal = Field(Decimal("1.00"), ge=0, le=5, decimal_places=2)
    """Power to which recency counts when episodes are found; 0.00 leaves it out."""

    importance_weight: Decimal = Field(Decimal("1.00"), ge=0, le=5, decimal_places=2)
    """Power to which importance counts when episodes are found; 0.00 leaves it out."""

    similarity_weight: Decimal = Field(Decimal("1.00"), ge=0, le=5, decimal_places=2)
    """Power to which similarity counts when episodes are found; 0.00 leaves it out."""

    importance_of_critical: Decimal = Field(Decimal("0.95"), ge=0, le=1, decimal_places=2)
    """Importance of an episode made from a critical note, where the critic wrote none."""

    importance_of_high: Decimal = Field(Decimal("0.80"), ge=0, le=1, decimal_places=2)
    """Importance of an episode made from a note of high severity."""

    importance_of_medium: Decimal = Field(Decimal("0.50"), ge=0, le=1, decimal_places=2)
    """Importance of an episode made from a note of medium severity."""

    importance_of_low: Decimal = Field(Decimal("0.25"), ge=0, le=1, decimal_places=2)
    """Importance of an episode made from a note of low severity."""

    importance_of_positive: Decimal = Field(Decimal("0.30"), ge=0, le=1, decimal_places=2)
    """Importance of an episode made from a positive note."""

    episodes_read: EpisodesRead = EpisodesRead.BEHIND_BELIEFS
    """Which episodes an agent may be given for a question about one instance: those behind approved beliefs, or all
    whose words were found.
    """

    briefing_tokens: int = Field(4_000, ge=100, le=1_000_000)
    """Tokens, roughly, that a briefing may have; what gives way first stands on the Briefing page."""

    findings_of_fault: int = Field(3, ge=1, le=50)
    """Findings of one fault that a check brings from one session; a fourth would tell a reviewer nothing new."""

    procedure_from_sessions: int = Field(3, ge=1, le=1_000)
    """Sessions of one task class that show a fault before a check proposes a procedure for it."""

    evaluator_threshold: Decimal = Field(Decimal("1.00"), ge=0, le=1, decimal_places=2)
    """Score below which an evaluator's signal counts as a failure, where an agent's record names no other."""

    queue_doubling_days: int = Field(7, ge=1, le=365)
    """Days of waiting after which an item counts for twice as much in the queue."""

    queue_critical: int = Field(16, ge=1, le=1_000)
    """What a critical item counts for in the queue."""

    queue_high: int = Field(8, ge=1, le=1_000)
    """What an item of high severity counts for in the queue."""

    queue_medium: int = Field(4, ge=1, le=1_000)
    """What an item of medium severity counts for in the queue."""

    queue_low: int = Field(2, ge=1, le=1_000)
    """What an item of low severity counts for in the queue."""

    queue_positive: int = Field(1, ge=1, le=1_000)
    """What a positive note counts for in the queue."""

    queue_agent_scope: int = Field(4, ge=1, le=1_000)
    """By how much it counts for more that an item would hold for every task of its agent."""

    queue_task_class_scope: int = Field(2, ge=1, le=1_000)
    """By how much it counts for more that an item would hold for a task class."""

    queue_user_scope: int = Field(1, ge=1, le=1_000)
    """By how much it counts for more that an item would hold for one user."""

    overdue_critical: int = Field(1, ge=1, le=365)
    """Days after which a critical item that waits is overdue."""

    overdue_high: int = Field(3, ge=1, le=365)
    """Days after which an item of high severity that waits is overdue."""

    overdue_medium: int = Field(7, ge=1, le=365)
    """Days after which an item of medium severity that waits is overdue."""

    overdue_low: int = Field(14, ge=1, le=365)
    """Days after which an item of low severity that waits is overdue."""

    overdue_positive: int = Field(30, ge=1, le=365)
    """Days after which a positive note that waits is overdue."""

    twin_share: Decimal = Field(Decimal("0.80"), ge=Decimal("0.70"), le=1, decimal_places=2)
    """Share of the shorter text that a common run of characters must cover for two texts to be called twins. Source:
    Reflexion buffer.
    """

    twin_cosine: Decimal = Field(Decimal("0.90"), ge=Decimal("0.50"), le=1, decimal_places=2)
    """Cosine of a small embedding above which two texts may be twins, where one is installed. Source: Reflexion buffer.
    """

    lesson_characters: int = Field(600, ge=40, le=10_000)
    """Characters a lesson or an instruction may have."""

    self_review_revisions: int = Field(2, ge=0, le=5)
    """Revisions of a draft that are reviewed; when the last is not good, a person is asked. Source: Using Feedback and
    Reflection in Agent Workflows, "Limit Self-Revision".
    """

    self_review_tries: int = Field(3, ge=1, le=20)
    """How often the model is asked about one draft, where it gives no answer that can be read."""

    self_review_checks_suffice: bool = False
    """Whether the model is left alone with a draft in which the checks have found something."""

    self_review_retry_minutes: int = Field(60, ge=1, le=1_440)
    """For how long the same first draft of the same task is taken for the same request, sent again."""

    import_bytes: int = Field(200_000_000, ge=1_000, le=10_000_000_000)
    """Size of the largest file that is read."""

    @field_validator("*")
    @classmethod
    def _in_hundredths(cls, value: object) -> object:
        """The same number is written in one way, so that it has one digest: 0.6 and 0.6000 as 0.60, -0 as 0.00."""
        return value.quantize(Decimal("0.01")).copy_abs() if isinstance(value, Decimal) else value

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits that name these numbers."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]


DEFAULTS = Settings()
