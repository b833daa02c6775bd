"""One belief as a tree: what it says, what it rests on, and under each episode the words that prove it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from core.evidence.in_words import SPEAKERS
from core.screening.invisible import shown as shown_text
from core.service.belief_shown import BeliefShown, WentStale
from core.service.views import Quote
from core.service.views.beliefs import BeliefRow, BeliefTree, SourceNode, SourceQuote
from core.store.clock import day_in_words
from core.vocabulary import EpisodeSource
from ui.badges import line_of, ring, verdict_badge
from ui.belief_acts import act_on
from ui.belief_marks import belief_mark, source_mark
from ui.times import moment
from ui.tree import Node, joined, node
from ui.wording import NOBODY

SOURCES = {
    EpisodeSource.CRITIC: "by the critic",
    EpisodeSource.NOTE: "from a note",
    EpisodeSource.IMPORT: "brought in",
    EpisodeSource.BELIEF: "a belief",
}
ACTS = {"withdraw": "Withdraw…", "restore": "Restore…", "release": "Release…"}
"""What a lead does with an episode; each asks for a reason."""

Numbered = dict[tuple[int, str], Quote]


def belief_tree_drawn(shown: BeliefShown, session: int | None, *, acts: bool) -> Node:
    """The tree. ``session`` is the one whose transcript stands beside it; a quote of another is pressed as ``quote:N``.

    ``acts`` says that the person may withdraw, restore and release episodes.
    """
    row = shown.tree.row
    numbered = {(quote.session, quote.text): quote for quote in shown.quotes}
    return node(
        "article",
        "pane belief",
        node("div", "first", belief_mark(row), node("span", "meta", _name(row))),
        node("p", "lesson", shown_text(row.text)),
        node("p", "meta", f"Answers: {shown_text(row.question)}") if row.question else None,
        node("p", "meta", _about(row)),
        _stale(shown.stale) if shown.stale else None,
        node("hr", ""),
        node("h2", "", _head(row)),
        _sources(shown.tree, numbered, session, acts),
        *_above(shown.tree),
        aria_label=f"Belief {row.ref}",
    )


def days(true_from: datetime, known_from: datetime, known_until: datetime | None = None) -> str:
    """The two times of what is remembered: since when it is true, and since when, and until when, it was known."""
    until = f" until {day_in_words(known_until)}" if known_until else ""
    return f"true from {day_in_words(true_from)} · known from {day_in_words(known_from)}{until} (UTC)"


def _name(row: BeliefRow) -> str:
    on = "on beliefs" if row.depth > 1 else ""
    return joined((f"Belief {row.ref} v{row.version}", on))


def _about(row: BeliefRow) -> str:
    times = days(row.true_from, row.known_from, row.known_until)
    return joined((row.agent, row.user or NOBODY, f"importance {row.importance}", times))


def _head(row: BeliefRow) -> str:
    stand = "" if row.rests_on_enough else f"; {row.standing} of them stand"
    return f"Rests on {row.cites} sources{stand}"


def _stale(stale: WentStale) -> Node:
    who = f"{stale.who[:1].upper()}{stale.who[1:]}"
    return node(
        "div",
        "finding",
        node("b", "", "Stale: it left the briefing, or waits, until a person has looked."),
        node("p", "", shown_text(stale.because)),
        node("p", "meta", f"{who}, {moment(stale.at)}"),
    )


def _sources(tree: BeliefTree, numbered: Numbered, session: int | None, acts: bool) -> Node:
    if tree.again:
        return node("p", "meta", f"{tree.row.ref} stands higher up in this tree already.")
    sources = (_source(one, numbered, session, acts) for one in tree.sources)
    return node("ol", "sources", *sources)


def _source(one: SourceNode, numbered: Numbered, session: int | None, acts: bool) -> Node:
    text = shown_text(one.text)
    gone = one.known_until is not None
    words = node("p", "what", node("del", "", text) if gone else text)
    head = node("div", "first", source_mark(one), node("span", "meta", joined((_source_name(one), _weight(one)))))
    why = node("p", "doubt", shown_text(one.why_not)) if one.why_not and one.belief is None else None
    under = [_quote(quote, numbered, session) for quote in one.quotes]
    if one.belief is not None:
        under = [_sources(one.belief, numbered, session, acts)]
    elif not under:
        under = [node("p", "meta", "No words are kept with it.")]
    return node("li", "gone" if gone else "", head, words, why, node("p", "meta", *_where(one, acts)), *under)


def _source_name(one: SourceNode) -> str:
    if one.belief is not None:
        return f"Belief {one.belief.row.ref} v{one.belief.row.version}"
    return one.ref


def _weight(one: SourceNode) -> str:
    return "no importance" if one.importance is None else f"importance {one.importance}"


def _where(one: SourceNode, acts: bool) -> Iterator[Node]:
    """The two days, where it came from with links, and what a lead can do with it."""
    yield days(one.true_from, one.known_from, one.known_until)
    if one.belief is not None:
        yield " · "
        yield _press(f"belief:{one.belief.row.ref}", "show its tree")
        return
    yield f" · {SOURCES[one.source]}"
    if one.note_ref:
        yield " "
        yield _press(f"item:{one.note_ref}", one.note_ref)
    if one.session_ref:
        yield " · "
        yield _press(f"session:{one.session_ref}", one.session_ref)
    if acts:
        act = act_on(withdrawn=one.known_until is not None, stands=one.stands)
        yield " · "
        yield _press(f"{act}:{one.id}", ACTS[act], f"{ACTS[act].rstrip('…')} {one.ref}")


def _press(press: str, words: str, label: str = "") -> Node:
    return node("button", "link", words, data_press=press, aria_label=label, type="button")


def _quote(said: SourceQuote, numbered: Numbered, session: int | None) -> Node:
    quote = numbered.get((said.session, said.text))
    who = joined((SPEAKERS[said.speaker], f"turn {said.turn}" if said.turn else "", f"in {said.session_ref}"), ", ")
    if quote is None:
        bare = node("div", "", node("p", "quote", shown_text(said.text)), node("p", "meta", f"{said.verdict} · {who}"))
        return node("div", "proof", node("span", ""), bare)
    here = quote.session == session
    number = str(quote.number)
    marked = node("mark", f"ev {line_of(quote)}", shown_text(quote.text), data_evidence=number, dir="auto")
    words = node(
        "button",
        "quote",
        marked,
        data_evidence=number,
        data_go=here and number,
        data_press=not here and f"quote:{number}",
        type="button",
    )
    under = node("div", "under", verdict_badge(quote), node("span", "meta", who))
    return node("div", "proof", ring(quote, go=here), node("div", "", words, under))


def _above(tree: BeliefTree) -> Sequence[Node]:
    """The beliefs that rest on this one."""
    if not tree.above:
        return []
    rows = [
        node(
            "p", "", _press(f"belief:{one.ref}", one.ref), f" {shown_text(one.text)} ", node("span", "meta", one.status)
        )
        for one in tree.above
    ]
    return [node("hr", ""), node("h2", "", "Rests on it"), node("div", "plainlist", *rows)]
