"""Groundings as JSON, and back."""

from collections.abc import Mapping
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


def is_found(quote: Mapping[str, Any]) -> bool:
    """Whether a stored quote of an episode was found in its transcript."""
    return from_json(quote["grounding"]).grounded
