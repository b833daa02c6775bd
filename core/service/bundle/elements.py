"""Elements of the one HTML file that a bundle is: text nodes and attributes are escaped, and nothing else is ever text.

``said`` marks an element whose text is a value of the bundle's data; the file checks that it still is.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

VOID = frozenset({"meta", "hr", "br"})
NOT_A_SIGN = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Element:
    """An element with its attributes and what stands in it."""

    tag: str
    attributes: tuple[tuple[str, str], ...]
    children: tuple["Node", ...]


Node: TypeAlias = Element | str


def element(tag: str, class_: str = "", *children: Node | None, **attributes: str | None) -> Element:
    """An element; children and attributes that are None are left out, ``data_said`` becomes ``data-said``."""
    named = {"class": class_ or None, **attributes}
    kept = tuple((name.rstrip("_").replace("_", "-"), value) for name, value in named.items() if value is not None)
    return Element(tag, kept, tuple(child for child in children if child is not None))


def said(path: str, value: object, class_: str = "", *, tag: str = "span") -> Element:
    """A value of the data, shown as it is; ``path`` says where in the data it stands."""
    return element(tag, class_, str(value), data_said=path, dir="auto")


def shown(text: str) -> str:
    """A text as HTML can hold it: the sign NUL and halves of signs are shown by stand-ins."""
    return NOT_A_SIGN.sub("\ufffd", text.replace("\0", "\u2400"))


def text_of(node: Node) -> str:
    """All text of a node, as a browser gives it."""
    return "".join(_texts(node))


def rendered(node: Node) -> str:
    """A node as HTML. A carriage return is written as a reference, or the browser would make another sign of it."""
    if isinstance(node, str):
        return html.escape(shown(node), quote=False).replace("\r", "&#13;")
    named = "".join(f' {name}="{html.escape(shown(value))}"' for name, value in node.attributes)
    if node.tag in VOID:
        return f"<{node.tag}{named}>"
    return f"<{node.tag}{named}>{''.join(map(rendered, node.children))}</{node.tag}>"


def table(columns: tuple[str, ...], rows: list[tuple[Node, ...]], class_: str = "") -> Element:
    """A table with a head."""
    head = element("thead", "", element("tr", "", *(element("th", "", one, scope="col") for one in columns)))
    body = (element("tr", "", *(element("td", "", cell) for cell in row)) for row in rows)
    return element("table", class_, head, element("tbody", "", *body))


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield shown(node)
        return
    for child in node.children:
        yield from _texts(child)
