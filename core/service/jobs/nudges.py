"""A way for pages to say that something was queued, without importing the engine or knowing whether there is one."""

from threading import Event

_WAKING: set[Event] = set()


def nudge() -> None:
    """Let the workers of this process look for work now; without one, nothing happens."""
    for event in tuple(_WAKING):
        event.set()


def listen(event: Event) -> None:
    """Set this event at each nudge."""
    _WAKING.add(event)


def ignore(event: Event) -> None:
    """Listen no more."""
    _WAKING.discard(event)
