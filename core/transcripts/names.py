"""File names as people see them.

First station of the flow. A name that came with a file is shown and never used as a path; what this module returns
holds no separator, no control character and nothing that turns the direction of writing.
"""

import re
import unicodedata

LONGEST = 120
"""Characters of a name that are shown."""

_HARMFUL_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NO_NAME = "(no name)"


def shown_name(name: str) -> str:
    """The name with every harmful character as percent-escaped UTF-8, at most 120 characters.

    ``../x.json`` becomes ``..%2Fx.json``. The same name always gives the same text, and a percent sign is escaped
    too, so that two names never look alike unless they are longer than what is shown.
    """
    if not name:
        return _NO_NAME
    if not name.strip("."):
        return "%2E" * min(len(name), LONGEST // 3)
    escaped = "".join(_harmless(character) for character in name[: LONGEST + 1])
    return escaped if len(escaped) <= LONGEST else escaped[: LONGEST - 1] + "…"


def extension(name: str) -> str:
    """The ending of a name in lower case with its dot, empty where there is none."""
    last = re.split(r"[/\\]", name)[-1].rstrip()
    stem, dot, ending = last.rpartition(".")
    return f".{ending.lower()}" if dot and stem else ""


def _harmless(character: str) -> str:
    if character not in "/\\%" and unicodedata.category(character) not in _HARMFUL_CATEGORIES:
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
