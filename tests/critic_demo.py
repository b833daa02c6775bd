"""A server that plays the model, to try the desk without one. Run: ``python -m tests.critic_demo``.

It judges nothing: it quotes the agent's first longer sentence and writes by rote. A draft is good to it when it says
that something did not work. What it replies takes the same way through evidence, screening and the desk as what a model
writes.
"""

import json
import re
from collections.abc import Mapping
from threading import Event
from typing import Any

import click

from core.critic.prompts import prompt
from core.vocabulary import Writer
from tests.critic_server import CriticServer, Received, Scripted, reply

_ADMITS = re.compile(r"\b(?:could not|cannot|not possible|rejected|failed)\b", re.IGNORECASE)
"""What an honest draft says of what did not work."""

_SENTENCE = re.compile(r"[^.!?\n]{25,200}[.!?]")


def answered(request: Received, *, delay: float = 0.0) -> Scripted:
    """A reply of the writer that asks, with words of the session as evidence."""
    messages = request.body["messages"]
    writer = next((one for one in Writer if prompt(one).text == messages[0]["content"]), Writer.NOTES)
    said = json.dumps(_reply(writer, json.loads(messages[1]["content"])), ensure_ascii=False)
    sent = sum(len(one["content"]) for one in messages)
    usage = {"prompt_tokens": sent // 3, "completion_tokens": len(said) // 4}
    scripted = reply(said, usage=usage, model=request.body.get("model", "demo"))
    return Scripted(scripted.body, headers=scripted.headers, delay=delay)


def _reply(writer: Writer, data: Mapping[str, Any]) -> object:
    quote = _quote(data)
    evidence = [quote] if quote else []
    match writer:
        case Writer.NOTES:
            return {"notes": [_note(evidence)] if evidence else []}
        case Writer.LESSON:
            text = "Look the order up and name what it says before you promise anything about it."
            return {"lesson": text, "tags": ["order", "promise"], "evidence": evidence}
        case Writer.REFLECTION:
            text = "I failed to settle the order because I did not look it up; next time, I look it up first."
            return {"lesson": text, "tags": ["order", "lookup"], "evidence": evidence}
        case Writer.PROCEDURES:
            return {"procedures": []}
        case Writer.EPISODES:
            task = str(data.get("task") or "The user asked for help.")[:120]
            return {"episodes": [{"text": f"The user came with this: {task}", "importance": 0.5, "evidence": evidence}]}
        case Writer.OPINION:
            return {"why": "The quoted words say it.", "supports": "partly"}
    if _ADMITS.search(data.get("draft") or ""):
        return {"ok": True, "problems": [], "fix": ""}
    return {"ok": False, "problems": ["The draft names no source for what it promises."], "fix": "Name the source."}


def _note(evidence: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "dimension": "completeness",
        "severity": "medium",
        "observation": "The agent says this without naming what it rests on.",
        "evidence": evidence,
        "improvement": "Name the record that an answer rests on.",
    }


def _quote(data: Mapping[str, Any]) -> dict[str, Any] | None:
    for turn in data.get("transcript", ()):
        found = _SENTENCE.search(turn.get("text") or "") if turn["speaker"] == "assistant" else None
        if found:
            return {"quote": found[0].strip(), "speaker": "assistant", "turn": turn["turn"]}
    return None


@click.command()
@click.option("--port", type=click.IntRange(0, 65_535), default=8_099, show_default=True)
@click.option("--delay", type=click.FloatRange(0, 60), default=1.0, show_default=True, help="Seconds before a reply.")
def main(port: int, delay: float) -> None:
    """Serve until Ctrl-C."""
    try:
        server = CriticServer(port)
    except OSError as error:
        raise click.ClickException(
            f"Port {port} cannot be used ({error.strerror}); name another with --port."
        ) from error
    server.answering = lambda request: answered(request, delay=delay)
    with server.running():
        click.echo(f"OPENAI_BASE_URL={server.url} OPENAI_MODEL=demo make run")
        Event().wait()


if __name__ == "__main__":
    main()
