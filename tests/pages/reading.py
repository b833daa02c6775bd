"""Reads what a page drew through the drawing component."""

import json
from typing import Any, cast

from streamlit.testing.v1 import AppTest

from ui.tree import Node, text_of


def drawn(page: AppTest, key: str) -> Node:
    """The tree that was drawn under a key."""
    trees = _trees(page)
    assert key in trees, sorted(trees)
    return trees[key]


def aim(page: AppTest, key: str) -> dict[str, Any]:
    """What is in the light of the drawing under a key."""
    found = next(one for one in page.get("bidi_component") if one.key == f"aim-{key}")
    return cast(dict[str, Any], json.loads(found.proto.json))


def _trees(page: AppTest) -> dict[str, Node]:
    return {
        str(one.key): json.loads(one.proto.bytes[40:])["tree"] for one in page.get("bidi_component") if one.proto.bytes
    }


def words(page: AppTest, key: str) -> str:
    """The words that were drawn under a key."""
    return text_of(drawn(page, key))


def all_words(page: AppTest) -> str:
    """Every word that was drawn."""
    return "\n".join(map(text_of, _trees(page).values()))


def button(page: AppTest, start: str) -> Any:
    """The one button whose key starts so."""
    found = [one for one in page.button if str(one.key).startswith(start)]
    assert len(found) == 1, [one.key for one in page.button]
    return found[0]
