"""The JSON that each kind of reply should be, as schemas for servers that hold a model to one.

Critic. They say what ``parsing`` reads, in the subset that strict modes take: every field required, none besides, and
no bounds on numbers or lengths. What a schema cannot say (at most three, word for word) the prompt must.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from core.critic.answer import Shape
from core.vocabulary import Dimension, ProcedureKind, Severity, Writer


def _one_of(values: Iterable[str]) -> dict[str, Any]:
    return {"type": "string", "enum": [str(each) for each in values]}


def _object(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _list_of(member: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": member}


_TEXT = {"type": "string"}
_TRUTH = {"type": "boolean"}
_NUMBER = {"type": "number"}
_EVIDENCE = _list_of(_object(quote=_TEXT, speaker=_TEXT, turn={"type": "integer"}))

NOTES = Shape(
    name="notes",
    schema_=_object(
        notes=_list_of(
            _object(
                dimension=_one_of(Dimension),
                severity=_one_of(Severity),
                observation=_TEXT,
                evidence=_EVIDENCE,
                improvement=_TEXT,
            )
        )
    ),
)
"""Source: Self-reflection memory."""

LESSON = Shape(name="lesson", schema_=_object(lesson=_TEXT, tags=_list_of(_TEXT), evidence=_EVIDENCE))
"""Source: Using Feedback and Reflection in Agent Workflows; the evidence beside it is ours."""

PROCEDURES = Shape(
    name="procedures",
    schema_=_object(
        procedures=_list_of(
            _object(
                title=_TEXT,
                trigger=_TEXT,
                instruction=_TEXT,
                kind=_one_of(ProcedureKind),
                confidence=_NUMBER,
                evidence=_EVIDENCE,
            )
        )
    ),
)
"""Source: Procedural memory."""

EPISODES = Shape(
    name="episodes", schema_=_object(episodes=_list_of(_object(text=_TEXT, importance=_NUMBER, evidence=_EVIDENCE)))
)
"""Source: the importance of episodes, from which beliefs are made."""

OPINION = Shape(name="opinion", schema_=_object(why=_TEXT, supports=_one_of(("yes", "partly", "no"))))
"""A second opinion on one quote. The reason comes first, so that the answer follows from it."""

SELF_REVIEW = Shape(name="self_review", schema_=_object(ok=_TRUTH, problems=_list_of(_TEXT), fix=_TEXT))
"""Source: Using Feedback and Reflection in Agent Workflows, "Self-Review Before Finishing"."""

COMPACTION = Shape(name="compaction", schema_=_object(lesson=_TEXT, tags=_list_of(_TEXT)))
"""Source: Reflexion buffer, "Compaction"."""

QUESTIONS = Shape(name="questions", schema_=_object(questions=_list_of(_TEXT)))
"""Source: Reflection: From Experiences to Beliefs, "Salient question generation"."""

BELIEFS = Shape(
    name="beliefs", schema_=_object(beliefs=_list_of(_object(belief=_TEXT, cites=_list_of({"type": "integer"}))))
)
"""Source: Reflection: From Experiences to Beliefs, "Insight generation with evidence references"."""

SHAPES: Mapping[Writer, Shape] = {
    Writer.NOTES: NOTES,
    Writer.LESSON: LESSON,
    Writer.REFLECTION: LESSON,
    Writer.PROCEDURES: PROCEDURES,
    Writer.EPISODES: EPISODES,
    Writer.OPINION: OPINION,
    Writer.SELF_REVIEW: SELF_REVIEW,
    Writer.COMPACTION: COMPACTION,
    Writer.QUESTIONS: QUESTIONS,
    Writer.BELIEFS: BELIEFS,
}
"""What each writer replies."""
