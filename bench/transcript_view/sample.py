"""One invented transcript of 2,000 messages and a megabyte, with 200 quotes."""

import random
from datetime import UTC, datetime

import streamlit as st

from core.evidence.contract import Grounding, Span
from core.service.views import Quote, SessionRow
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role, Verdict

MESSAGES, CHARACTERS, QUOTES = 2_000, 500, 200
WORDS = (
    *("refund", "order", "card", "policy", "window", "account", "credit", "parcel", "invoice", "address", "please"),
    *("check", "arrange", "confirm", "today", "full", "the", "a", "we", "you", "have", "will", "can", "is", "for"),
    *("your", "our", "with", "before", "after", "until", "because"),
)


def opened() -> tuple[Transcript, list[Quote], int]:
    """What both apps share: three buttons, and the transcript once it is opened, with the number in the light."""
    st.set_page_config(layout="wide")
    light = st.session_state.setdefault("light", 0)
    for name, number in (("Open", 1), ("Next", light + 1), ("Last", QUOTES)):
        st.button(name, on_click=st.session_state.update, kwargs={"light": number})
    said = transcript()
    if not light:
        st.stop()
    return said, quotes(said), light


@st.cache_resource
def transcript() -> Transcript:
    """The same every time; user and agent speak in turn."""
    chance = random.Random(7)
    return Transcript(
        messages=tuple(
            Message(role=Role.ASSISTANT if turn % 2 else Role.USER, content=_speech(chance)) for turn in range(MESSAGES)
        )
    )


def _speech(chance: random.Random) -> str:
    said = ""
    while len(said) < CHARACTERS:
        said += " ".join(chance.choice(WORDS) for _ in range(chance.randint(6, 18))).capitalize() + ". "
    return said.strip()


def quotes(of: Transcript) -> list[Quote]:
    """One quote in every tenth message."""
    step = MESSAGES // QUOTES
    return [_quote(number, of, (number - 1) * step + 1) for number in range(1, QUOTES + 1)]


def _quote(number: int, of: Transcript, turn: int) -> Quote:
    words = of.messages[turn].content[40:120]
    found = Grounding(Verdict.EXACT, (Span(turn, 40, 120),))
    return Quote(number, number, 1, "S-0001", words, Role.ASSISTANT, found)


SESSION = SessionRow(
    1, "S-0001", "Desk", "ann", "refunds", datetime(2026, 11, 30, tzinfo=UTC), MESSAGES, "unknown", QUOTES, "A refund"
)
