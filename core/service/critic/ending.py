"""Where a run stands when its replies are written: its state and reason, the turns that were read, what is remarked."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import select

from core.governance.debriefs import Event, moved
from core.service.agents import recurs
from core.service.critic.caps import OVER_CAP
from core.service.critic.plan import is_an_evaluators
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun
from core.store.records import AgentSession, Feedback
from core.vocabulary import CallState, Writer


def end(db: DatabaseSession, run: CriticRun, session: AgentSession, calls: Sequence[CriticCall], *, parts: int) -> None:
    """Write where a run stands: done only when every request has its answer. ``parts`` were written in its replies."""
    followed = {call.after for call in calls}
    open_calls = [call for call in calls if call.attempt == run.attempt and call.id not in followed]
    failed = [call for call in open_calls if call.state == CallState.FAILED]
    if failed:
        capped = [call for call in failed if call.status == OVER_CAP]
        first = (capped or failed)[0]
        detail = f"{len(failed)} of {len(open_calls)} requests: {first.detail}"
        moved(run, Event.STOP if capped else Event.FAIL, now(), reason=first.status, detail=detail)
    else:
        moved(run, Event.FINISH, now())
    answered = [call for call in calls if call.state == CallState.ANSWERED and call.id not in followed]
    run.covered = _covered([call for call in calls if call.id not in followed])
    run.remarks = _remarks(db, run, session, found=bool(parts or failed))
    run.answered_from = _answered_from(db, answered)
    db.add(run)


def _covered(calls: Sequence[CriticCall]) -> list[Any]:
    """Turns that were read for notes, or where none were asked for, at all: first and last, from 1, and if whole."""
    noted = any(call.writer == Writer.NOTES for call in calls)
    counted = [call for call in calls if call.state == CallState.ANSWERED]
    counted = [call for call in counted if call.writer == Writer.NOTES] if noted else counted
    read = {(call.first_turn, call.last_turn, call.cut_to is None) for call in counted if call.first_turn}
    return [list(one) for one in sorted(read)]


def _remarks(db: DatabaseSession, run: CriticRun, session: AgentSession, *, found: bool) -> list[str]:
    """What a person should know of a run beside its items."""
    remarks = []
    if run.addressed:
        remarks.append("The session speaks to whoever reviews it; what was written waits for a person.")
        if not found:
            remarks.append("The critic found nothing, which proves nothing here: read the words that speak to it.")
    if not recurs(db, session):
        remarks.append(f"“{session.task_class}” never comes back, so no lesson or procedure was asked for.")
    else:
        signals = db.exec(select(Feedback).where(Feedback.session_id == run.session_id)).all()
        remarks += _without_a_signal(set(run.settings.get("writers", ())), signals)
    return remarks


def _without_a_signal(writers: Collection[str], signals: Sequence[Feedback]) -> list[str]:
    """Why no lesson or reflection was asked for. Source: Reflexion buffer, "Refusal rules"."""
    instead = "a self-review within the task can help"
    if not signals and {Writer.LESSON, Writer.REFLECTION} & set(writers):
        return [f"Nobody says how it went, so no lesson was asked for; {instead}."]
    of_evaluators = [signal for signal in signals if is_an_evaluators(signal)]
    if Writer.REFLECTION not in writers or any(not signal.good for signal in of_evaluators):
        return []
    if of_evaluators:
        return ["No score is below the agent's threshold, so no reflection was asked for."]
    return [f"No evaluator says how it went, so no reflection was asked for; {instead}."] if signals else []


def _answered_from(db: DatabaseSession, answered: Sequence[CriticCall]) -> int | None:
    """The run whose replies were used again, where nothing was asked of the model."""
    sources = [call.answered_from for call in answered]
    if not sources or None in sources:
        return None
    return db.get_one(CriticCall, sources[0]).run_id
