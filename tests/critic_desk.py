"""A desk with a critic to test with: a scripted server that answers each writer, and debriefs carried out in steps."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from core.service.bring_in import bring_in
from core.service.critic.runs import queue
from core.service.critic.settings import save_critic_settings
from core.service.critic.shown import RunView
from core.service.critic.views import run_view
from core.service.critic.work import CriticWork
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.vocabulary import Writer
from tests.critic_server import CriticServer, Received, Scripted, reply
from tests.desk import OPERATOR

KEY = "sk-invented-0123456789"
NOTHING: Mapping[Writer, object] = {
    Writer.NOTES: {"notes": []},
    Writer.LESSON: {"lesson": "", "tags": [], "evidence": []},
    Writer.REFLECTION: {"lesson": "", "tags": [], "evidence": []},
    Writer.PROCEDURES: {"procedures": []},
    Writer.EPISODES: {"episodes": []},
    Writer.OPINION: {"why": "The words say so.", "supports": "yes"},
    Writer.SELF_REVIEW: {"ok": True, "problems": [], "fix": ""},
    Writer.QUESTIONS: {"questions": []},
    Writer.BELIEFS: {"beliefs": []},
}
"""What each writer replies that has nothing to say."""

PROMISED = (
    {"role": "user", "content": "Can I get my money back for the Django course?"},
    {"role": "assistant", "content": "Yes, the refund has been arranged for you."},
    {"role": "user", "content": "Great, so it is on its way. I am quite worried about my rent."},
    {"role": "assistant", "content": "You will have the money by tomorrow morning."},
)


class Desk:
    """A database, a server that plays the model, and the work between them."""

    def __init__(self, database: Database, server: CriticServer) -> None:
        self.database, self.server = database, server
        self.environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "m"}
        self.work = CriticWork(database, self.environ)
        self.answers: dict[Writer, object] = dict(NOTHING)
        server.answering = self._answer

    def settings(self, **chosen: Any) -> None:
        """Save the critic's settings of the desk."""
        save_critic_settings(self.database, chosen, by=OPERATOR, reason="a test")

    def bring(self, *messages: Mapping[str, Any], id: str = "s1", **record: Any) -> str:
        """Bring one session in, and return its reference."""
        said = {"id": id, "agent": "Campus Desk", "user": "student 1", "messages": list(messages or PROMISED), **record}
        report = bring_in(self.database, json.dumps([said]).encode(), "made.json")
        assert not report.errors, report.errors
        return report.rows[0].ref

    def debrief(self, *refs: str, **how: Any) -> list[RunView]:
        """Queue debriefs of these sessions and carry them out, one after the other."""
        queued = queue(self.database, refs, by=OPERATOR, environ=self.environ, **how)
        return [self.carry_out(run_id) for run_id in (*queued.new, *queued.known)]

    def carry_out(self, run_id: int) -> RunView:
        """Do all the work of one run."""
        while due := self.work.due(run_id):
            for one in due:
                self.work.ask(one.call_id)
        self.work.finish(run_id)
        return run_view(self.database, run_id)

    def asked(self, writer: Writer) -> list[Mapping[str, Any]]:
        """The bodies of the requests of a writer that reached the server."""
        return [body for body in self.server.bodies if writer_of(body) is writer]

    def calls(self, run_id: int) -> Sequence[CriticCall]:
        """The stored requests of a run."""
        from sqlmodel import select

        with self.database.reading() as db:
            return db.exec(select(CriticCall).where(CriticCall.run_id == run_id)).all()

    def _answer(self, request: Received) -> Scripted:
        said = self.answers[writer_of(request.body)]
        said = said(request.body) if callable(said) else said
        if isinstance(said, Scripted):
            return said
        sent = sum(len(one["content"]) for one in request.body["messages"])
        usage = {"prompt_tokens": sent // 3, "completion_tokens": 100}
        return reply(said if isinstance(said, str) else json.dumps(said), usage=usage)


def writer_of(body: Mapping[str, Any]) -> Writer:
    """Which writer a request is from, by its prompt."""
    from core.critic.prompts import prompt

    first = body["messages"][0]["content"]
    return next(writer for writer in Writer if prompt(writer).text == first)


def note(quote: str, *, turn: int = 2, speaker: str = "assistant", **fields: Any) -> dict[str, Any]:
    """A note as the model writes it."""
    return {
        "dimension": "compliance",
        "severity": "high",
        "observation": "The agent says that a refund is arranged, and nothing shows it.",
        "evidence": [{"quote": quote, "speaker": speaker, "turn": turn}],
        "improvement": "Look the refund up before saying that it is arranged.",
        **fields,
    }


@contextmanager
def critic_desk(database: Database) -> Iterator[Desk]:
    """A desk whose critic answers."""
    with CriticServer().running() as server:
        desk = Desk(database, server)
        yield desk
        desk.work.close()


Answer = Callable[[Mapping[str, Any]], object]
