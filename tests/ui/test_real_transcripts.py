"""Real transcripts, shown: no character is lost, whatever stands in them."""

import pytest

from core.transcripts.read import read
from tests.ui import samples
from ui.transcript import transcript_tree
from ui.tree import elements, text_of

FILES = ("tau2-bench/toolorchestra_airline_gpt-5_1trial.json", "tau-bench/few_shot_retail.jsonl")


def _shown(tree):
    if isinstance(tree, list):
        if tree[0] == "pre" or "speech" in str(tree[1].get("class", "")):
            yield text_of(tree)
            return
        for child in tree[2:]:
            yield from _shown(child)


@pytest.mark.corpus
@pytest.mark.parametrize("file", FILES)
def test_every_real_turn_is_shown_character_for_character(corpus, file):
    path = corpus / "data" / file
    sessions = read(path.read_bytes(), path.name).sessions
    assert len(sessions) > 20
    for session in sessions:
        tree = transcript_tree(samples.SESSION, session.transcript, ())
        said = [message.content for message in session.transcript.messages if message.content]
        assert list(_shown(tree)) == said
        assert len(list(elements(tree, "turn"))) == len(session.transcript.messages)
