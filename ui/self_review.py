"""One self-review as a tree: what the agent was given, each draft beside what was found in it, and a person's answer.

Every word of user, tool and agent stands verbatim, very long texts cut away until asked for.
"""

from core.screening.invisible import shown
from core.service.self_review.lists import DraftShown, ResultShown, ReviewRow, ReviewView
from core.service.self_review.views import BY_CHECKS, Problem
from core.vocabulary import ReviewState
from ui.badges import badge, word_diff
from ui.lit_text import text_nodes
from ui.times import moment
from ui.tree import Node, joined, node
from ui.turns import CALL, OUTPUT, SPEECH

STATES = {
    ReviewState.OPEN: "the agent is at it",
    ReviewState.PASSED: "passed",
    ReviewState.ESCALATED: "waits for an answer",
    ReviewState.ANSWERED: "answered",
}

_LONGEST_COMPARED = 20_000
"""Characters of two drafts that are compared word by word; more takes too long for a page."""


def review_tree(view: ReviewView) -> Node:
    """The whole of it, oldest first."""
    asked_for = [view.row.task, *(words for words in view.said if words != view.row.task)]
    rounds = [_round(view, at) for at in range(len(view.drafts))]
    return node(
        "article",
        "rounds",
        node(
            "section", "", node("h2", "", "What the user asked for"), *(_speech(words, "asked") for words in asked_for)
        ),
        _results(view.results),
        *rounds,
        aria_label=f"Self-review {view.row.id}",
    )


def answer_tree(row: ReviewRow) -> Node | None:
    """What a person answered; None where nobody has."""
    if row.answer is None:
        return None
    who = f"{row.answer.by} · {moment(row.answer.at)}"
    body = node("div", "lesson", *text_nodes(shown(row.answer.text), SPEECH), dir="auto")
    return node("section", "rounds", node("h2", "", f"Answer · {who}"), body)


def draft_name(number: int) -> str:
    """What a draft is called: the first one, or its number as a revision."""
    return f"Revision {number}" if number else "First draft"


def _speech(words: str, look: str) -> Node:
    return node("div", f"speech {look}", *text_nodes(words, SPEECH), dir="auto")


def _results(results: tuple[ResultShown, ...]) -> Node:
    count = f"What tools answered · {len(results)}" if results else "No tool result came along"
    return node("section", "", node("h2", "", count), *(_result(one) for one in results))


def _result(one: ResultShown) -> Node:
    came = f"came with {draft_name(one.number).lower()}" if one.number else None
    call = one.call or "a tool"
    summary = node(
        "summary",
        "",
        node(
            "span",
            "callname",
            node("code", "", call if len(call) <= CALL else call[:CALL] + "…", dir="auto"),
            node("b", "failed", " → reported an error") if one.failed else None,
            node("span", "aside", came) if came else None,
        ),
    )
    return node("details", "fold", summary, node("pre", "", *text_nodes(one.content, OUTPUT), dir="auto"))


def _round(view: ReviewView, at: int) -> Node:
    draft = view.drafts[at]
    head = node("h2", "", f"{draft_name(draft.number)} · {moment(draft.at)}")
    before = view.drafts[at - 1] if at else None
    said = node("div", "", _draft(draft), _changes(before, draft) if before else None)
    return node("section", "", head, node("div", "round", said, _found(draft)))


def _draft(draft: DraftShown) -> Node:
    """The draft, with the words lit that a check has found fault with, each under the number of its problem."""
    places = sorted(
        (start, start + len(problem.words), str(number))
        for number, problem in enumerate(draft.problems, 1)
        if problem.words and (start := draft.draft.find(problem.words)) >= 0
    )
    nodes: list[Node] = []
    at = 0
    for start, end, number in places:
        if start < at:
            continue
        nodes += text_nodes(draft.draft[at:start], SPEECH)
        nodes.append(node("mark", "ev exact now", draft.draft[start:end], title=f"Problem {number}"))
        at = end
    return node("div", "speech draft", *nodes, *text_nodes(draft.draft[at:], SPEECH), dir="auto")


def _changes(before: DraftShown, draft: DraftShown) -> Node | None:
    if len(before.draft) + len(draft.draft) > _LONGEST_COMPARED:
        return None
    summary = node("summary", "", f"What changed since {_since(before)}")
    return node("details", "fold", summary, node("div", "speech", *word_diff(before.draft, draft.draft), dir="auto"))


def _since(before: DraftShown) -> str:
    return f"revision {before.number}" if before.number else "the first draft"


def _found(draft: DraftShown) -> Node:
    by = " and ".join(draft.reviewed_by) or "nobody yet"
    head = node("p", "verdict", node("b", "", "Good" if draft.ok else "Not good"), node("span", "meta", f" {by}"))
    problems = [_problem(number, one) for number, one in enumerate(draft.problems, 1)]
    fix = node("p", "improve", node("b", "", "Fix: "), shown(draft.fix)) if draft.fix else None
    unread = node("p", "doubt", f"Not read by the model. {_reason(draft.unreviewed)}") if draft.unreviewed else None
    return node("div", "remarks", head, node("ol", "problems", *problems) if problems else None, fix, unread)


def _problem(number: int, problem: Problem) -> Node:
    by = joined(("check", problem.check.replace("_", " "))) if problem.found_by == BY_CHECKS else "model"
    ring = node("span", "ring" if problem.words else "ring plain", str(number))
    return node("li", "", ring, node("div", "", shown(problem.text), " ", badge(by)))


def _reason(unreviewed: str | None) -> str:
    """The words of a stored reason, without the code before them."""
    code, _, words = (unreviewed or "").partition(": ")
    return words or code.replace("_", " ").capitalize()
