"""Both orders of lessons for a task, side by side on the Briefing page: what agents read by, and the other one."""

from core.briefing.asked import Asked
from core.service.second_ranking import Ranked, SecondRanking, second_ranking
from core.store.database import Database
from ui.drawing import draw
from ui.tree import Node, node

NOTHING = "Nothing is found."


def show_second_ranking(database: Database, asked: Asked) -> None:
    """Both orders as of now; nothing while no second ranker is switched on."""
    found = second_ranking(database, asked)
    if found is not None:
        draw(second_ranking_tree(found), key="second-ranking")


def second_ranking_tree(found: SecondRanking) -> Node:
    """Two columns, each lesson with its place by the other one; agents read by the first, whatever the second says."""
    head = "Lessons for this task, by two rankers"
    agents = f"Of what is in force, agents read by shared words, {found.read} lessons at most and within their tokens."
    beside = f"{found.ranker} is shown beside it, and moves nothing."
    return node(
        "section",
        "plainlist",
        node("h3", "", head),
        node("p", "meta", f"{agents} {beside}"),
        node("p", "answer no", found.told, role="status") if found.told else None,
        _table("By shared words", found.by_words, found.ranker, found.read),
        _table(f"By {found.ranker}", found.by_other, "shared words", 0),
    )


def _table(title: str, rows: tuple[Ranked, ...], other: str, read: int) -> Node:
    if not rows:
        return node("div", "", node("h4", "", title), node("p", "meta", NOTHING))
    named = ("", title, "Score", f"By {other}")
    head = node("tr", "", *(node("th", "", name, scope="col") for name in named))
    return node("table", "", node("thead", "", head), node("tbody", "", *(_row(one, read) for one in rows)))


def _row(one: Ranked, read: int) -> Node:
    also = f"place {one.also}" if one.also else "not among them"
    return node(
        "tr",
        "",
        node("td", "num", f"{one.place}."),
        node("td", "", node("b", "", one.ref), f" {one.text}", " · read" if one.place <= read else ""),
        node("td", "num", one.score),
        node("td", "", also),
    )
