"""What one version of a policy changes against another, field by field."""

from core.checks.contract import Policy
from core.screening.invisible import shown
from ui.badges import word_diff
from ui.tree import Node, node

FIELDS = ("title", "owner", "severity", "text", "words", "improvement", "trigger", "tags")


def changes_tree(old: Policy, new: Policy) -> list[Node]:
    """What one version changes against another, field by field, as word diffs."""
    rows: list[Node] = [node("b", "", f"v{new.version} against v{old.version}")]
    for field in FIELDS:
        before, after = _said(old, field), _said(new, field)
        if before != after:
            name = node("span", "meta", f"{field.capitalize()}: ")
            rows.append(node("p", "", name, *word_diff(before, after)))
    same = node("p", "meta", "It says the same.") if len(rows) == 1 else None
    return [node("section", "versions", *rows, same)]


def _said(policy: Policy, field: str) -> str:
    value = getattr(policy, field)
    return shown(", ".join(value) if isinstance(value, tuple) else str(value))
