"""The desk's own settings: reasons that can be named, how long an item is looked at, how long it is leased.

Saved as versions with an author and a reason; rows are only ever added, and each stands in the log. What this code
cannot read of a version is its default, and Home says so.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, Refused
from core.governance.log import log
from core.governance.people import duties_of
from core.governance.refusals import refusals_kept
from core.governance.stored_settings import as_far_as_known
from core.screening.invisible import says_nothing
from core.screening.secrets import mask
from core.store.asked_once import once
from core.store.clock import now, time_in_words
from core.store.database import Database
from core.store.governance_records import DeskSettingsVersion
from core.store.records import Decision
from core.vocabulary import Action, DismissReason, Duty, RejectReason


class Reason(BaseModel):
    """A reason that can be named: the code that is stored and exported, and the words on the button."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,39}$")]
    words: Annotated[str, Field(min_length=2, max_length=40)]

    @field_validator("words")
    @classmethod
    def _can_be_read(cls, value: str) -> str:
        if len(value.strip()) < 2 or not value.isprintable():
            raise ValueError("the words of a reason must be readable")
        return value.strip()


REJECT_WORDS = {
    RejectReason.NOT_TRUE: "not true",
    RejectReason.NOT_GENERAL: "not general",
    RejectReason.TOO_VAGUE: "too vague",
    RejectReason.TWIN: "a twin",
    RejectReason.AGAINST_POLICY: "against policy",
    RejectReason.UNSAFE_SOURCE: "from an unsafe source",
}
DISMISS_WORDS = {
    DismissReason.NOT_TRUE: "not true",
    DismissReason.NO_FAULT: "no fault",
    DismissReason.WORDS_DO_NOT_SHOW_IT: "not shown by its words",
    DismissReason.NOTED_ALREADY: "noted already",
    DismissReason.TOO_VAGUE: "too vague",
    DismissReason.UNSAFE_SOURCE: "from an unsafe source",
}


def _reasons(words: Mapping[Any, str]) -> tuple[Reason, ...]:
    return tuple(Reason(code=str(code), words=said) for code, said in words.items())


class DeskSettings(BaseModel):
    """The settings in force."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reject_reasons: tuple[Reason, ...] = _reasons(REJECT_WORDS)
    """Why a proposal can be rejected, one to nine, in the order of their keys."""

    dismiss_reasons: tuple[Reason, ...] = _reasons(DISMISS_WORDS)
    """Why a note can be dismissed, one to nine, in the order of their keys."""

    decide_after: Decimal = Field(Decimal("0.70"), ge=0, le=10)
    """Seconds for which an item must have been on the screen before it can be decided."""

    lease_minutes: int = Field(10, ge=1, le=120)
    """Minutes for which an item stays with whoever opened it and does nothing with it."""

    lease_silence: int = Field(90, ge=15, le=3_600)
    """Seconds without a sign of the page that shows the item, after which it is free again."""

    digest_hour: int = Field(7, ge=0, le=23)
    """The hour in UTC from which on the digest of a day is sent, where a webhook is named."""

    four_eyes: bool = False
    """Whether two people resolve a critical note, as they dismiss one; alone at the desk one does."""

    blind_share: Decimal = Field(Decimal("0.00"), ge=0, le=1)
    """The share of new items that two people decide, neither of whom sees what the other said."""

    quick_seconds: Decimal = Field(Decimal("5.00"), ge=0, le=600)
    """Seconds on the screen under which a decision about something quoted counts as a quick one."""
    bulk_limit: int = Field(100, ge=1, le=1_000)
    """Items that can be decided at once."""

    @field_validator("reject_reasons", "dismiss_reasons")
    @classmethod
    def _each_once_and_with_a_key(cls, value: tuple[Reason, ...]) -> tuple[Reason, ...]:
        if len({one.code for one in value}) < len(value):
            raise ValueError("each code can stand in the list once")
        if len(value) > 9 or not value:
            raise ValueError("there are one to nine of them, since each has a key")
        return value

    def reasons(self, action: Action) -> tuple[Reason, ...]:
        """The reasons that an act can name; none where it needs no reason."""
        return {Action.REJECT: self.reject_reasons, Action.DISMISS: self.dismiss_reasons}.get(action, ())

    @property
    def lease(self) -> timedelta:
        """How long a lease lasts."""
        return timedelta(minutes=self.lease_minutes)

    @property
    def silence(self) -> timedelta:
        """How long a lease lasts without a sign of its page."""
        return timedelta(seconds=self.lease_silence)


def settings_in_force(db: DatabaseSession) -> DeskSettings:
    """The desk's settings as they were saved last; the defaults where nothing was saved."""
    return once(db, "desk settings", lambda: _settings_saved_last(db))


