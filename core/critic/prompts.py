"""The critic's prompts: one Markdown file for each writer, named by its hash.

Critic, before the door to the model. A prompt is the first message of every request of its writer and always the same,
so that providers can cache it; what changes from session to session stands behind it.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from core.vocabulary import Writer

FOLDER = Path(__file__).parent / "prompts"


@dataclass(frozen=True)
class Prompt:
    """The text that a writer's requests begin with; ``sha256`` is that of its bytes in UTF-8, 64 hexadecimal digits."""

    writer: Writer
    text: str = field(repr=False)
    sha256: str


@cache
def prompt(writer: Writer) -> Prompt:
    """The prompt of a writer, as its file was when it was first read in this process."""
    return prompt_in(FOLDER / f"{writer.value}.md", writer)


def prompt_in(file: Path, writer: Writer) -> Prompt:
    """A prompt from any file, for comparing one's own with another on the same sessions."""
    return prompt_of(file.read_text("utf-8"), writer)


def prompt_of(text: str, writer: Writer) -> Prompt:
    """A prompt from its words."""
    return Prompt(writer, text, hashlib.sha256(text.encode()).hexdigest())
