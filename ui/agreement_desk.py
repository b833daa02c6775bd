"""The pieces of the Agreement page: the head line with its interval, parts, pairs, the critic, disagreements."""

from collections.abc import Sequence

import streamlit as st

from core.effects.agreement import Agreement
from core.governance.acts import in_words
from core.screening.invisible import shown
from core.service.agreement_views import AgreementReport, Round, Slice
from core.service.blind_views import Said
from ui.badges import severity_mark
from ui.drawing import draw
from ui.frame import Desk, page_head
from ui.lists import export
from ui.places import follow
from ui.table import Column, TableRow, table_tree
from ui.times import short_moment
from ui.tree import Node, joined, node

PARTS = (Column("Cut by", "keep"), Column("Part", "some"), Column("κ and its interval", "keep"), *(
    Column("The same", "num"), Column("Items", "num")
))  # fmt: skip
PAIRS = (Column("Two people", "some"), *PARTS[2:])
BESIDE = (Column("What is compared", "some"), *PARTS[2:])
PROPOSED = (
    Column("Proposed by", "some"),
    Column("Kept", "num"),
    Column("Refused", "num"),
    Column("Kept, share", "num"),
)
DIFFER = (
    Column("Item", "keep"),
    Column("What it says", "grow"),
    Column("One said", "some"),
    Column("The other", "some"),
    Column("It is now", "keep"),
    Column("When (UTC)", "keep"),
)
CUTS = ("dimension", "severity", "kind", "agent", "30 days")
SHOWN = 50
"""Disagreements that the page shows; the export has all."""

ROUNDS = (
    "item",
    "version",
    "kind",
    "severity",
    "dimension",
    "agent",
    "first_by",
    "first_said",
    "first_at",
    "second_by",
    "second_said",
    "second_at",
    "same",
    "status",
)
PART_COLUMNS = ("by", "part", "items", "same", "kappa", "low", "high", "why")
HOW = (
    "κ is 1 where two people always say the same, and 0 where they do so as often as chance would; the bar is its 95 % "
    "interval. Only verdicts given blind count: an endorsement in sight of the first yes is no opinion of its own."
)


def show_head(report: AgreementReport) -> None:
    """The title, and how much is decided blind."""
    share = f"{report.share:.0%}".replace("%", " %")
    decided = f"{len(report.rounds):,} decided blind"
    waiting = f"{report.sealed:,} under seal" if report.sealed else None
    page_head("Agreement", joined((decided, waiting, f"share of new items: {share}")))


def nothing_yet(report: AgreementReport) -> tuple[str, str]:
    """What the page says before any item has two verdicts."""
    if report.sealed:
        verdicts = "1 verdict waits" if report.sealed == 1 else f"{report.sealed:,} verdicts wait"
        return "No item has two blind verdicts yet.", f"{verdicts} under seal for another person's."
    if report.share:
        return (
            "No item has two blind verdicts yet.",
            "New items are chosen by chance; each waits in Review for two people.",
        )
    return (
        "Nothing is decided blind yet, so nobody knows whether two people would say the same.",
        "A developer sets the share on Settings and people; with 0.20 every fifth new item is decided by two people.",
    )


def show_whole(report: AgreementReport) -> None:
    """One sentence, its bar, and how to read it."""
    found = report.whole
    same = (
        "" if found.same is None else f"Two people who do not see each other's verdict say the same of {found.same:.0%}"
    )
    said = f"{same.replace('%', ' %')} of {found.items:,} items." if found.items != 1 else f"{same.replace('%', ' %')}."
    kappa = f"κ {found.value}{found.interval}" if found.kappa is not None else f"κ: {found.why}"
    bar = node("p", "kappaline", kappa_bar(found), node("b", "", kappa))
    draw(node("div", "agreement", node("p", "big", said), bar, node("p", "meta", HOW)), key="agreement-whole")


def show_parts(report: AgreementReport) -> None:
    """Agreement by dimension, severity, kind, agent and thirty days, in one table."""
    rows = [
        TableRow((by if at == 0 else node("span", "meta", by), one.name, *_measured(one.found)))
        for by in CUTS
        for at, one in enumerate(report.cut(by))
    ]
    _table("Where they agree, and where not", PARTS, rows, "agreement-parts")


def show_pairs(report: AgreementReport) -> None:
    """Cohen's κ of every two people."""
    rows = [TableRow((one.name, *_measured(one.found))) for one in report.pairs]
    _table("Two by two", PAIRS, rows, "agreement-pairs")


def show_critic(report: AgreementReport) -> None:
    """People beside the critic's second opinion and severity, and what they kept of what each proposed."""
    partly = f"; {report.partly:,} that say “partly” are left out" if report.partly else ""
    rows = [
        TableRow((f"people's verdict and the critic's second opinion{partly}", *_measured(report.opinions))),
        *(
            TableRow((node("span", "meta", f"{one.by} {one.name}"), *_measured(one.found)))
            for one in report.opinion_parts
        ),
        TableRow(("the critic's severity and the one it was kept with", *_measured(report.severities))),
    ]
    _table("With the critic", BESIDE, rows, "agreement-critic")
    if report.proposed:
        kept = [
            TableRow((one.who, f"{one.kept:,}", f"{one.refused:,}", _share(one.kept / (one.kept + one.refused))))
            for one in report.proposed
        ]
        _table("What people kept of what was proposed", PROPOSED, kept, "agreement-proposed")


