"""One request to the model and its reply, as they were, and what was made of each part of it.

Nothing of it is read as Markdown or HTML; what is long stays folded until it is asked for.
"""

import json
from collections.abc import Mapping
from typing import Any

from core.service.critic.shown import CallView, RunView
from core.vocabulary import CallState, Status, Support, Writer
from ui.badges import badge
from ui.critic_words import WRITERS, many, money_words, state_badge
from ui.lit_text import text_nodes
from ui.table import Column, TableRow, table_tree
from ui.times import moment
from ui.tree import Node, joined, node

REPLY, SENT = 6_000, 4_000
"""Characters in sight before "show more"."""

BECAME = {
    "new": "written",
    "added": "says the same as one that waits; its quote was added",
    "known": "says the same as one that waits",
    "returned": "says the same as one that was decided; it is counted there",
    "kept": "kept as an episode",
    "held": "kept as an episode, held",
    "refused": "refused",
}
OPINIONS = tuple(str(one) for one in Support)
PARTS = (Column("", "num"), Column("What the model wrote", "grow"), Column("What became of it", "some"))


def about_words(call: CallView) -> str:
    """What a request is about: turns, a signal, the request that it repeats, or the quote of an opinion."""
    if call.writer is Writer.OPINION:
        asked, place, quote = [*call.about.split(":"), "", ""][:3]
        return f"on quote {quote} of part {place} of request {asked}"
    again = f"after request {call.after}" if call.after else None
    parts = (f"on {call.turns}" if call.turns else None, f"from {call.about}" if call.about else None, again)
    return joined(parts, ", ")


def request_tree(view: RunView, call: CallView) -> Node:
    """The request whole."""
    return node(
        "article",
        "request",
        node(
            "div",
            "first",
            node("span", "", node("b", "", WRITERS[call.writer]), node("span", "meta", f" request {call.id}")),
            node("span", "badges", state_badge(call.state), *_from(call)),
        ),
        node("p", "meta", _facts(view, call)),
        *_why(call),
        node("h2", "", "What was made of the reply"),
        *_parts(view, call),
        node("h2", "", "The reply, as it came"),
        _verbatim(call.reply, REPLY) if call.reply else node("p", "meta", "No reply is stored."),
        node("h2", "", "What was sent"),
        _prompt(call),
        *(_folded(f"{role} · {len(content):,} characters", content) for role, content in call.messages),
        _folded("parameters", _json({"chosen": call.parameters, "sent": call.sent})),
        *([_attempts(call)] if call.attempts else []),
        aria_label=f"Request {call.id}",
    )


def _from(call: CallView) -> list[Node]:
    if call.answered_from is None:
        return []
    run, request = call.answered_from
    link = node("button", "link", f"run {run}", data_press=f"run:{run}:{request}", type="button")
    return [badge("answered from"), link]


def _facts(view: RunView, call: CallView) -> str:
    counts = {name: count for name, count in call.tokens.items() if count is not None}
    tokens = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    return joined(
        (
            about_words(call),
            call.model or None,
            f"tokens: {tokens}" if tokens else None,
            money_words(call.cost, view.currency) if call.cost is not None else "cost unknown",
            None if call.seconds is None else f"{call.seconds:,.1f} s",
            many(len(call.attempts), "attempt") if call.attempts else None,
            moment(call.asked_at, seconds=True) if call.asked_at else None,
        )
    )


def _why(call: CallView) -> list[Node]:
    """Why there is no reply to be read."""
    if not call.why:
        return []
    detail = [node("p", "", call.detail)] if call.detail and call.detail != call.why else []
    return [node("div", "finding conflict", node("b", "", call.why), *detail)]


def _parts(view: RunView, call: CallView) -> list[Node]:
    rows = [_part(part, call.writer) for part in call.became]
    rows += [TableRow((str(place), node("span", "meta", "could not be read"), why)) for place, why in call.unreadable]
    cut = f"{many(call.cut, 'further part')} cut: a reply may have only so many." if call.cut else ""
    if rows:
        return [table_tree(PARTS, rows, foot=cut)]
    return [node("p", "meta", joined((_no_parts(view, call), cut), " "))]


def _no_parts(view: RunView, call: CallView) -> str:
    if call.asked_once_more:
        after = next((f", in request {other.id}" for other in view.calls if other.after == call.id), "")
        return f"It could not be kept and was asked for once more{after}."
    if call.why or call.state is not CallState.ANSWERED:
        return "Nothing: there is no reply to be read."
    return "It finds nothing." if view.row.state.over else "Nothing yet: it is read when every request has its reply."


def _part(part: Mapping[str, Any], writer: Writer) -> TableRow:
    said = str(part.get("text") or "")
    text = node("span", "written", said, dir="auto") if said else node("span", "meta", "not shown")
    return TableRow((str(part.get("place", "")), text, _became(part, writer)))


def _became(part: Mapping[str, Any], writer: Writer) -> Node:
    what, ref, status = str(part.get("what", "")), part.get("ref"), str(part.get("status") or "")
    link = node("button", "link", str(ref), data_press=f"item:{ref}", type="button") if ref else None
    held = status == Status.HELD or what == "held"
    words = f"an opinion: {what}" if writer is Writer.OPINION and what in OPINIONS else BECAME.get(what, what)
    now_so = f" · {status} now" if status and not held else ""
    look = "bad" if what == "refused" else "warn" if held else "plain"
    mark = badge("refused" if what == "refused" else "held", look) if look != "plain" else None
    why = node("p", "meta", str(part["why"])) if part.get("why") else None
    said = "" if what == "refused" else words
    return node("span", "became", mark, " " if mark else None, link, " " if link else None, f"{said}{now_so}", why)


def _prompt(call: CallView) -> Node:
    changed = "" if call.prompt_is_current else " · the file has changed since"
    name = f"the {WRITERS[call.writer].lower()} prompt {call.prompt_sha256[:12]}"
    return _folded(f"system: {name} · {len(call.prompt):,} characters{changed}", call.prompt)


def _folded(head: str, words: str) -> Node:
    return node("details", "fold", node("summary", "", head), _verbatim(words, SENT))


def _verbatim(words: str, limit: int) -> Node:
    return node("pre", "verbatim", *text_nodes(words, limit), dir="auto")


def _attempts(call: CallView) -> Node:
    lines = [
        f"{number}. {one.get('status') or 'nothing came back'} {one.get('said') or ''} · "
        f"{one.get('seconds') or 0:.1f} s, after {one.get('waited') or 0:.1f} s of waiting\n   {_json(one.get('sent'))}"
        for number, one in enumerate(call.attempts, 1)
    ]
    return _folded(many(len(lines), "attempt"), "\n".join(lines))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
