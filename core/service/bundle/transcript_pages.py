"""A transcript of a bundle: every turn verbatim, with the words of each quote lit and their numbers in the gutter."""

from collections.abc import Sequence

from core.evidence import segments
from core.evidence.in_words import speaker_in_words
from core.service.bundle.contract import Contents, SessionKept
from core.service.bundle.elements import Element, Node, element, said
from core.service.views import Quote
from core.store.clock import time_in_words
from core.transcripts.message import Message
from core.vocabulary import TOLD, Role, Verdict

LINES = {Verdict.FOLDED: "folded", Verdict.ELIDED: "elided"}
Lit = tuple[int, int, int, Quote]
"""Number of the quote from 0, number of the span, its turn, and the quote."""


def session_page(contents: Contents, place: int) -> Element:
    """One transcript, whole. ``place`` is its number among the transcripts, from 0."""
    session = contents.sessions[place]
    lit = [
        (number, at, span.turn, quote)
        for number, (_, quote) in enumerate(contents.quotes)
        if quote.session == session.id and quote.found
        for at, span in enumerate(quote.grounding.spans)
    ]
    turns = (_turn(place, index, message, lit) for index, message in enumerate(session.transcript.messages))
    return element("section", "session", *_head(place, session), *turns, id=f"session-{place}")


def _head(place: int, session: SessionKept) -> list[Node]:
    about = " · ".join(
        one for one in (session.agent, session.user, time_in_words(session.started_at), session.task) if one
    )
    count = len(session.transcript.messages)
    return [
        element("h2", "", f"Transcript of {session.ref}"),
        element("p", "meta", f"{about} · {count:,} turns, all of them"),
        element("p", "meta hash", "SHA-256 ", said(f"transcript:{place}:sha256", session.sha256)),
        *(element("p", "meta", line) for line in session.corrections),
    ]


def _turn(place: int, index: int, message: Message, lit: Sequence[Lit]) -> Element:
    mine = [one for one in lit if one[2] == index]
    rings = dict.fromkeys(quote.number for _, _, _, quote in mine)
    gutter = element(
        "div",
        "gutter",
        element("b", "", speaker_in_words(message), dir="auto"),
        element("span", "", f"turn {index + 1}"),
        element("span", "rings", *(element("span", "ring", str(number)) for number in rings)) if rings else None,
    )
    calls = (
        element("div", "call", said(f"call:{place}:{index}:{at}", call.shown, tag="code"))
        for at, call in enumerate(message.tool_calls)
    )
    look = "told" if message.role in TOLD else "tool" if message.role is Role.TOOL else str(message.role)
    failed = element("p", "failed", "the tool reported an error") if message.failed else None
    speech = element("div", "speech", *_words(message.content, mine), data_said=f"turn:{place}:{index}", dir="auto")
    silent = element("p", "meta", "said nothing") if not message.content and not message.tool_calls else None
    body = element("div", "said", speech, *calls, failed, silent)
    return element("div", f"turn {look}{' lit' if mine else ''}", gutter, body, id=f"turn-{place}-{index}")


def _words(content: str, lit: Sequence[Lit]) -> list[Node]:
    spans = [(quote.grounding.spans[at], f"{number}.{at}") for number, at, _, quote in lit]
    looks = {f"{number}.{at}": LINES.get(quote.grounding.verdict, "exact") for number, at, _, quote in lit}
    marks = [(span.start, span.end, name) for span, name in spans]
    return [
        element("mark", " ".join(dict.fromkeys(looks[one] for one in part.ids)), part.text, data_lit=" ".join(part.ids))
        if part.ids
        else part.text
        for part in segments(content, marks)
    ]
