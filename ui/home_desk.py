"""The pieces of Home: who is greeted, the three columns, the key to the next decision, and three figures."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st

from core.service.home import Fact, Figure, Home
from core.store.clock import day_in_words
from core.vocabulary import Duty
from ui.drawing import draw
from ui.frame import Desk, page_head
from ui.places import address, go, visit
from ui.times import zone_of_reader
from ui.tree import Node, joined, node
from ui.waiting import EVERYTHING, NOTES, REVIEW

DOES = {
    Duty.LEAD: "decide lessons, procedures and notes",
    Duty.AUDITOR: "close critical notes",
    Duty.DEVELOPER: "set the numbers, the critic and the tokens",
    Duty.ADMIN: "say who may do what",
}
"""What somebody with a duty does here, after "you"."""

CALM = {
    "waits": "Nothing waits for you.",
    "changed": "Nothing has changed.",
    "wrong": "Nothing is wrong, as far as the desk can see.",
}
"""What an empty column says."""

NEW = "No session has come in yet. Bring in a file, or send one to POST /api/v1/sessions."

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def follow_an_old_link() -> None:
    """An item stood at the address of Home once, when that was Review's; a link to it still leads there."""
    if "item" in st.query_params:
        go("review", item=st.query_params["item"])


def greet(desk: Desk) -> None:
    """Who is here, the day and the hour in the reader's zone, and what they do at the desk."""
    zone = zone_of_reader(st.context.timezone)
    local = desk.now.astimezone(ZoneInfo(zone))
    day = f"{DAYS[local.weekday()]} {local.day} {local:%B %Y, %H:%M} {local:%Z}"
    does = [words for duty, words in DOES.items() if desk.may(duty)]
    page_head(f"{_greeting(local)}, {desk.person.name}", joined((day, f"you {_and(does)}" if does else None)))


def show_columns(desk: Desk, home: Home) -> None:
    """What waits, what changed, what is wrong; every line leads to where it is found."""
    columns = (
        ("waits", "Waits for you", home.waits),
        ("changed", f"Changed since {since_in_words(home.since, desk.now)}", home.changed),
        ("wrong", "Wrong, or about to be", home.wrong),
    )
    calm = CALM | {"waits": NEW} if home.is_new else CALM
    tree = node("div", "home", *(_column(title, facts, calm[name]) for name, title, facts in columns))
    draw(tree, key="home-columns", on_press=visit)


def show_next(desk: Desk) -> None:
    """The button that leads to the next decision, where this person has any to make."""
    link = NOTES if desk.counts.decides_notes_only else REVIEW
    waits = desk.counts.critical if desk.counts.decides_notes_only else desk.counts.waiting
    if waits and desk.may(Duty.LEAD, Duty.AUDITOR):
        st.button("Decide the next one", key="next", type="primary", shortcut="g", on_click=visit, args=(link,))


def show_figures(home: Home) -> None:
    """Three figures, each with its period, what it rests on, and the period before."""
    draw(node("div", "figures", *map(_figure, home.figures)), key="home-figures")


def since_in_words(since: datetime, now: datetime) -> str:
    """``14:08`` of today, ``Friday`` of this week, ``27 Nov`` before that; in UTC."""
    days = (now.date() - since.date()).days
    if days == 0:
        return f"{since:%H:%M} UTC"
    return DAYS[since.weekday()] if days < 7 else day_in_words(since, year=since.year != now.year)


def _greeting(local: datetime) -> str:
    if local.hour < 12:
        return "Good morning"
    return "Good afternoon" if local.hour < 18 else "Good evening"


def _and(words: Sequence[str]) -> str:
    """With a comma before the last, as some of them hold an “and” of their own."""
    return ", and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]


def _column(title: str, facts: Sequence[Fact], calm: str) -> Node:
    lines = [_fact(one) for one in facts] or [node("p", "calm", calm)]
    return node("section", "", node("h2", "", title), *lines)


def _fact(fact: Fact) -> Node:
    query = dict(fact.query)
    if fact.page == "review" and "item" not in query:
        query = {**EVERYTHING, **query}
    link = address(fact.page, **query)
    return node(
        "div",
        "fact",
        node("span", "count", str(fact.number)),
        node("div", "", node("p", "", fact.fact), node("p", "meta", fact.detail) if fact.detail else None),
        node("a", "link", fact.name, href=link, data_press=link),
    )


def _figure(figure: Figure) -> Node:
    return node(
        "div",
        "figure",
        node("p", "meta", figure.name),
        node("b", "", figure.value),
        node("p", "meta", figure.basis),
        node("p", "meta", figure.before),
    )
