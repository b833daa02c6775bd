"""Groundings as JSON, and back."""

from typing import Any

from pydantic import TypeAdapter

from core.evidence.contract import Grounding

SHAPE: TypeAdapter[Grounding] = TypeAdapter(Grounding)


def to_json(grounding: Grounding) -> dict[str, Any]:
    """A grounding as plain JSON values."""
    return dict(SHAPE.dump_python(grounding, mode="json"))


def from_json(value: dict[str, Any]) -> Grounding:
    """The grounding that ``to_json`` wrote."""
    return SHAPE.validate_python(value)
