"""What governance says on a card: who has the item, who said yes, what a version changes, what came back, an appeal."""

from collections.abc import Sequence
from datetime import UTC, datetime

from core.screening.invisible import shown
from core.service.governed import Change, Difference, Governed, VersionRow, Yes
from core.service.views import Card
from ui.badges import badge, word_diff
from ui.times import moment
from ui.tree import Node, joined, node

FIELDS = {"observation": "Observed", "improvement": "Next time", "text": "Text", "instruction": "Instruction"}


def governed_badges(card: Card, me: str, now: datetime) -> list[Node]:
    """Who has it, with the minutes left, whose turn it is, and how many people said yes."""
    known, found = card.governed, []
    if known.lease:
        whose = "you" if known.lease.person == me else known.lease.person
        left = max(1, round((known.lease.until - now).total_seconds() / 60))
        until = str(int(known.lease.until.astimezone(UTC).timestamp() * 1_000))
        found.append(node("span", "badge lease", f"{whose}, {left} min", data_until=until, data_whose=whose))
    if known.assignee:
        found.append(badge("yours to decide" if known.assignee == me else f"given to {known.assignee}"))
    found += [badge(f"{len(yes.said)} of {yes.people}: {', '.join(yes.said)}", "warn") for yes in known.yes if yes.said]
    return found


def yes_in_words(yes: Yes) -> str:
    """Why one person is too few, and who said yes already."""
    because = " and ".join(yes.because)
    if yes.said:
        return f"{', '.join(yes.said)} said yes; it {because}, so a second person decides"
    return f"it {because}, so two people must say yes"


def appeal_tree(known: Governed) -> list[Node]:
    """Why somebody asks for another look and what was decided before, or how it ended."""
    appeal = known.appeal
    if appeal is None:
        return (
            [node("div", "finding quiet", node("p", "", f"{known.ended[:1].upper()}{known.ended[1:]}."))]
            if known.ended
            else []
        )
    asked = node("p", "", node("b", "", f"{appeal.by} appeals: "), shown(appeal.text))
    return [node("div", "finding", asked, node("p", "meta", f"It was {appeal.against}." if appeal.against else ""))]


def difference_tree(card: Card) -> list[Node]:
    """What this version changes against another, and the other versions to compare it with."""
    difference, versions = card.governed.difference, card.governed.versions
    if difference is None:
        return [_others(card, versions, None)] if len(versions) > 1 else []
    against = next(one for one in versions if one.version == difference.against)
    head = node("b", "", f"Against v{against.version}, {against.status}")
    rows = [_changed(change) for change in difference.changes] or [node("p", "meta", "The same words.")]
    return [node("section", "versions", head, *rows, *_quotes(difference), _others(card, versions, against))]


def _changed(change: Change) -> Node:
    name = FIELDS.get(change.field, change.field.replace("_", " ").capitalize())
    return node("p", "", node("span", "meta", f"{name}: "), *word_diff(shown(change.before), shown(change.after)))


def _quotes(difference: Difference) -> list[Node]:
    sides = (("Quote taken out: ", "del", difference.quotes_gone), ("Quote put in: ", "ins", difference.quotes_new))
    return [
        node("p", "", node("span", "meta", name), node(tag, "", shown(quote)))
        for name, tag, quotes in sides
        for quote in quotes
    ]


def _others(card: Card, versions: Sequence[VersionRow], against: VersionRow | None) -> Node:
    """Links that open another version, or compare with it."""
    links: list[Node] = []
    for one in versions:
        if one.id == card.id:
            continue
        links.append(_link(f"Open v{one.version} ({one.status}, by {one.proposer})", f"version:{one.id}"))
        if one != against:
            links.append(_link(f"Compare with v{one.version}", f"against:{one.version}"))
    return node("p", "links", *links)


def _link(words: str, press: str) -> Node:
    return node("button", "link", words, data_press=press, type="button")


def returns_tree(known: Governed) -> list[Node]:
    """When this, or a twin of it, was proposed again after it had been decided."""
    if not known.returns:
        return []
    rows = []
    for one in known.returns:
        said = node("span", "", " as “", shown(one.text), "”") if one.text else None
        when = joined((moment(one.at), one.proposer, one.session_ref))
        rows.append(node("li", "", when, said))
    return [
        node("div", "finding", node("b", "", "Proposed again after it was decided"), node("ul", "plainlist", *rows))
    ]


def kept_tree(known: Governed) -> list[Node]:
    """What this person typed about the item and did not send."""
    kept = [(field, text) for field, text in known.kept if field != "bar"]
    if not kept:
        return []
    rows = [node("p", "kept", node("span", "meta", f"{_name(field)}: "), shown(text)) for field, text in kept]
    forget = _link("Forget them", "forget:words")
    return [node("div", "finding quiet", node("b", "", "Your words, not sent"), *rows, forget)]


def _name(field: str) -> str:
    return "Reason" if field == "words" else FIELDS.get(field, field.replace("-", " ").capitalize())
