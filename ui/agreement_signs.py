"""How decisions were made: the signs of each person over thirty days, as far as whoever looks may see them."""

from core.effects.signs import Share, Signs
from core.service.signs_views import DAYS, SignsShown
from ui.drawing import draw
from ui.table import Column, TableRow, table_tree
from ui.tree import Node, node

NOTE = (
    "Each figure says on how many decisions it rests. A sign is a reason to talk, never an accusation: some items are "
    "plain, some people read the session elsewhere. What was decided in bulk is only in “Kept” and “Reversed later”."
)


def show_signs(found: SignsShown) -> None:
    """One row a person, or one's own; below them the team's medians."""
    if not found.rows and not found.medians:
        return
    title = f"How decisions were made, the last {DAYS} days"
    if not found.rows:
        who = "Nobody has" if found.everybody else "You have"
        draw(node("div", "", node("h2", "", title), node("p", "meta", f"{who} decided nothing.")), key="signs-none")
        return
    rows = [_row(one) for one in found.rows]
    rows += [_medians(found)] if any(value is not None for value in found.medians.values()) else []
    tree = node("div", "", node("h2", "", title), table_tree(_columns(found), rows), node("p", "meta", NOTE))
    draw(tree, key="signs")


def _columns(found: SignsShown) -> tuple[Column, ...]:
    quick = f"Under {found.quick_seconds:g} s"
    return (
        Column("Person", "some"),
        Column("Decisions", "num"),
        Column("In bulk", "num"),
        Column(quick, "num"),
        Column("No quote opened", "num"),
        Column("Not each session's", "num"),
        Column("Longest run alike", "num"),
        Column("Kept", "num"),
        Column("Others kept", "num"),
        Column("Reversed later", "num"),
    )


def _row(one: Signs) -> TableRow:
    looked = (_share(one.quick), _share(one.unopened), _share(one.partly_opened))
    went = (_share(one.kept), _share(one.others), _share(one.reversed))
    return TableRow(
        (node("b", "", one.person), f"{one.decisions:,}", f"{one.in_bulk:,}", *looked, f"{one.run:,}", *went)
    )


def _medians(found: SignsShown) -> TableRow:
    def of(name: str) -> str:
        value = found.medians.get(name)
        return "–" if value is None else f"{100 * value:.0f} %"

    run = found.medians.get("run")
    longest = "–" if run is None else f"{run:g}"
    looked = (of("quick"), of("unopened"), of("partly_opened"))
    who = node("i", "", f"median of {found.people:,} people")
    return TableRow((who, "", "", *looked, longest, of("kept"), "", of("reversed")))


def _share(share: Share) -> Node:
    if share.value is None:
        return "–"
    return node("span", "", f"{100 * share.value:.0f} %", node("span", "meta", f" of {share.of:,}"))
