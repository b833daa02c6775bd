"""The command line: sessions, briefings, each memory, agents, people, policies, numbers, the critic, audits, work.

Every command prints for people, or JSON with ``--json``. Refusals end with exit code 1 and say what is possible. Each
module holds one group of commands and lists them in ``COMMANDS``.
"""

import click

from core.service.cli import (
    agents,
    agreement,
    audits,
    beliefs,
    briefings,
    buffers,
    critic,
    digests,
    episodes,
    lessons,
    numbers,
    people,
    policies,
    quotes,
    self_reviews,
    sessions,
    working,
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Tutelage: decide what an AI agent may learn from its own work."""


for group in (
    sessions,
    quotes,
    briefings,
    lessons,
    buffers,
    agents,
    people,
    policies,
    critic,
    beliefs,
    episodes,
    self_reviews,
    audits,
    agreement,
    digests,
    numbers,
    working,
):
    for command in group.COMMANDS:
        main.add_command(command)
