"""Starts the desk: the database is brought up to date, and an empty one gets invented sample sessions and memory."""

import os
from pathlib import Path

from sqlmodel import select

from core.governance.policy_adoption import adopt
from core.service.bring_in import bring_in
from core.service.consolidation.buffer import ask_as_the_critic_does
from core.service.debrief import debrief
from core.service.sample_memory import load_sample_memory
from core.store.database import ROOT, Database
from core.store.records import AgentSession

SAMPLES = ROOT / "data" / "samples"


def open_database(url: str | None = None) -> Database:
    """A database that is up to date. Samples are not loaded."""
    database = Database(url)
    database.migrate()
    ask_as_the_critic_does()
    return database


def start(url: str | None = None, samples: Path = SAMPLES) -> Database:
    """The desk's database, ready for use, with the policies of its files in force.

    ``TUTELAGE_SAMPLES=0`` leaves an empty one empty.
    """
    database = open_database(url)
    adopt(database)
    if os.environ.get("TUTELAGE_SAMPLES", "1") != "0" and is_empty(database):
        load_samples(database, samples)
    return database


def is_empty(database: Database) -> bool:
    """Whether no session has come in yet."""
    with database.reading() as db:
        return db.exec(select(AgentSession.id).limit(1)).first() is None


def load_samples(database: Database, folder: Path = SAMPLES) -> None:
    """Bring in and debrief the sample sessions, and remember what is remembered of them."""
    for path in (*sorted(folder.glob("*.json*")), *sorted((folder / "memory" / "sessions").glob("*.json*"))):
        bring_in(database, path.read_bytes(), path.name)
    debrief(database)
    load_sample_memory(database, folder / "memory")
    debrief(database)
