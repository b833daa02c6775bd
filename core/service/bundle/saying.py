"""What the page of a bundle must say of its data, value by value: where each stands, what it is, and its name in words.

A path such as ``row:3:text`` names one value; ``check.js`` reads the same paths.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from core.store.clock import time_in_words

LINK = ("seq", "at", "row_sha256", "sha256")
IN_TEXT = ("decision", "refusal", "blind_verdict")
"""Rows that say why in their text, with a code beside it where there is one."""


def required(data: dict[str, Any]) -> Iterator[str]:
    """Every value that the page shows, as often as it shows it."""
    yield from (f"made:{part}" for part in ("by", "at", "program", "head"))
    for at, one in enumerate(data["transcripts"]):
        for turn, message in enumerate(one["messages"]):
            yield f"turn:{at}:{turn}"
            yield from (f"call:{at}:{turn}:{call}" for call in range(len(message[4])))
        yield f"transcript:{at}:sha256"
    for at, one in enumerate(data["quotes"]):
        yield f"quote:{at}"
        yield from (f"place:{at}:{span}" for span in range(len(one["spans"])))
    places = {one["item"]: at for at, one in enumerate(data["contents"])}
    for at, note in enumerate(data["notes"]):
        yield from (f"note:{at}:{part}" for part in ("severity", "state", "summary"))
        yield from (f"content:{places[note['item']]}:{part}" for part in ("observation", "improvement"))
        yield from (f"step:{at}:{step}:{part}" for step in range(len(note["steps"])) for part in range(4))
    for at in range(len(data["contents"])):
        yield from (f"content:{at}:observation", f"content:{at}:sha256")
    for link in data["links"]:
        yield from _of_link(link)


def _of_link(link: dict[str, Any]) -> Iterator[str]:
    seq, in_text = link["seq"], link["logged"] in IN_TEXT
    yield from (f"link:{seq}:{part}" for part in LINK)
    yield from (f"when:{seq}", f"did:{seq}")
    if link["row"] is None:
        return
    yield from (f"row:{seq}:by", f"row:{seq}:{'text' if in_text else 'reason'}")
    if in_text and link["said"].get("reason"):
        yield f"row:{seq}:reason"
    if link["said"].get("second"):
        yield f"row:{seq}:second"
    if link["logged"] == "policy_version":
        yield f"row:{seq}:text"


def value_at(data: dict[str, Any], path: str) -> Any:
    """The value that a path names. Raises ``LookupError`` or ``ValueError`` for a path that names none."""
    what, *rest = path.split(":")
    if what == "made":
        return data["made"][rest[0]]
    if what in ("link", "row", "when", "did"):
        return _value_of_link(data, what, *rest)
    if what in ("note", "step"):
        return _value_of_note(data["notes"][int(rest[0])], what, *rest[1:])
    one = data[{"turn": "transcripts", "call": "transcripts"}.get(what, f"{what.replace('place', 'quote')}s")]
    one = one[int(rest[0])]
    if what in ("turn", "call"):
        message = one["messages"][int(rest[1])]
        return message[2] if what == "turn" else "{}({})".format(*message[4][int(rest[2])][1:])
    if what == "place":
        turn, start, end, _ = one["spans"][int(rest[1])]
        return f"turn {turn + 1}, characters {start} to {end}"
    if what == "content":
        return one["sha256"] if rest[1] == "sha256" else one["fields"][rest[1]]
    return one[rest[1]] if what == "transcript" else one["text"]


def part_of(data: dict[str, Any], path: str) -> str:
    """What the page shows there, in words."""
    what, *rest = path.split(":")
    if what == "made":
        return "how the bundle was made"
    if what in ("link", "row", "when", "did"):
        return f"what link {rest[0]} names" if what in ("row", "did") else f"link {rest[0]}"
    at = int(rest[0])
    if what in ("note", "step"):
        ref = data["notes"][at]["ref"]
        return f"the case of {ref}" if what == "step" or rest[1] == "summary" else f"the {rest[1]} of {ref}"
    if what in ("turn", "call", "transcript"):
        of = f"{data['transcripts'][at]['ref']}"
        return f"the transcript of {of}" if what == "transcript" else f"turn {int(rest[1]) + 1} of {of}"
    if what == "content":
        return f"the words of {data['contents'][at]['about']}"
    about = str(data["quotes"][at]["about"])
    return f"the place of {about}" if what == "place" else about


def _value_of_link(data: dict[str, Any], what: str, seq: str, part: str = "") -> Any:
    if what == "did":
        return data["did"][seq]
    link = next((link for link in data["links"] if str(link["seq"]) == seq), None)
    if link is None:
        raise LookupError(seq)
    if what == "when":
        return time_in_words(datetime.fromisoformat(link["at"]), seconds=True)
    return link[part] if what == "link" else link["said"].get(part, "")


def _value_of_note(note: dict[str, Any], what: str, part: str, of_step: str = "") -> Any:
    if what == "note":
        return note["severity"].capitalize() if part == "severity" else note[part]
    value = note["steps"][int(part)][int(of_step)]
    return time_in_words(datetime.fromisoformat(value), seconds=True) if of_step == "0" else value
