"""Beliefs drawn from episodes: what is asked of a model, step by step, until there is nothing more to ask.

First the questions that the newest episodes can answer, then, for each, what its best episodes have in common. What was
shown for a question is noted with the run, so that local numbers lead back to real episodes whatever happens meanwhile.
Source: Reflection: From Experiences to Beliefs, "Reflection loop".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.beliefs import Statement, ask_beliefs, ask_questions, parse_questions
from core.critic.critic_settings import CriticSettings
from core.governance.numbers import numbers_in_force
from core.memory.episodes import EpisodeCandidate, FoundEpisode, best_episodes, likeness_among
from core.service.consolidation.drawing import finish as finish
from core.service.consolidation.recollection import (
    of_high_importance,
    similarity_in_use,
    standing_episodes,
)
from core.service.critic.asking import Wanted
from core.service.critic.calls import Planned
from core.store.critic_records import CriticCall
from core.store.memory_records import Consolidation, Episode
from core.vocabulary import CallState, Writer


def wanted(db: DatabaseSession, run: Consolidation, calls: Sequence[CriticCall]) -> Wanted:
    """The questions, then a request for each question that has no answer and was not asked in this attempt."""
    asked = [call for call in calls if call.writer == Writer.QUESTIONS]
    if not asked:
        return _questions(db, run)
    replied = next((call for call in asked if call.state == CallState.ANSWERED), None)
    if replied is None:
        return Wanted()
    shown: list[dict[str, Any]] = run.material.get("questions") or _shown(db, run, replied.reply)
    known = {call.place for call in calls if call.writer == Writer.BELIEFS}
    open_ones = [(place, one) for place, one in enumerate(shown, 1) if place not in known and not one["skipped"]]
    noted = {} if run.material.get("questions") else {"questions": shown}
    return Wanted(tuple(_for_each(db, open_ones)), noted)


def _questions(db: DatabaseSession, run: Consolidation) -> Wanted:
    """What the newest episodes let one ask; nothing where there are too few of weight to conclude anything."""
    numbers, user = numbers_in_force(db), run.user_key or None
    if of_high_importance(db, run.agent_id, user, numbers) < numbers.episode_floor:
        return Wanted()
    newest = standing_episodes(db, run.agent_id, user, newest=numbers.recent_episodes)
    settings = CriticSettings.model_validate(run.settings)
    room = settings.context_tokens - settings.token_cap
    request, count = ask_questions([_statement(one) for one in newest], numbers.salient_questions, room)
    return Wanted((Planned(Writer.QUESTIONS, request),), {"recent": [one.id for one in newest[:count]]})


def _shown(db: DatabaseSession, run: Consolidation, reply: str) -> list[dict[str, Any]]:
    """Each question with its best episodes and their factors, and why it is skipped where there are too few."""
    numbers, user = numbers_in_force(db), run.user_key or None
    said = parse_questions(reply, numbers.salient_questions)
    known = standing_episodes(db, run.agent_id, user, deepest=numbers.belief_depth - 1)
    alike, at = likeness_among(one.text for one in known), run.started_at or run.queued_at
    likeness = similarity_in_use() or (lambda question, _: alike(question))
    shown = []
    for question in said.questions:
        found = best_episodes(known, question, at, numbers, similarity=likeness)
        few = len(found) < numbers.belief_citations
        skipped = f"{len(found)} episodes, and {numbers.belief_citations} are needed" if few else ""
        shown.append({"question": question, "skipped": skipped, "episodes": [_factors(one) for one in found]})
    return shown


def _for_each(db: DatabaseSession, questions: Sequence[tuple[int, Mapping[str, Any]]]) -> Iterator[Planned]:
    most = numbers_in_force(db).beliefs_of_question
    for place, one in questions:
        ids = [each["id"] for each in one["episodes"]]
        rows = {row.id: row for row in db.exec(select(Episode).where(col(Episode.id).in_(ids))).all()}
        statements = [Statement(rows[id].text, rows[id].true_from, rows[id].depth > 0) for id in ids]
        yield Planned(
            Writer.BELIEFS, ask_beliefs(one["question"], statements, most), place=place, about=f"question {place}"
        )


def _statement(one: EpisodeCandidate) -> Statement:
    return Statement(one.text, one.at, one.depth > 0)


def _factors(found: FoundEpisode) -> dict[str, Any]:
    """What is noted of an episode that was shown: its id, and each factor as it counted."""
    return {
        "id": found.episode.id,
        "recency": round(found.recency, 6),
        "importance": round(found.importance, 6),
        "similarity": round(found.similarity, 6),
        "score": round(found.score, 6),
    }
