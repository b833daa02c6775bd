"""What a debrief leaves behind: items through the gates, opinions, episodes, and where the run stands.

Behind the critic. One transaction writes all of a run and ends it; a run that is over is left as it is, so that nothing
is written twice. What a gate refuses is kept beside the reply, and its siblings go on.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.drafts import EpisodeDraft
from core.critic.forms import is_reflection, sentences
from core.critic.opinion import parse_opinion
from core.errors import Refused
from core.evidence import PreparedTranscript, prepare
from core.governance.debriefs import Event, moved
from core.governance.drafts import Draft
from core.governance.groundings import to_json
from core.governance.numbers import numbers_in_force
from core.governance.proposals import propose
from core.screening.contract import Heard, ScreenFinding
from core.screening.secrets import find_secrets
from core.service.consolidation.from_notes import from_notes, give_way_to_the_critics
from core.service.consolidation.sums import admit
from core.service.critic.answers import MASKED
from core.service.critic.drafts import addressed_doubt, as_quoted
from core.service.critic.ending import end
from core.service.critic.material import feedback_id, material_of, words_to_reviewer
from core.service.critic.replies import Reply
from core.store.clock import now
from core.store.critic_records import CriticCall, CriticRun, Opinion, Written
from core.store.database import Database
from core.store.memory_records import Episode
from core.store.records import AgentSession, Evidence, Feedback
from core.vocabulary import TOLD, CallState, Role, RunState, Source, Writer

RULE = "critic"


@dataclass
class _Writing:
    """The state of a run while it is written."""

    db: DatabaseSession
    run: CriticRun
    session: AgentSession
    prepared: PreparedTranscript
    calls: Sequence[CriticCall]
    replies: dict[int, Reply] = field(default_factory=dict)
    """What was read already, by call."""
    items: dict[str, int] = field(default_factory=dict)
    """Ids of items by call and place: ``12:1``."""
    episodes: list[Episode] = field(default_factory=list)
    """The episodes that were kept."""
    found: Counter[str] = field(default_factory=Counter)

    def reply(self, call: CriticCall) -> Reply:
        """What a call replied, read once for all that is written of it."""
        of = call.id or 0
        if of not in self.replies:
            doubts, heard = self._doubts(), self._heard(call)
            self.replies[of] = Reply(
                self.session, self.prepared, call, doubts=doubts, heard=heard, numbers=numbers_in_force(self.db)
            )
        return self.replies[of]

    def _doubts(self) -> Sequence[ScreenFinding]:
        """What holds every draft of the run."""
        where = [f"turn {one['turn']}" if one["turn"] else one["part"] for one in self.run.addressed]
        return [addressed_doubt(where)] if where else []

    def _heard(self, call: CriticCall) -> Sequence[Heard]:
        """The feedback that a lesson was made from, where a user or a tool gave it."""
        of = feedback_id(call.about)
        row = None if of is None else self.db.get(Feedback, of)
        if row is None or row.source not in (Source.USER, Source.TOOL):
            return []
        return [Heard(Role.USER if row.source == Source.USER else Role.TOOL, row.text)]


def finish_run(database: Database, run_id: int, environ: Mapping[str, str] = os.environ) -> None:
    """Write what the critic wrote in a run, and end the run. Doing it twice does nothing more.

    ``environ`` says how a model is asked, where the episodes set off a consolidation.
    """
    with database.reading() as db:
        run = db.get_one(CriticRun, run_id)
        material = material_of(db, db.get_one(AgentSession, run.session_id))
    prepared, addressed = prepare(material.transcript), words_to_reviewer(material)
    with database.writing() as db:
        run = db.get_one(CriticRun, run_id)
        if run.state != RunState.RUNNING:
            return
        session = db.get_one(AgentSession, run.session_id)
        query = select(CriticCall).where(CriticCall.run_id == run_id).order_by(col(CriticCall.id))
        writing = _Writing(db, run, session, prepared, db.exec(query).all())
        if session.sha256 != prepared.transcript.sha256 or session.sha256 != run.transcript_sha256:
            why = "The transcript has changed meanwhile; it can be debriefed anew."
            moved(run, Event.FAIL, now(), reason="transcript_changed", detail=why)
            db.add(run)
            return
        run.addressed = [*run.addressed, *(one for one in addressed if one not in run.addressed)]
        for call in writing.calls:
            if call.state == CallState.ANSWERED and "became" not in call.read:
                _write(writing, call)
        end(db, run, session, writing.calls, parts=writing.found["parts"])
        if writing.episodes:
            give_way_to_the_critics(db, session, now())
        elif run.state == RunState.DONE:
            writing.episodes += from_notes(db, session)
        admit(db, writing.episodes, environ=environ)


def _write(writing: _Writing, call: CriticCall) -> None:
    """What one reply holds, each part with what became of it."""
    if call.writer == Writer.OPINION:
        became: list[dict[str, Any]] = [_opinion(writing, call)]
        call.read = {**call.read, "became": became}
    elif any(other.after == call.id and other.state == CallState.ANSWERED for other in writing.calls):
        call.read = {**call.read, "became": [], "asked_once_more": True}
    else:
        reply = writing.reply(call)
        read = reply.read
        became = _episodes(writing, call, reply) if call.writer == Writer.EPISODES else _items(writing, call, reply)
        unreadable = [[part.place, part.why] for part in read.unreadable]
        facts = {"became": became, "unreadable": unreadable, "cut": read.cut, "repaired": read.repaired}
        call.read = {**call.read, **facts}
        writing.found["parts"] += len(became) + len(unreadable)
    writing.db.add(call)


def _items(writing: _Writing, call: CriticCall, reply: Reply) -> list[dict[str, Any]]:
    became: list[dict[str, Any]] = []
    faults: set[str] = set()
    for place, draft in enumerate(reply.drafts, 1):
        if isinstance(draft, Draft) and draft.fault:
            if draft.fault in faults:  # two remarks on the same words, in one reply, are two
                draft = draft.model_copy(update={"fault": f"{draft.fault}:{place}"})
            faults.add(draft.fault)
        what = {"place": place, **_item(writing, call, draft, place)}
        became.append(what)
    return became


def _item(writing: _Writing, call: CriticCall, draft: Draft | str, place: int) -> dict[str, Any]:
    """What became of one draft: an item, or why there is none."""
    if isinstance(draft, str):
        return {"what": "refused", "why": draft}
    said = {"text": draft.content.headline}
    if call.read.get(MASKED) and call.writer != Writer.NOTES:
        return {"what": "refused", "why": "It held a credential, also when it was asked for once more.", "text": ""}
    if call.writer == Writer.REFLECTION and not is_reflection(draft.content.headline):
        why = "It does not read “I failed to … because …; next time, …”, also when it was asked for once more."
        return {"what": "refused", "why": why, "code": "wrong_form", **said}
    if call.writer == Writer.LESSON and sentences(draft.content.headline) > 1:
        why = "It is more than one sentence, also when it was asked for once more."
        return {"what": "refused", "why": why, "code": "wrong_form", **said}
    try:
        proposed = propose(writing.db, draft, at=now(), rule=RULE)
    except Refused as refused:
        hidden = refused.code == "contains_secret"
        return {"what": "refused", "why": str(refused), "code": refused.code, "text": "" if hidden else said["text"]}
    if writing.db.get(Written, (proposed.item_id, call.id)) is None:
        writing.db.add(Written(item_id=proposed.item_id, call_id=call.id or 0, place=place))
    writing.db.flush()
    writing.items[f"{call.id}:{place}"] = proposed.item_id
    return {"what": proposed.what, "item": proposed.item_id, "ref": proposed.ref, **said}


def _episodes(writing: _Writing, call: CriticCall, reply: Reply) -> list[dict[str, Any]]:
    return [
        {"place": place, **_episode(writing, call, reply, episode)} for place, episode in enumerate(reply.written, 1)
    ]


def _episode(writing: _Writing, call: CriticCall, reply: Reply, episode: EpisodeDraft) -> dict[str, Any]:
    """One episode, kept; held where its words are not proven or its session speaks to the reviewer."""
    if find_secrets(episode.text, personal=False):
        return {"what": "refused", "why": "It holds a credential or a number of a person.", "text": ""}
    same = select(Episode.id).where(Episode.session_id == writing.session.id, Episode.text == episode.text)
    if writing.db.exec(same).first() is not None:
        return {"what": "known", "text": episode.text}
    quotes = [as_quoted(reply.origin, quote, None) for quote in episode.evidence]
    held = _why_held(writing, quotes, episode)
    row = Episode(
        agent_id=writing.session.agent_id,
        user=writing.session.user,
        session_id=writing.session.id or 0,
        call_id=call.id or 0,
        text=episode.text,
        importance=episode.importance,
        quotes=[
            {"quote": one.quote, "speaker": one.speaker.value, "grounding": to_json(one.grounding)} for one in quotes
        ],
        held=held,
        true_from=writing.session.started_at,
        at=now(),
    )
    writing.db.add(row)
    writing.db.flush()
    writing.episodes.append(row)
    return {"what": "held" if held else "kept", "why": held or "", "text": episode.text}


def _why_held(writing: _Writing, quotes: Sequence[Any], episode: EpisodeDraft) -> str | None:
    if writing.run.addressed:
        return "The session speaks to whoever reviews it."
    if episode.importance is None:
        return "Its importance could not be read."
    if not quotes:
        return "No words are quoted, so nothing proves it."
    if all(quote.speaker in TOLD for quote in quotes):
        return "It quotes only what the agent was told."
    return None if all(quote.found for quote in quotes) else "Its words were not found in the transcript."


def _opinion(writing: _Writing, call: CriticCall) -> dict[str, Any]:
    """A second opinion, beside the quote that it is about."""
    said = parse_opinion(call.reply)
    asked, place, number = call.about.split(":")
    item_id = writing.items.get(f"{asked}:{place}") or _item_of(writing.db, int(asked), int(place))
    evidence = _quote_of(writing, int(asked), int(place), int(number), item_id)
    if item_id is None or evidence is None:
        return {"place": 1, "what": "refused", "why": "The note that it is about was not stored.", "text": said.why}
    same = (Opinion.evidence_id == evidence, Opinion.model == call.model, Opinion.why == said.why)
    if writing.db.exec(select(Opinion.id).where(*same)).first() is None:
        opinion = Opinion(
            item_id=item_id,
            evidence_id=evidence,
            call_id=call.id or 0,
            supports=said.supports,
            why=said.why,
            model=call.model,
            at=now(),
        )
        writing.db.add(opinion)
    return {"place": 1, "what": said.supports.value, "item": item_id, "text": said.why}


def _item_of(db: DatabaseSession, call_id: int, place: int) -> int | None:
    return db.exec(select(Written.item_id).where(Written.call_id == call_id, Written.place == place)).first()


def _quote_of(writing: _Writing, call_id: int, place: int, number: int, item_id: int | None) -> int | None:
    """The stored quote that an opinion is about, by its words."""
    call = next((one for one in writing.calls if one.id == call_id), None)
    if call is None or item_id is None:
        return None
    drafts = writing.reply(call).drafts
    draft = drafts[place - 1] if place <= len(drafts) else ""
    if isinstance(draft, str) or number > len(draft.quotes):
        return None
    same = (Evidence.item_id == item_id, Evidence.session_id == writing.session.id)
    return writing.db.exec(select(Evidence.id).where(*same, Evidence.quote == draft.quotes[number - 1].quote)).first()
