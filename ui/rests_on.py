"""What a belief was drawn from: the episodes that it cites, each with its day, its session and whether it stands."""

from core.screening.invisible import shown as shown_text
from core.service.views import Card, RestsOn
from core.store.clock import day_in_words
from ui.tree import Node, joined, node


def rests_on_tree(card: Card) -> list[Node]:
    """The question that a belief answers, and what it rests on, oldest first; nothing for an item of another kind."""
    if not card.rests_on:
        return []
    asked = [node("p", "meta", f"Answers: {shown_text(card.question)}")] if card.question else []
    standing = sum(one.why_not is None for one in card.rests_on)
    of = "" if standing == len(card.rests_on) else f"; {standing} of them stand"
    head = node("h2", "", f"Rests on {len(card.rests_on)} episodes{of}")
    tree = node("button", "link", "Show its tree", data_press=f"tree:{card.ref}", type="button")
    return [node("section", "restson", *asked, head, node("ol", "plainlist", *map(_cited, card.rests_on)), tree)]


def _cited(one: RestsOn) -> Node:
    importance = "" if one.importance is None else f"importance {one.importance}"
    facts = joined((f"{day_in_words(one.at)} UTC", one.session_ref, one.belief, importance))
    text = shown_text(one.text)
    if one.why_not is None:
        return node("li", "", node("p", "", text), node("p", "meta", facts))
    gone = node("p", "doubt", f"Stands no longer: {one.why_not}")
    return node("li", "", node("p", "", node("del", "", text)), gone, node("p", "meta", facts))
