"""What a stored reply of the critic holds: its drafts, what could not be read, and why it should be asked once more.

Between the critic and the gates. Nothing is stored here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError
from sqlmodel import Session as DatabaseSession

from core.critic.drafts import Drafts, LessonDraft, NoteDraft, ProcedureDraft
from core.critic.forms import is_reflection, sentences
from core.critic.parsing import read_reply
from core.critic.second_requests import OnceMore
from core.evidence import PreparedTranscript, Span, prepare
from core.governance.drafts import Draft
from core.governance.gate import Text, screened
from core.governance.numbers import numbers_in_force
from core.screening.contract import Heard, ScreenFinding
from core.screening.secrets import find_secrets
from core.service.critic.answers import MASKED
from core.service.critic.drafts import Origin, lesson_draft, note_draft, procedure_draft
from core.settings import DEFAULTS, Settings
from core.store.critic_records import CriticCall
from core.store.records import AgentSession
from core.store.transcripts import transcript_of
from core.transcripts import Transcript
from core.vocabulary import Writer

_AGAIN = {"vague": OnceMore.VAGUE, "one_case": OnceMore.ONE_CASE}


@dataclass(frozen=True)
class OpinionAsked:
    """A quote that a second opinion is asked about. ``about`` names call, note and quote: ``12:1:1``."""

    about: str
    observation: str
    span: Span


class Reply:
    """The reply of one call, read against its session. ``doubts`` hold all its drafts, which go back to ``heard``."""

    def __init__(
        self,
        session: AgentSession,
        prepared: PreparedTranscript,
        call: CriticCall,
        *,
        doubts: Sequence[ScreenFinding] = (),
        heard: Sequence[Heard] = (),
        numbers: Settings = DEFAULTS,
    ) -> None:
        self.call, self.numbers = call, numbers
        name = f"critic {call.writer} {call.prompt_sha256[:8]}, run {call.run_id}"
        self.origin = Origin(session, prepared, name, tuple(doubts), tuple(heard))

    @cached_property
    def read(self) -> Drafts[Any]:
        """What stands in the reply."""
        return read_reply(Writer(self.call.writer), self.call.reply, self.numbers)

    @property
    def written(self) -> tuple[Any, ...]:
        """Every draft, those that are held behind the others."""
        return (*self.read.drafts, *self.read.held)

    @cached_property
    def drafts(self) -> tuple[Draft | str, ...]:
        """A draft for the store for each that was written; a reason where its words cannot be stored."""
        return tuple(map(self._draft, self.written))

    def opinions(self) -> Iterator[OpinionAsked]:
        """The quotes of its notes that were found, one place each."""
        for place, draft in enumerate(self.drafts, 1):
            if isinstance(draft, str):
                continue
            for number, quote in enumerate(draft.quotes, 1):
                if quote.found and quote.grounding.spans:
                    about = f"{self.call.id}:{place}:{number}"
                    yield OpinionAsked(about, draft.content.headline, quote.grounding.spans[0])

    def _draft(self, each: NoteDraft | LessonDraft | ProcedureDraft) -> Draft | str:
        try:
            if isinstance(each, NoteDraft):
                return note_draft(self.origin, each)
            if isinstance(each, LessonDraft):
                return lesson_draft(self.origin, each, Writer(self.call.writer))
            return procedure_draft(self.origin, each)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            return f"its {'.'.join(map(str, first['loc'])) or 'content'} cannot be stored: {first['msg']}"


def to_be_asked_again(db: DatabaseSession, session: AgentSession, call: CriticCall) -> OnceMore | None:
    """Why the writer of a lesson or procedure is asked once more; None where its reply can go to the gates.

    Source: Reflexion buffer, hard rejects; a credential is said in general, or not at all.
    """
    if call.writer not in (Writer.LESSON, Writer.REFLECTION, Writer.PROCEDURES):
        return None
    if call.read.get(MASKED):
        return OnceMore.SECRET
    whole = prepare(Transcript())
    numbers = numbers_in_force(db)
    for draft in Reply(session, whole, call, numbers=numbers).drafts:
        if isinstance(draft, str):
            return OnceMore.TOO_LONG
        if draft.content.too_long(numbers.lesson_characters):
            return OnceMore.TOO_LONG
        if call.writer == Writer.REFLECTION and not is_reflection(draft.content.headline):
            return OnceMore.WRONG_FORM
        if call.writer == Writer.LESSON and sentences(draft.content.headline) > 1:
            return OnceMore.TOO_LONG
        text = Text(draft.content, draft.agent_id, draft.task_class, draft.source, user=draft.user)
        refusal = screened(db, text).refusal
        if refusal == "contains_secret":
            words = " ".join((draft.content.headline, *draft.content.further.values()))
            return OnceMore.SECRET if find_secrets(words, personal=False) else OnceMore.PERSONAL_DATA
        if refusal in _AGAIN and call.writer != Writer.PROCEDURES:
            return _AGAIN[refusal]
    return None


def prepared_session(db: DatabaseSession, session: AgentSession) -> PreparedTranscript:
    """The transcript of a session, made ready to be asked."""
    return prepare(transcript_of(db, session.id or 0))
