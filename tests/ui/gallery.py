"""Every drawn piece on one page, with invented content: ``streamlit run tests/ui/gallery.py``."""

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.ui import samples
from ui.card import card_tree, reads_tree
from ui.drawing import bring_code, draw
from ui.review_queue import queue_tree
from ui.transcript import transcript_tree

st.set_page_config(layout="wide")
bring_code()
st.html(Path(__file__).parents[2] / "ui" / "frame.css")
quotes = (samples.FOUND, samples.REJECTED, samples.SHORTENED, samples.ALTERED, samples.WRONG)
if st.query_params.get("quotes") == "refused":
    quotes = (samples.ALTERED, samples.WRONG)
card = samples.card(quotes)
with st.container(key="desk"):
    with st.container(key="queue"):
        st.title("Review", anchor=False)
        draw(queue_tree(samples.queue(), 142, samples.NOW), key="queue-list")
    with st.container(key="card"):
        draw(
            card_tree(card, {1: samples.TRANSCRIPT}, 1, samples.NOW),
            key="card-tree",
            place="L-0142",
            light=quotes[0].number,
        )
    with st.container(key="words"):
        tree = transcript_tree(samples.SESSION, samples.TRANSCRIPT, quotes)
        draw(
            tree,
            key="words-tree",
            place="S-0001",
            light=quotes[0].number,
            keys={"n": "evidence:next", "N": "evidence:back"},
        )
    with st.container(key="reads"):
        draw(reads_tree(card.reads), key="reads-tree")
with st.bottom, st.container(key="bar", horizontal=True):
    st.button("Approve", type="primary", shortcut="a")
    st.button("Reject…", shortcut="x")
