"""How long it takes to say what other numbers would have changed. Run: ``python -m bench.thresholds``.

Makes a desk of 50 procedures, some notes and lessons, and 200 briefings with outcomes, all through the product's own
doors. Prints the time of moving one number over that past, of gathering the past, and of composing the 200 briefings
anew as of then; the last is what it would cost without a past that was gathered, and the ratios are what counts.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from decimal import Decimal
from itertools import count
from pathlib import Path

from core.briefing.asked import Asked
from core.briefing.read import agent_named, brief, issue
from core.effects.outcomes import report_outcome
from core.governance.acts import Request
from core.governance.desk import decide
from core.governance.drafts import Draft, LessonContent, ProcedureContent
from core.governance.on_screen import screen_hash
from core.governance.people import local_operator
from core.governance.proposals import propose
from core.service.agents import agent_for
from core.service.thresholds import Past, different, past
from core.settings import DEFAULTS, Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Item
from core.transcripts import AgentDraft
from core.vocabulary import Action, Outcome, Severity, Source

PROCEDURES, BRIEFINGS, LESSONS = 50, 200, 20
REPEATS = 15
PAPERS = ("receipt", "contract", "label", "address", "tariff", "calendar", "deposit", "stamp", "barcode", "photo")
THINGS = ("invoice", "passport", "parcel", "ticket", "locker")


def filled(path: Path) -> Database:
    """A desk with a past."""
    database = Database(f"sqlite:///{path}")
    database.migrate()
    with database.writing() as db:
        agent_for(db, "bench", AgentDraft("You are the bench."))
    for number in range(PROCEDURES):
        paper, thing = PAPERS[number % 10], THINGS[number // 10]
        text = f"Check the {paper} of the {thing} before you answer."
        content = ProcedureContent(
            title=f"{paper} of the {thing}", trigger=f"a {thing} is meant", instruction=text, confidence=Decimal("0.60")
        )
        approved(database, content)
    for number in range(LESSONS):
        approved(
            database,
            LessonContent(text=f"Look at the {PAPERS[number % 10]} of the {THINGS[number // 10]} before you answer."),
        )
    for day in range(BRIEFINGS):
        receipt = issue(
            database, Asked("bench", f"user {day % 7}", "parcels", "a parcel and a ticket"), at=now()
        ).receipt
        if day % 5:
            report_outcome(database, receipt, Outcome.SUCCESS if day % 3 else Outcome.FAILURE, at=now())
    return database


def approved(database: Database, content: ProcedureContent | LessonContent) -> None:
    """An item, proposed and approved."""
    draft = Draft(
        content=content,
        severity=Severity.MEDIUM,
        agent_id=1,
        task_class="parcels",
        origin="bench",
        proposer="check bench",
        source=Source.CHECK,
    )
    with database.writing() as db:
        item = db.get_one(Item, propose(db, draft, at=now()).item_id)
        asked = Request(item.id or 0, Action.APPROVE, local_operator(), item.revision, screen_hash(db, item))
    decide(database, asked)


def median_ms(work: Callable[[], object]) -> float:
    """The median CPU time of repeated calls, in milliseconds."""
    work()
    times = []
    for _ in range(REPEATS):
        begun = time.process_time()
        work()
        times.append((time.process_time() - begun) * 1000)
    return statistics.median(times)


def once_ms(work: Callable[[], object]) -> float:
    """The CPU time of one call, in milliseconds."""
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def composed(database: Database, gathered: Past, numbers: Settings) -> None:
    """Every briefing of the past anew, as of then, by the log."""
    with database.reading() as db:
        agent = agent_named(db, "bench")
        for one in gathered.briefings:
            brief(db, agent, Asked(one.agent, one.user, one.task_class, one.task), numbers, as_of=one.at)


def main() -> None:
    """Print the table."""
    tries = (Decimal(hundredths) / 100 for hundredths in count(40))
    with tempfile.TemporaryDirectory() as folder:
        database = filled(Path(folder) / "bench.db")
        gathering = once_ms(lambda: past(database))
        gathered = past(database)
        moving = median_ms(lambda: shown(gathered, moved(next(tries))))
        anew = once_ms(lambda: composed(database, gathered, moved(Decimal("0.62"))))
        print(f"{len(gathered.briefings)} briefings × {len(gathered.procedures)} procedures")
        for what, took in (("a number is moved", moving), ("the past is gathered", gathering), ("composed anew", anew)):
            print(f"{what:<22} {took:>9.1f} ms {took / moving:>8.1f}x")
        database.close()


def moved(threshold: Decimal) -> Settings:
    """The numbers with another threshold and another step; each try is one that nobody asked for before."""
    return DEFAULTS.model_copy(update={"procedure_threshold": threshold, "success_step": Decimal("0.05")})


def shown(gathered: Past, draft: Settings) -> object:
    """All that the page shows of a try."""
    other = different(gathered, DEFAULTS, draft)
    return other.procedures, other.upcoming, other.flips(10), other.mean_notes(), other.queue()


if __name__ == "__main__":
    main()
