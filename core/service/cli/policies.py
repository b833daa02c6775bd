"""Commands on policies. They act as the account that runs the desk, with the duties that it has among the people."""

from dataclasses import asdict
from pathlib import Path

import click

from core.checks.policies import read_policy
from core.governance.people import current_person
from core.governance.policies import policies_now
from core.governance.policy_adoption import adopt
from core.governance.policy_drafts import (
    FIELDS,
    NOTHING_STORED,
    InForce,
    approve_policy,
    propose_policy,
    propose_withdrawal,
    turn_down_policy,
    write_recorded,
)
from core.service.cli.words import AS_JSON, ROW, opened_database, print_json, says_why
from core.service.policy_views import (
    DraftView,
    PolicyRow,
    drafts_that_wait,
    policy_rows,
    policy_view,
    problems_of_folder,
)
from core.store.clock import time_in_words
from core.store.database import Database

WHY = click.option("--why", required=True, help="Stays with the version and in the log.")


@click.group()
def policies() -> None:
    """The policies of the desk: what is in force, since when, and how it changes."""


@policies.command("list")
@AS_JSON
@says_why
def list_policies(as_json: bool) -> None:
    """Every policy, the changes that wait, and what is wrong with the folder of files."""
    database = opened_database()
    rows, drafts, problems = policy_rows(database), drafts_that_wait(database), problems_of_folder(database)
    if as_json:
        print_json({"policies": list(map(asdict, rows)), "drafts": list(map(_draft, drafts)), "problems": problems})
        return
    for row in rows:
        click.echo(_in_words(row))
    for draft in drafts:
        click.echo(f"draft {draft.id}: {draft.by} asks to {_asks(draft)}: {draft.reason}")
    for problem in problems:
        click.echo(problem, err=True)


@policies.command("show")
@click.argument("policy")
@AS_JSON
@says_why
def show_policy(policy: str, as_json: bool) -> None:
    """One policy with its versions, and what waits because of it."""
    view = policy_view(opened_database(), policy)
    if as_json:
        print_json(asdict(view))
        return
    click.echo(_in_words(view.row))
    click.echo(view.row.policy.text)
    for one in view.versions:
        who = " and ".join(filter(None, (one.by, one.second)))
        act = "withdrawn" if one.withdrawn else f"v{one.policy.version}"
        click.echo(f"  {act}, {time_in_words(one.at)}, {who}{f': {one.reason}' if one.reason else ''}")
    for item in view.waiting:
        click.echo(f"  waits: {item.ref} of {item.agent}: {item.headline}")


@policies.command("adopt")
@AS_JSON
@says_why
def adopt_files(as_json: bool) -> None:
    """Bring files with a greater version into force; what was screened against the one before waits again."""
    database = opened_database()
    done, problems = adopt(database), problems_of_folder(database)
    if as_json:
        print_json({**asdict(done), "problems": problems})
        return
    click.echo(f"In force from now on: {', '.join(done.versions) or 'nothing new'}")
    if done.suspended:
        click.echo(f"To be looked at again: {', '.join(done.suspended)}")
    for problem in problems:
        click.echo(problem, err=True)


@policies.command("propose")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@WHY
@says_why
def propose_file(file: Path, why: str) -> None:
    """Ask for the policy that FILE says; its version is the one that it would become."""
    database = opened_database()
    policy = read_policy(file, NOTHING_STORED)
    said = {name: getattr(policy, name) for name in FIELDS}
    draft = propose_policy(database, policy.id, said, base=policy.version - 1, by=_me(database), reason=why)
    click.echo(f"Draft {draft} of {policy.id} waits for a second person.")


@policies.command("withdraw")
@click.argument("policy")
@WHY
@says_why
def withdraw_policy(policy: str, why: str) -> None:
    """Ask that there be no such policy any more."""
    database = opened_database()
    base = next((one.version for one in policies_now(database) if one.id == policy), 0)
    draft = propose_withdrawal(database, policy, base=base, by=_me(database), reason=why)
    click.echo(f"Draft {draft}, to withdraw {policy}, waits for a second person.")


@policies.command("approve")
@click.argument("draft", type=ROW)
@AS_JSON
@says_why
def approve_draft(draft: int, as_json: bool) -> None:
    """Bring a draft into force as the next version."""
    database = opened_database()
    done = approve_policy(database, draft, by=_me(database))
    if as_json:
        print_json(asdict(done))
        return
    click.echo(_done(done))


@policies.command("turn-down")
@click.argument("draft", type=ROW)
@WHY
@says_why
def turn_down_draft(draft: int, why: str) -> None:
    """Turn a draft down, or take back one's own."""
    database = opened_database()
    turn_down_policy(database, draft, by=_me(database), reason=why)
    click.echo(f"Draft {draft} is turned down.")


@policies.command("write")
@click.argument("policy")
@says_why
def write_file(policy: str) -> None:
    """Write the file of the recorded version anew, whatever it says now."""
    click.echo(f"{write_recorded(opened_database(), policy)} is written.")


def _me(database: Database) -> str:
    return current_person(database).name


def _in_words(row: PolicyRow) -> str:
    version = "withdrawn" if row.withdrawn else f"v{row.policy.version}"
    agents = ", ".join(row.agents) or "no agent"
    waits = f", {row.waiting} to be looked at again" if row.waiting else ""
    return f"{row.policy.id} {version} of {row.policy.date}: {row.policy.title} ({row.policy.owner}; {agents}{waits})"


def _asks(draft: DraftView) -> str:
    what = "withdraw" if draft.withdraws else "change" if draft.base else "make"
    return f"{what} {draft.policy}; {len(draft.leaves)} items would have to be looked at again"


def _draft(draft: DraftView) -> dict[str, object]:
    return {**asdict(draft), "leaves": [item.ref for item in draft.leaves]}


def _done(done: InForce) -> str:
    act = "withdrawn" if done.withdrawn else f"v{done.policy.version} is in force"
    again = f"To be looked at again: {', '.join(done.suspended)}." if done.suspended else ""
    file = f"{done.file} is written." if done.file else done.problem
    return " ".join(filter(None, (f"{done.policy.id} {act}.", again, file)))


COMMANDS = (policies,)
