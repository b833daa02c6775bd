"""From what the critic wrote to drafts for the store: every quote is looked for, every doubt goes along.

Between the critic and evidence. A draft is never dropped for what is wrong with it: what a reply leaves open is a
remark that holds it until a person has looked.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.critic.drafts import LessonDraft, NoteDraft, ProcedureDraft, Quote
from core.evidence import PreparedTranscript
from core.governance.drafts import AnyContent, Draft, LessonContent, NoteContent, ProcedureContent, Quoted, quoted
from core.governance.for_whom import asked_for_by_the_user
from core.screening.contract import Follows, Heard, Place, Screen, ScreenFinding
from core.screening.preferences import names_a_preference
from core.store.records import AgentSession
from core.vocabulary import Dimension, Form, ProcedureKind, Role, Scope, Severity, Source, Writer

PROPOSER = "critic"
_CALLED = {
    Role.ASSISTANT: ("agent", "ai", "bot", "model", "ai assistant", "chatbot"),
    Role.USER: ("customer", "client", "human", "caller", "student"),
    Role.TOOL: ("function", "tool result"),
}
"""What models call a speaker, beside the roles' own names."""

_GRAVEST = Severity.CRITICAL
_SAID = {
    "unknown_severity": "The critic called its severity “{}”, which is none; it counts as critical until then.",
    "unknown_dimension": "The critic called its dimension “{}”, which is none; it stands under compliance until then.",
    "no_evidence": "The critic quoted no words, so nothing proves it.",
    "unknown_kind": "The critic called its kind “{}”, which is none; it counts as a rule.",
    "confidence_clamped": "The critic gave it a confidence of {}; it starts at the nearest that it may start with.",
    "confidence_unreadable": "The critic gave it no confidence that can be read (“{}”); it starts at the lowest.",
    "few_tags": "The critic gave it fewer than two tags.",
    "tag_cut": "The critic gave it one tag more than three: “{}”.",
    "no_tag": "“{}” is no tag and was left out.",
}
_HOLDING = frozenset({"unknown_severity", "unknown_dimension", "no_evidence"})


@dataclass(frozen=True)
class Origin:
    """Where drafts come from: the session, its prepared transcript, the run's name, and what holds all of them."""

    session: AgentSession
    prepared: PreparedTranscript
    name: str
    """Such as ``critic notes 1f0c2a9b, run 12``."""

    doubts: tuple[ScreenFinding, ...] = ()
    heard: tuple[Heard, ...] = ()


def note_draft(origin: Origin, note: NoteDraft) -> Draft:
    """A note to be stored. Raises ``ValidationError`` where its words cannot be."""
    dimension, severity = note.dimension or Dimension.COMPLIANCE, note.severity or _GRAVEST
    quotes = _quotes(origin, note.evidence, Role.ASSISTANT if dimension is not Dimension.MISSED_SIGNAL else None)
    content = NoteContent(
        dimension=dimension,
        severity=severity,
        observation=note.observation,
        improvement=note.improvement or note.observation,
    )
    draft = _draft(origin, content, severity, quotes, note.held)
    fault = f"{PROPOSER}:{dimension}:{_of_words(quotes) or _hash(note.observation)}"
    if note.severity is None:
        fault += ":unknown_severity"  # not one with a note of a known severity: it would lose its own
    return draft.model_copy(update={"user": origin.session.user, "session_id": origin.session.id, "fault": fault})


def lesson_draft(origin: Origin, lesson: LessonDraft, writer: Writer) -> Draft:
    """A lesson to be proposed. Raises ``ValidationError`` where its words cannot be stored.

    A reflection that speaks of what its user prefers holds for that user alone. Source: Reflexion buffer, scope policy.
    """
    form = Form.REFLECTION if writer is Writer.REFLECTION else Form.INSTRUCTION
    user = origin.session.user if form is Form.REFLECTION and names_a_preference(lesson.text) else None
    scope = Scope.USER if user else Scope.TASK_CLASS
    content = LessonContent(form=form, scope=scope, text=lesson.text, tags=lesson.tags)
    draft = _draft(origin, content, Severity.MEDIUM, _quotes(origin, lesson.evidence, None), lesson.remarks)
    of_trial = origin.session.id if form is Form.REFLECTION else None
    return draft.model_copy(update={"user": user, "session_id": of_trial})


