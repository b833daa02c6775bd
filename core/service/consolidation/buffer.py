"""A buffer of reflections made smaller: what is asked for it, and what comes of it.

Twins are brought together, a model says each cluster in one sentence where there is one, and the words of the newest
stand for it where there is none, or where the model's pass no gate. What comes of it is proposed, and every reflection
stays in force until a person has approved that. Source: Reflexion buffer, "Compaction".
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.answer import RunStatus
from core.critic.compacting import compaction_of
from core.critic.drafts import LessonDraft
from core.critic.forms import is_reflection
from core.critic.parsing import read_reply
from core.critic.second_requests import OnceMore, once_more
from core.errors import NotFound, Refused
from core.governance.buffers import ask_by, living
from core.governance.compacting import decided_before, may_be_gathered, merged_content, propose_merged
from core.governance.numbers import numbers_in_force
from core.governance.people import duties_of
from core.governance.references import reference
from core.memory.compaction import Merged, Reflection, clusters, merged_by_extract
from core.screening.comparison import are_twins
from core.screening.likeness import Alike
from core.service.consolidation.runs import calls_of, end, queue, way_if_any
from core.service.critic.answers import MASKED, UNREADABLE
from core.service.critic.asking import Wanted
from core.service.critic.calls import Planned, request_of
from core.service.critic.runs import MAY_START
from core.store.clock import now
from core.store.critic_records import CriticCall
from core.store.database import Database
from core.store.memory_records import Consolidation
from core.store.records import Agent, Item, LessonBody
from core.vocabulary import CallState, Memory, RunState, Scope, Writer

CLUSTERS = "clusters"
"""What a run notes of its material: the ids of the reflections of each cluster, the newest first."""


@dataclass(frozen=True)
class Together:
    """The reflections of a task class as a compaction finds them: those that could be one, and why others are not."""

    clusters: tuple[Merged, ...] = ()
    living: int = 0
    left: tuple[str, ...] = ()


def together(db: DatabaseSession, agent_id: int, task_class: str) -> Together:
    """Which of a task class's reflections in force say nearly the same, and would be proposed as one now."""
    rows = living(db, agent_id, task_class)
    left = {item.id: why for item, _ in rows if (why := may_be_gathered(db, item)) is not None}
    free = [_as_reflection(item, body) for item, body in rows if item.id not in left]
    found, known = [], []
    for cluster in clusters(free, are_twins(Alike.by(numbers_in_force(db)))):
        before = decided_before(db, [db.get_one(Item, one.item) for one in cluster])
        if before is None:
            found.append(merged_by_extract(cluster))
        else:
            names = ", ".join(one.key for one in cluster)
            known.append(f"{names}: {reference(before)} was proposed for them and is {before.status}.")
    return Together(tuple(found), len(rows), (*left.values(), *known))


def queue_compaction(
    database: Database, agent: str, task_class: str, *, by: str, environ: Mapping[str, str] = os.environ
) -> int | None:
    """Queue the compaction of a buffer, whether it is over its budget or not; None where one is under way.

    Raises ``NotFound`` for an unknown agent and ``Refused`` for a person without the duty lead or developer.
    """
    with database.writing() as db:
        if not duties_of(db, by).duties & MAY_START:
            text = f"{by} lacks the duty lead or developer, so no buffer is made smaller."
            raise Refused("not_your_duty", text)
        agent_id = db.exec(select(Agent.id).where(Agent.name == agent)).first()
        if agent_id is None:
            raise NotFound("agent", agent)
        way = way_if_any(db, agent_id, environ)
        return queue(db, Memory.BUFFER, agent_id, by=by, way=way, task_class=task_class)


