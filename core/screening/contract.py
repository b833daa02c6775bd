"""What a screen is given and what it answers.

Screening, the station between evidence and the store: every text that wants to become memory passes it before anyone is
asked. A screen answers with findings, never with a bare yes or no, and a draft's words never show in a ``repr``.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from core.vocabulary import Form, Kind, Role, Scope, Severity, Source, Status


class Screen(StrEnum):
    """The screens, in the order in which they are asked."""

    SECRET = "secret"
    INVISIBLE = "invisible"
    VAGUE = "vague"
    TWIN = "twin"
    CONFLICT = "conflict"
    PLANT = "plant"
    CRITIC = "critic"
    """Not asked of a text: what its writer's own reply leaves open, such as a severity that is none."""


class Follows(StrEnum):
    """What follows from the findings on a draft, the gravest first."""

    REFUSE = "refuse"
    HOLD = "hold"
    FLAG = "flag"
    PASS = "pass"

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return list(Follows).index(self)


@dataclass(frozen=True)
class Place:
    """Where words stand in a part of a draft: code points, half-open. ``part`` is ``text`` or the name of a field."""

    start: int
    end: int
    part: str = "text"


@dataclass(frozen=True)
class Beside:
    """What a draft is compared with, to be shown side by side: its reference and the sentence in question."""

    reference: str
    sentence: str


@dataclass(frozen=True)
class ScreenFinding:
    """What a screen remarks.

    ``code`` is stable and machine-readable, such as ``contains_secret:aws_access_key``. ``words`` are the words of the
    draft that decided, and always empty for a secret. ``text`` says what was found, ``possible`` what can be done now.
    ``follows`` is what this finding alone asks for. ``beside`` is the other sentence of a twin or a conflict.
    """

    kind: Screen
    code: str
    severity: Severity
    words: str
    place: Place
    text: str
    possible: str
    follows: Follows
    beside: Beside | None = None


@dataclass(frozen=True)
class Screened:
    """The answer of all screens: findings in the order of the screens, what follows, and each screen's version."""

    findings: tuple[ScreenFinding, ...]
    follows: Follows
    versions: dict[str, int]

    def of(self, kind: Screen) -> tuple[ScreenFinding, ...]:
        """The findings of one screen."""
        return tuple(finding for finding in self.findings if finding.kind is kind)

    @property
    def refusal(self) -> str | None:
        """The first part of the code of the finding that refuses the draft, such as ``contains_secret``; else None."""
        codes = (finding.code for finding in self.findings if finding.follows is Follows.REFUSE)
        return next((code.partition(":")[0] for code in codes), None)


@dataclass(frozen=True)
class Support:
    """A quote behind a draft, and whose words it is: the speaker of the turn where the words were found."""

    speaker: Role
    quote: str = field(default="", repr=False)


@dataclass(frozen=True)
class Heard:
    """What somebody other than the agent said in the sessions behind a draft, where it is known."""

    speaker: Role
    text: str = field(repr=False)


@dataclass(frozen=True)
class ScreenDraft:
    """A text that wants to become memory.

    ``text`` is the instruction or observation; ``parts`` are its other fields (title, trigger, tags), by name. They are
    screened for secrets and invisible characters too. ``source`` is who made it: a check, a person, the critic, or
    the feedback it was made from.
    """

    kind: Kind
    text: str = field(repr=False)
    parts: dict[str, str] = field(default_factory=dict, repr=False)
    form: Form = Form.INSTRUCTION
    scope: Scope = Scope.TASK_CLASS
    source: Source = Source.CRITIC
    support: tuple[Support, ...] = ()
    heard: tuple[Heard, ...] = ()
    shown_by_user: bool = False
    """Whether a user's words are the proof that it needs: a signal that the agent passed over."""


@dataclass(frozen=True)
class PolicyText:
    """A policy as screens read it: its sentences, and words that must not be put forward."""

    id: str
    title: str
    version: int
    text: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class KnownText:
    """An item that exists already, under the reference by which people know it."""

    reference: str
    text: str
    status: Status = Status.ACTIVE
    kind: Kind = Kind.LESSON
