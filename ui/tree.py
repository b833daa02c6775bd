"""The tree that the drawing component turns into elements.

A node is a text, or ``[tag, attributes, child, …]``. Texts become text nodes and nothing else, so no word of a
transcript is ever read as HTML or Markdown. Attribute values are written by the desk, never by a transcript.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, TypeAlias

Node: TypeAlias = str | list[Any]


def node(tag: str, class_: str = "", *children: Node | None, **attributes: str | bool) -> Node:
    """An element. ``None`` children are left out; ``data_press`` becomes ``data-press``."""
    named = {_attribute(name): value for name, value in attributes.items() if value}
    if class_:
        named["class"] = class_
    return [tag, named, *(child for child in children if child is not None)]


@cache
def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def texts(tree: Node) -> Iterator[str]:
    """The texts of a tree in reading order."""
    if isinstance(tree, str):
        yield tree
        return
    for child in tree[2:]:
        yield from texts(child)


def text_of(tree: Node) -> str:
    """All texts of a tree, joined."""
    return "".join(texts(tree))


def elements(tree: Node, class_: str) -> Iterator[list[Any]]:
    """The elements that carry a class, in reading order."""
    if isinstance(tree, str):
        return
    if class_ in str(tree[1].get("class", "")).split():
        yield tree
    for child in tree[2:]:
        yield from elements(child, class_)


def joined(parts: Iterable[str | None], by: str = " · ") -> str:
    """The parts that say something, with a dot between them."""
    return by.join(part for part in parts if part)
