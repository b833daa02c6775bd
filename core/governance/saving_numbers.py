"""Saving other numbers of the rules: who may, what is refused, and what follows.

Going back to an earlier version is a change too, with a reason of its own.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlmodel import col, select

from core.errors import BadInput, Refused
from core.governance.log import log
from core.governance.numbers import NumbersSaved, differences, numbers_in_force
from core.governance.people import duties_of
from core.governance.queueing import requeue_all
from core.governance.refusals import refusals_kept
from core.screening.invisible import says_nothing
from core.screening.secrets import mask
from core.settings import Settings
from core.settings_told import Form, Setting, setting
from core.store.clock import now, time_in_words
from core.store.database import Database
from core.store.oversight_records import NumbersVersion
from core.vocabulary import Duty

ACT = "save the numbers of the rules"

NOT_ABOVE = (("first_confidence", "top_first_confidence"), ("notes_in_briefing", "notes_looked_at"))
"""Of two numbers, the first of which may not be above the second."""


def save_numbers(
    database: Database,
    chosen: Mapping[str, Any],
    *,
    by: str,
    reason: str,
    seen: int | None = None,
    at: datetime | None = None,
) -> NumbersSaved:
    """Save the numbers that are ``chosen`` beside those in force that are not, as a new version.

    ``seen`` is the version that was on the screen, 0 for none. Raises ``BadInput`` without a reason, for a value out of
    its bounds and where nothing is changed, ``Refused`` for a person without the duty developer and where somebody
    saved another version since.
    """
    moment = at or now()
    with refusals_kept(database, None, ACT, by, moment), database.writing() as db:
        if Duty.DEVELOPER not in duties_of(db, by).duties:
            who = mask(by).text
            raise Refused("role", f"Only a person with the duty developer may change the numbers, not {who}.")
        if says_nothing(reason):
            raise BadInput("A change of the numbers needs a reason. Nothing was saved.")
        rows = db.exec(select(NumbersVersion).order_by(col(NumbersVersion.id))).all()
        if seen is not None and rows and seen != len(rows):
            newest = rows[-1]
            said = f"{newest.by} saved v{len(rows)} on {time_in_words(newest.at)} ({newest.reason})"
            raise Refused("numbers_moved_on", f"{said}. Nothing was saved; these can be tried beside those.")
        before = numbers_in_force(db)
        settings = with_chosen(before, chosen)
        differs = differences(before, settings)
        if not differs:
            raise BadInput("No number differs from those in force. Nothing was saved.")
        said = mask(reason.strip()).text
        log(db, NumbersVersion(chosen=settings.model_dump(mode="json"), by=by, reason=said, at=moment))
        if any(one.name.startswith("queue_") for one in differs):
            requeue_all(db, settings)
        return NumbersSaved(len(rows) + 1, settings, by, said, moment, differs)


def with_chosen(before: Settings, chosen: Mapping[str, Any]) -> Settings:
    """These numbers with some others. Raises ``BadInput`` for what is out of bounds, unknown or does not go together.

    A value may be text, as it comes from a command line or an address.
    """
    for name in chosen:
        if name not in Settings.model_fields:
            raise BadInput(f"There is no number “{name[:60]}”. Nothing was saved.")
    try:
        settings = Settings.model_validate({**before.model_dump(), **chosen})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        one = setting(str(first["loc"][0]))
        given = str(first["input"])[:60]
        raise BadInput(
            f"“{one.label}” cannot be “{given}”: it is {one.bounds}{_counted(one)}. Nothing was saved."
        ) from error
    for name in chosen:
        elsewhere = setting(name).elsewhere
        if elsewhere and getattr(settings, name) != getattr(before, name):
            raise BadInput(f"“{setting(name).label}” is one of {elsewhere}. Nothing was saved.")
    _go_together(settings)
    return settings


def _counted(one: Setting) -> str:
    """The unit behind the bounds, and that there is nothing finer than a hundredth."""
    if one.form in (Form.WORD, Form.YES_OR_NO):
        return ""
    return f" ({one.unit}), in hundredths" if one.form is Form.HUNDREDTHS else f" ({one.unit}), a whole number"


def _go_together(settings: Settings) -> None:
    for low, high in NOT_ABOVE:
        if getattr(settings, low) > getattr(settings, high):
            one, other = setting(low), setting(high)
            said = f"“{one.label}” is {one.shown(getattr(settings, low))}, above “{other.label}”"
            raise BadInput(f"{said}, which is {other.shown(getattr(settings, high))}. Nothing was saved.")
