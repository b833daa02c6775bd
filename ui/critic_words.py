"""What the desk says about the critic's runs and requests: writers, states, money, and where an item was written."""

from collections.abc import Sequence
from decimal import Decimal

from core.service.critic.progress import Estimate, Progress
from core.service.critic.shown import RunRow
from core.service.views import OpinionView, Trail
from core.vocabulary import CallState, RunState, Writer
from ui.badges import badge
from ui.times import duration
from ui.tree import Node, joined, node

WRITERS = {
    Writer.NOTES: "Notes",
    Writer.LESSON: "Lesson",
    Writer.REFLECTION: "Reflection",
    Writer.PROCEDURES: "Procedures",
    Writer.EPISODES: "Episodes",
    Writer.OPINION: "Second opinion",
    Writer.SELF_REVIEW: "Self-review",
    Writer.COMPACTION: "Compaction",
}

LOOKS = {RunState.FAILED: "bad", RunState.STOPPED: "warn", CallState.FAILED: "bad"}
"""The frame of a state's badge; every other state is plain."""


def state_badge(state: RunState | CallState) -> Node:
    """A state as a word in its frame."""
    return badge(str(state), LOOKS.get(state, "plain"))


def money_words(amount: Decimal | None, currency: str = "") -> str:
    """An amount to the cent from 1 up and to the hundredth of a cent below; ``unknown`` without prices."""
    if amount is None:
        return "unknown"
    text = f"{amount:.2f}" if amount >= 1 else f"{amount:.4f}" if amount else "0"
    return f"{text} {currency}".rstrip()


def about_money(amount: Decimal, currency: str) -> str:
    """An estimated amount, no finer than an estimate is."""
    text = f"{amount:.2f}" if amount >= 1 else f"{float(amount):.2g}" if amount else "0"
    return f"about {text} {currency}"


def about_count(count: int) -> str:
    """An estimated count, to two figures."""
    return f"{int(float(f'{count:.2g}')):,}"


def many(count: int, one: str, more: str = "") -> str:
    """``1 debrief``, ``3,000 debriefs``."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def server_words(model: str, server: str) -> str:
    """Which model where: ``m-1 at http://localhost:8000/v1``."""
    return f"{model} at {server}" if model else server


def estimate_words(found: Estimate) -> str:
    """What debriefs would take, in one line."""
    cost = "no prices are set" if found.cost is None else about_money(found.cost, found.currency)
    tokens, time = f"{about_count(found.tokens)} tokens", f"about {duration(found.seconds)}"
    return f"about {joined((many(found.requests, 'request'), tokens, cost, time))}"


def estimate_rests_on(found: Estimate) -> str:
    """On what an estimate rests."""
    how = "the newest requests" if found.measured else "a guess, as no request has been answered yet"
    return f"Estimated from the length of the transcripts and {how}."


def left_words(now_so: Progress) -> str:
    """What is under way and what is left of it."""
    if not now_so.under_way:
        return "Nothing is under way."
    cost = None if now_so.cost_left is None else f"{about_money(now_so.cost_left, now_so.currency)} left"
    time = None if now_so.seconds_left is None else f"about {duration(now_so.seconds_left)} left"
    left = f"{many(now_so.requests_left, 'request')} to come"
    return joined((f"{now_so.running:,} running", f"{now_so.queued:,} queued", left, time, cost))


def spent_words(now_so: Progress) -> str:
    """What the day has cost, of which caps."""
    spent = money_words(now_so.spent_today, now_so.currency)
    of = f" of {money_words(now_so.cap, now_so.currency)}" if now_so.cap is not None else ", no cap"
    tokens = f"{now_so.tokens_today:,}" + (f" of {now_so.token_cap:,}" if now_so.token_cap is not None else "")
    return f"today (UTC) {spent}{of}; {tokens} tokens"


def review_line(row: RunRow | None) -> Node:
    """What the newest debrief of a session came to, in one line that leads to it."""
    if row is None:
        return node("p", "", "Not reviewed by the critic.")
    link = node("button", "link", f"run {row.id}", data_press=f"run:{row.id}", type="button")
    if row.state is RunState.DONE:
        stale = None if row.is_current else "an earlier form of the transcript"
        said = joined((row.covered or "no turn", many(row.items, "item"), stale), ", ")
        return node("p", "", "Reviewed by the critic: ", link, f", {said}")
    if not row.state.over:
        return node("p", "", "The critic is at it: ", link, f", {row.state}. Closing this page stops nothing.")
    return node("p", "", "Not reviewed by the critic: ", link, f", {row.state}. {row.why}")


def trail_tree(trail: Sequence[Trail]) -> list[Node]:
    """Where the critic wrote an item, each time with the run and the request behind it."""
    return [_trail("found again by the " if at else "", one) for at, one in enumerate(trail)]


def _trail(again: str, one: Trail) -> Node:
    said = f"{again}critic · {WRITERS[one.writer].lower()} prompt {one.prompt_sha256[:8]} · {one.model} · "
    press = f"run:{one.run_id}:{one.call_id}"
    return node("p", "meta trail", said, node("button", "link", f"run {one.run_id}", data_press=press, type="button"))


def opinions_tree(opinions: Sequence[OpinionView], evidence_id: int) -> list[Node]:
    """What second requests say of one quote; an opinion and nothing more."""
    return [
        node(
            "p",
            "opinion",
            "Second opinion: ",
            node("b", "", str(one.supports)),
            f" · {one.why}" if one.why else "",
            node("span", "meta", f" · an opinion of {one.model or 'the model'}, which proves nothing"),
        )
        for one in opinions
        if one.evidence_id == evidence_id
    ]
