"""What is wrong, or about to be: each line only where there is something, and where it can be mended."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from sqlalchemy import func
from sqlmodel import col, select

from core.evidence.in_words import STALE
from core.governance.desk_settings import settings_not_in_force
from core.governance.numbers import numbers_not_in_force
from core.governance.policy_adoption import folder_problems
from core.governance.references import reference
from core.memory.confidence import bounded
from core.service.agreement_views import stuck_blind
from core.service.counting import Count, count
from core.service.critic.caps import OVER_CAP
from core.service.critic.settings import critic_settings_not_in_force
from core.service.home.facts import NEWEST, Asked, Fact, short, some
from core.service.jobs.contract import WorkSettings
from core.store.append_only import guards_missing
from core.store.clock import day_in_words
from core.store.critic_records import CriticRun
from core.store.governance_records import AgentToken
from core.store.oversight_records import Digest
from core.store.records import Agent, Correction, Evidence, Import, Item, LessonBody
from core.store.work_records import Worker
from core.vocabulary import Duty, Form, Kind, RunState, Status

LATELY = timedelta(days=7)
"""For how long a failed import or debrief is told, and how soon a token expires that is told."""

NEAR_THE_CAP = 90
"""Percent of the cap of active lessons from which on an agent is told."""

FEW = 50
"""Rows of a small table that a line reads."""


def what_is_wrong(asked: Asked) -> tuple[Fact, ...]:
    """The lines, what endangers the record first. What only a developer mends is told to developers."""
    in_force = _lessons_of_agents(asked)
    lines = [_log(asked), _policies(asked), _blind(asked), _stale(asked), _near(asked), _over(asked, in_force)]
    if asked.has(Duty.DEVELOPER, Duty.ADMIN):
        lines += [
            _settings(asked),
            _silent(asked),
            *_runs(asked),
            _imports(asked),
            _cap(asked, in_force),
            _tokens(asked),
            _digest(asked),
        ]
    return tuple(line for line in lines if line.number)


def _log(asked: Asked) -> Fact:
    found = guards_missing(asked.db.connection())
    words = some(len(found), "table of the log is unguarded", "tables of the log are unguarded")
    return Fact(Count(len(found)), words, ", ".join(found[:4]), "decisions", "Decision log")


def _policies(asked: Asked) -> Fact:
    found = folder_problems(asked.db)
    words = some(len(found), "policy file does not fit", "policy files do not fit")
    return Fact(Count(len(found)), words, short(" ".join(found), 120), "policies", "Policies")


def _blind(asked: Asked) -> Fact:
    """Items that are decided blind, with too few people who may."""
    found = stuck_blind(asked.db)
    words = some(
        len(found), "blind item waits for somebody who is missing", "blind items wait for people who are missing"
    )
    detail = f"{found[0].ref}: {found[0].why}" if found else ""
    return Fact(Count(len(found)), words, short(detail, 120), "agreement", "Agreement")


def _stale(asked: Asked) -> Fact:
    """Quotes of what waits or is in force that a correction of their transcript took away."""
    lost = select(Correction.session_id).where(Correction.lost > 0).order_by(col(Correction.id).desc()).limit(FEW)
    query = select(Evidence.id, Item).join(Item, col(Item.id) == Evidence.item_id)
    query = query.where(col(Evidence.session_id).in_(lost), col(Evidence.stale).is_not(None))
    here = (Status.PROPOSED, Status.HELD, Status.OPEN, Status.ACTIVE, Status.SUSPENDED, Status.APPEALED)
    found = asked.db.execute(query.where(col(Item.status).in_(here)).limit(FEW)).all()
    refs = ", ".join(dict.fromkeys(reference(item) for _, item in found[:4]))
    words = some(len(found), "quote stands no longer", "quotes stand no longer")
    asked_for = (("evidence", STALE),) if found else ()
    return Fact(Count(len(found), len(found) == FEW), words, f"corrected since: {refs}", "review", "Review", asked_for)


def _near(asked: Asked) -> Fact:
    """Procedures with an outcome that one more failure takes out of the briefing; one that was never tried is new."""
    line, step = asked.numbers.procedure_threshold, asked.numbers.failure_step
    tried = {one: path for one, path in asked.paths.items() if path.successes or path.failures}
    near = [one for one, path in tried.items() if bounded(path.now - step) < line <= path.now]
    said = [f"“{short(asked.procedures[one].headline, 40)}” at {asked.paths[one].now}" for one in near[:2]]
    words = some(len(near), "procedure is one failure away", "procedures are one failure away")
    return Fact(Count(len(near)), f"{words} from leaving", "; ".join(said), "procedures", "Procedures")


def _settings(asked: Asked) -> Fact:
    """What was saved last of the settings and this version of the desk cannot read."""
    by_page = {
        ("thresholds", "Thresholds"): numbers_not_in_force(asked.db),
        ("people", "Settings and people"): settings_not_in_force(asked.db),
        ("critic", "Critic"): critic_settings_not_in_force(asked.db),
    }
    found = [(page, problem) for page, problems in by_page.items() for problem in problems]
    (page, name), detail = found[0] if found else (("thresholds", "Thresholds"), "")
    words = some(len(found), "saved setting is not in force", "saved settings are not in force")
    return Fact(Count(len(found)), words, short(detail, 120), page, name)


def _silent(asked: Asked) -> Fact:
    """Debriefs that wait while no worker lives."""
    waiting = asked.under_way
    alive = asked.at - timedelta(seconds=WorkSettings().dead_after)
    if not waiting or count(asked.db, select(Worker.id).where(Worker.seen_at > alive), 1):
        return Fact(Count(0), "", "", "critic", "Critic")
    words = some(waiting.number, "debrief waits and no worker lives", "debriefs wait and no worker lives")
    return Fact(waiting, words, "python -m core work carries them out", "critic", "Critic")


def _runs(asked: Asked) -> Iterator[Fact]:
    ended = select(CriticRun.id).where(CriticRun.ended_at > asked.at - LATELY)  # type: ignore[operator]
    newest = ended.order_by(col(CriticRun.id).desc())
    failed = count(asked.db, newest.where(CriticRun.state == RunState.FAILED))
    over = count(asked.db, newest.where(CriticRun.state == RunState.STOPPED, CriticRun.reason == OVER_CAP))
    words = some(failed.number, "debrief failed", "debriefs failed")
    yield Fact(failed, words, "in the last 7 days; each can be tried again", "critic", "Critic", (("state", "failed"),))
    words = some(over.number, "debrief stopped by the spending cap", "debriefs stopped by the spending cap")
    yield Fact(over, words, "in the last 7 days", "critic", "Critic", (("state", "stopped"),))


def _imports(asked: Asked) -> Fact:
    newest = select(Import).where(Import.at > asked.at - LATELY).order_by(col(Import.id).desc()).limit(FEW)
    found = [one for one in asked.db.exec(newest).all() if one.report.get("errors")]
    detail = f"{found[0].file_name}: {found[0].report['errors'][0]}" if found else ""
    words = some(len(found), "import with errors", "imports with errors")
    return Fact(Count(len(found)), words, short(detail, 100), "bring_in", "Bring in")


def _over(asked: Asked, in_force: Sequence[tuple[str, int]]) -> Fact:
    """Agents with more lessons in force than they may have, since the number was lowered: nothing leaves by itself."""
    cap = asked.numbers.active_lessons
    over = [(name, number) for name, number in in_force if number > cap]
    said = ", ".join(f"{name} has {number} of {cap}" for name, number in over[:3])
    words = some(len(over), "agent has more lessons than it may", "agents have more lessons than they may")
    detail = f"{said}; what could leave: python -m core lessons over-cap"
    return Fact(Count(len(over)), words, detail, "agents", "Agents")


def _cap(asked: Asked, in_force: Sequence[tuple[str, int]]) -> Fact:
    """Agents whose active lessons come near what they may have."""
    cap = asked.numbers.active_lessons
    near = [(name, number) for name, number in in_force if cap >= number >= cap * NEAR_THE_CAP / 100]
    detail = ", ".join(f"{name} has {number} of {cap}" for name, number in near[:3])
    words = some(len(near), "agent is near its most lessons", "agents are near their most lessons")
    return Fact(Count(len(near)), words, detail, "agents", "Agents")


def _lessons_of_agents(asked: Asked) -> list[tuple[str, int]]:
    """The agents with how many lessons of each are in force; reflections take no place."""
    of_agent = (col(Item.agent_id) == Agent.id, Item.kind == Kind.LESSON, Item.status == Status.ACTIVE)
    active = select(func.count()).select_from(Item).join(LessonBody).where(*of_agent)
    active = active.where(LessonBody.form == Form.INSTRUCTION).correlate(Agent)
    query = select(Agent.name, active.scalar_subquery()).order_by(col(Agent.id)).limit(FEW)
    return list(asked.db.exec(query).all())


def _tokens(asked: Asked) -> Fact:
    soon = (col(AgentToken.expires_at) > asked.at, col(AgentToken.expires_at) <= asked.at + LATELY)
    query = select(AgentToken).where(*soon, col(AgentToken.revoked_at).is_(None))
    found = asked.db.exec(query.order_by(col(AgentToken.expires_at)).limit(NEWEST)).all()
    last = found[0].expires_at if found else None
    detail = f"“{found[0].name}” on {day_in_words(last, year=False)}" if last else ""
    words = some(len(found), "token expires within 7 days", "tokens expire within 7 days")
    return Fact(Count(len(found)), words, detail, "people", "Settings and people", (("part", "Tokens"),))


def _digest(asked: Asked) -> Fact:
    """The newest digest, where it was not sent."""
    newest = asked.db.exec(select(Digest).order_by(col(Digest.day).desc()).limit(1)).first()
    problem = newest.problem if newest else None
    return Fact(Count(int(bool(problem))), "digest was not sent", short(problem or "", 120), "people", "Settings")
