"""Commands on beliefs: what is believed of whom, on what it rests, and the runs that draw it."""

from dataclasses import asdict

import click

from core.governance.people import local_operator
from core.service.belief_views import belief_list, belief_tree
from core.service.cli.words import (
    AS_JSON,
    KNOWN_AT,
    ROW,
    TRUE_AT,
    ZONE,
    moment_asked,
    opened_database,
    print_json,
    says_why,
)
from core.service.consolidation.runs import try_again
from core.service.consolidation.views import belief_run, belief_runs, belief_sums_page
from core.service.episodes import look_for_beliefs
from core.service.review_views import item_id_of
from core.service.views.beliefs import BeliefRow, BeliefRunRow, BeliefsAsked, BeliefTree
from core.store.clock import day_in_words
from core.vocabulary import Status

AGENT = click.option("--agent", help="Only this agent.")
USER = click.option("--user", help="Only this user; empty for what is about nobody in particular.")
PAGE = click.option("--page", type=click.IntRange(min=1), default=1, show_default=True)


@click.group()
def beliefs() -> None:
    """Beliefs: what sessions with a user have in common, with what it rests on."""


@beliefs.command("list")
@AGENT
@USER
@click.option("--status", type=click.Choice([one.value for one in Status]))
@click.option("--stale", is_flag=True, help="Only those that a source took out.")
@click.option("--words", help="What stands in the text.")
@TRUE_AT
@KNOWN_AT
@ZONE
@PAGE
@AS_JSON
@says_why
def list_beliefs(
    agent: str | None,
    user: str | None,
    status: str | None,
    stale: bool,
    words: str | None,
    true_at: str | None,
    known_at: str | None,
    zone: str,
    page: int,
    as_json: bool,
) -> None:
    """List beliefs, 50 a page."""
    times = moment_asked(true_at, zone), moment_asked(known_at, zone)
    found = belief_list(opened_database(), BeliefsAsked(agent, user, status, stale, words, *times), page=page)
    if as_json:
        print_json([asdict(row) for row in found.rows])
        return
    for row in found.rows:
        click.echo(_line(row))
        for why in row.stale:
            click.echo(f"  does not stand: {why}")
    click.echo(f"Page {found.number} of {found.pages}, {found.total} beliefs.")


@beliefs.command("show")
@click.argument("ref")
@AS_JSON
@says_why
def show_belief(ref: str, as_json: bool) -> None:
    """Show one belief with what it rests on, down to the words."""
    database = opened_database()
    tree = belief_tree(database, item_id_of(database, ref))
    if as_json:
        print_json(asdict(tree))
    else:
        _echo_tree(tree, "")


@beliefs.command("run")
@click.option("--agent", required=True)
@click.option("--user", help="The user; without one, sessions of nobody in particular.")
@says_why
def run_now(agent: str, user: str | None) -> None:
    """Queue a run that looks for beliefs now; a worker carries it out."""
    run = look_for_beliefs(opened_database(), agent, user or None, by=local_operator())
    click.echo(f"Run {run} is queued; “beliefs runs” shows what comes of it.")


@beliefs.command("again")
@click.argument("run", type=ROW)
@says_why
def run_again(run: int) -> None:
    """Queue a run again that failed or was stopped; what it has of the model is not asked for again."""
    queued = try_again(opened_database(), run, by=local_operator())
    click.echo(f"Run {run} is queued again." if queued else f"Run {run} is left as it is: it is done, or under way.")


@beliefs.command("runs")
@click.argument("run", type=ROW, required=False)
@AGENT
@USER
@PAGE
@AS_JSON
@says_why
def show_runs(run: int | None, agent: str | None, user: str | None, page: int, as_json: bool) -> None:
    """List the runs, newest first, or show one down to the episodes and what became of each belief."""
    database = opened_database()
    if run is not None:
        view = belief_run(database, run)
        if as_json:
            print_json(asdict(view))
            return
        click.echo(_run(view.row))
        for one in view.questions:
            skipped = f" skipped: {one['skipped']}" if one["skipped"] else ""
            click.echo(f"  {one['question']}{skipped} {one['detail']}".rstrip())
            for each in one["episodes"]:
                factors = f"{each['recency']:.2f} × {each['importance']:.2f} × {each['similarity']:.2f}"
                click.echo(f"    {each['ref']} {factors}: {each['text']}")
            for each in one["became"]:
                click.echo(f"    {each['what']} {each.get('ref') or each.get('why', '')}: {each['text']}")
        return
    found = belief_runs(database, agent=agent, user=user, page=page)
    if as_json:
        print_json([asdict(row) for row in found.rows])
        return
    for row in found.rows:
        click.echo(_run(row))
    click.echo(f"Page {found.number} of {found.pages}, {found.total} runs.")


@beliefs.command("sums")
@AGENT
@PAGE
@AS_JSON
@says_why
def show_sums(agent: str | None, page: int, as_json: bool) -> None:
    """Show how far each agent and user are from their next run, the nearest first, 50 a page."""
    found = belief_sums_page(opened_database(), agent, page=page)
    if as_json:
        print_json([asdict(row) for row in found.rows])
        return
    for row in found.rows:
        far = f"{row.total} of {row.threshold}, {row.high} of {row.floor} episodes of weight, {row.runs} runs"
        click.echo(f"{row.agent}, {row.user or 'nobody'}: {far}{f'; {row.waits}' if row.waits else ''}")
    counted = f"Page {found.number} of {found.pages}, {found.total} sums."
    click.echo(counted if found.rows else "No episode has been counted yet.")


def _line(row: BeliefRow) -> str:
    rests = f"{row.standing} of {row.cites} sources stand" if not row.rests_on_enough else f"{row.cites} sources"
    return f"{row.ref} v{row.version} [{row.status}] {row.agent}, {row.user or 'nobody'}: {row.text} ({rests})"


def _echo_tree(tree: BeliefTree, indent: str) -> None:
    row = tree.row
    click.echo(f"{indent}{_line(row)}")
    known = f"true from {day_in_words(row.true_from)}, known from {day_in_words(row.known_from)}"
    until = f" until {day_in_words(row.known_until)}" if row.known_until else ""
    click.echo(f"{indent}  {known}{until}{'; shown above' if tree.again else ''}")
    for why in row.stale:
        click.echo(f"{indent}  does not stand: {why}")
    for one in tree.sources:
        stands = "" if one.stands else f" [{one.why_not}]"
        if one.belief is not None:
            click.echo(f"{indent}  {one.ref}{stands}")
            _echo_tree(one.belief, f"{indent}    ")
            continue
        click.echo(f"{indent}  {one.ref} {one.importance} {day_in_words(one.true_from)}{stands}: {one.text}")
        for quote in one.quotes:
            place = f"turn {quote.turn}, {quote.start} to {quote.end}" if quote.turn else quote.verdict
            click.echo(f"{indent}    {quote.session_ref} {quote.speaker}, {place}: “{quote.text}”")
    for above in tree.above:
        click.echo(f"{indent}  {above.ref} [{above.status}] rests on it: {above.text}")


def _run(row: BeliefRunRow) -> str:
    dropped = ", ".join(f"{count} × {why}" for why, count in row.dropped.items())
    brought = f"{row.questions} questions, {row.beliefs} beliefs, {row.known} known"
    brought += f"; dropped {dropped}" if dropped else ""
    state = f"{row.state}{f' ({row.reason})' if row.reason else ''}"
    return f"{row.id} {row.agent}, {row.user or 'nobody'}: {state}, {brought}. {row.detail}".rstrip()


COMMANDS = (beliefs,)
