"""Every error that Tutelage raises on purpose.

    TutelageError
    ├── BadInput                 what came in cannot be used; nothing was stored
    │   ├── UnknownFormat        no reader knows this file
    │   ├── FileRefused          name, type or size is not accepted
    │   └── BadRecord            one record of a file is broken; the others go on
    ├── NotFound                 nothing stands under this reference
    ├── StoreBusy                the database could not be read or written just now
    └── Refused                  a rule says no; the reason is a code that pages and logs share
        └── AlreadyDecided       somebody else was first

Constructors take facts. The text says what happened, with which value, and what is possible now.
"""

from collections.abc import Sequence


class TutelageError(Exception):
    """The root of the tree; its text can be shown to a person as it is."""


class BadInput(TutelageError):
    """What came in cannot be used; nothing was stored."""


class UnknownFormat(BadInput):
    """No reader knows this file."""

    def __init__(self, name: str, accepted: Sequence[str]) -> None:
        self.name, self.accepted = name, tuple(accepted)
        super().__init__(f"The format of “{name}” is unknown. Accepted: {', '.join(accepted)}. Nothing was stored.")


class FileRefused(BadInput):
    """The name, type or size of a file is not accepted."""

    def __init__(self, name: str, why: str) -> None:
        self.name, self.why = name, why
        super().__init__(f"“{name}” was refused: {why}. Nothing was stored.")


class BadRecord(BadInput):
    """One record of a file is broken.

    ``place`` counts from 1 and ``unit`` says what it counts: a line, or a record of a list.
    """

    def __init__(self, place: int, why: str, unit: str = "line") -> None:
        self.place, self.why, self.unit = place, why, unit
        super().__init__(f"{unit} {place}: {why}")


class NotFound(TutelageError):
    """Nothing stands under this reference."""

    def __init__(self, what: str, reference: object) -> None:
        self.what, self.reference = what, reference
        super().__init__(f"There is no {what} {reference}.")


class StoreBusy(TutelageError):
    """The database could not be read or written just now; nothing was changed."""

    def __init__(self, shown_url: str, why: str) -> None:
        self.why = why
        super().__init__(f"The database {shown_url} did not answer: {why}. Nothing was changed; it can be tried again.")


class Refused(TutelageError):
    """A rule says no. ``code`` is stable and machine-readable, the text is for people."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


class AlreadyDecided(Refused):
    """Somebody was first: the item is no longer as it was on the screen."""

    def __init__(self, reference: str, by: str, when: str, what: str) -> None:
        self.by, self.when, self.what = by, when, what
        super().__init__("already_decided", f"{reference} was {what} by {by} on {when}. Nothing was changed.")
