"""The command that compares two ways of writing on the same sessions, and its report for people."""

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from core.critic.pairing import Paired
from core.critic.writing import DEBRIEFING
from core.errors import BadInput
from core.governance.people import local_operator
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.critic.compared import Comparison, Kind, Measure, SideFigures
from core.service.critic.comparison import Comparing, compare, comparing
from core.service.critic.comparison_estimate import Expected, expected, would_ask
from core.service.critic.dry_run import without_a_key
from core.service.critic.sides import Side
from core.store.database import Database
from core.vocabulary import Writer

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_WRITERS = click.Choice([writer.value for writer in DEBRIEFING])
_NAMED = 20
"""Sessions that are named in a list of failures; the rest is counted."""


@click.command("compare")
@click.argument("refs", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every session.")
@click.option("--sample", type=click.IntRange(min=1), help="So many of all sessions, always the same ones.")
@click.option("--writer", type=_WRITERS, default=Writer.NOTES.value, show_default=True)
@click.option("--prompt-a", type=_FILE, help="The prompt of side a; without it, the desk's own.")
@click.option("--prompt-b", type=_FILE, help="The prompt of side b.")
@click.option("--model-a", help="The model of side a; without it, the one in force.")
@click.option("--model-b", help="The model of side b.")
@click.option("--temperature-a", help="A number, or null to leave it to the server; without it, the one in force.")
@click.option("--temperature-b", help="The same for side b.")
@click.option("--repeat", is_flag=True, help="Ask side b anew, whatever the store has: shows what chance alone does.")
@click.option("--go-on", type=click.IntRange(min=1), help="Go on with this comparison, where --repeat was interrupted.")
@click.option("--dry-run", "trying", is_flag=True, help="Print the exact requests, and send nothing.")
@AS_JSON
@says_why
def compare_sides(
    refs: tuple[str, ...],
    everything: bool,
    sample: int | None,
    writer: str,
    prompt_a: Path | None,
    prompt_b: Path | None,
    model_a: str | None,
    model_b: str | None,
    temperature_a: str | None,
    temperature_b: str | None,
    repeat: bool,
    go_on: int | None,
    trying: bool,
    as_json: bool,
) -> None:
    """Compare two prompts, models or temperatures on the same sessions. Nothing that an agent reads changes."""
    if bool(refs) + everything + (sample is not None) != 1:
        raise BadInput("Name the sessions to compare on, or give --all or --sample.")
    database = opened_database()
    what = comparing(
        database,
        refs or None,
        writer=Writer(writer),
        a=Side(prompt_a, _chosen(model_a, temperature_a)),
        b=Side(prompt_b, _chosen(model_b, temperature_b)),
        repeat=repeat,
        sample=sample,
        environ=without_a_key(os.environ) if trying else os.environ,
    )
    if trying:
        _show_requests(database, what, as_json)
        return
    before = expected(database, what)
    if not as_json:
        click.echo(_estimate(before))
    report = compare(database, what, by=local_operator(), number=go_on, told=_told)
    if as_json:
        shown = {"kind": report.kind, "better": report.better, "conclusion": report.conclusion}
        print_json({"estimate": asdict(before), **asdict(report), **shown})
        return
    for line in report_lines(report):
        click.echo(line)


def report_lines(report: Comparison) -> Iterator[str]:
    """The report as people read it."""
    yield f"Comparison {report.number}: {report.writer}, {_count(report.sessions, 'session')}"
    for side in (report.a, report.b):
        yield f"  {side.name}: {side.asked_with}"
    if report.differences:
        yield f"The sides differ in: {'; '.join(f'{one.what} ({one.a} | {one.b})' for one in report.differences)}"
    else:
        yield "The sides do not differ."
    yield from report.remarks
    for side in (report.a, report.b):
        yield ""
        yield from _side_lines(side, report.currency)
    if report.nothing_due:
        yield ""
        yield f"Nothing to ask about {_count(len(report.nothing_due), 'session')}:"
        yield from _listed([f"{ref}: {why}" for ref, why in report.nothing_due])
    yield ""
    yield f"Paired: {_count(report.both, 'session')} that both reviewed (others count for nothing here)"
    if report.both:
        (found_a, of_a), (found_b, of_b) = report.found_in_both
        between = " – " if report.kind is Kind.SPREAD else ", "
        yield f"  quotes found: a {found_a} of {of_a}{between}b {found_b} of {of_b}"
        for measure in report.measures:
            yield from _measure_lines(measure)
        yield "  (interval: 95 %, bootstrap percentile over sessions; sign test: exact, two-sided)"
    yield ""
    yield report.conclusion
    if report.stopped:
        yield f"It ended before all was asked: {report.stopped}"
        anew = f", with --go-on {report.number} where b is asked anew" if report.number else ""
        yield f"What was answered is stored; the same command asks only the rest{anew}."


def _side_lines(side: SideFigures, currency: str) -> Iterator[str]:
    stored = f", {_count(side.stored, 'reply')} from the store" if side.stored else ""
    yield f"{side.name}: {side.reviewed} reviewed, {len(side.failed)} failed, {len(side.missing)} not asked{stored}"
    if side.reviewed:
        weights = ", ".join(f"{count} {severity}" for severity, count in side.severities)
        proven = (
            f"{side.items} written ({side.items / side.reviewed:.2f} a session), {side.proven} proven by their words"
        )
        yield f"  {proven}; {side.found} of {side.quotes} quotes found{f'; {weights}' if weights else ''}"
    if side.unreadable:
        yield f"  {_count(side.unreadable, 'part')} of replies could not be read"
    cost = "cost unknown, no prices are set" if side.cost is None else f"{side.cost} {currency}"
    spent = f", {side.spent} of it spent now" if side.spent is not None and side.spent != side.cost else ""
    tokens = f"{side.tokens_prompt:,} + {side.tokens_completion:,} tokens"
    yield f"  {_count(side.requests, 'request')}, {tokens}, {cost}{spent}, {side.seconds:.1f} s"
    if side.models:
        yield f"  answered by {', '.join(side.models)}"
    yield from _listed([f"failed {ref} ({status}): {detail}" for ref, status, detail in side.failed])
    if side.missing:
        more = len(side.missing) - _NAMED
        yield f"  not asked: {', '.join(side.missing[:_NAMED])}{f' and {more} more' if more > 0 else ''}"


def _measure_lines(measure: Measure) -> Iterator[str]:
    counts: Paired = measure.difference
    if measure.a is None or measure.b is None or counts.mean is None:
        yield f"  {measure.what}: not known, {_count(measure.skipped, 'session')} without quotes on one side"
        return
    if counts.low is None:
        interval = "no interval for one session"
    else:
        interval = f"interval {counts.low:+.2f} to {counts.high:+.2f}"
    signs = f"a more in {counts.first_more}, b more in {counts.second_more}, equal in {counts.equal}"
    without = f"; {measure.skipped} without quotes on one side left out" if measure.skipped else ""
    yield f"  {measure.what}: a {measure.a:.2f}, b {measure.b:.2f}; b less a {counts.mean:+.2f}, {interval}"
    yield f"    {signs}; sign test {counts.chance:.2f}{without}"


def _estimate(before: Expected) -> str:
    cost = "no prices are set"
    if before.cost is not None:
        cost = f"about {before.cost} {before.currency}, at most {before.most} {before.currency}"
    known = f", {before.stored} of them answered before" if before.stored else ""
    return f"{_count(before.requests, 'request')}{known}: about {before.tokens:,} tokens, {cost}."


def _show_requests(database: Database, what: Comparing, as_json: bool) -> None:
    if as_json:
        print_json([asdict(one) for one in would_ask(database, what)])
        return
    for one in would_ask(database, what):
        sent = one.request
        stored = "; answered before, so it would not be sent" if sent.answered_before else ""
        click.echo(f"# {one.side}: {sent.session} {sent.writer} {sent.turns}: about {sent.tokens:,} tokens{stored}")
        click.echo(f"POST {sent.url}")
        print_json(sent.body)
    for difference in what.differences:
        click.echo(f"# {difference.what}: a {difference.a} | b {difference.b}")
    click.echo(f"# {_estimate(expected(database, what))} Nothing was sent, and nothing was stored.")


def _chosen(model: str | None, temperature: str | None) -> dict[str, Any]:
    chosen: dict[str, Any] = {} if model is None else {"model": model}
    if temperature is not None:
        chosen["temperature"] = None if temperature in ("null", "none") else temperature
    return chosen


def _listed(lines: list[str]) -> Iterator[str]:
    yield from (f"  {line}" for line in lines[:_NAMED])
    if len(lines) > _NAMED:
        yield f"  and {len(lines) - _NAMED} more; --json has all"


def _count(number: int, what: str) -> str:
    many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"1 {what}" if number == 1 else f"{number:,} {many}"


def _told(done: int, of: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {of} sessions", nl=done == of, err=True)
