"""Which task a τ²-bench simulation really ran, and whose it was.

First station of the flow. Published files exist in which the simulations name other tasks than the ones that they were
evaluated on, so the name is believed only where the evaluation agrees with it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from core.transcripts.fields import Record, inside, objects_in, quoted
from core.transcripts.json_text import NotJson, parsed
from core.transcripts.message import Message, ToolCall
from core.vocabulary import Role

_USER_ID = re.compile(r"user[ _]id\b(?:\s+is)?\s*:?\s*['\"“]?(\w*[_\d]\w*)", re.IGNORECASE)
_ID_ARGUMENTS = ("user_id", "customer_id")
_FINDS_USER = re.compile(r"find_user_id")
_BARE_ID = re.compile(r"\w*[_\d]\w*")


def task_of(run: object, tasks: Sequence[Record]) -> dict[str, Any]:
    """The task of a simulation under ``task`` (an object, or None) and a ``remark`` where the file contradicts itself.

    Evaluation and task agree where the checked actions and the checked assertions are the task's. Where they do not,
    the one task with which they do is taken.
    """
    name = inside(run, "task_id")
    named = next((task for task in tasks if task.get("id") == name), None)
    if named is None or _agrees(run, named):
        return {"task": named, "remark": None}
    fitting = [task for task in tasks if _agrees(run, task)]
    doubt = f"the simulation names task {quoted(str(name))}, but was evaluated on "
    if len(fitting) == 1:
        return {"task": fitting[0], "remark": f"{doubt}task {quoted(str(fitting[0].get('id')))}, which is taken"}
    return {"task": None, "remark": f"{doubt}another; the task is left out"}


def task_text(task: object) -> str | None:
    """Why the user calls, as the task says it; None where there is no task."""
    instructions = inside(task, "user_scenario", "instructions")
    for text in (instructions, inside(instructions, "reason_for_call"), inside(task, "ticket")):
        if isinstance(text, str) and text.strip():
            return text.strip()
    return None


def user_of(task: object, messages: Sequence[Message]) -> str | None:
    """The user's id: from the task, else from the agent's calls and what they found; None where nothing tells it."""
    instructions = inside(task, "user_scenario", "instructions")
    for text in (instructions, inside(instructions, "known_info")):
        match = _USER_ID.search(text) if isinstance(text, str) else None
        if match:
            return match.group(1)
    return next(_ids_in_calls(messages), None)


def _ids_in_calls(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        if message.role is Role.ASSISTANT:
            yield from (found for call in message.tool_calls if (found := _id_argument(call)))
        elif message.role is Role.TOOL and not message.failed and _FINDS_USER.match(message.name or ""):
            yield from [message.content.strip()] if _BARE_ID.fullmatch(message.content.strip()) else []


def _id_argument(call: ToolCall) -> str | None:
    try:
        arguments = parsed(call.arguments)
    except NotJson:
        return None
    given = (inside(arguments, key) for key in _ID_ARGUMENTS)
    return next((found for found in given if isinstance(found, str) and _BARE_ID.fullmatch(found)), None)


def _agrees(run: object, task: Record) -> bool:
    """Whether nothing in the evaluation speaks against this task. What was not evaluated speaks against none."""
    reward = inside(run, "reward_info")
    criteria = inside(task, "evaluation_criteria")
    checked = [check.get("action") for check in objects_in(inside(reward, "action_checks"))]
    asserted = [check.get("nl_assertion") for check in objects_in(inside(reward, "nl_assertions"))]
    actions_agree = not checked or _calls(checked) == _calls(inside(criteria, "actions"))
    return actions_agree and (not asserted or asserted == inside(criteria, "nl_assertions"))


def _calls(actions: object) -> list[tuple[object, ...]]:
    return [tuple(action.get(key) for key in ("action_id", "name", "arguments")) for action in objects_in(actions)]
