"""What the critic costs beside the model. Run: ``python -m bench.critic``.

Requests: every real session as requests, beside writing the same words as plain JSON. Work: debriefs through the
engine, beside the bare client that sends the same requests with as many at once. Page: the list of runs at ten
thousand, beside a hundred. Replies: quotes that real models wrote, through the whole way. Nothing leaves the machine.
"""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import click

from bench.critic.sessions import brought_in, judged_sessions, real_transcripts
from core.critic.answer import Request, Said
from core.critic.critic_settings import CriticSettings
from core.critic.llm import Llm
from core.critic.material import AgentRecord, Material
from core.critic.model_settings import ModelSettings
from core.critic.parts import parts_of
from core.critic.tokens import prompt_estimate
from core.critic.writing import request_for, tokens_beside_the_turns
from core.governance.people import local_operator
from core.service.critic.runs import queue
from core.service.critic.shown import RunsAsked
from core.service.critic.views import run_counts, run_list
from core.service.working import engine
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.database import Database
from core.vocabulary import RunState, Writer
from tests.critic_demo import answered
from tests.critic_server import CriticServer

BUDGET = 32_000 - 4_000
DELAY = 1.0
"""Seconds that the server takes for a reply."""


def seconds(act: Callable[[], object], times: int = 1) -> float:
    """The median time of an act."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        act()
        took.append(time.perf_counter() - begun)
    return median(took)


def requests() -> Iterator[str]:
    """Real sessions as requests for notes: how many, how large, and how long it takes."""
    made: list[Request] = []
    transcripts = list(real_transcripts())

    def all_requests() -> None:
        made.clear()
        for transcript in transcripts:
            material = Material(agent=AgentRecord(name="bench"), transcript=transcript)
            room = BUDGET - tokens_beside_the_turns(Writer.NOTES, material)
            made.extend(request_for(Writer.NOTES, material, part) for part in parts_of(transcript, room))

    def plain() -> None:
        for transcript in transcripts:
            json.dumps([message.model_dump(mode="json") for message in transcript.messages])

    ours, theirs = seconds(all_requests, 3), seconds(plain, 3)
    over = sum(prompt_estimate(request) > BUDGET for request in made)
    yield f"requests: {len(transcripts)} sessions, {len(made)} requests, {over} over the budget of {BUDGET:,} tokens"
    yield f"  {ours / theirs:.1f} x the time of writing the same sessions as plain JSON ({ours:.1f} s / {theirs:.1f} s)"


def work(size: int) -> Iterator[str]:
    """Debriefs through the engine, and the same requests by the bare client."""
    with tempfile.TemporaryDirectory() as folder, CriticServer().running() as server:
        server.answering = lambda request: answered(request, delay=DELAY)
        os.environ |= {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "demo"}
        database = Database(f"sqlite:///{folder}/bench.db")
        database.migrate()
        refs = brought_in(database, size)
        with engine(database):
            queue(database, refs, by=local_operator())
            begun = time.perf_counter()
            while run_counts(database).of(RunState.QUEUED, RunState.RUNNING):
                time.sleep(0.05)
            through = time.perf_counter() - begun
        done = run_counts(database).of(RunState.DONE)
        bodies = [[Said(**said) for said in body["messages"]] for body in server.bodies]
        server.clear()
        settings = CriticSettings()
        with (
            Llm(ModelSettings.from_environment(os.environ)) as llm,
            ThreadPoolExecutor(settings.requests_at_once) as pool,
        ):
            bare = seconds(lambda: list(pool.map(lambda said: llm.ask(Request(messages=tuple(said))), bodies)))
        yield f"work: {done} of {size} debriefs done, {len(bodies)} requests, {settings.requests_at_once} at once"
        ratio = f"{through / bare:.2f} x the bare client ({through:.1f} s / {bare:.1f} s)"
        yield f"  {ratio}; the server takes {DELAY} s for each"
        database.close()


def page() -> Iterator[str]:
    """One page of the list of runs, on a hundred and on ten thousand."""
    took = {}
    for size in (100, 10_000):
        with tempfile.TemporaryDirectory() as folder:
            database = _with_runs(Path(folder), size)
            took[size] = seconds(lambda database=database: run_list(database), 30)
            failed = seconds(lambda database=database: run_list(database, RunsAsked(state=RunState.FAILED)), 30)
            database.close()
            yield f"page: {size:,} runs, {took[size] * 1000:.1f} ms a page, {failed * 1000:.1f} ms of those that failed"
    yield f"  {took[10_000] / took[100]:.1f} x from 100 to 10,000 runs"


def _with_runs(folder: Path, size: int) -> Database:
    database = Database(f"sqlite:///{folder}/bench.db")
    database.migrate()
    brought_in(database, 1)
    with database.writing() as db:
        from core.store.critic_records import CriticPrompt

        db.add(CriticPrompt(sha256="0" * 64, writer=Writer.NOTES, text="", at=now()))
        db.flush()
        for number in range(size):
            state = RunState.FAILED if number % 50 == 0 else RunState.DONE
            run = CriticRun(
                session_id=1,
                transcript_sha256="0" * 64,
                recipe="0" * 64,
                server="x",
                state=state,
                by="b",
                queued_at=now(),
            )
            db.add(run)
            db.flush()
            for place in range(4):
                call = CriticCall(
                    run_id=run.id, place=place, writer=Writer.NOTES, key=f"{number}{place}", prompt_sha256="0" * 64,
                    state="answered", tokens_prompt=2_000, tokens_completion=200, cost=1_000,
                )  # fmt: skip
                db.add(call)
    return database


def replies() -> Iterator[str]:
    """Quotes of real judges as notes, through the whole way: what is open, what is held, and that nothing is lost."""
    with tempfile.TemporaryDirectory() as folder:
        yield from judged_sessions(Path(folder))


PARTS = {"requests": requests, "work": lambda: work(40), "page": page, "replies": replies}


@click.command()
@click.option("--only", type=click.Choice(list(PARTS)), multiple=True)
def main(only: tuple[str, ...]) -> None:
    """Measure."""
    for name, part in PARTS.items():
        if not only or name in only:
            for line in part():
                click.echo(line)


if __name__ == "__main__":
    main()
