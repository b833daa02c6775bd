"""A critical note as a case: its first note or its recurrences beside it, and its way in time above its history."""

from collections.abc import Sequence

from core.screening.invisible import shown
from core.service.case_views import CaseNote, CaseStep, CaseView
from ui.times import moment
from ui.tree import Node, joined, node


def case_tree(case: CaseView) -> list[Node]:
    """Both ways: what was resolved then, by whom, when and in which words; and each recurrence of the breach."""
    parts: list[Node] = []
    if case.first is not None:
        said: list[Node] = [node("p", "", node("b", "", "Again. "), "First case ", *_other(case.first))]
        if case.then is not None:
            then = case.then
            words = node("span", "kept", f"“{shown(then.words)}”")
            when = "Then" if then.stood else "Before that, and opened again since,"
            said.append(node("p", "", f"{when} {then.status} by {then.by} on {moment(then.at)}: ", words))
        parts.append(node("div", "finding quiet case", *said))
    if case.recurrences:
        count = len(case.recurrences)
        title = "The breach returned once" if count == 1 else f"The breach returned {count} times"
        rows = (node("li", "", *_other(one)) for one in case.recurrences)
        parts.append(node("div", "finding quiet case", node("b", "", title), node("ul", "plainlist", *rows)))
    return parts


def case_cell(words: str) -> Node:
    """What the list says of a case; the name of the other note stays in one piece."""
    said, _, last = words.rpartition(" ")
    return node("span", "", f"{said} ", node("span", "whole", last)) if said else "–"


def timeline_tree(case: CaseView) -> Node:
    """The steps of a case in one row: when and what; by whom and in which words stands below each."""
    steps = node("ol", "timeline", *(_step(one) for one in case.steps))
    return node("div", "", node("p", "casesum", case.summary), steps)


def _step(step: CaseStep) -> Node:
    what: list[Node] = [node("b", "", step.what)]
    if step.note:
        what += [": ", _go(step.note)]
    under = joined((step.who, shown(step.words)))
    return node(
        "li",
        "",
        node("span", "meta", moment(step.at)),
        node("span", "", *what),
        node("span", "meta words", under) if under else None,
    )


def _other(note: CaseNote) -> Sequence[Node]:
    about = joined((note.session_ref, note.user, moment(note.seen_at), note.status))
    return (_go(note.ref), node("span", "", f" · {about}"))


def _go(ref: str) -> Node:
    return node("button", "link", ref, data_press=f"item:{ref}", type="button")
