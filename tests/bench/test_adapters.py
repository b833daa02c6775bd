"""Transcripts that other people collected are read as who said what, and every text as it stands."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.evidence.adapters import star, who_and_when
from bench.evidence.others import whole
from core.evidence import Grounding, Span
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role, Verdict


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TUTELAGE_CORPUS", str(tmp_path))
    return tmp_path / "data"


def put(folder: Path, row: dict[str, Any]) -> None:
    folder.mkdir(parents=True)
    (folder / "1.json").write_text(json.dumps(row), encoding="utf-8")


def test_the_blamed_agent_is_the_assistant_and_its_turn_counts_the_prompts(corpus: Path) -> None:
    said = [("Planner", "Look it up."), ("Computer_terminal", "exitcode: 0"), ("Counter", "There are 12  of them.")]
    history = [{"name": name, "role": "user", "content": content} for name, content in said]
    prompts = {"Planner": "You plan.", "Counter": "You count."}
    row = {"system_prompt": prompts, "history": history, "mistake_step": "2", "mistake_agent": "Counter"}
    put(corpus / "who-and-when" / "any", row | {"mistake_reason": "It miscounted."})
    [run] = who_and_when()
    assert [message.speaker for message in run.transcript.messages] == [
        "system", "system", "other:Planner", "tool", "assistant"
    ]  # fmt: skip
    assert run.transcript.messages[run.turn].content == "There are 12  of them."
    assert run.reason == "It miscounted."


def test_what_a_wizard_typed_for_suggestions_was_said_to_nobody(corpus: Path) -> None:
    events = [
        {"Agent": "UserGuide", "Action": "instruct", "Text": "Ask for a room."},
        {"Agent": "User", "Action": "utter", "Text": "A room, please."},
        {"Agent": "Wizard", "Action": "request_suggestions", "Text": "roomm"},
        {"Agent": "Wizard", "Action": "query", "APIName": "hotel", "Constraints": [{"Stars": "3"}]},
        {"Agent": "KnowledgeBase", "Action": "return_item", "APIName": "hotel", "Item": {"Name": "Inn"}},
        {"Agent": "Wizard", "Action": "pick_suggestion", "Text": "The Inn has one."},
        {"Agent": "User", "Action": "complete"},
    ]
    put(corpus / "star" / "any", {"Events": events})
    [transcript] = star()
    assert [(message.speaker, message.content) for message in transcript.messages] == [
        ("other:guide", "Ask for a room."),
        ("user", "A room, please."),
        ("assistant", ""),
        ("tool", '{"Name": "Inn"}'),
        ("assistant", "The Inn has one."),
    ]
    assert transcript.messages[2].tool_calls[0].shown == 'hotel([{"Stars": "3"}])'


def test_a_span_that_tears_a_character_apart_is_not_whole() -> None:
    transcript = Transcript(messages=(Message(role=Role.ASSISTANT, content="We agre\u0301e."),))
    spans = [(0, 3, 9), (0, 3, 7), (0, 3, 12), (0, 9, 9)]
    answers = [Grounding(Verdict.EXACT, (Span(*span),)) for span in spans]
    assert [whole(transcript, answer) for answer in answers] == [True, False, False, False]