def carry_out(database: Database, run_id: int, environ: Mapping[str, str] = os.environ) -> str:
    """Carry out a run here and now, without a worker, and say what came of it; one that is over stays as it is."""
    from core.service.consolidation.work import ConsolidationWork  # it knows this module, as one of its memories

    work = ConsolidationWork(database, environ)
    try:
        while due := work.due(run_id):
            for one in due:
                work.ask(one.call_id)
        work.finish(run_id)
    finally:
        work.close()
    with database.reading() as db:
        run = db.get_one(Consolidation, run_id)
        return f"Compaction {run.id} is {run.state}: {run.detail}"


def ask_as_the_critic_does(environ: Mapping[str, str] = os.environ) -> None:
    """Let what an approval queues ask the model that the critic asks, where one is configured."""

    def how(db: DatabaseSession, agent_id: int) -> tuple[dict[str, Any], str]:
        way = way_if_any(db, agent_id, environ)
        return (way.snapshot, way.model.endpoint.shown) if way else ({}, "")

    ask_by(how)


def wanted(db: DatabaseSession, run: Consolidation, calls: Sequence[CriticCall]) -> Wanted:
    """A request for each cluster, and one more where its reply cannot be kept."""
    if CLUSTERS not in run.material:
        found = together(db, run.agent_id, run.task_class).clusters
        material = {CLUSTERS: [[one.item for one in each.parents] for each in found]}
    else:
        material = {}
    ids = run.material.get(CLUSTERS, material.get(CLUSTERS, []))
    first = [_asked(db, run, place, of) for place, of in enumerate(ids, 1) if not _of(calls, place)]
    if first:
        return Wanted(first, material)
    return Wanted([more for call in calls if (more := _once_more(db, call, calls)) is not None])


def finish(database: Database, run_id: int) -> None:
    """Propose what stands for each cluster, and end the run; what is refused is noted with its reason."""
    with database.reading() as db:  # compares the texts before any lock is taken
        together(db, (run := db.get_one(Consolidation, run_id)).agent_id, run.task_class)
    with database.writing() as db:
        run = db.get_one(Consolidation, run_id)
        if run.state != RunState.RUNNING:
            return
        calls = calls_of(db, run)
        found = together(db, run.agent_id, run.task_class)
        asked: dict[tuple[int, ...], int] = {tuple(of): n for n, of in enumerate(run.material.get(CLUSTERS, []), 1)}
        became = []
        for cluster in found.clusters:
            place = asked.get(tuple(one.item for one in cluster.parents))
            said = _of(calls, place) if place else []
            if any(_got_no_reply(call) for call in said):
                continue  # the run fails, and can be tried again
            became.append(_became(db, cluster, said))
        ended = {"became": became, "left": list(found.left), "in_force": found.living}
        proposed = sum(one["what"] == "proposed" for one in became)
        budget = numbers_in_force(db).buffer_budget
        merged = "1 merged one is" if proposed == 1 else f"{proposed} merged ones are"
        in_force = "1 reflection" if found.living == 1 else f"{found.living} reflections"
        detail = f"{in_force} in force, the budget has room for {budget}; {merged} proposed."
        counted = [call for call in calls if call.state != CallState.FAILED or _got_no_reply(call)]
        end(db, run, counted, found=ended, reason=None if proposed else "nothing_to_do", detail=detail)


def _became(db: DatabaseSession, cluster: Merged, calls: Sequence[CriticCall]) -> dict[str, Any]:
    """What became of a cluster: by the model's words where they pass every gate, else by those of the newest."""
    parents = [db.get_one(Item, one.item) for one in cluster.parents]
    facts: dict[str, Any] = {"parents": [one.key for one in cluster.parents]}
    answered = [call for call in calls if call.state == CallState.ANSWERED]
    refused = []
    for words, tags, how in [*_by_model(answered), (cluster.text, cluster.tags, "extract")]:
        if other := _says_otherwise(db, cluster, words):
            refused.append({"how": how, "code": "says_otherwise", "why": f"It does not say what {other} says."})
            continue
        try:
            made = propose_merged(db, parents, merged_content(db, parents[0], words, tags), at=now())
        except Refused as error:
            refused.append({"how": how, "code": error.code, "why": str(error)})
        except ValidationError:
            refused.append({"how": how, "code": "unstorable", "why": "Its words or tags cannot be stored."})
        else:
            return {"what": "proposed", "ref": made.ref, "item": made.item_id, "how": how, **facts, "refused": refused}
    return {"what": "refused", **facts, "refused": refused}