def _settings_saved_last(db: DatabaseSession) -> DeskSettings:
    row = _newest(db)
    return as_saved(row) if row else DeskSettings()


def settings_not_in_force(db: DatabaseSession) -> tuple[str, ...]:
    """What was saved last of the desk's settings and is not known here, each as a clause."""
    row = _newest(db)
    return as_far_as_known(DeskSettings, row.chosen)[1] if row else ()


def as_saved(row: DeskSettingsVersion) -> DeskSettings:
    """The settings of a version, as far as this code knows them."""
    return as_far_as_known(DeskSettings, row.chosen)[0]


def desk_settings(database: Database) -> tuple[DeskSettings, int]:
    """The settings in force, and the number of their version; 0 where nothing was saved."""
    with database.reading() as db:
        row = _newest(db)
        return settings_in_force(db), row.id or 0 if row else 0


def saved_desk_settings(database: Database) -> tuple[DeskSettingsVersion, ...]:
    """Every saved version, newest first."""
    with database.reading() as db:
        return tuple(db.exec(select(DeskSettingsVersion).order_by(col(DeskSettingsVersion.id).desc())).all())


def words_of_reasons(db: DatabaseSession) -> dict[str, str]:
    """The words of every code that was ever in force, the newest words of each."""
    return once(db, "words of reasons", lambda: _words_of_reasons(db))


def _words_of_reasons(db: DatabaseSession) -> dict[str, str]:
    words = {one.code: one.words for one in (*DeskSettings().reject_reasons, *DeskSettings().dismiss_reasons)}
    for row in db.exec(select(DeskSettingsVersion).order_by(col(DeskSettingsVersion.id))).all():
        chosen = as_saved(row)
        words |= {one.code: one.words for one in (*chosen.reject_reasons, *chosen.dismiss_reasons)}
    return words


def why(words: Mapping[str, str], decision: Decision) -> str:
    """The reason of a decision as people read it, ``too vague: it names no step``; ``words`` are those of its codes."""
    code = decision.reason or ""
    return ": ".join(part for part in (words.get(code, code), decision.text) if part)


def save_desk_settings(
    database: Database,
    chosen: Mapping[str, Any],
    *,
    by: str,
    reason: str,
    seen: int | None = None,
    at: datetime | None = None,
) -> DeskSettings:
    """Save what is chosen, all of it, as a new version. ``seen`` is the version that was on the screen, 0 for none.

    Raises ``BadInput`` without a reason and for a value that is none, ``Refused`` for a person without the duty
    developer and where somebody saved another version since.
    """
    moment = at or now()
    with refusals_kept(database, None, "save the desk's settings", by, moment), database.writing() as db:
        if says_nothing(reason):
            raise BadInput("A change of the desk's settings needs a reason. Nothing was saved.")
        if Duty.DEVELOPER not in duties_of(db, by).duties:
            who = mask(by).text
            raise Refused("role", f"Only a person with the duty developer may change the desk's settings, not {who}.")
        newest = _newest(db)
        if seen is not None and newest is not None and newest.id != seen:
            when = time_in_words(newest.at)
            raise Refused("settings_moved_on", f"{newest.by} saved other settings on {when} ({newest.reason}).")
        settings = _checked(chosen)
        row = DeskSettingsVersion(
            chosen=settings.model_dump(mode="json"), by=by, reason=mask(reason.strip()).text, at=moment
        )
        log(db, row)
        return settings


def _newest(db: DatabaseSession) -> DeskSettingsVersion | None:
    return db.exec(select(DeskSettingsVersion).order_by(col(DeskSettingsVersion.id).desc()).limit(1)).first()


def _checked(chosen: Mapping[str, Any]) -> DeskSettings:
    try:
        return DeskSettings.model_validate(dict(chosen))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = [str(part) for part in first["loc"]]
        what = place[0].replace("_", " ") if place else "settings"
        given = f" as “{first['input']}”" if isinstance(first["input"], str | int | float | Decimal) else ""
        why = _LIMITS.get(place[-1] if place else "", first["msg"].removeprefix("Value error, "))
        raise BadInput(f"The {what} cannot be saved{given}: {why}. Nothing was saved.") from error


_LIMITS = {
    "code": "a code is 2 to 40 small letters, digits and underscores, and begins with a letter",
    "words": "the words of a reason are 2 to 40 characters",
    "decide_after": "it is a number of seconds from 0 to 10",
    "lease_minutes": "it is a whole number of minutes from 1 to 120",
    "digest_hour": "it is an hour from 0 to 23, in UTC",
    "lease_silence": "it is a whole number of seconds from 15 to 3,600",
    "four_eyes": "it is on or off",
    "blind_share": "it is a share from 0.00 to 1.00",
    "quick_seconds": "it is a number of seconds from 0 to 600",
    "bulk_limit": "it is a whole number of items from 1 to 1,000",
}
