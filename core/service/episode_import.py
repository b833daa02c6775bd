"""Episodes from files into the store: each once, through the screen for credentials, and counted like any other.

A reflection of a file is judged as a belief of our own would be: what cites too little, lies too deep, or rests on what
is not in the file is reported as such and not stored. What passes is proposed, and waits for a person.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property

from pydantic import ValidationError
from sqlalchemy import insert
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import BadInput, Refused
from core.governance.drafts import BeliefContent, Draft
from core.governance.numbers import numbers, numbers_in_force
from core.governance.proposals import propose
from core.governance.sources import depth_above
from core.screening.named import name_kept
from core.screening.secrets import find_secrets, mask
from core.service.agents import agent_for
from core.service.consolidation.runs import may_start
from core.service.consolidation.sums import admit
from core.service.episode_files import EpisodeFile, EpisodeRecord, ReflectionRecord, read_episodes
from core.store.clock import now
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import Agent
from core.transcripts import AgentDraft
from core.vocabulary import EpisodeSource, Severity, Source

RULE = "import"
NEW, KNOWN = "new", "known"

_Same = tuple[str, str | None, str, datetime]
"""What makes two records the same: the same words of the same time, of one agent and user."""


@dataclass(frozen=True)
class ReflectionRow:
    """A reflection of a file: its evidence by name, with the words of what is in the file, and what is wrong with it.

    ``became`` says what was stored of it: ``new``, ``known`` or ``returned``; empty where nothing was.
    """

    name: str
    text: str
    importance: Decimal | None
    depth: int
    evidence: tuple[tuple[str, str | None], ...]
    problems: tuple[str, ...]
    became: str = ""
    ref: str = ""


@dataclass(frozen=True)
class EpisodesImported:
    """What became of a file."""

    episodes: int
    new: int
    known: int
    refused: tuple[tuple[str, str], ...]
    reflections: tuple[ReflectionRow, ...] = ()
    runs: tuple[int, ...] = ()
    """Runs that the new episodes set off."""
    problems: Mapping[str, int] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """One sentence for people."""
        said = f"{self.episodes} episodes: {self.new} new, {self.known} known, {len(self.refused)} refused"
        if not self.reflections:
            return said
        stored = sum(one.became == NEW for one in self.reflections)
        faults = "".join(f", {count} × {what}" for what, count in self.problems.items())
        return f"{said}; {len(self.reflections)} reflections: {stored} proposed{faults}"


def import_episodes(
    database: Database,
    data: bytes,
    *,
    by: str,
    agent: str | None = None,
    user: str | None = None,
    dry_run: bool = False,
    environ: Mapping[str, str] = os.environ,
) -> EpisodesImported:
    """Store the episodes of a file in one transaction, or with ``dry_run`` only say what would become of them.

    ``agent`` and ``user`` hold for records that name none. Raises ``BadInput`` for a file that cannot be read or a
    record without an agent, and ``Refused`` for a person without the duty.
    """
    file = read_episodes(data, numbers(database).import_bytes)
    nameless = next((one.external_id for one in file.episodes if not (one.agent or agent)), None)
    if nameless is not None:
        raise BadInput(f"{nameless} names no agent, and none is given for the file. Nothing was stored.")
    records = [_screened(one, agent or "", user) for one in file.episodes]  # slow, so before the lock is taken
    with database.reading() if dry_run else database.writing() as db:
        may_start(db, by)
        storing = _Storing(db, agent or "", user, file, dry_run)
        fresh = storing.episodes(records)
        reflections = [storing.reflection(one) for one in file.reflections]
        runs = [] if dry_run else admit(db, fresh, environ=environ)
        return _imported(file, storing, reflections, runs)


@dataclass(frozen=True)
class _Screened:
    """A record by its name in the file, and the row that it becomes once its agent and the moment are known."""

    name: str
    agent: str
    row: Episode
    may_be_stored: bool

    @cached_property
    def same(self) -> _Same:
        return self.agent, self.row.user, self.row.text, self.row.true_from


@dataclass
class _Storing:
    """The state of an import: which names of the file stand under which id by now, where one of it is cited."""

    db: DatabaseSession
    agent: str
    user: str | None
    file: EpisodeFile
    dry_run: bool
    ids: dict[str, int] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)
    agents: dict[str, int | None] = field(default_factory=dict)

    def episodes(self, records: Sequence[_Screened]) -> list[Episode]:
        """What was written, without its id; nothing for a record that is here already or must not be stored."""
        kept = [one for one in records if one.may_be_stored]
        self.refused += [
            (one.name, "it holds a credential or a number of a person") for one in records if not one.may_be_stored
        ]
        known = self._known(kept)
        here, fresh, moment = set(known), list[Episode](), now()
        for one in kept:
            self.counts[KNOWN if one.same in here else NEW] += 1
            agent_id = self._agent_id(one.agent)
            if one.same not in here and agent_id is not None and not self.dry_run:
                one.row.agent_id, one.row.at = agent_id, moment
                fresh.append(one.row)
            here.add(one.same)
        if fresh:
            self.db.execute(insert(Episode), [one.model_dump(exclude={"id"}) for one in fresh])
        if self.file.reflections:  # only they ask under which id something stands
            known = {one.same: 0 for one in kept} if self.dry_run else self._known(kept)
            self.ids |= {one.name: known[one.same] for one in kept}
        return fresh

    def reflection(self, one: ReflectionRecord) -> ReflectionRow:
        """A reflection with its evidence, proposed where nothing is wrong with it."""
        numbers, texts = numbers_in_force(self.db), self._texts
        known = [self.ids[name] for name in one.evidence if name in self.ids]
        problems = _problems(one, texts, len(known), numbers.belief_citations, numbers.belief_depth)
        row = ReflectionRow(
            one.external_id,
            one.text,
            one.importance,
            one.depth,
            tuple((name, texts.get(name)) for name in one.evidence),
            problems,
        )
        return row if problems or self.dry_run else self._proposed(one, row, known)

    def _proposed(self, one: ReflectionRecord, row: ReflectionRow, cites: Sequence[int]) -> ReflectionRow:
        agent_id = self._agent_id(self.agent)
        try:
            weighs = one.importance or numbers_in_force(self.db).belief_importance
            depth = depth_above(self.db, cites)
            content = BeliefContent(text=one.text, cites=tuple(cites), depth=depth, importance=weighs)
            draft = Draft(
                content=content,
                severity=Severity.MEDIUM,
                agent_id=agent_id or 0,
                task_class="",
                user=None if self.user is None else name_kept(self.user),
                origin=f"import {one.external_id}",
                proposer=RULE,
                source=Source.CRITIC,
            )
            made = propose(self.db, draft, at=now(), rule=RULE)
        except (Refused, ValidationError) as error:
            why = str(error) if isinstance(error, Refused) else "its words cannot be stored"
            return replace(row, problems=(why,))
        place = self.db.exec(select(Episode.id).where(Episode.belief_id == made.item_id)).first()
        self.ids[one.external_id] = place or 0
        return replace(row, became=made.what, ref=made.ref)

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        """The words of all that is in the file, by its name there."""
        texts = {one.external_id: one.text for one in self.file.episodes}
        return texts | {one.external_id: one.text for one in self.file.reflections}

    def _agent_id(self, name: str) -> int | None:
        """The id of an agent, made when it is new; a dry run makes none."""
        if name not in self.agents:
            known = self.db.exec(select(Agent.id).where(Agent.name == name)).first()
            self.agents[name] = known if known or self.dry_run else agent_for(self.db, name, AgentDraft()).id
        return self.agents[name]

    def _known(self, records: Sequence[_Screened]) -> dict[_Same, int]:
        """The records that were brought in before: one query for each agent and user, over the time of theirs."""
        times: dict[tuple[str, str | None], list[datetime]] = {}
        for one in records:
            times.setdefault((one.agent, one.row.user), []).append(one.row.true_from)
        found: dict[_Same, int] = {}
        for (agent, user), its in times.items():
            of_user = (Episode.agent_id == self._agent_id(agent), Episode.user == user)
            then = col(Episode.true_from).between(min(its), max(its))
            query = select(Episode.id, Episode.text, Episode.true_from)
            query = query.where(*of_user, Episode.source == EpisodeSource.IMPORT, then)
            for place, text, at in self.db.exec(query.order_by(col(Episode.id).desc())).all():
                found[agent, user, text, at] = place or 0
        return found


def _screened(one: EpisodeRecord, agent: str, user: str | None) -> _Screened:
    whose = one.user or user
    row = Episode(
        agent_id=0,
        user=None if whose is None else name_kept(whose),
        source=EpisodeSource.IMPORT,
        external_id=mask(one.external_id).text[:200],
        text=one.text,
        importance=one.importance,
        held=None if one.importance is not None else "Its importance could not be read.",
        true_from=one.at,
        at=one.at,
    )
    return _Screened(one.external_id, one.agent or agent, row, not find_secrets(one.text, personal=False))


def _problems(
    one: ReflectionRecord, texts: Mapping[str, str], known: int, fewest: int, deepest: int
) -> tuple[str, ...]:
    found = []
    if len(one.evidence) < fewest:
        found.append("a single citation" if len(one.evidence) == 1 else "too few citations")
    if one.depth > deepest:
        found.append(f"deeper than {deepest}")
    if any(name not in texts for name in one.evidence):
        found.append("evidence that is not in the file")
    elif known < fewest and len(one.evidence) >= fewest:
        found.append("evidence that was not stored")
    return tuple(found)


def _imported(
    file: EpisodeFile, storing: _Storing, reflections: Sequence[ReflectionRow], runs: Sequence[int]
) -> EpisodesImported:
    faults = Counter(problem for one in reflections for problem in one.problems)
    return EpisodesImported(
        episodes=len(file.episodes),
        new=storing.counts[NEW],
        known=storing.counts[KNOWN],
        refused=(*file.errors, *storing.refused),
        reflections=tuple(reflections),
        runs=tuple(runs),
        problems=dict(sorted(faults.items())),
    )
