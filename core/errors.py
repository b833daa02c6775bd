"""Every error that Tutelage raises on purpose.

    TutelageError
    ├── BadInput                 what came in cannot be used; nothing was stored
    │   ├── UnknownFormat        no reader knows this file
    │   ├── FileRefused          name, type or size is not accepted
    │   └── BadRecord            one record of a file is broken; the others go on
    ├── NotFound                 nothing stands under this reference
    ├── StoreBusy                the database could not be read or written just now
    ├── ModelError               no reply could be had of the critic's model; the code says why
    │   ├── ModelNotConfigured   no model, no key or no usable address is named
    │   ├── KeyRefused           the server does not accept the key
    │   ├── ModelNotFound        the server knows no such model, or no chat completions at this address
    │   ├── QuotaSpent           the account has no credit left; waiting does not help
    │   ├── ModelBusy            too many requests, or the server failed, also after waiting
    │   ├── ModelUnreachable     nobody answers at the address, or not in time
    │   ├── RequestNotAccepted   the server refused this request
    │   └── ReplyNotUnderstood   what came back is no chat completion
    └── Refused                  a rule says no; the reason is a code that pages and logs share
        ├── AlreadyDecided       somebody else was first
        └── Tombstone            the same was rejected before

Constructors take facts. The text says what happened, with which value, and what is possible now.
"""

from collections.abc import Sequence
from typing import Any


class TutelageError(Exception):
    """The root of the tree; its text can be shown to a person as it is.

    It can be pickled, as the engine of jobs does: text and facts are kept, and no constructor is called again.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args, dict(vars(self)))


def _rebuilt(kind: type[TutelageError], args: tuple[object, ...], facts: dict[str, Any]) -> TutelageError:
    """An error as it was, by its text and its facts."""
    error = kind.__new__(kind, *args)
    vars(error).update(facts)
    return error


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


class ModelError(TutelageError):
    """No reply could be had of the critic's model. Texts name the address without what is secret in it.

    ``code`` is stable and machine-readable; ``attempts`` is how many requests were sent, and ``tried`` is each of them
    (``core.critic.answer.Attempt``): a reply that came before the failure was paid for.
    """

    code = "model_error"
    tried: Sequence[Any] = ()

    def __init__(self, text: str, attempts: int = 0) -> None:
        self.attempts = attempts
        super().__init__(text)


class ModelNotConfigured(ModelError):
    """No model, no key or no usable address is named."""

    code = "model_not_configured"

    def __init__(self, what: str, possible: str) -> None:
        super().__init__(f"The critic cannot be asked: {what}. {possible}")


class KeyRefused(ModelError):
    """The server does not accept the key."""

    code = "key_refused"

    def __init__(self, server: str, said: str, attempts: int) -> None:
        text = f"{server} does not accept the key: {said}. OPENAI_API_KEY can be set to a key of this server."
        super().__init__(text, attempts)


class ModelNotFound(ModelError):
    """The server knows no such model, or no chat completions at this address."""

    code = "model_not_found"

    def __init__(self, server: str, model: str, said: str, attempts: int) -> None:
        possible = "The model's name and the address can be changed; most addresses end in /v1."
        super().__init__(f"{server} knows no model “{model}” at this address: {said}. {possible}", attempts)


class QuotaSpent(ModelError):
    """The account has no credit left; waiting does not help."""

    code = "quota_spent"

    def __init__(self, server: str, said: str, attempts: int) -> None:
        text = f"The account at {server} has no credit left: {said}. Credit can be added there, or another key set."
        super().__init__(text, attempts)


class ModelBusy(ModelError):
    """Too many requests, or the server failed, also after waiting. ``retry_in`` is in seconds, None where untold."""

    code = "model_busy"

    def __init__(self, server: str, said: str, attempts: int, retry_in: float | None) -> None:
        self.retry_in = retry_in
        when = "later" if retry_in is None else f"in {retry_in:,.0f} seconds, as it asks"
        super().__init__(f"{server} did not answer: {said}. It can be asked again {when}.", attempts)


class ModelUnreachable(ModelError):
    """Nobody answers at the address, or not in time."""

    code = "model_unreachable"

    def __init__(self, server: str, why: str, attempts: int) -> None:
        possible = "The address, the network and the time limit can be checked; then it can be asked again."
        super().__init__(f"{server} could not be reached: {why}. {possible}", attempts)


class RequestNotAccepted(ModelError):
    """The server refused this request; ``code`` is the server's own where it gives one."""

    def __init__(self, server: str, code: str, said: str, possible: str, attempts: int) -> None:
        self.code = code
        super().__init__(f"{server} did not accept the request ({code}): {said}. {possible}", attempts)


class ReplyNotUnderstood(ModelError):
    """What came back is no chat completion."""

    code = "reply_not_understood"

    def __init__(self, server: str, why: str, attempts: int) -> None:
        possible = "The address can be checked; most end in /v1."
        super().__init__(f"What {server} answered is no chat completion: {why}. {possible}", attempts)


class Refused(TutelageError):
    """A rule says no. ``code`` is stable and machine-readable, the text is for people."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


class AlreadyDecided(Refused):
    """Somebody was first: the item is no longer as it was on the screen."""

    def __init__(self, reference: str, by: str, when: str, what: str, changed: str = "") -> None:
        self.by, self.when, self.what, self.changed = by, when, what, changed
        then = f"; {changed}" if changed else ""
        super().__init__("already_decided", f"{reference} was {what} by {by} on {when}{then}. Nothing was changed.")


class Tombstone(Refused):
    """A text, or its twin, was rejected before. ``item_id`` is the version that was."""

    def __init__(self, item_id: int, reference: str, why: str, text: str) -> None:
        self.item_id, self.reference, self.text = item_id, reference, text
        super().__init__(
            "tombstone", f"{reference} says the same and {why}. Nothing was stored; an appeal is possible."
        )
