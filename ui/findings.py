"""What the screens remarked about a text, beside the sentence that it is compared with."""

from collections.abc import Sequence

from core.screening.contract import Beside, Follows, Screen, ScreenFinding
from ui.badges import badge, word_diff
from ui.tree import Node, node

NAMES = {
    Screen.SECRET: "secret",
    Screen.INVISIBLE: "hidden characters",
    Screen.VAGUE: "not judged",
    Screen.TWIN: "near twin",
    Screen.CONFLICT: "conflict",
    Screen.PLANT: "untrusted source",
    Screen.CRITIC: "in the critic's reply",
}


def finding_badges(findings: Sequence[ScreenFinding]) -> list[Node]:
    """One badge for each kind of finding, the gravest first."""
    worst = sorted(findings, key=lambda finding: finding.follows.rank)
    return [badge(name, "warn") for name in dict.fromkeys(map(_name, worst))]


def findings_tree(findings: Sequence[ScreenFinding], text: str) -> list[Node]:
    """A box for each finding on ``text``: what was found, both sentences where there are two, what is possible now."""
    return [_box(finding, text) for finding in sorted(findings, key=lambda finding: finding.follows.rank)]


def _name(finding: ScreenFinding) -> str:
    if finding.code.startswith("against_policy"):
        return "against policy"
    return "widens permission" if finding.code.startswith("widens_permission") else NAMES[finding.kind]


def _box(finding: ScreenFinding, text: str) -> Node:
    held = " · held until a person has looked" if finding.follows is Follows.HOLD else ""
    return node(
        "div",
        "finding conflict" if finding.kind is Screen.CONFLICT else "finding",
        node("b", "", f"{_name(finding).capitalize()}{held}"),
        node("p", "", finding.text),
        *(_both(finding, finding.beside, text) if finding.beside else ()),
        node("p", "", finding.possible),
    )


def _both(finding: ScreenFinding, beside: Beside, text: str) -> list[Node]:
    """The other sentence: as a word diff for a twin, whole for a conflict."""
    if finding.kind is Screen.TWIN:
        return [node("p", "", f"{beside.reference}: ", *word_diff(beside.sentence, text))]
    here = node("p", "side", node("b", "", "This: "), text)
    return [here, node("p", "side", node("b", "", f"{beside.reference}: "), beside.sentence)]
