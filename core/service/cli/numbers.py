"""Commands on the numbers of the rules: what is in force, what others would have changed, saving them, going back."""

from collections.abc import Sequence
from typing import Any

import click

from core.errors import BadInput
from core.governance.numbers import differences, saved_numbers, version_of
from core.governance.numbers import numbers as in_force
from core.governance.people import local_operator
from core.governance.saving_numbers import save_numbers, with_chosen
from core.service.cli.words import AS_JSON, opened_database, print_json, says_why
from core.service.thresholds import Different, different, past
from core.service.thresholds.gates import Against
from core.service.thresholds.lines import BriefingFlip
from core.settings import Settings
from core.settings_told import settings_told
from core.store.clock import time_in_words
from core.vocabulary import Kind

REASON = click.option("--reason", required=True, help="Stands in the log beside the new version.")
CHOSEN = click.argument("chosen", nargs=-1, required=True, metavar="NAME=VALUE...")
SHOWN = 10
"""Briefings that differ of which the lines are printed."""


@click.group()
def numbers() -> None:
    """The numbers of the rules: thresholds, caps, steps, weights."""


@numbers.command("show")
@AS_JSON
@says_why
def show(as_json: bool) -> None:
    """Every number in force, with its bounds, its default and one line on what it does."""
    now = in_force(opened_database())
    if as_json:
        print_json(now.model_dump(mode="json"))
        return
    for one in settings_told():
        value, default = one.shown(getattr(now, one.name)), one.shown(one.default)
        was = "" if value == default else f", {default} by default"
        click.echo(f"{one.name} = {value} ({one.bounds} {one.unit}{was}): {one.line}")


@numbers.command("set")
@CHOSEN
@REASON
@says_why
def save(chosen: tuple[str, ...], reason: str) -> None:
    """Save other numbers as a new version, as the account that runs the desk."""
    saved = save_numbers(opened_database(), _named(chosen), by=local_operator(), reason=reason)
    click.echo(f"Saved as v{saved.version}: {'; '.join(one.in_words for one in saved.differs)}")


@numbers.command("versions")
@AS_JSON
@says_why
def versions(as_json: bool) -> None:
    """Every version, newest first: who saved it, when, why, and what it changed."""
    saved = saved_numbers(opened_database())
    if as_json:
        print_json(
            [
                {
                    "version": one.version,
                    "by": one.by,
                    "at": one.at,
                    "reason": one.reason,
                    "changed": {each.name: [each.before, each.after] for each in one.differs},
                }
                for one in saved
            ]
        )
        return
    for one in saved:
        changed = "; ".join(each.in_words for each in one.differs)
        click.echo(f"v{one.version}, {time_in_words(one.at)}, {one.by}: “{one.reason}”. {changed}")
    if not saved:
        click.echo("Nothing was saved yet; the defaults are in force (v0).")


@numbers.command("back")
@click.argument("version", type=click.IntRange(0, 2**31 - 1))
@REASON
@says_why
def back(version: int, reason: str) -> None:
    """Save the numbers of an earlier version anew; 0 are the defaults."""
    database = opened_database()
    chosen = version_of(database, version)
    saved = save_numbers(database, chosen.model_dump(), by=local_operator(), reason=reason)
    click.echo(f"Saved as v{saved.version}, as v{version} was: {'; '.join(one.in_words for one in saved.differs)}")


@numbers.command("try")
@CHOSEN
@AS_JSON
@says_why
def attempt(chosen: tuple[str, ...], as_json: bool) -> None:
    """What other numbers would have changed in the past. Nothing is written."""
    database = opened_database()
    now = in_force(database)
    other = different(past(database), now, with_chosen(now, _named(chosen)))
    if as_json:
        print_json(as_json_of(other))
    else:
        click.echo("\n".join(_in_words(other)))


def _named(chosen: Sequence[str]) -> dict[str, Any]:
    """The numbers that are named on the command line. Raises ``BadInput`` for what names none."""
    found: dict[str, Any] = {}
    for one in chosen:
        name, mark, value = one.partition("=")
        if not mark or not name.strip():
            raise BadInput(f"“{one[:60]}” names no number; one reads like procedure_threshold=0.62. Nothing was saved.")
        found[name.strip()] = value.strip()
    return found


def as_json_of(other: Different) -> dict[str, Any]:
    """What differs, as plain values."""
    means = other.mean_notes()
    return {
        "tried": {one.name: [one.before, one.after] for one in differences(other.now, other.draft)},
        "procedures_read": list(other.procedures_read),
        "procedures": [
            {
                "ref": one.procedure.ref,
                "title": one.procedure.title,
                "confidence": [one.now, one.then],
                "read": [one.read_now, one.read_then],
            }
            for one in other.procedures
        ],
        "briefings": {"looked_at": other.briefings, "differ": len(other.differing)},
        "differing": [_flip(one) for one in other.flips(SHOWN)],
        "notes_read_mean": list(means) if means else None,
        "queue": {"looked_at": len(other.past.queue), "flipped": other.queue()},
        "against_people": {
            kind.value: {"now": _against(other, other.now, kind), "with": _against(other, other.draft, kind)}
            for kind in Kind
        },
    }


def _flip(one: BriefingFlip) -> dict[str, Any]:
    lines = [{"ref": each.key, "enters": each.enters, "why": each.why, "tokens": each.tokens} for each in one.lines]
    return {"receipt": one.briefing.receipt, "at": one.briefing.at, "tokens": one.tokens, "lines": lines}


def _against(other: Different, numbers: Settings, kind: Kind) -> dict[str, Any]:
    one = other.against(numbers, kind)
    return {
        "verdicts": one.verdicts,
        "precision": one.precision,
        "recall": one.recall,
        "kept_people_kept": one.kept_kept,
        "kept_people_refused": one.kept_refused,
        "dropped_people_kept": one.dropped_kept,
        "dropped_people_refused": one.dropped_refused,
    }


def _in_words(other: Different) -> list[str]:
    tried = "; ".join(one.in_words for one in differences(other.now, other.draft)) or "no number differs"
    lines = [
        f"Tried: {tried}. Nothing was written.",
        f"Procedures read {other.procedures_read[0]} → {other.procedures_read[1]}",
        f"Past briefings that differ {len(other.differing)} of {other.briefings}",
        f"Queue items flipped {other.queue()} of {len(other.past.queue)}",
    ]
    if means := other.mean_notes():
        lines.append(f"Notes read, mean {means[0]} → {means[1]}")
    for flip in other.procedures:
        if flip.read_now is not flip.read_then:
            way = "enters" if flip.read_then else "leaves"
            lines.append(f"  {way} {flip.procedure.ref} {flip.procedure.title}, confidence {flip.now} → {flip.then}")
    for kind in Kind:
        lines += [f"{kind} gate, {name}: {_told(other.against(by, kind))}" for name, by in _both(other)]
    for one in other.flips(SHOWN):
        lines.append(f"{one.briefing.receipt}, {time_in_words(one.briefing.at)}, {one.tokens:+} tokens")
        lines += [f"  {'+' if each.enters else '−'} {each.key}: {each.why}" for each in one.lines]
    return lines


def _both(other: Different) -> tuple[tuple[str, Settings], ...]:
    return ("now", other.now), ("with", other.draft)


def _told(one: Against) -> str:
    if one.precision is None and one.recall is None:
        return f"{one.verdicts} verdicts of people, too few to say"
    shares = f"precision {one.precision}, recall {one.recall}"
    return f"{shares}; kept and people refused {one.kept_refused}, dropped and people kept {one.dropped_kept}"


COMMANDS = (numbers,)
