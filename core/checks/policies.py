"""Policies read from YAML files, one policy a file.

The edge of the checks: this is the only place here that touches the disk; checks get policies as arguments. Promise: a
file is taken whole or refused with its name, the field and what is possible.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from core.checks.contract import Policy
from core.errors import BadInput
from core.vocabulary import Severity

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
_Tag = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9 -]*$")]
SUFFIXES = (".yaml", ".yml")
FOLDER = Path(__file__).resolve().parents[2] / "data" / "policies"
"""Where the policies of this desk stand, unless ``TUTELAGE_POLICIES`` names another folder."""


class _PolicyFile(BaseModel):
    """The fields of a policy file, all texts but ``words`` and what follows it being required."""

    model_config = ConfigDict(extra="forbid")

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]*$", max_length=80)]
    title: _Text
    owner: _Text
    version: int = Field(ge=1, le=1_000_000)
    date: date
    text: _Text
    words: tuple[_Text, ...] = ()
    severity: Severity = Severity.HIGH
    improvement: str = ""
    trigger: str = ""
    tags: tuple[_Tag, ...] = Field(default=(), max_length=3)

    @field_validator("severity")
    @classmethod
    def _is_a_fault(cls, value: Severity) -> Severity:
        if value is Severity.POSITIVE:
            raise ValueError("a breach cannot be positive")
        return value

    @field_validator("improvement", "trigger")
    @classmethod
    def _on_one_line(cls, value: str) -> str:
        return " ".join(value.split())


def load_policies(folder: Path) -> tuple[Policy, ...]:
    """Every policy of a folder's YAML files, in the order of their names.

    Raises BadInput for a file that is no policy and for an id that two files share; then none is loaded.
    """
    if not folder.is_dir():
        raise BadInput(f"There is no folder “{folder}” to load policies from. Name a folder with YAML files.")
    paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    policies = tuple(read_policy(path) for path in paths)
    _refuse_shared_ids(zip(policies, paths, strict=True))
    return policies


LARGEST = 100_000
"""Bytes of a policy's file; a policy is some sentences."""


class _PlainLoader(yaml.SafeLoader):
    """YAML without what a policy has no use for: an anchor can grow without end, and a day is read as its words."""

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Refuse a name for a part of the text, and its use."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("a policy has no anchors and no aliases")
        return super().compose_node(parent, index)


LOADED_NONE = "No policy was loaded."
"""How a refusal ends where policies are read to be used; another reader says what holds instead."""


def read_policy(path: Path, so: str = LOADED_NONE) -> Policy:
    """The policy that one file holds; raises BadInput where it holds none, which ends with ``so``."""
    try:
        if not path.is_file():
            raise BadInput(f"“{path.name}” is no file that can be read. No policy was loaded.")
        if path.stat().st_size > LARGEST:
            raise BadInput(f"“{path.name}” is larger than {LARGEST:,} bytes. {so}")
        return policy_of(path.read_text(encoding="utf-8"), path.name, so)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"“{path.name}” cannot be read as UTF-8 text. {so}") from error


def policy_of(text: str, name: str, so: str = LOADED_NONE) -> Policy:
    """The policy in a YAML text; ``name`` is how errors call the text, and ``so`` is how they end."""
    try:
        fields = yaml.load(text, _PlainLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadInput(f"“{name}” is not YAML: {_first_line(error)}. {so}") from error
    if not isinstance(fields, dict):
        raise BadInput(f"“{name}” must hold the fields of one policy: {_names()}. {so}")
    return policy_from(fields, name, so)


def policy_from(fields: Mapping[str, Any], name: str, so: str = LOADED_NONE) -> Policy:
    """The policy that these fields say; ``name`` is how errors call it. Raises BadInput for a field that is none."""
    try:
        draft = _PolicyFile.model_validate(fields)
    except ValidationError as error:
        raise BadInput(f"“{name}”, {_first_problem(error)}. {so}") from error
    return Policy(**{**draft.model_dump(), "date": draft.date.isoformat(), "severity": draft.severity})


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    field = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden":
        return f"field “{field}” is unknown; possible are {_names()}"
    if problem["type"] == "missing":
        return f"field “{field}” is missing; it is required"
    return f"field “{field}” is “{_short(problem['input'])}”: {_possible(field, problem['msg'])}"


def _possible(field: str, message: str) -> str:
    rules = {
        "id": "small letters, digits and hyphens are possible",
        "severity": f"possible are {', '.join(each for each in Severity if each is not Severity.POSITIVE)}",
        "version": "a whole number from 1 to 1,000,000 is possible",
        "date": "a day such as 2026-11-01 is possible",
        "tags": "up to three tags in small letters are possible",
        "words": "a list of words or phrases is possible",
    }
    return rules.get(field, message[0].lower() + message[1:])


def _refuse_shared_ids(loaded: Iterable[tuple[Policy, Path]]) -> None:
    first: dict[str, str] = {}
    for policy, path in loaded:
        if policy.id in first:
            both = f"“{first[policy.id]}” and “{path.name}”"
            raise BadInput(f"{both} share the id “{policy.id}”; each policy needs its own. {LOADED_NONE}")
        first[policy.id] = path.name


def _names() -> str:
    return ", ".join(_PolicyFile.model_fields)


def _short(value: Any) -> str:
    try:
        text = str(value)
    except ValueError:  # Python writes no number of so many digits
        return "a number of thousands of digits"
    return text if len(text) <= 40 else f"{text[:39]}…"


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
