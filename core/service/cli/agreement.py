"""The command that says how far people agree with each other and with the critic."""

from dataclasses import asdict
from typing import Any

import click

from core.service.agreement_views import AgreementReport, Slice, agreement_report
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why


@click.command()
@AS_JSON
@says_why
def agreement(as_json: bool) -> None:
    """Say how far people agree who decide blind, by pair and by part, and how far with the critic and the checks."""
    report = agreement_report(opened_database())
    if as_json:
        print_json(_as_json(report))
        return
    for line in _in_words(report):
        click.echo(line)


def _in_words(report: AgreementReport) -> list[str]:
    lines = [f"People, blind: {report.whole.text}"]
    lines += [f"  {one.name}: {one.found.text}" for one in report.pairs]
    lines += [f"  {one.by} {one.name}: {one.found.text}" for one in report.slices]
    lines.append(f"The critic's second opinion: {report.opinions.text}; {report.partly} that say “partly” left out")
    lines += [f"  {one.by} {one.name}: {one.found.text}" for one in report.opinion_parts]
    lines.append(f"The critic's severity: {report.severities.text}")
    lines += [f"{one.who}: {one.kept} kept, {one.refused} refused" for one in report.proposed]
    lines += [f"{one.ref}: {one.first.by} and {one.second.by} differed; it is {one.status}" for one in report.differ]
    lines += [f"{report.sealed} under seal"] if report.sealed else []
    return lines + [f"{one.ref}: {one.why}" for one in report.stuck]


def _as_json(report: AgreementReport) -> dict[str, Any]:
    return {
        "share": report.share,
        "people": asdict(report.whole),
        "pairs": [_part(one) for one in report.pairs],
        "parts": [_part(one) for one in report.slices],
        "critic": {
            "second_opinion": asdict(report.opinions),
            "parts": [_part(one) for one in report.opinion_parts],
            "severity": asdict(report.severities),
        },
        "partly": report.partly,
        "proposed": [asdict(one) for one in report.proposed],
        "differed": [asdict(one) for one in report.differ],
        "sealed": report.sealed,
        "stuck": [asdict(one) for one in report.stuck],
    }


def _part(one: Slice) -> dict[str, Any]:
    return {"by": one.by, "name": one.name, **asdict(one.found)}


COMMANDS = (agreement,)
