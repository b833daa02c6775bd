"""What stands beside an item: twins and contraries in force as of now, what was merged into it, what it went into."""

from collections.abc import Sequence

from core.screening.invisible import shown
from core.service.views import Card, Kin, Neighbour
from ui.badges import word_diff
from ui.times import moment
from ui.tree import Node, joined, node


def beside_tree(card: Card) -> list[Node]:
    """A box for each item in force that contradicts this one, then for each that says nearly the same."""
    ordered = sorted(card.beside, key=lambda one: not one.contrary)
    return [_box(one, shown(card.text), can_merge=one in card.can_be_merged_into) for one in ordered]


def kin_tree(card: Card) -> list[Node]:
    """What was merged into this version, or where it went, each a link."""
    found = [("Merges ", card.parents), ("Merged into ", card.merged_into)]
    return [node("p", "kin", head, *_links(kin)) for head, kin in found if kin]


def _box(one: Neighbour, text: str, *, can_merge: bool) -> Node:
    head = "Conflict" if one.contrary else "Near twin"
    other = shown(one.text)
    here = node("p", "side", node("b", "", "This: "), text)
    there = node("p", "side", node("b", "", f"{one.ref}: "), other)
    both = [here, there] if one.contrary else [node("p", "", f"{one.ref}: ", *word_diff(other, text))]
    since = f"in force since {moment(one.since)}" if one.since else "in force"
    owner = f"owner {one.owner}" if one.owner else "nobody owns it"
    owned = node("p", "meta", joined((since, owner)), " · ", _open(one))
    return node(
        "div",
        "finding conflict" if one.contrary else "finding",
        node("b", "", f"{head} · in force"),
        node("p", "", one.finding.text if one.contrary else f"{one.ref} says nearly the same and is active."),
        *both,
        node("p", "", _possible(one, can_merge=can_merge)),
        owned,
    )


def _possible(one: Neighbour, *, can_merge: bool) -> str:
    if one.contrary:
        return f"Approving asks which gives way; {one.ref} can stay beside it with a reason."
    merge = ", or the two can be merged" if can_merge else ""
    return f"Approving keeps both; {one.ref} can give way{merge}."


def _open(one: Neighbour) -> Node:
    return node("button", "link", f"Open {one.ref}", data_press=f"version:{one.id}", type="button")


def _links(kin: Sequence[Kin]) -> list[Node]:
    parts: list[Node] = []
    for at, one in enumerate(kin):
        between = "" if at == 0 else " and " if at == len(kin) - 1 else ", "
        parts += [between] if between else []
        parts += [node("button", "link", one.ref, data_press=f"version:{one.id}", type="button"), f" ({one.status})"]
    return parts
