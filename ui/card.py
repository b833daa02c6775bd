"""The card of one item: what would be learned, its proof, what speaks against it, what the agent would read.

The order is the order of a decision: text, proof, findings, consequence.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from core.evidence.in_words import SPEAKERS, speaker_in_words
from core.screening.invisible import shown as shown_text
from core.service.views import Card, OpinionView, Quote, ReadLine, Signal
from core.transcripts.message import Transcript
from core.vocabulary import Kind, Reliability
from ui.badges import badge, line_of, ring, severity_mark, verdict_badge
from ui.beside import beside_tree, kin_tree
from ui.blind import blind_tree
from ui.critic_words import opinions_tree, trail_tree
from ui.doubts import doubts
from ui.findings import finding_badges, findings_tree
from ui.governed import appeal_tree, difference_tree, governed_badges, kept_tree, returns_tree
from ui.making_room import room_badges, room_tree
from ui.policy_look import policy_badges, policy_changes_tree, policy_tree
from ui.rests_on import rests_on_tree
from ui.times import age
from ui.tree import Node, joined, node
from ui.wording import SCOPES, SOURCES, verdict_words

Transcripts = Mapping[int, Transcript]
"""The transcripts at hand, by the id of their session."""


def card_tree(
    card: Card, transcripts: Transcripts, shown: int | None, now: datetime, *, me: str = "", settles: bool = False
) -> Node:
    """The card. ``shown`` is the session on the right; a quote of another session is pressed as ``quote:ID``.

    ``me`` is who looks; ``settles`` says that they may say which place a quote means.
    """
    return node(
        "article",
        "pane card",
        _first_line(card, transcripts, now, me),
        *_what(card),
        *rests_on_tree(card),
        *policy_changes_tree(card),
        *appeal_tree(card.governed),
        *blind_tree(card),
        *kin_tree(card),
        *difference_tree(card),
        node("p", "meta", _about(card)),
        *(_signal(signal) for signal in card.signals),
        node("hr", ""),
        node("h2", "", "Proof in the transcript" if card.quotes else "No words were quoted"),
        *(_proof(quote, transcripts.get(quote.session), shown, settles, card.opinions) for quote in card.quotes),
        *beside_tree(card),
        *room_tree(card),
        *findings_tree(card.findings, shown_text(card.text)),
        *(_finding(warning) for warning in _other_warnings(card)),
        *policy_tree(card),
        *returns_tree(card.governed),
        *kept_tree(card.governed),
        node("p", "meta", _origin(card)),
        *trail_tree(card.trail),
        aria_label=f"{card.kind} {card.ref}",
    )


def proof_tree(card: Card, transcripts: Transcripts, shown: int | None, *, settles: bool = False) -> Node:
    """Only the quotes of an item, each with its verdict and with what second opinions say."""
    proofs = (_proof(one, transcripts.get(one.session), shown, settles, card.opinions) for one in card.quotes)
    return node("div", "proofs", *proofs)


def reads_tree(lines: tuple[ReadLine, ...]) -> Node:
    """What the agent would read if the item were approved; new text has a bar and another ground."""
    added = sum(line.tokens for line in lines if line.new)
    head = "What the agent will read" + (f" · +{added} tokens" if added else "")
    empty = node(
        "p", "meta", joined(line.why for line in lines if not line.text) or "Approving adds nothing to a briefing."
    )
    shown = [line for line in lines if line.text]
    return node(
        "section",
        "pane reads",
        node("h2", "", head),
        node("div", "agenttext", *(_read(line) for line in shown)) if shown else empty,
    )


def _read(line: ReadLine) -> Node:
    look = " ".join(word for word, on in (("line", True), ("new", line.new), ("heading", line.heading)) if on)
    return node("div", look, shown_text(line.text))


def _first_line(card: Card, transcripts: Transcripts, now: datetime, me: str) -> Node:
    kind = joined(
        (str(card.kind).capitalize(), card.form, card.procedure_kind, card.dimension and _plain(card.dimension))
    )
    badges: list[Node] = []
    refused = [quote for quote in card.quotes if not quote.found]
    if refused:
        only = verdict_words(refused[0], transcripts.get(refused[0].session))
        badges.append(
            badge(only if len(card.quotes) == 1 else f"{len(refused)} of {len(card.quotes)} not found", "bad")
        )
    badges += finding_badges((*card.findings, *(one.finding for one in card.beside)))
    badges += [badge(_short(warning), "warn") for warning in _other_warnings(card)[:2]]
    badges += room_badges(card)
    badges += policy_badges(card)
    badges += governed_badges(card, me, now)
    return node(
        "div",
        "first",
        node("span", "", severity_mark(card.severity), node("span", "meta", f" {kind} · {card.ref} v{card.version}")),
        node(
            "span",
            "badges",
            *badges,
            badge(f"{card.status} {age(card.governed.since or card.created_at, now)}"),
        ),
    )


def _other_warnings(card: Card) -> list[str]:
    """Warnings apart from those about quotes, which stand beside each quote already."""
    return [warning for warning in card.warnings if not warning.endswith("not found")]


def _short(warning: str) -> str:
    head = warning.split(":", 1)[0].split(".", 1)[0]
    return head if len(head) <= 28 else head[:27].rstrip() + "…"


def _plain(value: str) -> str:
    return value.replace("_", " ")


def _what(card: Card) -> list[Node]:
    if card.kind is Kind.NOTE:
        next_time = shown_text(card.improvement)
        improve = node("p", "improve", node("b", "", "Next time: "), next_time) if next_time else None
        return [node("p", "lesson", shown_text(card.observation or card.text)), *([improve] if improve else [])]
    if card.kind is Kind.PROCEDURE:
        return [
            node("p", "title", shown_text(card.title)),
            node("p", "improve", node("b", "", "When: "), shown_text(card.trigger)),
            node("p", "lesson", shown_text(card.text)),
        ]
    return [node("p", "lesson", shown_text(card.text))]


def _about(card: Card) -> str:
    scope = f"{SCOPES[card.scope]} · {card.task_class}" if card.scope else card.task_class
    seen = f"seen in {card.sessions} session{'' if card.sessions == 1 else 's'}"
    confidence = f"starts at {card.confidence:.2f}" if card.confidence is not None else None
    about = f"about the {SPEAKERS[card.about].lower()}" if card.about else None
    user = f"for {card.user} alone" if card.user and card.kind is Kind.PROCEDURE else card.user
    return joined((about, scope, card.agent, user, seen, confidence, " ".join(f"#{tag}" for tag in card.tags)))


def _origin(card: Card) -> str:
    owner = f"owner {card.owner}" if card.owner else None
    origin = None if card.trail else card.origin
    return joined((f"Proposed by {card.proposer}", origin, owner, f"content {card.content_hash[:8]}"))


def _signal(signal: Signal) -> Node:
    strong = "b" if signal.reliability is Reliability.HIGH else "span"
    return node(
        "p",
        "meta",
        f"Signal: {SOURCES[signal.source]}, reliability ",
        node(strong, "", str(signal.reliability)),
        f" · {signal.text}" if signal.text else "",
    )


def _proof(
    quote: Quote, transcript: Transcript | None, shown: int | None, settles: bool, opinions: Sequence[OpinionView]
) -> Node:
    here = quote.session == shown
    number = str(quote.number)
    mark = node("mark", f"ev {line_of(quote)}", shown_text(quote.text), data_evidence=number, dir="auto")
    words = node(
        "button",
        "quote",
        mark,
        data_evidence=number,
        data_go=here and number,
        data_press=not here and f"quote:{quote.id}",
        type="button",
    )
    return node(
        "div",
        "proof",
        ring(quote, go=here),
        node(
            "div",
            "",
            words,
            node(
                "div", "under", verdict_badge(quote, transcript), node("span", "meta", _where(quote, transcript, here))
            ),
            *doubts(quote, transcript, settles=settles),
            *opinions_tree(opinions, quote.id),
        ),
    )


def _where(quote: Quote, transcript: Transcript | None, here: bool) -> str:
    places = quote.grounding.spans or quote.grounding.nearest
    who = SPEAKERS[quote.speaker]
    if places and transcript is not None:
        who = speaker_in_words(transcript.messages[places[0].turn])
    turns = sorted({place.turn + 1 for place in places})
    where = f"{'turn' if len(turns) == 1 else 'turns'} {', '.join(map(str, turns))}" if turns else None
    nearest = "nearest: " if not quote.grounding.grounded and places else ""
    return (
        nearest
        + joined((who if where else f"claimed of the {who.lower()}", where), ", ")
        + ("" if here else f" · in {quote.session_ref}")
    )


def _finding(warning: str) -> Node:
    return node("div", "finding", node("p", "", warning))
