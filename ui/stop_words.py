"""The words that do not count when lessons are looked for a task, on the Agents page; they are edited in their file."""

from core.governance.stop_words import stop_words_now
from ui.drawing import draw
from ui.tree import node


def show_stop_words(agent: str) -> None:
    """The words of the agent's domain, the general ones, where they stand, and what is wrong with the file."""
    known = stop_words_now()
    own = known.own.get(agent, ())
    general = " ".join(sorted(known.general))
    tree = node(
        "section",
        "plainlist",
        node("h3", "", "Words that do not count when lessons are looked for"),
        node("p", "answer no", known.problem, role="alert") if known.problem else None,
        node("p", "", " ".join(own) if own else "None of its own domain: every word of a task tells tasks apart."),
        node(
            "details", "fold", node("summary", "", f"{len(known.general)} words of every agent"), node("p", "", general)
        ),
        node("p", "meta", f"Read from {known.path}, again as soon as it changes."),
    )
    draw(tree, key="stop-words")
