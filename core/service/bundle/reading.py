"""Reads a bundle's file back: its data, and what its page shows of it."""

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from core.errors import BadInput
from core.service.bundle.contract import FORM

VOID = frozenset({"meta", "hr", "br"})
SILENT = frozenset({"script", "style", "title"})
_TAGS = """
html head meta title style script body header main section article div
h1 h2 h3 p ol li br span b q a mark code table thead tbody tr th td
"""
TAGS = frozenset(_TAGS.split())
"""Every element that a page is made of."""
ATTRIBUTES = frozenset(["class", "id", "dir", "href", "scope", "role", "data-said", "data-lit"])
ALSO = {
    "html": frozenset({"lang"}),
    "meta": frozenset({"charset", "http-equiv", "content", "name"}),
    "script": frozenset({"type"}),
}
"""The attributes that an element may have, and those that only these may have."""


class Unfit(Exception):
    """Something does not fit; the text says what."""


@dataclass
class Page:
    """What stands in the file. ``said`` and ``lit`` are texts of the page by what they show; ``beside`` is text that
    stands outside its main part and its head; ``strange`` names elements and attributes that no bundle has.
    """

    data: list[str] = field(default_factory=list)
    main: list[str] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    lit: dict[str, str] = field(default_factory=dict)
    head: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    comments: int = 0


class _Reader(HTMLParser):
    """Collects the texts of a page as a browser would, whatever was done to it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._open: list[tuple[str, dict[str, str | None], list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._open and self._open[-1][0] in ("head", "body"):
            (self.page.head if self._open[-1][0] == "head" else self.page.parts).append(tag)
        self.page.strange += _strange(tag, attrs)
        if tag not in VOID:
            self._open.append((tag, dict(attrs), []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if not any(tag == one for one, _, _ in self._open):
            return
        while self._open:
            name, attributes, texts = self._open.pop()
            self._closed(name, attributes, "".join(texts))
            if name == tag:
                return

    def handle_comment(self, data: str) -> None:
        self.page.comments += 1

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _, _ in self._open]
        for _, _, texts in self._open:
            texts.append(data)
        if "main" in tags:
            self.page.main.append(data)
        elif data.strip() and "header" not in tags and not SILENT & set(tags):
            self.page.beside.append(data.strip())

    def _closed(self, tag: str, attributes: dict[str, str | None], text: str) -> None:
        if tag == "script" and attributes.get("id") == "bundle":
            self.page.data.append(text)
        if (path := attributes.get("data-said")) is not None:
            self.page.said.append((path, text))
        for name in (attributes.get("data-lit") or "").split():
            self.page.lit[name] = self.page.lit.get(name, "") + text


def read_page(text: str) -> tuple[Page, dict[str, Any]]:
    """What a file shows, and its data.

    Raises ``BadInput`` for a file that is no bundle, and ``Unfit`` for one that holds its data more than once.
    """
    reader = _Reader()
    try:
        reader.feed(text)
        reader.close()
        if len(reader.page.data) > 1:
            raise Unfit(f"{len(reader.page.data)} sets of data stand in the file, and a bundle holds one")
        data = json.loads("".join(reader.page.data))
    except (ValueError, AssertionError, RecursionError) as error:
        raise BadInput("The file holds no data of an evidence bundle, or none that can be read any more.") from error
    if not isinstance(data, dict) or data.get("form") != FORM:
        raise BadInput(f"The file is no “{FORM}”.")
    return reader.page, data


def _strange(tag: str, attrs: list[tuple[str, str | None]]) -> list[str]:
    if tag not in TAGS:
        return [tag]
    known = ATTRIBUTES | ALSO.get(tag, frozenset())
    return [name for name, value in attrs if name not in known or (name == "href" and not str(value).startswith("#"))]
