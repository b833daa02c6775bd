"""What a press does that is no decision about an item: it is done or refused, and the desk says which."""

from collections.abc import Callable

from core.errors import TutelageError
from ui import deciding
from ui.signing_in import still_here


def told(act: Callable[[], object], done: str) -> bool:
    """Do it if this window's person is still here, and say what came of it; whether it was done."""
    try:
        still_here()
        act()
    except TutelageError as error:
        deciding.say(str(error), refused=True)
        return False
    deciding.say(done)
    return True
