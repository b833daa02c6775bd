"""The fields that a record may carry beside its messages, and what becomes of the others.

First station of the flow. These are the names under which Tutelage itself takes a session in: ``id``, ``agent``,
``user``, ``task_class``, ``task``, ``started_at``, ``base_prompt``, ``policies``, ``facts``, ``feedback``,
``external_failure`` and ``reproducible``.
"""

from datetime import datetime

from core.transcripts.fields import (
    Flaw,
    Record,
    inside,
    kind_of,
    list_of,
    listed,
    number_of,
    object_of,
    quoted,
    required_text,
    text_of,
)
from core.transcripts.intake import Intake
from core.transcripts.message import Message, Transcript
from core.transcripts.session import AgentDraft, FactDraft, FeedbackDraft, SessionDraft
from core.vocabulary import Source

OWN_FIELDS = (
    "id",
    "agent",
    "user",
    "task_class",
    "task",
    "started_at",
    "base_prompt",
    "policies",
    "facts",
    "feedback",
    "external_failure",
    "reproducible",
)

REPRODUCIBLE = "it failed outside the agent ({}) and is marked as reproducible, so lessons may be made from it"
"""What is remarked of a failure outside the agent that comes again, so that the agent can learn to live with it."""


def session_with_own_fields(
    record: Record, messages: tuple[Message, ...], intake: Intake, carried: tuple[str, ...]
) -> SessionDraft:
    """The session of a record whose messages were read from the fields ``carried``.

    Unknown fields are ignored with a remark that names them. A known field of another kind than it should be raises
    ``Flaw``: taken without it, the session would stand in the store as if it had never been there. Without
    ``started_at`` the session began with its first timed message.
    """
    unknown = [key for key in record if key not in OWN_FIELDS and key not in carried]
    if unknown:
        intake.remark(f"ignored: {listed(unknown)}")
    failure = _external_failure(record)
    if failure is not None and messages and _reproducible(record):
        intake.remark(REPRODUCIBLE.format(failure))
        failure = None
    if not messages and failure is None:
        raise Flaw("it holds no messages")
    return SessionDraft(
        transcript=Transcript(messages=messages),
        place=intake.place,
        external_id=text_of(record, "id"),
        agent=text_of(record, "agent"),
        user=text_of(record, "user"),
        task_class=text_of(record, "task_class"),
        task=text_of(record, "task"),
        started_at=intake.time(record.get("started_at")) or first_time(messages),
        external_failure=failure,
        feedback=_feedback(record),
        facts=_facts(record),
        agent_record=AgentDraft(base_prompt=text_of(record, "base_prompt") or "", policies=_policies(record)),
    )


def first_time(messages: tuple[Message, ...]) -> datetime | None:
    """The time of the first message that has one."""
    return next((message.time for message in messages if message.time), None)


def _external_failure(record: Record) -> str | None:
    value = record.get("external_failure")
    if value is True:
        return "the file does not say why"
    return None if value is False else text_of(record, "external_failure")


def _reproducible(record: Record) -> bool:
    """Whether a failure outside the agent is marked as one that comes again. Source: Reflexion buffer."""
    said = record.get("reproducible", False)
    if not isinstance(said, bool):
        raise Flaw(f"“reproducible” must be true or false; it is {kind_of(said)}")
    return said


def _policies(record: Record) -> tuple[str, ...]:
    policies = list_of(record.get("policies") or [], "“policies”")
    wrong = next((policy for policy in policies if not isinstance(policy, str)), None)
    if wrong is not None or None in policies:
        raise Flaw(f"“policies” must be a list of policy ids; it holds {kind_of(wrong)}")
    return tuple(policies)


def _facts(record: Record) -> tuple[FactDraft, ...]:
    facts = list_of(record.get("facts") or [], "“facts”")
    return tuple(_fact(object_of(fact, what), what) for what, fact in _numbered(facts, "fact"))


def _fact(fact: Record, what: str) -> FactDraft:
    return FactDraft(required_text(fact, "text", f"{what}: "), required_text(fact, "source", f"{what}: "))


def _feedback(record: Record) -> tuple[FeedbackDraft, ...]:
    given = list_of(record.get("feedback") or [], "“feedback”")
    return tuple(_signal(object_of(signal, what), what) for what, signal in _numbered(given, "feedback"))


def _signal(signal: Record, what: str) -> FeedbackDraft:
    good = inside(signal, "good")
    if not isinstance(good, bool):
        raise Flaw(f"{what}: “good” must be true or false; it is {kind_of(good)}")
    score = number_of(signal.get("score"), f"{what}: “score”")
    if score is not None and not 0 <= score <= 1:
        raise Flaw(f"{what}: “score” must lie between 0 and 1; it is {score:g}")
    return FeedbackDraft(_source(signal, what), good, text_of(signal, "text", f"{what}: ") or "", score)


def _source(signal: Record, what: str) -> Source:
    said = required_text(signal, "source", f"{what}: ")
    if said not in list(Source):
        raise Flaw(f"{what}: the source {quoted(said)} is unknown; possible: {', '.join(Source)}")
    return Source(said)


def _numbered(items: list[object], what: str) -> list[tuple[str, object]]:
    return [(f"{what} {number}", item) for number, item in enumerate(items, start=1)]