def show_stuck(report: AgreementReport) -> None:
    """Blind items with which nobody can go on."""
    if not report.stuck:
        return
    lines = [node("p", "", _link(one.ref), f": {one.why}.") for one in report.stuck]
    foot = node("p", "meta", "Another person can be given the duty, or an admin lifts the blindness of the item.")
    draw(node("div", "finding", node("b", "", "Nobody can go on with"), *lines, foot), key="stuck", on_press=follow)


def show_differ(desk: Desk, report: AgreementReport) -> None:
    """What two people said different things about, newest first; the whole row leads to the item."""
    found = report.differ
    if not found:
        draw(node("p", "meta", "Nobody has said different things about an item yet."), key="agree-all")
        return
    rows = [_differ(desk, one) for one in found[:SHOWN]]
    foot = f"{len(rows):,} of {len(found):,}; the export has all rounds"
    tree = node("div", "", node("h2", "", "Where two people differed"), table_tree(DIFFER, rows, foot=foot))
    draw(tree, key="agreement-differ", on_press=follow)


def show_exports(report: AgreementReport) -> None:
    """Rounds and parts as files."""
    with st.container(horizontal=True):
        export("rounds", lambda: (ROUNDS, [_round(one) for one in report.rounds]), "Export rounds")
        export("agreement", lambda: (PART_COLUMNS, [part(one) for one in all_parts(report)]), "Export figures")


def all_parts(report: AgreementReport) -> tuple[Slice, ...]:
    """Every figure of the page in one list."""
    whole = Slice("all", "people", report.whole)
    beside = (Slice("critic", "second opinion", report.opinions), Slice("critic", "severity", report.severities))
    parts = (Slice(f"critic, second opinion by {one.by}", one.name, one.found) for one in report.opinion_parts)
    return (whole, *report.pairs, *report.slices, *beside, *parts)


def part(one: Slice) -> Sequence[object]:
    """A figure as the row of an export; what is not known is empty."""
    found = one.found
    return (one.by, one.name, found.items, *map(_rounded, (found.same, found.kappa, found.low, found.high)), found.why)


def kappa_bar(found: Agreement) -> Node:
    """The interval as a bar from −1 to 1 with κ as a dot on it and a line at 0; its words are in the label."""
    parts = [
        node("line", "zero", x1="60", x2="60", y1="2", y2="16"),
        node("line", "axis", x1="0", x2="120", y1="9", y2="9"),
    ]
    if found.low is not None and found.high is not None:
        parts.append(node("line", "span", x1=f"{_x(found.low):.1f}", x2=f"{_x(found.high):.1f}", y1="9", y2="9"))
    if found.kappa is not None:
        parts.append(node("circle", "", cx=f"{_x(found.kappa):.1f}", cy="9", r="3.5"))
    return node("svg", "kappa", *parts, viewBox="0 0 120 18", role="img", aria_label=found.text)


def _x(kappa: float) -> float:
    return 60 + 60 * max(-1.0, min(1.0, kappa))


def _measured(found: Agreement) -> tuple[Node, str, str]:
    words = f"{found.value}{found.interval}" if found.kappa is not None else found.why
    look = "" if found.kappa is not None else "meta"
    bar = [kappa_bar(found)] if found.kappa is not None else []
    return (node("span", "kappacell", *bar, node("span", look, words)), _share(found.same), f"{found.items:,}")


def _differ(desk: Desk, one: Round) -> TableRow:
    ref = node("span", "", node("b", "", f"{one.ref} v{one.version}"), " ", severity_mark(one.severity))
    said = (_said(one.first), _said(one.second))
    cells = (ref, shown(one.headline), *said, one.status, short_moment(one.at, desk.now))
    return TableRow(cells, press=f"item:{one.ref}")


def _said(said: Said) -> Node:
    return node(
        "span",
        "",
        f"{said.by}: {in_words(said.action)}",
        node("span", "meta", f" {shown(said.why)}" if said.why else ""),
    )


def _round(one: Round) -> Sequence[object]:
    about = (one.ref, one.version, one.kind, one.severity, one.dimension, one.agent)
    both = (one.first.by, one.first.action, one.first.at, one.second.by, one.second.action, one.second.at)
    return (*about, *both, one.same, one.status)


def _table(title: str, columns: Sequence[Column], rows: Sequence[TableRow], key: str) -> None:
    draw(node("div", "", node("h2", "", title), table_tree(columns, rows)), key=key)


def _link(ref: str) -> Node:
    return node("button", "link", ref, data_press=f"item:{ref}", type="button")


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}".replace("%", " %")


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
