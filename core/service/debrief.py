"""Debriefs finished sessions: checks find, and what they find becomes notes, lessons and procedures to decide about.

One fault in one session is one note. The same fault over a task class is one proposed lesson with a quote from each
session, and, once enough sessions show it, one proposed procedure. Sources: Self-reflection memory; Procedural memory;
Using Feedback and Reflection in Agent Workflows, "Storing and Reusing Lessons".
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.checks import CHECKS, run
from core.checks.contract import Case, Fact, Finding, Policy
from core.errors import Refused
from core.governance.bodies import quotes_of
from core.governance.drafts import Draft, LessonContent, NoteContent, ProcedureContent, Quoted, found_at
from core.governance.numbers import numbers as in_force
from core.governance.policies import policies_now
from core.governance.policy_adoption import adopt
from core.governance.proposals import Proposed, propose
from core.service.agents import recurs
from core.service.consolidation.from_notes import from_notes
from core.service.consolidation.sums import admit, no_model_for
from core.settings import Settings
from core.store.clock import now
from core.store.database import Database
from core.store.records import Agent, AgentSession, Item
from core.store.sessions import OLDEST_FIRST, facts_about, sessions_named
from core.store.transcripts import transcript_of
from core.transcripts import Transcript
from core.vocabulary import Kind, Source, Status

RULE = "code checks"


@dataclass(frozen=True)
class DebriefReport:
    """What a debrief brought: sessions looked at, findings by check, and drafts by what became of them."""

    sessions: int = 0
    findings: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    """Counts by kind and what became of it, such as ``lesson new`` or ``note known``."""
    skipped: tuple[tuple[str, str], ...] = ()
    """References of sessions that teach nothing, each with the reason."""

    @property
    def summary(self) -> str:
        """One sentence for people."""
        new = [f"{self.items.get(f'{kind} new', 0)} {kind}s" for kind in ("note", "lesson", "procedure")]
        kept_out = sum(count for what, count in self.items.items() if " refused " in what)
        tail = f"; {kept_out} texts were kept out by the screens" if kept_out else ""
        tail += f"; {len(self.skipped)} skipped" if self.skipped else ""
        return f"{self.sessions} sessions debriefed: {', '.join(new)} are new{tail}"


def debrief(
    database: Database,
    refs: Sequence[str] | None = None,
    *,
    progress: Callable[[int, int], object] | None = None,
    settings: Settings | None = None,
    critic_follows: bool = False,
) -> DebriefReport:
    """Debrief the named sessions, or all that have not been debriefed in their present form.

    Where no model can be asked, notes become episodes at once; where the ``critic_follows``, it tells what happened.
    Raises ``NotFound`` for an unknown reference, before anything is written.
    """
    numbers = settings or in_force(database)
    todo = _todo(database, refs)
    adopt(database)
    policies = {policy.id: policy for policy in policies_now(database)}
    findings: Counter[str] = Counter()
    items: Counter[str] = Counter()
    skipped: list[tuple[str, str]] = []
    for done, session in enumerate(todo, 1):
        if session.external_failure:
            skipped.append((session.ref, f"it failed outside the agent: {session.external_failure}"))
        case = _case(database, session, policies)
        found = [] if session.external_failure else run(case, numbers.findings_of_fault)
        findings.update(finding.check for finding in found)
        with database.writing() as db:
            items.update(_keep(db, session.id or 0, case.transcript, found, numbers))
            if not critic_follows and no_model_for(db, session.agent_id):
                admit(db, from_notes(db, session))
        if progress:
            progress(done, len(todo))
    return DebriefReport(len(todo), dict(findings), dict(items), tuple(skipped))


def _todo(database: Database, refs: Sequence[str] | None) -> list[AgentSession]:
    with database.reading() as db:
        if refs is not None:
            return sessions_named(db, refs)
        changed = col(AgentSession.debriefed_sha256).is_distinct_from(col(AgentSession.sha256))
        return list(db.exec(select(AgentSession).where(changed).order_by(*OLDEST_FIRST)).all())


def _case(database: Database, session: AgentSession, policies: dict[str, Policy]) -> Case:
    with database.reading() as db:
        agent = db.get_one(Agent, session.agent_id)
        known = facts_about(db, session.agent_id, session.user)
        return Case(
            transcript=transcript_of(db, session.id or 0),
            base_prompt=agent.base_prompt,
            policies=tuple(policies[name] for name in agent.policies if name in policies),
            facts=tuple(Fact(row.text, row.source) for row in known),
        )


def _keep(
    db: DatabaseSession, session_id: int, transcript: Transcript, found: list[Finding], settings: Settings
) -> Counter[str]:
    """Write what was found, and that the session has been debriefed in this form.

    A session that was extended while the checks ran is left for the next debrief.
    """
    counts: Counter[str] = Counter()
    session = db.get_one(AgentSession, session_id)
    if session.sha256 != transcript.sha256:
        return Counter({"session extended meanwhile": 1})
    comes_back = recurs(db, session)
    for finding in found:
        quotes = tuple(found_at(session.id or 0, transcript, span) for span in finding.spans)
        counts[f"note {_note(db, session, finding, quotes, settings).what}"] += 1
        if not comes_back:
            counts["lesson one-shot"] += 1
            continue
        lesson = _lesson(db, session, finding, quotes, settings)
        counts[f"lesson {lesson.what}"] += 1
        procedure = _procedure(db, session, finding, quotes, settings)
        if procedure is not None:
            counts[f"procedure {procedure.what}"] += 1
    session.debriefed_sha256 = session.sha256
    db.add(session)
    return counts


def _note(
    db: DatabaseSession, session: AgentSession, finding: Finding, quotes: tuple[Quoted, ...], settings: Settings
) -> Proposed:
    content = NoteContent(
        dimension=finding.dimension,
        severity=finding.severity,
        about=finding.about,
        observation=finding.observation,
        improvement=finding.improvement,
    )
    draft = _draft(session, finding, content, quotes).model_copy(
        update={"user": session.user, "session_id": session.id}
    )
    return _proposed(db, draft, settings)


def _lesson(
    db: DatabaseSession, session: AgentSession, finding: Finding, quotes: tuple[Quoted, ...], settings: Settings
) -> Proposed:
    content = LessonContent(text=finding.improvement, tags=finding.tags)
    return _proposed(db, _draft(session, finding, content, quotes), settings)


def _proposed(db: DatabaseSession, draft: Draft, settings: Settings) -> Proposed:
    """What became of a draft; one that a screen keeps out is counted, and the others go on."""
    try:
        return propose(db, draft, at=now(), rule=RULE, settings=settings)
    except Refused as refused:
        return Proposed(0, "", f"refused ({refused.code})")


def _procedure(
    db: DatabaseSession, session: AgentSession, finding: Finding, quotes: tuple[Quoted, ...], settings: Settings
) -> Proposed | None:
    """A procedure, once enough sessions of the task class show the same fault; the first brings all their quotes."""
    if not finding.trigger:
        return None
    of_fault = (Item.agent_id == session.agent_id, Item.task_class == session.task_class, Item.fault == finding.fault)
    if db.exec(select(Item.id).where(Item.kind == Kind.PROCEDURE, *of_fault)).first() is None:
        notes = select(Item.id).where(Item.kind == Kind.NOTE, *of_fault, Item.status != Status.SUPERSEDED)
        shown = [note for note in db.exec(notes).all() if note is not None]
        if len(shown) < settings.procedure_from_sessions:
            return None
        quotes = tuple(quote for note in shown for quote in quotes_of(db, note))
    content = ProcedureContent(
        title=finding.title or finding.trigger,
        trigger=finding.trigger,
        instruction=finding.improvement,
        confidence=settings.first_confidence,
    )
    return _proposed(db, _draft(session, finding, content, quotes), settings)


def _draft(
    session: AgentSession,
    finding: Finding,
    content: NoteContent | LessonContent | ProcedureContent,
    quotes: tuple[Quoted, ...],
) -> Draft:
    return Draft(
        content=content,
        severity=finding.severity,
        agent_id=session.agent_id,
        task_class=session.task_class,
        fault=finding.fault,
        origin=f"{finding.check} v{CHECKS[finding.check].version}",
        proposer=f"check {finding.check}",
        source=Source.CHECK,
        quotes=quotes,
    )