def procedure_draft(origin: Origin, procedure: ProcedureDraft) -> Draft:
    """A procedure to be proposed. Raises ``ValidationError`` where its words cannot be stored."""
    content = ProcedureContent(
        title=procedure.title,
        trigger=procedure.trigger,
        instruction=procedure.instruction,
        kind=procedure.kind or ProcedureKind.RULE,
        confidence=procedure.confidence,
    )
    return _draft(origin, content, Severity.MEDIUM, _quotes(origin, procedure.evidence, None), procedure.remarks)


def addressed_doubt(where: Sequence[str]) -> ScreenFinding:
    """What holds all that was written about a session in which some places speak to its reviewer."""
    return _finding(
        "addressed",
        f"The session speaks to whoever reviews it ({', '.join(dict.fromkeys(where))}).",
        "Read those words first; it counts for nothing until a person has released it.",
        Follows.HOLD,
    )


def as_quoted(origin: Origin, quote: Quote, expected: Role | None) -> Quoted:
    """One quote, looked for; ``expected`` speaks where the critic names nobody."""
    transcript = origin.prepared.transcript
    claimed = _role(quote.speaker) or expected
    turn = None if quote.turn is None or quote.turn > len(transcript.messages) else quote.turn - 1
    grounding = origin.prepared.ground(quote.words, speaker=claimed, turn=turn)
    speaker = claimed or (transcript.messages[grounding.spans[0].turn].role if grounding.spans else Role.ASSISTANT)
    return quoted(origin.session.id or 0, transcript, quote.words, grounding, speaker=speaker, turn=turn)


def _draft(
    origin: Origin, content: AnyContent, severity: Severity, quotes: tuple[Quoted, ...], remarks: Iterable[str]
) -> Draft:
    return Draft(
        content=content,
        severity=severity,
        agent_id=origin.session.agent_id,
        task_class=origin.session.task_class,
        user=origin.session.user if _is_of_the_user(content, quotes) else None,
        origin=origin.name,
        proposer=PROPOSER,
        source=Source.CRITIC,
        quotes=quotes,
        remarks=(*(_remarked(each) for each in remarks), *origin.doubts),
        heard=origin.heard,
    )


def _is_of_the_user(content: AnyContent, quotes: Sequence[Quoted]) -> bool:
    """Whether it stays with the user of its session: a lesson that says so, a pattern that the user asked for."""
    said_so = isinstance(content, LessonContent) and content.scope is Scope.USER
    return said_so or asked_for_by_the_user(content, quotes)


def _quotes(origin: Origin, quotes: Iterable[Quote], expected: Role | None) -> tuple[Quoted, ...]:
    looked_for = (as_quoted(origin, quote, expected) for quote in quotes)
    return tuple({one.quote: one for one in looked_for}.values())


def _role(said: str | None) -> Role | None:
    name = " ".join((said or "").casefold().replace("_", " ").split())
    if name in set(Role):
        return Role(name)
    return next((role for role, names in _CALLED.items() if name in names), None)


def _remarked(remark: str) -> ScreenFinding:
    code, _, said = remark.partition(":")
    text = _SAID.get(code, "The critic's reply leaves something open: {}.").format(said or code)
    follows = Follows.HOLD if code in _HOLDING else Follows.FLAG
    possible = "A person can set it and release it." if follows is Follows.HOLD else "It can be edited."
    return _finding(code, text, possible, follows)


def _finding(code: str, text: str, possible: str, follows: Follows) -> ScreenFinding:
    return ScreenFinding(Screen.CRITIC, f"critic:{code}", Severity.HIGH, "", Place(0, 0), text, possible, follows)


def _of_words(quotes: Sequence[Quoted]) -> str:
    """A name for the places that are quoted: the same words of the same turns give the same."""
    places = sorted({(span.turn, span.start, span.end) for quote in quotes for span in quote.grounding.spans})
    return _hash(repr(places)) if places else _hash(" ".join(sorted(quote.quote for quote in quotes))) if quotes else ""


def _hash(text: str) -> str:
    return hashlib.sha256(" ".join(text.casefold().split()).encode()).hexdigest()[:16]
