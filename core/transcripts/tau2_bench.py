"""Reader for τ²-bench result files: ``simulations`` and the ``tasks`` that they ran.

First station of the flow. A simulation that ended because something outside the agent broke (the infrastructure, the
simulated user) comes in with its ``external_failure`` and without feedback.
"""

from collections.abc import Iterator

from core.transcripts.chat_message import chat_messages
from core.transcripts.fields import Flaw, Record, inside, list_of, object_of, objects_in, text_of
from core.transcripts.formats import Format
from core.transcripts.intake import Intake
from core.transcripts.message import Transcript
from core.transcripts.reader import LOOKED_AT, JsonShape, first_sign, items_of, json_reader
from core.transcripts.reward import reward_feedback
from core.transcripts.session import AgentDraft, FeedbackDraft, SessionDraft
from core.transcripts.tau2_task import task_of, task_text, user_of
from core.vocabulary import Source

_OUTSIDE = {
    "infrastructure_error": "the infrastructure of the run failed",
    "unexpected_error": "the run ended in an unexpected error",
    "user_error": "the simulated user failed",
}
_ENDED_WELL = frozenset({"user_stop", "agent_stop"})


def _sign(value: object) -> str | None:
    return first_sign(value, _object_sign)


def _object_sign(record: dict[str, object]) -> str | None:
    runs = record.get("simulations")
    if not isinstance(runs, list) or not ("tasks" in record or "info" in record):
        return None
    if runs and not any("messages" in run or "task_id" in run for run in objects_in(runs[:LOOKED_AT])):
        return None
    return "“simulations” holds the runs and “tasks” what they were asked"


def _records(value: object) -> list[object]:
    return [record for result in items_of(value) for record in _runs(result)]


def _runs(result: object) -> Iterator[object]:
    """One record a simulation, with what the file says of its task and its domain."""
    runs = inside(result, "simulations")
    if not isinstance(runs, list):
        yield result
        return
    tasks = objects_in(inside(result, "tasks"))
    environment = inside(result, "info", "environment_info")
    for run in runs:
        yield {"simulation": run, "environment": environment} | task_of(run, tasks)


def _session(value: object, intake: Intake) -> SessionDraft:
    record = object_of(value, "a record")
    run = object_of(record.get("simulation"), "a simulation")
    messages = chat_messages(_said(run), intake)
    failure = _external_failure(run)
    if not messages and failure is None:
        raise Flaw("it holds no messages")
    if record.get("remark"):
        intake.remark(record["remark"])
    domain = text_of(object_of(record.get("environment") or {}, "“environment_info”"), "domain_name")
    return SessionDraft(
        transcript=Transcript(messages=messages),
        place=intake.place,
        external_id=text_of(run, "id"),
        agent=domain and f"{domain}-agent",
        user=user_of(record.get("task"), messages),
        task_class=domain,
        task=task_text(record.get("task")),
        started_at=intake.time(run.get("start_time")),
        external_failure=failure,
        feedback=() if failure else tuple(_feedback(run)),
        agent_record=AgentDraft(base_prompt=_policy(record, run)),
    )


def _said(run: Record) -> list[object]:
    """The messages of a run; results that came together are stored as one message and stand apart here."""
    said: list[object] = []
    for message in list_of(run.get("messages"), "“messages”"):
        together = inside(message, "tool_messages")
        said.extend(together if isinstance(together, list) else [message])
    return said


def _external_failure(run: Record) -> str | None:
    ended = text_of(run, "termination_reason")
    why = _OUTSIDE.get(ended or "")
    return why and f"{why} ({ended})"


def _policy(record: Record, run: Record) -> str:
    policy = run.get("policy") or inside(record, "environment", "policy")
    return policy if isinstance(policy, str) else ""


def _feedback(run: Record) -> Iterator[FeedbackDraft]:
    reward = run.get("reward_info")
    yield from reward_feedback(inside(reward, "reward"), _basis(run, reward))
    for check in objects_in(inside(reward, "nl_assertions")):
        if check.get("met") is False:
            yield _unmet("Not met", check, "nl_assertion")
    for check in objects_in(inside(reward, "communicate_checks")):
        if check.get("met") is False:
            yield _unmet("Not told to the user", check, "info")


def _unmet(verdict: str, check: Record, key: str) -> FeedbackDraft:
    justification = text_of(check, "justification")
    because = f" ({justification})" if justification else ""
    return FeedbackDraft(Source.EVALUATOR, False, f"{verdict}: {text_of(check, key) or 'not said what'}{because}")


def _basis(run: Record, reward: object) -> str:
    """What the reward was made of: ``DB 0, COMMUNICATE 1``; and how the run ended where it was cut short."""
    breakdown = inside(reward, "reward_breakdown")
    parts = [
        f"{name} {part:g}"
        for name, part in (breakdown.items() if isinstance(breakdown, dict) else ())
        if isinstance(part, int | float)
    ]
    ended = text_of(run, "termination_reason")
    if ended and ended not in _ENDED_WELL:
        parts.append(f"ended by {ended}")
    return ", ".join(parts) or "no breakdown"


READER = json_reader(JsonShape(Format.TAU2_BENCH, _sign, _records, _session))
