"""Commands for self-review inside a task: have a draft looked at, read what came of it, answer an escalation.

``check`` ends with 0 where the draft is good, 3 where it is not, and 4 where a person has been asked; 1 is a refusal.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.errors import BadInput
from core.governance.people import local_operator
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.critic.calls import ask_now
from core.service.self_review import review
from core.service.self_review.asked import asked, tool_results_in
from core.service.self_review.escalations import answer_escalation
from core.service.self_review.lists import STATES, DraftShown, ReviewView, review_list, review_view
from core.service.self_review.views import Problem, Reviewed
from core.vocabulary import ReviewState

GOOD, NOT_GOOD, ESCALATED = 0, 3, 4
"""How ``check`` ends; 1 is a refusal, 2 a wrong use of the command."""

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path, allow_dash=True)


@click.group("self-review")
def self_review() -> None:
    """Review of a draft before the agent answers, and the escalations that come of it."""


@self_review.command("check")
@click.option("--agent", required=True)
@click.option("--draft", "draft_file", required=True, type=_FILE, help="File with the draft; - reads it here.")
@click.option("--task", default="", help="What the user asked for, verbatim; not needed with --review.")
@click.option("--review", "review_id", help="The self-review that a revision belongs to, such as SR-0123456789.")
@click.option("--user")
@click.option("--task-class")
@click.option("--said", multiple=True, help="What the user said beyond the task; once for each message.")
@click.option("--tool-results", type=_FILE, help="JSON list: name, arguments, content, failed of each result.")
@AS_JSON
@says_why
def check(
    agent: str,
    draft_file: Path,
    task: str,
    review_id: str | None,
    user: str | None,
    task_class: str | None,
    said: tuple[str, ...],
    tool_results: Path | None,
    as_json: bool,
) -> None:
    """Have a draft reviewed before it is sent."""
    request = asked(
        agent=agent,
        draft=_text(draft_file),
        task=task,
        review=review_id,
        user=user,
        task_class=task_class,
        said=said,
        tool_results=tool_results_in(_json(tool_results)) if tool_results else (),
    )
    told = review(opened_database(), request, ask=ask_now)
    print_json(asdict(told)) if as_json else _say(told)
    if not told.ok:
        sys.exit(ESCALATED if told.state in (ReviewState.ESCALATED, ReviewState.ANSWERED) else NOT_GOOD)


@self_review.command("show")
@click.argument("review_id")
@AS_JSON
@says_why
def show(review_id: str, as_json: bool) -> None:
    """One self-review with its drafts, and what a person answered."""
    view = review_view(opened_database(), review_id)
    print_json(asdict(view)) if as_json else _show(view)


@self_review.command("list")
@click.option("--state", type=click.Choice(list(STATES)), default="waiting", show_default=True)
@click.option("--agent")
@click.option("--page", type=click.IntRange(min=1), default=1)
@AS_JSON
@says_why
def list_reviews(state: str, agent: str | None, page: int, as_json: bool) -> None:
    """Self-reviews, those that wait for a person first."""
    found = review_list(opened_database(), state=state, agent=agent, page=page)
    if as_json:
        print_json(asdict(found))
        return
    for row in found.rows:
        click.echo(f"{row.id}  {row.state}  {row.agent}  {' '.join(row.task.split())[:80]}")
    click.echo(f"{len(found.rows)} of {found.total}, page {found.number} of {found.pages}")


@self_review.command("answer")
@click.argument("review_id")
@click.option("--text", required=True, help="What the agent is to do.")
@says_why
def answer(review_id: str, text: str) -> None:
    """Answer an escalation; the agent reads it with show."""
    given = answer_escalation(opened_database(), review_id, local_operator(), text)
    click.echo(f"{review_id} was answered by {given.by}.")


COMMANDS: tuple[click.Command, ...] = (self_review,)


def _text(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"“{file.name}” is not UTF-8 text. Nothing was reviewed.") from error


def _json(file: Path) -> Any:
    try:
        return json.loads(_text(file))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"“{file.name}” is no JSON: {error}. Nothing was reviewed.") from error


def _say(told: Reviewed) -> None:
    verdict = "ok" if told.ok else "not ok"
    which = f"revision {told.round}" if told.round else "first draft"
    click.echo(f"{told.review_id}, {which}: {verdict}, {told.state} (reviewed by {' and '.join(told.reviewed_by)})")
    _say_found(told.problems, told.fix, told.unreviewed)
    if told.answer:
        click.echo(f"  {told.answer.by} answered: {told.answer.text}")
    click.echo(told.possible)


def _show(view: ReviewView) -> None:
    row = view.row
    click.echo(f"{row.id}  {row.state}  {row.agent}\nTask: {row.task}")
    for draft in view.drafts:
        _say_draft(draft)
    if row.answer:
        click.echo(f"{row.answer.by} answered on {row.answer.at:%Y-%m-%d %H:%M} UTC:\n{row.answer.text}")


def _say_draft(draft: DraftShown) -> None:
    name = f"Revision {draft.number}" if draft.number else "First draft"
    click.echo(f"{name}: {'ok' if draft.ok else 'not ok'}\n{draft.draft}")
    _say_found(draft.problems, draft.fix, draft.unreviewed)


def _say_found(problems: tuple[Problem, ...], fix: str, unreviewed: str | None) -> None:
    for problem in problems:
        click.echo(f"  - {problem.text} ({problem.found_by})")
    if fix:
        click.echo(f"  Fix: {fix}")
    if unreviewed:
        click.echo(f"  Not read by the model: {unreviewed}")
