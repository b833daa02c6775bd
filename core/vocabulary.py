"""The words of Tutelage as closed sets of values.

Every value is stored, exported and shown exactly as it stands here. Source: the design's list of words.
"""

from enum import StrEnum


class Role(StrEnum):
    """Who speaks in a message of a transcript."""

    SYSTEM = "system"
    DEVELOPER = "developer"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    OTHER = "other"


TOLD = frozenset({Role.SYSTEM, Role.DEVELOPER})
"""Roles whose words the agent was told; it did not say them."""


class Dimension(StrEnum):
    """What a note judges. Source: Self-reflection memory, "Scoring a session on five dimensions"."""

    CONSISTENCY = "consistency"
    COMPLETENESS = "completeness"
    COMPLIANCE = "compliance"
    COMMUNICATION = "communication"
    MISSED_SIGNAL = "missed_signal"


class Severity(StrEnum):
    """How much a note weighs, worst first. Source: Self-reflection memory."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    POSITIVE = "positive"

    @property
    def rank(self) -> int:
        """0 for critical, growing as the weight falls."""
        return list(Severity).index(self)


class Kind(StrEnum):
    """What waits for a decision."""

    NOTE = "note"
    LESSON = "lesson"
    PROCEDURE = "procedure"
    BELIEF = "belief"

    @property
    def letter(self) -> str:
        """The first letter of a reference such as ``L-0142``."""
        return {"note": "N", "lesson": "L", "procedure": "P", "belief": "B"}[self.value]

    def reference(self, number: int) -> str:
        """How people name an item of this kind: ``L-0142``."""
        return f"{self.letter}-{number:04d}"

    def version(self, number: int, version: int) -> str:
        """How one version is named beside others: ``L-0142 v2``, and ``L-0142`` for the first."""
        return self.reference(number) if version == 1 else f"{self.reference(number)} v{version}"


class Status(StrEnum):
    """Where an item stands. Notes use the first four and ``appealed``; all others the rest and ``held``."""

    OPEN = "open"
    HELD = "held"
    RESOLVED = "resolved"
    DISMISSED = "dismissed"
    PROPOSED = "proposed"
    ACTIVE = "active"
    SUSPENDED = "suspended"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    REJECTED = "rejected"
    APPEALED = "appealed"
    """Rejected or dismissed, and somebody asks for another look: it waits, and nobody reads it."""
    RETIRED = "retired"


class Form(StrEnum):
    """The form of a lesson."""

    INSTRUCTION = "instruction"
    REFLECTION = "reflection"


class Scope(StrEnum):
    """For whom a lesson holds. Source: Reflexion buffer, scope policy."""

    TASK_CLASS = "task_class"
    USER = "user"
    AGENT = "agent"


class ProcedureKind(StrEnum):
    """The three forms of a procedure. Source: Procedural memory."""

    WORKFLOW = "workflow"
    RULE = "rule"
    PATTERN = "pattern"


class Source(StrEnum):
    """Where feedback comes from. Source: Using Feedback and Reflection, "Sources of Feedback"."""

    CHECK = "check"
    TOOL = "tool"
    EVALUATOR = "evaluator"
    PERSON = "person"
    USER = "user"
    CRITIC = "critic"

    @property
    def reliability(self) -> "Reliability":
        """How far feedback of this source can be trusted."""
        if self is Source.USER:
            return Reliability.MEDIUM
        return Reliability.VARIABLE if self is Source.CRITIC else Reliability.HIGH

    @classmethod
    def stored(cls, said: str) -> "Source":
        """The source that stands in the store; one that is not known here is trusted least."""
        return cls(said) if said in set(cls) else cls.CRITIC


class Reliability(StrEnum):
    """How far a signal can be trusted."""

    HIGH = "high"
    MEDIUM = "medium"
    VARIABLE = "variable"


class Outcome(StrEnum):
    """How the agent session that read a briefing went."""

    SUCCESS = "success"
    FAILURE = "failure"


class Verdict(StrEnum):
    """What became of a quote when it was looked for. The first four are grounded, the others are not."""

    EXACT = "exact"
    FOLDED = "folded"
    ELIDED = "elided"
    AMBIGUOUS = "ambiguous"
    NOT_FOUND = "not_found"
    ALTERED = "altered"
    WRONG_SPEAKER = "wrong_speaker"
    CROSSES_MESSAGES = "crosses_messages"
    OUT_OF_ORDER = "out_of_order"
    TOO_SHORT = "too_short"
    INSIDE_WORD = "inside_word"
    ELISION_HIDES_NEGATION = "elision_hides_negation"
    ONLY_IN_BRIEFING = "only_in_briefing"

    @property
    def grounded(self) -> bool:
        """Whether the words stand in the transcript as claimed."""
        return self in GROUNDED


GROUNDED = frozenset({Verdict.EXACT, Verdict.FOLDED, Verdict.ELIDED, Verdict.AMBIGUOUS})


TASK_CLASS_UNNAMED = "general"
"""The task class of sessions whose file names none."""

PROCEDURES_HEADING = "LEARNED OPERATIONAL PROCEDURES (apply these in relevant situations):"
NOTES_HEADING = "Notes from earlier sessions with this user (read them before you answer):"
LESSONS_HEADING = "Lessons from previous tasks (follow them where they apply):"
REFLECTIONS_HEADING = "What I learned from prior trials"
BELIEFS_HEADING = "What earlier sessions have in common (weigh it; what is said now outranks it):"
"""How the blocks of a briefing begin. Evidence knows them: what an agent was told is not what it said."""

NOTES_CLOSING = "Follow these notes in what you say now, and do not speak of them."
"""How the block of notes ends."""


class Action(StrEnum):
    """An act upon an item; the lifecycle table says which may follow which status."""

    PROPOSE = "propose"
    APPROVE = "approve"
    REJECT = "reject"
    EDIT = "edit"
    SUPERSEDE = "supersede"
    SUSPEND = "suspend"
    RETIRE = "retire"
    REINSTATE = "reinstate"
    REOPEN = "reopen"
    RELEASE = "release"
    RESOLVE = "resolve"
    DISMISS = "dismiss"
    ENDORSE = "endorse"
    """The first of two people says yes; nothing changes until another one says it too."""
    ROLL_BACK = "roll_back"
    APPEAL = "appeal"
    GRANT = "grant"
    DENY = "deny"
    UNDO = "undo"
    MERGE = "merge"
    """Its words and proof went into a newer version of another item, which cites it."""
    EXPIRE = "expire"
    """Its task class had as many trials as it lives for."""


class Writer(StrEnum):
    """What the critic is asked to write, each with a prompt of its own."""

    NOTES = "notes"
    LESSON = "lesson"
    REFLECTION = "reflection"
    PROCEDURES = "procedures"
    EPISODES = "episodes"
    OPINION = "opinion"
    SELF_REVIEW = "self_review"
    QUESTIONS = "questions"
    BELIEFS = "beliefs"
    COMPACTION = "compaction"


class EpisodeAct(StrEnum):
    """What a person does with an episode."""

    WITHDRAW = "withdraw"
    RESTORE = "restore"
    RELEASE = "release"


class EpisodeSource(StrEnum):
    """What an episode was made from."""

    CRITIC = "critic"
    NOTE = "note"
    IMPORT = "import"
    BELIEF = "belief"
    """It is a belief, and stands among the episodes so that others may rest on it."""


class Memory(StrEnum):
    """What is consolidated in the background. Sources: Reflection: From Experiences to Beliefs; Reflexion buffer."""

    BELIEFS = "beliefs"
    BUFFER = "buffer"


class RunState(StrEnum):
    """Where one debrief by the critic, or one consolidation, stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    """The spending cap was reached, or somebody took it back; it can go on later."""
    SKIPPED = "skipped"
    """It failed outside the agent, or only suspicious sessions go to the model and this is none."""

    @property
    def over(self) -> bool:
        """Whether nothing more happens to it by itself."""
        return self not in (RunState.QUEUED, RunState.RUNNING)