def _says_otherwise(db: DatabaseSession, cluster: Merged, words: str) -> str | None:
    """The reflection of a cluster that these words are no twin of; None where they stand for all of them.

    They take the place of what no screen then compares them with: a turned negation must not come in this way.
    """
    alike = are_twins(Alike.by(numbers_in_force(db)))
    return next((one.key for one in cluster.parents if not alike(words, one.text)), None)


def _by_model(answered: Sequence[CriticCall]) -> list[tuple[str, tuple[str, ...], str]]:
    """What the last reply says, where it says one thing and held no credential."""
    for call in answered[-1:]:
        drafts: Sequence[LessonDraft] = read_reply(Writer.COMPACTION, call.reply).drafts
        if len(drafts) == 1 and not call.read.get(MASKED):
            return [(drafts[0].text, drafts[0].tags, f"critic compaction {call.prompt_sha256[:8]}")]
    return []


def _asked(db: DatabaseSession, run: Consolidation, place: int, ids: Sequence[int]) -> Planned:
    agent = db.get_one(Agent, run.agent_id)
    said = [(body.text, body.tags) for body in (db.get_one(LessonBody, one) for one in ids)]
    request = compaction_of(agent.name, run.task_class, said)
    return Planned(writer=Writer.COMPACTION, request=request, about=f"cluster {place}", place=place)


def _once_more(db: DatabaseSession, call: CriticCall, calls: Sequence[CriticCall]) -> Planned | None:
    """The same request once more, where its reply is none that could be kept."""
    if call.after is not None or any(other.after == call.id for other in calls):
        return None
    if call.state == CallState.FAILED:
        why = OnceMore.UNREADABLE if call.status == UNREADABLE else None
    else:
        why = _cannot_be_kept(call)
    if why is None:
        return None
    request = once_more(request_of(db, call), call.reply, why)
    return Planned(writer=Writer.COMPACTION, request=request, about=call.about, place=call.place, after=call.id)


def _cannot_be_kept(call: CriticCall) -> OnceMore | None:
    if call.read.get(MASKED):
        return OnceMore.SECRET
    drafts: Sequence[LessonDraft] = read_reply(Writer.COMPACTION, call.reply).drafts
    return OnceMore.WRONG_FORM if drafts and not is_reflection(drafts[0].text) else None


def _got_no_reply(call: CriticCall) -> bool:
    """Whether nothing came back; a reply that says nothing leaves the cluster to the words of its newest."""
    return call.state == CallState.FAILED and call.status not in (UNREADABLE, *RunStatus)


def _of(calls: Sequence[CriticCall], place: int) -> list[CriticCall]:
    """The requests for one cluster, in their order."""
    return [call for call in calls if call.about == f"cluster {place}"]


def _as_reflection(item: Item, body: LessonBody) -> Reflection:
    among = f"user {item.user}" if body.scope == Scope.USER else str(body.scope)
    since = item.active_at or item.created_at
    return Reflection(reference(item), body.text, tuple(body.tags), since, item.id or 0, item.id or 0, among)


def last_runs(db: DatabaseSession, agent_id: int, task_class: str, limit: int = 5) -> Sequence[Consolidation]:
    """The newest compactions of a buffer."""
    of_class = (Consolidation.memory == Memory.BUFFER, Consolidation.agent_id == agent_id)
    query = select(Consolidation).where(*of_class, Consolidation.task_class == task_class)
    return db.exec(query.order_by(col(Consolidation.id).desc()).limit(limit)).all()
