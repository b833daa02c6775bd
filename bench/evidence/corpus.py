"""Real transcripts and real quotes, from the folder that ``TUTELAGE_CORPUS`` names; nothing of them is kept here."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

_ROLES = {str(role): role for role in Role} | {
    "ai": Role.ASSISTANT,
    "human": Role.USER,
    "function": Role.TOOL,
    "agent": Role.ASSISTANT,
}


@dataclass(frozen=True)
class QuoteSet:
    """Quotes that a model wrote, with the transcript that they were taken from."""

    name: str
    transcript: Transcript
    quotes: tuple[str, ...]


def root() -> Path | None:
    """The corpus, or None where none is named."""
    named = os.environ.get("TUTELAGE_CORPUS")
    return Path(named) / "data" if named else None


def quote_sets(name: str) -> Iterator[QuoteSet]:
    """``quotes-spiral``: chats with a judge's quotes; ``quotes-sobotkova2024``: a paper with an extractor's quotes."""
    folder = root()
    if folder is None:
        return
    yield from {"quotes-spiral": _spiral, "quotes-sobotkova2024": _sobotkova}[name](folder / name)


def _spiral(folder: Path) -> Iterator[QuoteSet]:
    for line in (folder / "dev.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        transcript = Transcript(messages=tuple(Message(**message) for message in row["messages"]))
        yield QuoteSet(row["id"], transcript, tuple(quote["quote"] for quote in row["quotes"]))


def _sobotkova(folder: Path) -> Iterator[QuoteSet]:
    paper = Message(role=Role.ASSISTANT, content=(folder / "full_text.txt").read_text(encoding="utf-8"))
    transcript = Transcript(messages=(paper,))
    for path in sorted(folder.glob("extraction_*.json")):
        found = list(_values(json.loads(path.read_text(encoding="utf-8")), "verbatim_quote"))
        yield QuoteSet(path.stem, transcript, tuple(quote for quote in found if isinstance(quote, str) and quote))


def _values(node: Any, key: str) -> Iterator[Any]:
    if isinstance(node, dict):
        if key in node:
            yield node[key]
        for child in node.values():
            yield from _values(child, key)
    elif isinstance(node, list):
        for child in node:
            yield from _values(child, key)


def transcripts() -> Iterator[Transcript]:
    """Every list of messages in any JSON or JSONL file of the corpus that has at least two turns with text."""
    folder = root()
    if folder is None:
        return
    seen: set[str] = set()
    for path in sorted([*folder.rglob("*.json"), *folder.rglob("*.jsonl")]):
        for document in _documents(path):
            for messages in _conversations(document):
                transcript = Transcript(messages=messages)
                if transcript.sha256 not in seen:
                    seen.add(transcript.sha256)
                    yield transcript


def _documents(path: Path) -> Iterator[Any]:
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        yield json.loads(text)
    except ValueError:
        for line in text.splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue


def _conversations(node: Any) -> Iterator[tuple[Message, ...]]:
    if isinstance(node, list):
        messages = tuple(message for message in map(_message, node) if message is not None)
        if len(messages) >= 2 and 2 * len(messages) >= len(node):
            yield messages
            return
        for child in node:
            yield from _conversations(child)
    elif isinstance(node, dict):
        for child in node.values():
            yield from _conversations(child)


def _message(node: Any) -> Message | None:
    if not isinstance(node, dict):
        return None
    role = str(node.get("role") or node.get("speaker") or "").lower()
    content = node.get("content", node.get("text"))
    if not role or not isinstance(content, str) or not content.strip():
        return None
    known = _ROLES.get(role, Role.OTHER)
    return Message(role=known, content=content, name=role if known is Role.OTHER else None)
