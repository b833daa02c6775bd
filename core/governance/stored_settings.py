"""Reads settings that another version of the code saved: what is known here holds, the rest is told and left out.

A desk that was once run by newer code, or whose bounds were drawn closer since, goes on with what it can read.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Values = TypeVar("Values", bound=BaseModel)


def as_far_as_known(model: type[Values], chosen: object) -> tuple[Values, tuple[str, ...]]:
    """The settings of a stored row, and what of it is not in force: each as a clause, names as they are stored.

    A name that is not known is dropped; a value that cannot be read, or not beside the others, gives way to its
    default. Nothing is raised.
    """
    if not isinstance(chosen, Mapping):
        return model(), ("what was saved is no list of names and values, so the defaults hold",)
    held: dict[str, Any] = {str(name): value for name, value in chosen.items() if name in model.model_fields}
    problems = [f"“{str(name)[:40]}” is not known here" for name in chosen if name not in model.model_fields]
    while True:
        try:
            return model.model_validate(held), tuple(problems)
        except ValidationError as error:
            named = {str(one["loc"][0]) for one in error.errors(include_url=False) if one["loc"]} & set(held)
            wrong = named or set(held)
            problems += [f"“{name}” cannot be “{str(held[name])[:40]}”, so its default holds" for name in sorted(wrong)]
            held = {name: value for name, value in held.items() if name not in wrong}
