"""What an audit of the log answers."""

from dataclasses import dataclass

CHANGED = "its row was changed"
RELINKED = "its row was changed and linked again, and nothing in it was masked"
REMOVED = "its row was removed"
CANNOT_BE_READ = "it cannot be read any more, so it was changed"


@dataclass(frozen=True)
class Break:
    """Something that does not fit: where, what it is about, and why, each in words.

    ``seq`` is the number of the link, None where no link is named. ``table`` and ``row_id`` name the row.
    """

    seq: int | None
    table: str
    row_id: int | None
    about: str
    why: str

    @property
    def text(self) -> str:
        """One line for people."""
        where = f"link {self.seq}, " if self.seq is not None and self.table != "log_entry" else ""
        return f"{where}{self.about}: {self.why}"


@dataclass(frozen=True)
class Masked:
    """A row, or an item's words, that secrets were taken out of after it was logged; ``seq`` is the link that says so.

    ``seq`` is None for an item's words.
    """

    seq: int | None
    about: str


@dataclass(frozen=True)
class Verified:
    """What an audit found: how many links, the head's hash, what is broken, and what was masked.

    ``unguarded`` names tables whose triggers are missing or were changed, so that the database itself no longer
    refuses a change.
    """

    rows: int
    head: str
    breaks: tuple[Break, ...] = ()
    masked: tuple[Masked, ...] = ()
    unguarded: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing is broken."""
        return not self.breaks

    @property
    def first(self) -> Break | None:
        """What is broken first."""
        return self.breaks[0] if self.breaks else None

    @property
    def text(self) -> str:
        """One line for people."""
        count = f"{self.rows:,} {'row' if self.rows == 1 else 'rows'}"
        return f"log whole, {count}" if self.first is None else f"log broken: {self.first.text}"
