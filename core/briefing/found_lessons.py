"""The instructions that fit a task, found by the words they share with it: the rule of ``core.memory.lessons`` in SQL.

Between the store and a briefing of now. ``lesson_word`` has a row for each word of an instruction in force, so that one
statement over one index finds the few that count, however many there are; what an agent reads of them, and why, the
rule itself says. Source: Using Feedback and Reflection in Agent Workflows, "A Simple Lesson Memory".
"""

import json
from functools import cache
from typing import Any

from sqlalchemy import JSON, Integer, Result, String, func, or_, text
from sqlalchemy.sql.selectable import TextualSelect
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.briefing.asked import Asked
from core.briefing.candidates import meant_for
from core.governance.in_force import place_of, trusted
from core.memory.chosen import Choice
from core.memory.lessons import LessonCandidate, choose_lessons, kept_word, words
from core.settings import Settings
from core.store.columns import UtcTime
from core.store.records import Agent, Item, LessonBody
from core.vocabulary import Form, Kind, Scope, Status

JUST_MISSED = 5
"""Instructions that fit, too, and are shown to people as the next ones."""

_ASKED = {
    "sqlite": "json_each(:words) AS asked",
    "postgresql": "json_array_elements_text(CAST(:words AS json)) AS asked(value)",
}
"""The words that are looked for, as rows: a task may have more of them than a statement may have values."""

_SHARING = """
    FROM {asked} CROSS JOIN lesson_word AS found
    WHERE found.agent_id = :agent AND found.word = asked.value AND ({meant})
"""
_MEANT = "found.place IN (:everywhere, :of_user, :of_class)"
_MEANT_FOR_ANY = "found.place IN (:everywhere, :of_user) OR substr(found.place, 1, 6) = 'class '"

# A row of the index alone lets nothing out: status, form and scope are those of the item itself.
_BEST = """
    SELECT item.id, item.number, item."user", item.task_class, coalesce(item.active_at, item.created_at) AS since,
        lesson.scope, lesson.text, lesson.tags, screening.source
    FROM (
        SELECT found.item_id {sharing} GROUP BY found.item_id, found.standing
        ORDER BY count(*) DESC, found.standing, found.item_id DESC LIMIT :most
    ) AS best
    JOIN item ON item.id = best.item_id JOIN lesson ON lesson.item_id = best.item_id
    LEFT JOIN screening ON screening.item_id = best.item_id
    WHERE item.status = 'active' AND lesson.form = 'instruction'
"""
_OF_BEST = {
    "id": Integer,
    "number": Integer,
    "user": String,
    "task_class": String,
    "since": UtcTime,
    "scope": String,
    "text": String,
    "tags": JSON,
    "source": String,
}
_SOME = "SELECT count(DISTINCT found.item_id) AS some {sharing}"


def found_lessons(
    db: DatabaseSession, agent: Agent, asked: Asked, numbers: Settings, stop_words: frozenset[str]
) -> Choice[LessonCandidate]:
    """The instructions that this agent reads for the task now, and those that only just miss it.

    Meant for this very user, for the class of the request, or for every task; where the request names no class, for any
    class. What shares no word with the task, or fits less than those that just missed, is not in the answer.
    """
    most = numbers.lessons_in_briefing + JUST_MISSED
    rows = _asking(db, _BEST, agent, asked, stop_words, most=most).all()
    candidates = [
        LessonCandidate(
            key=Kind.LESSON.reference(row.number),
            text=row.text,
            tags=tuple(row.tags),
            status=Status.ACTIVE,
            reliability=trusted(row.source),
            at=row.since,
            order=row.id,
            item=row.id,
        )
        for row in rows
        if meant_for(row.scope, row.user, row.task_class, asked.user, asked.task_class)
    ]
    return choose_lessons(candidates, asked.task, numbers, stop_words)


def without_shared_words(db: DatabaseSession, agent: Agent, asked: Asked, stop_words: frozenset[str]) -> int:
    """How many instructions are meant for such a request and share no word with its task; for people."""
    some = int(_asking(db, _SOME, agent, asked, stop_words).scalar_one())
    scope, of_class = col(LessonBody.scope), asked.task_class
    in_class = scope == Scope.TASK_CLASS
    meant = [scope == Scope.AGENT, in_class if of_class is None else in_class & (col(Item.task_class) == of_class)]
    if asked.user:
        meant.append((scope == Scope.USER) & (col(Item.user) == asked.user))
    in_force = (Item.agent_id == agent.id, Item.kind == Kind.LESSON, Item.status == Status.ACTIVE)
    counted = select(func.count()).select_from(Item).join(LessonBody, col(LessonBody.item_id) == Item.id)
    return db.exec(counted.where(*in_force, LessonBody.form == Form.INSTRUCTION, or_(*meant))).one() - some


def _asking(
    db: DatabaseSession, query: str, agent: Agent, asked: Asked, stop_words: frozenset[str], **more: int
) -> Result[Any]:
    """One of the statements, for the words of a task and the places that a request means."""
    places = {"everywhere": place_of(Scope.AGENT), "of_user": place_of(Scope.AGENT)}
    if asked.user:
        places["of_user"] = place_of(Scope.USER, user=asked.user)
    if asked.task_class is not None:
        places["of_class"] = place_of(Scope.TASK_CLASS, task_class=asked.task_class)
    looked_for = json.dumps([kept_word(one) for one in sorted(words(asked.task, stop_words))])
    statement = _statement(query, db.get_bind().dialect.name, "of_class" in places)
    return db.connection().execute(statement, {"words": looked_for, "agent": agent.id, **places, **more})


@cache
def _statement(query: str, dialect: str, of_a_class: bool) -> TextualSelect:
    """A statement as a database reads it, made once."""
    sharing = _SHARING.format(asked=_ASKED[dialect], meant=_MEANT if of_a_class else _MEANT_FOR_ANY)
    written = text(query.format(sharing=sharing))
    return written.columns(**_OF_BEST) if query == _BEST else written.columns(some=Integer)
