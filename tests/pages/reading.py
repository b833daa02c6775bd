"""Reads what a page drew through the drawing component."""

import json
from typing import Any, cast

from streamlit.testing.v1 import AppTest

from ui.tree import Node, text_of


def drawn(page: AppTest, key: str) -> Node:
    """The tree that was drawn under a key."""
    trees = {str(element.key): json.loads(element.proto.json)["tree"] for element in page.get("bidi_component")}
    assert key in trees, sorted(trees)
    return cast(Node, trees[key])


def words(page: AppTest, key: str) -> str:
    """The words that were drawn under a key."""
    return text_of(drawn(page, key))


def all_words(page: AppTest) -> str:
    """Every word that was drawn."""
    parts = (json.loads(element.proto.json)["tree"] for element in page.get("bidi_component"))
    return "\n".join(map(text_of, parts))


def button(page: AppTest, start: str) -> Any:
    """The one button whose key starts so."""
    found = [one for one in page.button if str(one.key).startswith(start)]
    assert len(found) == 1, [one.key for one in page.button]
    return found[0]