class CallState(StrEnum):
    """Where one request to the model stands."""

    DUE = "due"
    ASKED = "asked"
    ANSWERED = "answered"
    FAILED = "failed"


class Support(StrEnum):
    """What a second opinion says of a quote and an observation. It is an opinion."""

    YES = "yes"
    PARTLY = "partly"
    NO = "no"
    UNREADABLE = "unreadable"


class ReviewState(StrEnum):
    """Where a self-review inside a task stands. Source: Using Feedback and Reflection in Agent Workflows."""

    OPEN = "open"
    PASSED = "passed"
    ESCALATED = "escalated"
    ANSWERED = "answered"


class Duty(StrEnum):
    """What a person may do at the desk."""

    LEAD = "lead"
    AUDITOR = "auditor"
    DEVELOPER = "developer"
    ADMIN = "admin"


class Cause(StrEnum):
    """Why an item left the briefing, or is held, although nobody turned it down."""

    POLICY = "policy"
    """A policy that it was screened against has changed."""
    STALE_SOURCE = "stale_source"
    HARM = "harm"
    PERSON = "person"


class GroundedNotes(StrEnum):
    """Which open notes, whose words were found, an agent reads: all, or those that a person has looked at."""

    ALL = "all"
    LOOKED_AT = "looked_at"


class SecondRanker(StrEnum):
    """Another way to find lessons for a task, beside shared words."""

    OFF = "off"
    BM25 = "bm25"
    EMBEDDING = "embedding"


class EpisodesRead(StrEnum):
    """Which episodes an agent may be given: those behind approved beliefs, or all whose words were found."""

    BEHIND_BELIEFS = "behind_beliefs"
    GROUNDED = "grounded"


class GivesWay(StrEnum):
    """What a person chooses where a text contradicts one that is in force."""

    THE_OTHER = "the_other"
    NEITHER = "neither"


class RejectReason(StrEnum):
    """Why a proposal was rejected: the codes that the desk begins with. Its settings may name others."""

    NOT_TRUE = "not_true"
    NOT_GENERAL = "not_general"
    TOO_VAGUE = "too_vague"
    TWIN = "twin"
    AGAINST_POLICY = "against_policy"
    UNSAFE_SOURCE = "unsafe_source"


class DismissReason(StrEnum):
    """Why a note was dismissed: the codes that the desk begins with. Its settings may name others."""

    NOT_TRUE = "not_true"
    NO_FAULT = "no_fault"
    WORDS_DO_NOT_SHOW_IT = "words_do_not_show_it"
    NOTED_ALREADY = "noted_already"
    TOO_VAGUE = "too_vague"
    UNSAFE_SOURCE = "unsafe_source"


class PolicyOrigin(StrEnum):
    """Where a version of a policy came from."""

    FILE = "file"
    PAGE = "page"


class DigestWay(StrEnum):
    """How the digest of a day leaves the desk."""

    WEBHOOK = "webhook"


class Verb(StrEnum):
    """What the holder of an agent's token may ask for; deciding is none of them."""

    SESSIONS = "sessions"
    BRIEFING = "briefing"
    OUTCOMES = "outcomes"
    FEEDBACK = "feedback"
    SELF_REVIEW = "self_review"
    TRACES = "traces"
    RECALL = "recall"
