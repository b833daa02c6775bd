"""The policies on a card: each with the sentence that may clash, and what changed since the item was looked at."""

import re
from collections.abc import Iterator

from core.screening.invisible import shown
from core.screening.policy_check import PolicyLook
from core.service.views import Card, PolicyChange
from ui.badges import badge, word_diff
from ui.tree import Node, node


def policy_badges(card: Card) -> list[Node]:
    """One badge for each policy that changed since the item was looked at."""
    return [badge(f"policy {one.policy} {_moved(one)}", "warn") for one in card.policy_changes]


def policy_changes_tree(card: Card) -> list[Node]:
    """What changed since the item was looked at, as a word diff: the reason to look again."""
    return [_change(one) for one in card.policy_changes]


def policy_tree(card: Card) -> list[Node]:
    """Each policy that speaks of what the text speaks of, what clashes first."""
    return _looks(card.policy_looks)


def _moved(change: PolicyChange) -> str:
    return f"v{change.before} → v{change.after}" if change.before is not None else f"v{change.after} is new"


def _change(change: PolicyChange) -> Node:
    words: list[Node]
    if change.before is None:
        head, words = "is new for this agent: nobody looked at this under it", [shown(change.text_after)]
    else:
        head = f"changed from v{change.before} to v{change.after} since this was looked at"
        before = change.text_before
        words = word_diff(shown(before), shown(change.text_after)) if before else [shown(change.text_after)]
    return node("div", "finding policychange", node("b", "", f"{change.title} {head}"), node("p", "side", *words))


def _looks(looks: tuple[PolicyLook, ...]) -> list[Node]:
    if not looks:
        return []
    speak = [one for one in looks if one.speaks_of_it]
    silent = len(looks) - len(speak)
    if not speak:
        which = "1 policy" if silent == 1 else f"{silent} policies"
        return [node("p", "meta", f"{which} looked at, none speaks of this")]
    rest = f"{silent} more {'speaks' if silent == 1 else 'speak'} of something else" if silent else ""
    foot = node("p", "meta", rest) if rest else None
    return [node("section", "policies", node("h2", "", "Policies"), *map(_look, speak), foot)]


def _look(look: PolicyLook) -> Node:
    clash = look.finding is not None
    name = node("b", "", f"{look.title} v{look.version}")
    how = "may clash" if clash else "speaks of this"
    why = node("span", "meta", f" {look.finding.text}") if look.finding is not None else None
    words = node("span", "quoted", "“", *_underlined(look.sentence, look.shared), "”")
    return node("p", "policy clash" if clash else "policy", name, node("span", "how", f" · {how}: "), words, why)


def _underlined(sentence: str, shared: tuple[str, ...]) -> Iterator[Node]:
    """The sentence, with the words underlined that the text has too."""
    known = "|".join(map(re.escape, shared))
    parts = re.split(rf"\b({known})\b", shown(sentence)) if known else [shown(sentence)]
    for at, part in enumerate(parts):
        yield node("span", "shared", part) if at % 2 else part
