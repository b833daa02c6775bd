"""How the tests of the checks write down a session."""

import json
from collections.abc import Callable

import pytest

from core.checks import Case, Fact, Finding, Policy
from core.transcripts.message import Message, ToolCall, Transcript


class Talk:
    """Builds a case turn by turn; every method answers with itself."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._calls = 0

    def user(self, text: str) -> "Talk":
        return self._add(Message(role="user", content=text))

    def agent(self, text: str) -> "Talk":
        return self._add(Message(role="assistant", content=text))

    def system(self, text: str) -> "Talk":
        return self._add(Message(role="system", content=text))

    def tool(self, name: str, answer: object, *, failed: bool = False, **arguments: object) -> "Talk":
        self._calls += 1
        call = ToolCall(name=name, arguments=arguments, id=f"call_{self._calls}")
        self._add(Message(role="assistant", tool_calls=(call,)))
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return self._add(Message(role="tool", content=text, name=name, tool_call_id=call.id, failed=failed))

    def unnamed(self, answer: str) -> "Talk":
        return self._add(Message(role="tool", content=answer))

    def case(
        self, *, base_prompt: str = "You help.", facts: tuple[str, ...] = (), policies: tuple[Policy, ...] = ()
    ) -> Case:
        known = tuple(Fact(text, "profile form") for text in facts)
        return Case(Transcript(messages=tuple(self._messages)), base_prompt, policies, known)

    def _add(self, message: Message) -> "Talk":
        self._messages.append(message)
        return self


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def words() -> Callable[[Case, Finding], list[str]]:
    """What the spans of a finding light up."""

    def lit(case: Case, finding: Finding) -> list[str]:
        messages = case.transcript.messages
        return [messages[span.turn].content[span.start : span.end] for span in finding.spans]

    return lit
