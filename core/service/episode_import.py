"""Episodes from files into the store: each once, through the screen for credentials, and counted like any other.

A reflection of a file is judged as a belief of our own would be: what cites too little, lies too deep, or rests on what
is not in the file is reported as such and not stored. What passes is proposed, and waits for a person.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from pydantic import ValidationError
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
    with database.reading() if dry_run else database.writing() as db:
        may_start(db, by)
        storing = _Storing(db, agent or "", user, dry_run)
        fresh = [storing.episode(one) for one in file.episodes]
        reflections = [storing.reflection(one, file) for one in file.reflections]
        runs = [] if dry_run else admit(db, [one for one in fresh if one is not None], environ=environ)
        return _imported(file, storing, reflections, runs)


@dataclass
class _Storing:
    """The state of an import: which names of the file stand under which id by now."""

    db: DatabaseSession
    agent: str
    user: str | None
    dry_run: bool
    ids: dict[str, int] = field(default_factory=dict)
    written: dict[tuple[object, ...], int] = field(default_factory=dict)
    """What a dry run would have written, so that it counts as the import does."""
    counts: Counter[str] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)

    def episode(self, one: EpisodeRecord) -> Episode | None:
        """The row that was written; None where it is here already or must not be stored."""
        if find_secrets(one.text, personal=False):
            self.refused.append((one.external_id, "it holds a credential or a number of a person"))
            return None
        agent_id, user = self._agent_id(one.agent or self.agent), one.user or self.user
        user = None if user is None else name_kept(user)
        same = (one.agent or self.agent, user, one.text, one.at)
        known = self.written.get(same) if agent_id is None else self._known(agent_id, user, one)
        known = known if known is not None else self.written.get(same)
        if known is not None:
            self.ids[one.external_id] = known
            self.counts[KNOWN] += 1
            return None
        self.counts[NEW] += 1
        if self.dry_run or agent_id is None:
            self.ids[one.external_id] = self.written[same] = -len(self.ids) - 1
            return None
        row = Episode(
            agent_id=agent_id,
            user=user,
            source=EpisodeSource.IMPORT,
            external_id=mask(one.external_id).text[:200],
            text=one.text,
            importance=one.importance,
            held=None if one.importance is not None else "Its importance could not be read.",
            true_from=one.at,
            at=now(),
        )
        self.db.add(row)
        self.db.flush()
        self.ids[one.external_id] = row.id or 0
        return row

    def reflection(self, one: ReflectionRecord, file: EpisodeFile) -> ReflectionRow:
        """A reflection with its evidence, proposed where nothing is wrong with it."""
        numbers = numbers_in_force(self.db)
        texts = {each.external_id: each.text for each in file.episodes}
        texts |= {each.external_id: each.text for each in file.reflections}
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

    def _agent_id(self, name: str) -> int | None:
        if self.dry_run:
            return self.db.exec(select(Agent.id).where(Agent.name == name)).first()
        return agent_for(self.db, name, AgentDraft()).id

    def _known(self, agent_id: int, user: str | None, one: EpisodeRecord) -> int | None:
        """The same record, or the same words of the same time, brought in before."""
        of_user = (Episode.agent_id == agent_id, col(Episode.user).is_not_distinct_from(user))
        same = (col(Episode.text) == one.text) & (col(Episode.true_from) == one.at)
        query = select(Episode.id).where(*of_user, Episode.source == EpisodeSource.IMPORT, same)
        return self.db.exec(query.limit(1)).first()


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
