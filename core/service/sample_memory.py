"""What a fresh desk remembers beyond its sample sessions: episodes of one invented user, beliefs and reflections.

Each text goes the way of any other: episodes are looked for in their transcripts, beliefs and reflections are proposed
through every gate, and nothing is in force before a person has approved it. Last comes a corrected transcript, whose
words no longer hold what one belief rests on.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import NotFound
from core.evidence import prepare
from core.governance.drafts import BeliefContent, Content, Draft, LessonContent, Quoted, quoted
from core.governance.groundings import to_json
from core.governance.proposals import propose
from core.governance.sources import depth_above, quotes_behind
from core.service.bring_in import masked_reading
from core.service.consolidation.sums import admit
from core.service.corrections import From, replace_words
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import Agent, AgentSession, Import
from core.store.transcripts import transcript_of
from core.transcripts.read import read
from core.vocabulary import EpisodeSource, Form, Role, Severity, Source

BY = "sample data"
"""Who proposed it, as it stands with each item and in the log."""

BELIEF = "belief: "
"""How a belief of the file cites another one of it, by its name."""


@dataclass
class _Known:
    """What has come in so far, by the names that the files use."""

    db: DatabaseSession
    at: datetime
    agents: dict[str, int] = field(default_factory=dict)
    sessions: dict[str, AgentSession] = field(default_factory=dict)
    episodes: dict[str, int] = field(default_factory=dict)


def load_sample_memory(database: Database, folder: Path) -> None:
    """Remember what the files of a folder say; nothing where there is no such folder. Raises ``NotFound``."""
    if not folder.is_dir():
        return
    with database.writing() as db:
        known = _Known(db, now())
        known.agents = {name: row or 0 for name, row in db.exec(select(Agent.name, Agent.id)).all()}
        known.sessions = {row.ref: row for row in db.exec(select(AgentSession)).all()}
        admit(db, list(_episodes(known, folder / "episodes.jsonl")))
        for said in json.loads((folder / "beliefs.json").read_bytes()):
            _belief(known, said)
        for said in json.loads((folder / "reflections.json").read_bytes()):
            _reflection(known, said)
    _correct(database, folder / "corrected.jsonl")


def _episodes(known: _Known, path: Path) -> Iterator[Episode]:
    for line in filter(str.strip, path.read_text(encoding="utf-8").split("\n")):
        said = json.loads(line)
        session = _session(known, said["session"])
        row = Episode(
            agent_id=known.agents[said["agent"]],
            user=said["user"],
            source=EpisodeSource.IMPORT,
            session_id=session.id,
            external_id=said["id"],
            text=said["text"],
            importance=Decimal(said["importance"]),
            quotes=[
                {"quote": one.quote, "speaker": one.speaker.value, "grounding": to_json(one.grounding)}
                for one in _quotes(known, session, said["quotes"])
            ],
            true_from=datetime.fromisoformat(said["at"]),
            at=known.at,
        )
        known.db.add(row)
        known.db.flush()
        known.episodes[said["id"]] = row.id or 0
        yield row


def _belief(known: _Known, said: Mapping[str, Any]) -> None:
    db = known.db
    cites = tuple(known.episodes[one] for one in said["cites"])
    depth = depth_above(db, cites)
    content = BeliefContent(text=said["text"], cites=cites, depth=depth, question=said["question"])
    draft = _draft(known, said, content, tuple(quotes_behind(db, cites)))
    item_id = propose(db, draft.model_copy(update={"user": said["user"]}), at=known.at, rule=BY).item_id
    place = db.exec(select(Episode.id).where(col(Episode.belief_id) == item_id)).one()
    known.episodes[f"{BELIEF}{said['name']}"] = place or 0


def _reflection(known: _Known, said: Mapping[str, Any]) -> None:
    content = LessonContent(form=Form.REFLECTION, text=said["text"], tags=tuple(said["tags"]))
    session = _session(known, said["session"])
    quotes = _quotes(known, session, said["quotes"])
    draft = _draft(known, said, content, tuple(quotes))
    about = {"task_class": said["task_class"], "session_id": session.id}
    propose(known.db, draft.model_copy(update=about), at=known.at, rule=BY)


def _draft(known: _Known, said: Mapping[str, Any], content: Content, quotes: Sequence[Quoted]) -> Draft:
    return Draft(
        content=content,
        severity=Severity.MEDIUM,
        agent_id=known.agents[said["agent"]],
        task_class="",
        origin=f"{BY}, invented",
        proposer=BY,
        source=Source.CRITIC,
        quotes=quotes,
    )


def _session(known: _Known, ref: str) -> AgentSession:
    if ref not in known.sessions:
        raise NotFound("agent session", ref)
    return known.sessions[ref]


def _quotes(known: _Known, session: AgentSession, said: Sequence[Mapping[str, str]]) -> list[Quoted]:
    transcript = transcript_of(known.db, session.id or 0)
    prepared = prepare(transcript)
    return [
        quoted(session.id or 0, transcript, one["quote"], prepared.ground(one["quote"], speaker=role), speaker=role)
        for one in said
        for role in [Role(one["speaker"])]
    ]


def _correct(database: Database, path: Path) -> None:
    """Put the words of a corrected transcript in the place of those that came in first."""
    data = path.read_bytes()
    reading = masked_reading(read(data, path.name))
    with database.writing() as db:
        sha256 = hashlib.sha256(data).hexdigest()
        file = Import(at=now(), file_name=path.name, format=reading.format.value, sha256=sha256, report={})
        db.add(file)
        db.flush()
        for draft in reading.sessions:
            session = db.exec(select(AgentSession).where(AgentSession.external_id == draft.external_id)).one()
            replace_words(db, session, draft.transcript, From(file.id or 0, BY, now()))
