"""A question to what is remembered: which layer answers, which words decided that, and what answers it."""

import re

import streamlit as st

from core.memory.routing import Layer
from core.screening.invisible import shown as shown_text
from core.service.recall import Recalled, RecalledBelief, RecalledEpisode, recall
from core.store.clock import day_in_words
from core.vocabulary import Status
from ui.belief_marks import OUT, STANDS, WAITS, mark
from ui.beliefs_desk import LIST
from ui.drawing import draw
from ui.frame import Desk, empty
from ui.places import choose, follow
from ui.tree import Node, joined, node

EXAMPLES = (
    "“When did she last ask about the oven?” asks about one event; “What does she usually want?” about a pattern."
)


def show(desk: Desk, agent: str | None, user: str | None) -> None:
    """The question, the layer that answers it, and the answers."""
    asked = st.text_input(
        "Question about this user",
        key="beliefs_question",
        bind="query-params",
        width=640,
        placeholder="What does this client usually want to know first?",
    )
    if not asked or agent is None:
        empty("Ask about one event, and episodes answer; about a pattern, and beliefs do.", EXAMPLES)
        return
    found = recall(desk.db, agent, user or None, asked, approved=False)
    draw(answer_tree(asked, found), key="belief-answers", place=asked, on_press=_pressed)


def _pressed(value: str) -> None:
    what, _, which = value.partition(":")
    if what == "belief":
        choose("belief", which)
        choose("quote", None)
        st.session_state["beliefs_part"] = LIST
    else:
        follow(value)


def answer_tree(asked: str, found: Recalled) -> Node:
    """The question with the words that decided, and what answers it, best first."""
    layer = "Episodes answer" if found.layer is Layer.EPISODES else "Beliefs answer, with their episodes"
    answers = [_belief(one) for one in found.beliefs] or [_episode(one, by=True) for one in found.episodes]
    return node(
        "section",
        "answers",
        node("p", "asked", *_decisive(shown_text(asked), found.words)),
        node("p", "meta", f"{layer}. {shown_text(found.why)}"),
        node("ol", "sources", *answers) if answers else node("p", "meta", "Nothing that is remembered answers it."),
        None if found.layer is Layer.BELIEFS else node("p", "meta", FACTORS),
    )


FACTORS = "The order is that of recency × importance × similarity, each to the power of its weight in the settings."


def _decisive(asked: str, words: tuple[str, ...]) -> list[Node]:
    """The question with the words that decided in bold, as far as they stand in it as they were read.

    They come in the order of the signs and may share words; in bold stands whatever one of them covers.
    """
    said: list[Node] = []
    at = 0
    for start, end in sorted(span for one in words if (span := _place(asked, one))):
        if end <= at:
            continue
        start = max(start, at)
        said += [asked[at:start], node("b", "", asked[start:end])]
        at = end
    return [one for one in (*said, asked[at:]) if one]


def _place(asked: str, words: str) -> tuple[int, int] | None:
    """Where these words first stand in the question, whole and in any case; start and end, half-open."""
    sign = r"\s+".join(map(re.escape, words.split()))
    found = re.search(rf"(?<!\w){sign}(?!\w)", asked, re.IGNORECASE)
    return found.span() if found else None


def _belief(one: RecalledBelief) -> Node:
    look = STANDS if one.standing == "active" else WAITS
    words = "in force" if one.standing == "active" else one.standing
    facts = joined((one.ref, one.why))
    ref = node("button", "link", "show its tree", data_press=f"belief:{one.ref}", type="button")
    behind = node("ol", "sources", *(_episode(each, by=False) for each in one.behind))
    head = node("div", "first", mark(look, words), node("span", "meta", facts))
    return node("li", "", head, node("p", "what", shown_text(one.text)), node("p", "meta", ref), behind)


def _episode(one: RecalledEpisode, *, by: bool) -> Node:
    waits = one.standing.partition(":")[0] in (Status.HELD, Status.PROPOSED)
    look = STANDS if one.standing == "stands" else WAITS if waits else OUT
    found = joined((f"recency {one.recency:.2f}", f"similarity {one.similarity:.2f}", f"score {one.score:.3f}"))
    facts = joined((one.ref, f"{day_in_words(one.true_from)} UTC", f"importance {one.importance}", found if by else ""))
    head = node("div", "first", mark(look, shown_text(one.standing)), node("span", "meta", facts))
    return node("li", "", head, node("p", "what", shown_text(one.text)))
