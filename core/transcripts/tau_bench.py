"""Reader for τ-bench result files: a list of runs with ``traj``, ``reward`` and ``info``.

First station of the flow. A run that broke outside the agent (``info.error``) comes in as a session with its
``external_failure`` and without feedback: a reward of zero for it would blame the agent, and such a session teaches
nothing. It comes in at all so that a person sees how many runs were lost.
"""

import re

from core.transcripts.chat_message import chat_messages
from core.transcripts.fields import Flaw, Record, inside, list_of, object_of, text_of
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.message import Message, Transcript
from core.transcripts.reader import JsonShape, first_sign, items_of, json_reader
from core.transcripts.reward import reward_feedback
from core.transcripts.session import AgentDraft, FeedbackDraft, SessionDraft
from core.vocabulary import TOLD, Source

_DOMAIN = re.compile(r"#\s*(\w+)\s+agent\s+policy", re.IGNORECASE)


def _sign(value: object) -> str | None:
    return first_sign(value, _object_sign)


def _object_sign(record: dict[str, object]) -> str | None:
    if isinstance(record.get("traj"), list) and "info" in record:
        return "“traj” holds the run and “info” its evaluation"
    return None


def _session(value: object, intake: Intake) -> SessionDraft:
    record = object_of(value, "a record")
    messages = chat_messages(list_of(record.get("traj"), "“traj”"), intake)
    failure = text_of(object_of(record.get("info") or {}, "“info”"), "error", "“info”: ")
    if not messages and failure is None:
        raise Flaw("it holds no messages")
    transcript = Transcript(messages=messages)
    prompt = _prompt(messages)
    domain = _domain(prompt)
    return SessionDraft(
        transcript=transcript,
        place=intake.place,
        external_id=_run_id(record, transcript),
        agent=domain and f"{domain}-agent",
        user=_task_text(record, "user_id"),
        task_class=domain,
        task=_task_text(record, "instruction"),
        external_failure=failure,
        feedback=() if failure else _feedback(record),
        agent_record=AgentDraft(base_prompt=prompt),
    )


def _run_id(record: Record, transcript: Transcript) -> str:
    """Task and trial, with the beginning of the transcript's hash: runs of other models count tasks alike."""
    task, trial = (text_of(record, key) or "none" for key in ("task_id", "trial"))
    return f"task-{task}-trial-{trial}-{transcript.sha256[:8]}"


def _prompt(messages: tuple[Message, ...]) -> str:
    return messages[0].content if messages and messages[0].role in TOLD else ""


def _domain(prompt: str) -> str | None:
    """The line of business that the heading of the agent's policy names, such as ``airline``."""
    heading = _DOMAIN.search(prompt)
    return heading.group(1).lower() if heading else None


def _task_text(record: Record, key: str) -> str | None:
    task = inside(record, "info", "task")
    return text_of(task, key, "“task”: ") if isinstance(task, dict) else None


def _feedback(record: Record) -> tuple[FeedbackDraft, ...]:
    detail = inside(record, "info", "reward_info", "info")
    signals = reward_feedback(record.get("reward"), "database and required outputs compared with the task's")
    return (*signals, *_missing_outputs(inside(detail, "outputs")))


def _missing_outputs(outputs: object) -> tuple[FeedbackDraft, ...]:
    if not isinstance(outputs, dict):
        return ()
    missing = [output for output, was_given in outputs.items() if was_given is False]
    return tuple(FeedbackDraft(Source.EVALUATOR, False, f"Not told to the user: {output}") for output in missing)


READER = json_reader(JsonShape(Format.TAU_BENCH, _sign, items_of, _session))
