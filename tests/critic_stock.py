"""Debriefs by the critic that were really carried out, against the loopback server and through the real client."""

import json
from collections.abc import Iterable, Mapping

from core.governance.people import local_operator
from core.service.critic.runs import queue
from core.service.critic.work import CriticWork
from core.store.database import Database
from core.vocabulary import Writer
from tests.critic_desk import writer_of
from tests.critic_server import CriticServer, Scripted, reply

SAID, ALSO_SAID = "I have arranged the full refund of $29.", "It will be on your card within five days."
HOSTILE = "**Bold** <img src=x onerror=alert(1)> $x^2$ [link](javascript:alert(1)) :red[red]"
USED = {"prompt_tokens": 1_900, "completion_tokens": 120, "total_tokens": 2_020}
Replies = Mapping[Writer, Scripted]


def environment(server: CriticServer) -> dict[str, str]:
    """What names the loopback server as the model's."""
    return {"OPENAI_API_KEY": "sk-not-a-real-key", "OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "m"}


def note(observation: str, *, quote: str = SAID, severity: str = "high") -> dict[str, object]:
    """A note as a model writes it."""
    evidence = [{"quote": quote, "speaker": "assistant", "turn": 5}]
    next_time = "Read the answer of the refund tool before you speak of a refund."
    said = {"dimension": "compliance", "severity": severity, "observation": observation, "improvement": next_time}
    return {**said, "evidence": evidence}


def replies(**instead: Scripted) -> Replies:
    """A reply for each writer: one note that holds, one of an unknown severity, one whose words were never said."""
    notes = [
        note("It promised a refund that the tool had refused."),
        note(f"It spoke of money it could not move. {HOSTILE}", quote=ALSO_SAID, severity="blocker"),
        note("It named a sum that nobody asked for.", quote="you will get $4,000 tomorrow"),
    ]
    procedure = {
        "kind": "rule",
        "title": "Tool before promise, again",
        "trigger": "a refund is asked for by a person",
        "instruction": "Read what the refund tool answers, then tell the person what it said.",
        "confidence": 0.7,
        "evidence": [{"quote": SAID, "speaker": "assistant"}],
    }
    episode = {"text": "A refund was promised and never made.", "importance": 0.6, "evidence": [{"quote": SAID}]}
    given = {
        "notes": reply(json.dumps({"notes": notes}), usage=USED),
        "procedures": reply(json.dumps({"procedures": [procedure, "no object"]}), usage=USED),
        "episodes": reply(json.dumps({"episodes": [episode]}), usage=USED),
        "lesson": reply('{"lesson": "Be more careful.", "tags": ["care", "work"]}', usage=USED),
        "opinion": reply('{"why": "The words promise money, no more.", "supports": "partly"}', usage=USED),
        **instead,
    }
    return {Writer(name): answer for name, answer in given.items()}


def answering(server: CriticServer, given: Replies) -> None:
    """Let the server answer each writer so, however often it asks."""
    server.answering = lambda request: given[writer_of(request.body)]


def work_off(
    db: Database, server: CriticServer, run_ids: Iterable[int], given: Replies, environ: Mapping[str, str]
) -> None:
    """Carry out runs as a worker does, one request after another."""
    answering(server, given)
    work = CriticWork(db, environ)
    try:
        for run_id in run_ids:
            while due := work.due(run_id):
                for one in due:
                    work.ask(one.call_id)
            work.finish(run_id)
    finally:
        work.close()


def reviewed(
    db: Database, server: CriticServer, refs: list[str], given: Replies | None = None, *, again: bool = False
) -> tuple[int, ...]:
    """Queue these sessions and carry them out; the numbers of the runs."""
    environ = environment(server)
    queued = queue(db, refs, by=local_operator(), again=again, environ=environ).new
    work_off(db, server, queued, given or replies(), environ)
    return queued
