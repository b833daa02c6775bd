"""A question on the Beliefs page: the words that decided stand in bold, wherever they stand in it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui
from core.memory.routing import route
from core.service.recall import Recalled
from ui.belief_questions import answer_tree
from ui.beliefs_desk import LIST
from ui.tree import Node, text_of
from ui.wording import NOBODY


def bold(tree: Node) -> list[str]:
    """The texts in bold."""
    if isinstance(tree, str):
        return []
    return [text_of(tree)] if tree[0] == "b" else [text for child in tree[2:] for text in bold(child)]


@pytest.mark.parametrize(
    ("asked", "decided"),
    [
        ("Yesterday, when did she ask exactly what?", ["Yesterday", "when did"]),
        ("What does she usually want?", ["What does she usually want"]),
        ("In general, does she prefer letters, and often?", ["In general", "prefer", "often"]),
        ("Exactlyness aside, exactly  when   was it?", ["when   was"]),
        ("Tell me of the letters.", []),
    ],
)
def test_every_word_that_decided_is_in_bold_once_in_the_order_of_the_question(asked: str, decided: list[str]) -> None:
    routed = route(asked)
    found = Recalled(routed.layer, routed.why, routed.words)
    question = answer_tree(asked, found)[2]
    assert bold(question) == decided
    assert text_of(question) == asked


def test_a_press_on_an_answer_leads_to_its_tree_in_the_list() -> None:
    def press() -> None:
        from ui.belief_questions import _pressed

        _pressed("belief:B-0001")

    page = AppTest.from_function(press).run()
    assert not page.exception
    assert (page.session_state["beliefs_part"], page.session_state["chosen-belief"]) == (LIST, "B-0001")


def test_nobody_is_named_in_one_place() -> None:
    files = Path(str(ui.__file__)).parent.glob("*.py")
    assert [one.name for one in files if f'"{NOBODY}"' in one.read_text("utf-8")] == ["wording.py"]
