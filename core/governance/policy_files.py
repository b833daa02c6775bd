"""The folder of policy files: what stands in it now, and how a policy is written into it.

Governance, the side of the disk. Promise: one broken file stops neither the desk nor the others, it is a problem that
is told; a file is written whole or not at all, in the order of its fields, with its text as a block that can be read.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import fill

import yaml

from core.checks.contract import Policy
from core.checks.policies import FOLDER, SUFFIXES, policy_of, read_policy
from core.errors import BadInput
from core.screening.invisible import find_invisible
from core.screening.secrets import mask

WIDTH = 118
"""Characters of a line of a written text."""

RECORDED_HOLDS = "What is recorded holds."
"""How the problem of a file ends."""

Stamp = tuple[str, int, int]
"""Name, time of change in nanoseconds and size of a file."""


@dataclass(frozen=True)
class PolicyFile:
    """A file and the policy that it holds."""

    name: str
    policy: Policy


@dataclass(frozen=True)
class PolicyFiles:
    """What stands in the folder: the files that can be used, by the id of their policy, and what is wrong."""

    by_id: dict[str, PolicyFile]
    problems: tuple[str, ...] = ()
    stamps: tuple[Stamp, ...] = ()


def policies_folder() -> Path:
    """The folder of this desk: ``TUTELAGE_POLICIES``, else ``data/policies``."""
    return Path(os.environ.get("TUTELAGE_POLICIES") or FOLDER)


def policy_files() -> PolicyFiles:
    """What stands in the folder now; a file is read again when its time or size has changed."""
    folder = policies_folder()
    try:
        found = sorted(_stamps(folder))
    except OSError as error:
        return PolicyFiles({}, (f"The folder “{folder}” cannot be read ({error.strerror}). {RECORDED_HOLDS}",))
    return _read(folder, tuple(found))


def _stamps(folder: Path) -> Iterable[Stamp]:
    for path in folder.iterdir():
        if path.suffix in SUFFIXES:
            with suppress(FileNotFoundError):  # it was renamed away between the two looks
                seen = path.stat()
                yield path.name, seen.st_mtime_ns, seen.st_size


@lru_cache(maxsize=8)
def _read(folder: Path, stamps: tuple[Stamp, ...]) -> PolicyFiles:
    files: list[PolicyFile] = []
    problems: list[str] = []
    for name, *_ in stamps:
        try:
            policy = read_policy(folder / name, RECORDED_HOLDS)
            storable(policy)
            files.append(PolicyFile(name, policy))
        except BadInput as error:
            problems.append(str(error))
    shared = {one for one, times in Counter(file.policy.id for file in files).items() if times > 1}
    for one in sorted(shared):
        names = " and ".join(f"“{file.name}”" for file in files if file.policy.id == one)
        problems.append(f"{names} share the id “{one}”; none of them is read until each has its own.")
    usable = {file.policy.id: file for file in files if file.policy.id not in shared}
    return PolicyFiles(usable, tuple(problems), stamps)


def storable(policy: Policy) -> None:
    """Refuse a policy that holds a secret or signs that nobody sees. Raises ``BadInput``."""
    parts = {"title": policy.title, "owner": policy.owner, "text": policy.text, "improvement": policy.improvement}
    parts |= {"trigger": policy.trigger, "words": " ".join(policy.words)}
    for part, text in parts.items():
        if removed := mask(text).removed:
            what = removed[0].code.replace("_", " ")
            raise BadInput(f"The {part} of policy “{policy.id}” holds a secret ({what}). Say it without the value.")
        if hidden := find_invisible(text):
            raise BadInput(f"The {part} of policy “{policy.id}” cannot be stored: {hidden[0].text}")


def as_yaml(policy: Policy) -> str:
    """A policy as its file says it; read again it is the same policy."""
    for style in (_folded, _literal, _quoted):
        text = _head(policy) + style(policy.text) + _tail(policy)
        with suppress(BadInput):
            if policy_of(text, policy.id) == policy:
                return text
    raise BadInput(f"Policy “{policy.id}” cannot be written as a file: its text does not stand in YAML as it is.")


def write_policy(policy: Policy, name: str | None = None) -> str:
    """Write a policy into the folder in one step, under ``name`` or its id; returns the file's name.

    Raises ``BadInput`` where the folder cannot be written; the file that was there stays as it was.
    """
    folder, text = policies_folder(), as_yaml(policy)
    name = name or f"{policy.id}.yaml"
    if any(file.name == name and file.policy.id != policy.id for file in policy_files().by_id.values()):
        raise BadInput(f"“{name}” holds another policy, so {policy.id} was not written.")
    beside = ""
    try:
        with tempfile.NamedTemporaryFile("w", dir=folder, prefix=f".{name}.", suffix=".new", delete=False) as file:
            beside = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).chmod(0o644)
        Path(beside).replace(folder / name)
    except OSError as error:
        raise BadInput(f"“{name}” could not be written into {folder} ({error.strerror}).") from error
    finally:
        if beside:
            with suppress(OSError):
                Path(beside).unlink(missing_ok=True)
    return name


def _head(policy: Policy) -> str:
    fields = {"id": policy.id, "title": policy.title, "owner": policy.owner, "version": policy.version}
    return "".join(map(_line, fields, fields.values())) + f"date: {policy.date}\n"


def _tail(policy: Policy) -> str:
    words = "".join(f"  - {_scalar(word)}\n" for word in policy.words)
    said = f"words:\n{words}" if words else ""
    said += _line("severity", policy.severity.value)
    said += "".join(_line(name, text) for name in ("improvement", "trigger") if (text := getattr(policy, name)))
    return said + (f"tags: [{', '.join(map(_scalar, policy.tags))}]\n" if policy.tags else "")


def _line(name: str, value: object) -> str:
    return f"{name}: {_scalar(value)}\n"


def _scalar(value: object) -> str:
    text = yaml.safe_dump(value, allow_unicode=True, width=10_000, default_flow_style=True)
    return text.removesuffix("\n").removesuffix("\n...").removesuffix("\n")


def _folded(text: str) -> str:
    body = fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return "text: >\n" + "".join(f"  {line}\n" for line in body.splitlines())


def _literal(text: str) -> str:
    return "text: |\n" + "".join(f"  {line}\n" if line else "\n" for line in text.split("\n"))


def _quoted(text: str) -> str:
    return _line("text", text)
