"""How policy files come into force: what is new in the folder is recorded, and takes out what it outdates.

Governance. Asked at start, before a debrief and before a briefing. Nothing is read but times and sizes of files while
none of them changed. Promise: a file never goes back, never changes a version that is recorded, and withdraws nothing;
what it asks for and is not done is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import Session as DatabaseSession

from core.checks.contract import Policy
from core.governance.log import log
from core.governance.policies import fields_of, recorded
from core.governance.policy_files import PolicyFile, PolicyFiles, Stamp, policies_folder, policy_files
from core.governance.policy_suspension import screened_before, suspend
from core.store.clock import now
from core.store.database import Database
from core.store.oversight_records import PolicyVersion
from core.vocabulary import PolicyOrigin

WRITE = "python -m core policies write"


@dataclass(frozen=True)
class Adopted:
    """What an adoption did: the versions that came into force, and the items that left the briefing."""

    versions: tuple[str, ...] = ()
    suspended: tuple[str, ...] = ()


_SEEN: dict[tuple[str, Path], tuple[Stamp, ...]] = {}
"""By database and folder: the files of which nothing was left to adopt."""


def adopt(database: Database, *, at: datetime | None = None) -> Adopted:
    """Bring into force what the folder has anew; returns what was done. ``folder_problems`` tells what was not.

    On a desk that has recorded no policy yet nothing is suspended: its items were screened against these very files.
    """
    files, key = policy_files(), (database.url, policies_folder())
    if files.stamps and _SEEN.get(key) == files.stamps:
        return Adopted()
    done = Adopted()
    with database.reading() as db:
        fresh = _fresh(db, files)
    if fresh:
        with database.writing() as db:
            done = _adopted(db, files, at or now())
    _SEEN[key] = files.stamps
    return done


def catch_up(database: Database) -> None:
    """Adopt where this desk records its policies already; it begins to at its start, and with its first briefing."""
    if _SEEN.get((database.url, policies_folder())) != policy_files().stamps:
        with database.reading() as db:
            begun = bool(recorded(db))
        if begun:
            adopt(database)


def _fresh(db: DatabaseSession, files: PolicyFiles) -> list[PolicyFile]:
    known = recorded(db)
    versions = {name: row.version for name, row in known.items()}
    return [file for name, file in sorted(files.by_id.items()) if file.policy.version > versions.get(name, 0)]


def _adopted(db: DatabaseSession, files: PolicyFiles, at: datetime) -> Adopted:
    known = recorded(db)
    versions: list[str] = []
    out: list[str] = []
    for file in _fresh(db, files):
        row = PolicyVersion(**fields_of(file.policy), origin=PolicyOrigin.FILE, by=f"file {file.name}"[:120], at=at)
        log(db, row)
        versions.append(f"{row.policy} v{row.version}")
        if known:
            out += outdated(db, file.policy, known.get(row.policy), by=row.by, at=at)
    return Adopted(tuple(versions), tuple(out))


def outdated(
    db: DatabaseSession, policy: Policy, before: PolicyVersion | None, *, by: str, at: datetime
) -> tuple[str, ...]:
    """Suspend what was screened against the version before, or without this policy; returns its references."""
    was = before.version if before is not None and not before.withdrawn else None
    text = f"{policy.id} v{was} → v{policy.version}" if was else f"{policy.id} v{policy.version} is new"
    items = screened_before(db, policy.id, policy.version)
    return suspend(db, items, policy.id, before=was, text=text, by=by, at=at)


def folder_problems(db: DatabaseSession, files: PolicyFiles | None = None) -> tuple[str, ...]:
    """What is wrong with the folder, beside what is recorded, in sentences with what is possible."""
    files = files or policy_files()
    known = recorded(db)
    said = [_problem(row, files) for _, row in sorted(known.items())]
    return (*files.problems, *(one for one in said if one))


def _problem(row: PolicyVersion, files: PolicyFiles) -> str:
    file = files.by_id.get(row.policy)
    if file is None:
        return "" if row.withdrawn or _unreadable(row, files) else _gone(row)
    if row.withdrawn:
        gone = f"{row.policy} was withdrawn at v{row.version}, and “{file.name}” still stands in the folder"
        return f"{gone}; it can be removed." if file.policy.version <= row.version else ""
    if file.policy.version < row.version:
        older = f"“{file.name}” says v{file.policy.version} of {row.policy}, and v{row.version} is in force"
        return f"{older}; `{WRITE} {row.policy}` writes it anew."
    if file.policy.version == row.version and fields_of(file.policy)["sha256"] != row.sha256:
        other = f"“{file.name}” says something else than what is recorded as v{row.version} of {row.policy}"
        return f"{other}; give it version {row.version + 1} to bring it into force."
    return ""


def _gone(row: PolicyVersion) -> str:
    return (
        f"{row.policy} v{row.version} is in force and has no file; `{WRITE} {row.policy}` writes one, and withdrawing "
        "it is a decision of two people."
    )


def _unreadable(row: PolicyVersion, files: PolicyFiles) -> bool:
    """Whether a problem of the folder may be why this policy has no file."""
    named: Sequence[str] = (f"“{row.policy}.yaml”", f"“{row.policy}.yml”", f"the id “{row.policy}”", "The folder ")
    return any(name in problem for problem in files.problems for name in named)
