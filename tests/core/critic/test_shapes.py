"""What a schema allows is read without a loss, and strict servers can take it."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.critic.answer import Shape
from core.critic.parsing import parse_episodes, parse_lessons, parse_notes, parse_procedures
from core.critic.shapes import EPISODES, LESSON, NOTES, PROCEDURES
from core.settings import DEFAULTS

ALL = (NOTES, LESSON, PROCEDURES, EPISODES)
MANY = DEFAULTS.model_copy(update={"notes_in_reply": 50, "procedures_in_reply": 50})
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


def allowed(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema allows, with words in every text and at least one member in every inner list."""
    match schema["type"]:
        case "object":
            return st.fixed_dictionaries({name: allowed(each) for name, each in schema["properties"].items()})
        case "array":
            return st.lists(allowed(schema["items"]), min_size=1, max_size=4)
        case "string":
            return st.sampled_from(schema["enum"]) if "enum" in schema else WORDS
    return st.integers(1, 999) if schema["type"] == "integer" else st.decimals(0, 1, places=2).map(float)


def parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A schema and all within it."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])):
        yield from parts(inner)


@given(st.data())
@pytest.mark.parametrize(
    ("shape", "read"),
    [
        (NOTES, lambda text: parse_notes(text, MANY)),
        (LESSON, parse_lessons),
        (PROCEDURES, lambda text: parse_procedures(text, MANY)),
        (EPISODES, parse_episodes),
    ],
    ids=["notes", "lesson", "procedures", "episodes"],
)
def test_what_a_schema_allows_is_read_whole(shape: Shape, read: Callable[[str], Any], data: st.DataObject) -> None:
    said = data.draw(allowed(shape.schema_))
    drafts = read(json.dumps(said))
    assert (drafts.held, drafts.unreadable, drafts.cut, drafts.repaired, drafts.error) == ((), (), 0, False, None)
    if shape is LESSON:
        assert drafts.drafts[0].text == said["lesson"].strip()
    else:
        quotes = {quote.words for each in drafts.drafts for quote in each.evidence}
        assert quotes == {one["quote"] for each in said[shape.name] for one in each["evidence"]}


@pytest.mark.parametrize("shape", ALL, ids=lambda shape: shape.name)
def test_a_strict_server_can_take_every_schema(shape: Shape) -> None:
    for part in parts(shape.schema_):
        assert set(part) <= {"type", "properties", "required", "additionalProperties", "items", "enum"}
        if part["type"] == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])
