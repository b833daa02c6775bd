"""What stands beside a transcript on the Sessions page: what was found, how it went, what is known of the user."""

from collections.abc import Sequence

from core.service.views import CorrectionRow, FoundItem, Quote, SessionView, Signal
from core.transcripts.message import Transcript
from ui.badges import ring, severity_mark, verdict_badge
from ui.times import moment
from ui.tree import Node, node
from ui.wording import SOURCES


def session_facts_tree(view: SessionView) -> Node:
    """The side of one session."""
    return node(
        "div",
        "side",
        node("h2", "", "What was found"),
        *(_found(item, _quotes_of(view, item), view.transcript) for item in view.found),
        None if view.found else node("p", "meta", "Nothing was found in this session."),
        node("hr", ""),
        node("h2", "", "Signals"),
        *(_signal(signal) for signal in view.signals),
        None if view.signals else node("p", "meta", "No signal came with it: how it went is unknown."),
        node("hr", ""),
        node("h2", "", f"What is known of {view.row.user or 'the user'}"),
        *(node("p", "fact", text, node("span", "meta", f" · {source}")) for text, source in view.facts),
        None if view.facts else node("p", "meta", "Nothing."),
        node("hr", ""),
        node("p", "meta", f"From {view.source_file} · transcript {view.sha256[:12]}"),
        *(node("p", "meta", remark) for remark in view.remarks),
        *(_correction(row) for row in view.corrections),
    )


def _correction(row: CorrectionRow) -> Node:
    quotes = f"{row.followed} quotes moved with their words, {row.lost} were lost"
    text = f"Corrected from turn {row.turn + 1} on, {moment(row.at)}, by {row.by}, from {row.file}: {quotes}"
    return node("p", "meta", f"{text} · before it was transcript {row.before_sha256[:12]}")


def _quotes_of(view: SessionView, item: FoundItem) -> list[Quote]:
    return [quote for ref, quote in view.quotes if ref == item.ref]


def _found(item: FoundItem, quotes: Sequence[Quote], transcript: Transcript) -> Node:
    """One item: pressed, its first words come into the light; each ring brings up its own."""
    said = node("button", "headline", item.headline, data_go=str(quotes[0].number), type="button")
    proofs = (node("span", "one", ring(quote, name=item.ref), verdict_badge(quote, transcript)) for quote in quotes)
    return node(
        "article",
        "found",
        node(
            "div",
            "first",
            node("span", "", severity_mark(item.severity), node("span", "meta", f" {item.kind} · {item.status}")),
            node("button", "link", item.ref, data_press=f"item:{item.ref}", type="button"),
        ),
        said,
        node("div", "under", *proofs),
        data_evidence=" ".join(str(quote.number) for quote in quotes),
        aria_label=f"{item.kind} {item.ref}",
    )


def _signal(signal: Signal) -> Node:
    went = "good" if signal.good else "bad"
    text = f"{SOURCES[signal.source]}, reliability {signal.reliability}, {went}"
    return node("p", "fact", signal.text or "no words", node("span", "meta", f" · {text}"))
