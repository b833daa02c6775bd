"""What came along with the drafts of one self-review. It only grows; a tool result says with which draft it came."""

from collections.abc import Mapping
from typing import Any

from core.service.self_review.asked import Asked, ToolResult

NOTHING: Mapping[str, Any] = {"said": [], "tool_results": []}

_WITH = "number"
"""The field of a stored tool result that names the draft; the others are those of the result."""


def results_in(material: Mapping[str, Any]) -> list[tuple[ToolResult, int]]:
    """The tool results, oldest first, each with the number of the draft that it came with."""
    return [(ToolResult.model_validate(_own(one)), int(one[_WITH])) for one in material["tool_results"]]


def is_more(material: Mapping[str, Any], asked: Asked) -> bool:
    """Whether a request brings words or tool results that are not here yet."""
    known = [_own(one) for one in material["tool_results"]]
    fresh = any(one.model_dump() not in known for one in asked.tool_results)
    return fresh or any(words not in material["said"] for words in asked.said)


def with_more(material: Mapping[str, Any], asked: Asked, number: int) -> dict[str, Any]:
    """The material with what a request brings beside draft ``number``."""
    said, results = list(material["said"]), list(material["tool_results"])
    for words in asked.said:
        if words not in said:
            said.append(words)
    for one in asked.tool_results:
        if one.model_dump() not in [_own(each) for each in results]:
            results.append({**one.model_dump(), _WITH: number})
    return {"said": said, "tool_results": results}


def _own(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in stored.items() if name != _WITH}
