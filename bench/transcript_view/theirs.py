"""The same transcript as chat messages of Markdown; the quote in the light is bold."""

import streamlit as st

from bench.transcript_view import sample

said, quotes, light = sample.opened()
lit = {quote.grounding.spans[0].turn: quote for quote in quotes}
for turn, message in enumerate(said.messages):
    text = message.content
    if turn in lit:
        span = lit[turn].grounding.spans[0]
        words = text[span.start : span.end].strip()
        shown = f"**{words}**" if lit[turn].number == light else words
        text = f"{text[: span.start]} :yellow-background[{shown}] {text[span.end :]}"
    with st.chat_message(str(message.role)):
        st.markdown(text)
