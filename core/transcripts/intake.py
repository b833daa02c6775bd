"""What is gathered while one record is read: the zone for its times, and remarks for people.

First station of the flow.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from core.transcripts.fields import kind_of, quoted

_MILLISECONDS_FROM = 1e11
"""Unix times from here on count milliseconds: as seconds they would lie after the year 5138."""


@dataclass
class Intake:
    """One record on its way in. ``place`` is its line or record, from 1."""

    place: int
    zone: tzinfo
    without_zone: int = 0
    _remarks: dict[str, None] = field(default_factory=dict)

    def remark(self, text: str) -> None:
        """Keep a remark; the same one is kept once."""
        self._remarks.setdefault(text)

    @property
    def remarks(self) -> tuple[str, ...]:
        """All remarks in order, with one about times without a zone where there were any."""
        if not self.without_zone:
            return tuple(self._remarks)
        times = "1 time has" if self.without_zone == 1 else f"{self.without_zone} times have"
        return (
            *self._remarks,
            f"{times} no zone and {'was' if self.without_zone == 1 else 'were'} taken as {self.zone}",
        )

    def time(self, value: object) -> datetime | None:
        """A time in UTC from ISO 8601 text or Unix seconds or milliseconds.

        A time without a zone is taken in the zone of the import, with a remark. What cannot be read as a time is left
        out, with a remark.
        """
        if value is None or value == "":
            return None
        try:
            return self._moment(value).astimezone(UTC)
        except (ValueError, OverflowError, OSError):
            shown = quoted(value) if isinstance(value, str) else kind_of(value)
            self.remark(f"{shown} could not be read as a time and was left out")
            return None

    def _moment(self, value: object) -> datetime:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, UTC)
        if not isinstance(value, str):
            raise ValueError("neither text nor a number")
        moment = datetime.fromisoformat(value.strip())
        if moment.tzinfo is not None:
            return moment
        moment = moment.replace(tzinfo=self.zone)
        moment.astimezone(UTC)
        self.without_zone += 1
        return moment
