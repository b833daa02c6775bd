"""Words that do not count when lessons are looked for: the general ones, and those of an agent's own domain.

They stand in a file that people edit. It is read again when it changes; a file that cannot be read leaves the words
that were in force, and says which line is wrong. Source: Using Feedback and Reflection in Agent Workflows, "A Simple
Lesson Memory": words that appear in nearly every task of a domain.
"""

import os
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

from core.errors import BadInput

FILE = Path(__file__).resolve().parents[2] / "data" / "stop_words.toml"
GENERAL_FILE = Path(__file__).resolve().parents[1] / "memory" / "stop_words.txt"
"""The general words that count where the file names none."""

GENERAL, AGENTS = "general", "agents"
STAYS = "The words that were in force stay."
_WORD = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True)
class StopWords:
    """The words in force, and where they stand. ``problem`` says what is wrong with the file, empty where nothing is.

    ``own`` are those of each agent's domain by its name, in the order of the file.
    """

    path: Path
    general: frozenset[str]
    own: dict[str, tuple[str, ...]] = field(default_factory=dict)
    problem: str = ""

    def of(self, agent: str) -> frozenset[str]:
        """All words that do not count for an agent."""
        return self.general | frozenset(self.own.get(agent, ()))


_LAST: dict[Path, tuple[object, StopWords]] = {}
_LOCK = Lock()


def stop_words(agent: str) -> frozenset[str]:
    """Words that do not count when a lesson is matched with a task of this agent."""
    return stop_words_now().of(agent)


def stop_words_file() -> Path:
    """The file of this desk: ``TUTELAGE_STOP_WORDS``, else ``data/stop_words.toml``."""
    return Path(os.environ.get("TUTELAGE_STOP_WORDS") or FILE)


def stop_words_now() -> StopWords:
    """The words in force; the file is read again when its time or size has changed."""
    path = stop_words_file()
    stamp = _stamp(path)
    with _LOCK:
        known = _LAST.get(path)
        if known is None or known[0] != stamp:
            before = known[1] if known else StopWords(path, _built_in())
            known = _LAST[path] = (stamp, _read(path, before))
        return known[1]


def _stamp(path: Path) -> object:
    try:
        seen = path.stat()
    except OSError as error:
        return error.errno
    return (seen.st_mtime_ns, seen.st_size)


def _read(path: Path, before: StopWords) -> StopWords:
    try:
        return _said(path, path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return StopWords(path, _built_in())
    except UnicodeDecodeError as error:
        return replace(before, problem=f"“{path.name}” is no text in UTF-8 (byte {error.start}). {STAYS}")
    except OSError as error:
        return replace(before, problem=f"“{path.name}” cannot be read ({error.strerror}). {STAYS}")
    except BadInput as error:
        return replace(before, problem=str(error))


def _said(path: Path, text: str) -> StopWords:
    """What a file says. Raises ``BadInput`` with the line for one that says something else."""
    try:
        said = tomllib.loads(text)
    except RecursionError as error:
        raise BadInput(f"“{path.name}” cannot be read: it is nested too deeply. {STAYS}") from error
    except tomllib.TOMLDecodeError as error:
        said_where = str(error).replace("end of document", f"line {len(text.splitlines())}, the last one")
        raise BadInput(f"“{path.name}” cannot be read: {said_where}. {STAYS}") from error
    for strange in said.keys() - {GENERAL, AGENTS}:
        raise _wrong(path, text, strange, f"“{strange}” is none of its parts; these are {GENERAL} and {AGENTS}")
    general = _words(path, text, GENERAL, said[GENERAL]) if GENERAL in said else sorted(_built_in())
    agents = said.get(AGENTS, {})
    if not isinstance(agents, dict):
        raise _wrong(path, text, AGENTS, f"“{AGENTS}” is no table of agents")
    own = {name: tuple(_words(path, text, name, words)) for name, words in agents.items()}
    return StopWords(path, frozenset(general), own)


def _words(path: Path, text: str, name: str, said: Any) -> list[str]:
    if not isinstance(said, list):
        raise _wrong(path, text, name, f"“{name}” is no list of words")
    for word in said:
        if not isinstance(word, str) or not _WORD.fullmatch(word):
            why = f"“{word}” under “{name}” is no word of three or more small letters from a to z"
            raise _wrong(path, text, str(word), why)
    return said


def _wrong(path: Path, text: str, near: str, why: str) -> BadInput:
    """The refusal with the number of the first line in which ``near`` stands by itself."""
    alone = re.compile(rf"(?<!\w){re.escape(near)}(?!\w)")
    lines = (number for number, line in enumerate(text.splitlines(), 1) if alone.search(line.partition("#")[0]))
    number = next(lines, None)
    where = f"line {number} of “{path.name}”" if number else f"“{path.name}”"
    return BadInput(f"In {where}: {why}. {STAYS}")


def _built_in() -> frozenset[str]:
    lines = GENERAL_FILE.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))
