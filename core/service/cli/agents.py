"""Commands on agents' records and on what is known of their users."""

from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

import click

from core.errors import BadInput
from core.governance.policies import policies_now
from core.service import agents as records
from core.service.cli.words import ROW, opened_database, print_json, says_why


@click.group()
def agent() -> None:
    """Agents' records, and what is known of their users."""


@agent.command("list")
@says_why
def list_agents() -> None:
    """Name every agent."""
    for name in records.agent_names(opened_database()):
        click.echo(name)


@agent.command("show")
@click.argument("name")
@says_why
def show_agent(name: str) -> None:
    """Print an agent's record and its users' facts, as JSON."""
    database = opened_database()
    facts = [asdict(fact) for fact in records.user_facts(database, name)]
    print_json({**asdict(records.agent_record(database, name)), "facts": facts})


@agent.command("set")
@click.argument("name")
@click.option("--base-prompt", type=click.File(encoding="utf-8"), help="File with the base prompt; - reads it here.")
@click.option("--policy", "policies", multiple=True, help="Id of a policy; give it once for each.")
@click.option("--no-policies", is_flag=True, help="Take every policy off.")
@click.option("--no-threshold", is_flag=True, help="Read scores by the default again.")
@click.option("--recurring", multiple=True, help="A task class that comes back.")
@click.option("--one-shot", multiple=True, help="A task class that never comes back.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Score below which an evaluator's signal is a failure.")
@click.option("--owner", help="The person who answers for this agent.")
@says_why
def set_agent(
    name: str,
    base_prompt: Any,
    policies: tuple[str, ...],
    no_policies: bool,
    no_threshold: bool,
    recurring: tuple[str, ...],
    one_shot: tuple[str, ...],
    threshold: float | None,
    owner: str | None,
) -> None:
    """Create an agent, or change what is given of its record."""
    database = opened_database()
    unknown = sorted(set(policies) - {policy.id for policy in policies_now(database)})
    if unknown:
        raise BadInput(f"There is no policy {', '.join(unknown)} in force; nothing was stored.")
    known = name in records.agent_names(database)
    record = records.agent_record(database, name) if known else records.AgentRecord(name, "", (), {}, None, "")
    changed = replace(
        record,
        base_prompt=base_prompt.read() if base_prompt else record.base_prompt,
        policies=() if no_policies else policies or record.policies,
        task_classes={**record.task_classes, **dict.fromkeys(recurring, True), **dict.fromkeys(one_shot, False)},
        evaluator_threshold=None if no_threshold else _share(threshold, record.evaluator_threshold),
        owner=record.owner if owner is None else owner,
    )
    out = records.save_agent(database, changed)
    click.echo(f"{name} is stored.")
    if out:
        click.echo(f"Looked at again, because it was screened without these policies: {', '.join(out)}")


@agent.command("fact")
@click.argument("name")
@click.option("--user", required=True)
@click.option("--text", required=True)
@click.option("--source", required=True, help="Where this is known from.")
@says_why
def add_fact(name: str, user: str, text: str, source: str) -> None:
    """Note a fact about one of an agent's users."""
    records.add_fact(opened_database(), name, user, text, source)
    click.echo(f"Noted for {user}.")


@agent.command("unfact")
@click.argument("fact_id", type=ROW)
@says_why
def remove_fact(fact_id: int) -> None:
    """Take a fact back, by the id that `agent show` prints."""
    records.remove_fact(opened_database(), fact_id)
    click.echo(f"Fact {fact_id} is gone.")


def _share(given: float | None, kept: Decimal | None) -> Decimal | None:
    return kept if given is None else Decimal(f"{given:.2f}")


COMMANDS = (agent,)
