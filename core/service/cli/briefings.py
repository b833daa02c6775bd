"""Commands of an agent's start and end: the briefing with its receipt, and the outcome."""

from dataclasses import asdict

import click

from core.briefing.asked import Asked
from core.briefing.read import issue
from core.effects.outcomes import report_outcome
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.second_ranking import second_ranking
from core.vocabulary import Outcome


@click.command("briefing")
@click.option("--agent", required=True)
@click.option("--user")
@click.option("--task-class")
@click.option("--task", default="", help="What the agent is about to do; lessons are chosen by its words.")
@AS_JSON
@says_why
def brief_agent(agent: str, user: str | None, task_class: str | None, task: str, as_json: bool) -> None:
    """Hand out what an agent reads at its start, with a receipt."""
    database, asked = opened_database(), Asked(agent, user, task_class, task)
    issued = issue(database, asked)
    if as_json:
        print_json(asdict(issued))
        return
    for message in issued.messages:
        click.echo(f"[{message['role']}]\n{message['content']}\n")
    read_items = ", ".join(f"{item.ref} v{item.version}" for item in issued.items) or "no items"
    click.echo(f"Receipt {issued.receipt}: {read_items}")
    beside = second_ranking(database, asked)
    if beside is not None:  # for whoever looks on, beside the output that an agent is given
        click.echo(beside.told or f"By {beside.ranker}, shown beside it and not read:", err=True)
        for line in beside.lines:
            click.echo(f"  {line}", err=True)


@click.command("outcome")
@click.argument("receipt")
@click.argument("result", type=click.Choice([one.value for one in Outcome]))
@click.option("--session", help="The agent session that read this receipt, by reference.")
@AS_JSON
@says_why
def report(receipt: str, result: str, session: str | None, as_json: bool) -> None:
    """Report how the session went that read a receipt; it counts once."""
    answer = report_outcome(opened_database(), receipt, Outcome(result), source="command line", session_ref=session)
    if as_json:
        print_json(asdict(answer))
        return
    click.echo(f"{receipt}: {answer.outcome}" + (", reported before; nothing moved" if answer.already else ""))
    for moved in answer.moved:
        click.echo(f"  {moved.ref}: {moved.before} -> {moved.after}")


COMMANDS = (brief_agent, report)
