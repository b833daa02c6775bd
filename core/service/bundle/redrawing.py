"""Draws a bundle's page again from its data: what was hashed is taken from there, and only the rest from ``drawn``.

The same code that made the file makes it anew, so that a page that shows anything else is another file.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from core.service.bundle.contract import Contents, Link, SessionKept
from core.transcripts.message import Message, ToolCall, Transcript

_CONTENTS = TypeAdapter(Contents)


def drawn(contents: Contents) -> dict[str, Any]:
    """All that the page shows and nothing else in the data says, as JSON values: no link, no content, no turn."""
    bare = replace(
        contents,
        links=(),
        notes=tuple(
            replace(note, versions=tuple(replace(one, said="") for one in note.versions)) for note in contents.notes
        ),
        sessions=tuple(replace(one, transcript=Transcript()) for one in contents.sessions),
    )
    failed = [
        [turn for turn, message in enumerate(one.transcript.messages) if message.failed] for one in contents.sessions
    ]
    return {"contents": _CONTENTS.dump_python(bare, mode="json"), "failed": failed}


def contents_of(data: Mapping[str, Any]) -> Contents:
    """What a bundle holds, by its data. Raises ``ValueError``, ``TypeError`` or ``LookupError`` for other data."""
    bare = _CONTENTS.validate_python(data["drawn"]["contents"])
    said = iter(data["contents"])
    kept = zip(bare.sessions, data["transcripts"], data["drawn"]["failed"], strict=True)
    return replace(
        bare,
        links=tuple(Link(**link) for link in data["links"]),
        notes=tuple(
            replace(note, versions=tuple(replace(one, said=next(said)["said"]) for one in note.versions))
            for note in bare.notes
        ),
        sessions=tuple(_session(session, one["turns"], failed) for session, one, failed in kept),
    )


def _session(session: SessionKept, turns: list[str], failed: list[int]) -> SessionKept:
    messages = tuple(_message(json.loads(turn), index in failed) for index, turn in enumerate(turns))
    return replace(session, transcript=Transcript(messages=messages))


def _message(said: list[Any], failed: bool) -> Message:
    role, name, content, answers, calls = said
    made = tuple(ToolCall(id=id_, name=tool, arguments=arguments) for id_, tool, arguments in calls)
    return Message(role=role, name=name, content=content, tool_call_id=answers, tool_calls=made, failed=failed)
