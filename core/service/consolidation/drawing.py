"""What the replies of a run become: beliefs that are proposed, and what was dropped with the reason.

One transaction writes all beliefs of a run and ends it, so that whoever reads sees the old set or the new one. Nothing
is in force by it: each belief goes through every gate and waits for a person.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.beliefs import SaidBelief, parse_beliefs, parse_questions
from core.errors import Refused
from core.governance.drafts import BeliefContent, Draft
from core.governance.numbers import numbers_in_force
from core.governance.proposals import propose
from core.governance.sources import depth_above, quotes_behind, standing_of
from core.memory.beliefs import Dropped, cited, repeats_a_source
from core.screening.comparison import Relation, compare
from core.service.consolidation.recollection import of_high_importance
from core.service.consolidation.runs import calls_of, end
from core.service.critic.answers import MASKED
from core.settings import Settings
from core.store.clock import now
from core.store.critic_records import CriticCall, Written
from core.store.database import Database
from core.store.memory_records import Consolidation, Episode
from core.vocabulary import CallState, RunState, Severity, Source, Writer

RULE = PROPOSER = "critic"
TOO_FEW, NO_QUESTIONS, NO_BELIEFS = "too_few_episodes", "no_questions", "no_beliefs"
"""Why a run that went well wrote nothing."""

REPEATS = "repeats a source"
TAKEN_OUT = re.compile(r"\[[^\[\]]+ removed\]")
"""What stands in place of a credential that was taken out of a reply."""


@dataclass
class _Drawing:
    """The state of a run while its beliefs are written."""

    db: DatabaseSession
    run: Consolidation
    numbers: Settings


def finish(database: Database, run_id: int) -> None:
    """Write the beliefs of a run and end it. Doing it twice does nothing more."""
    with database.writing() as db:
        run = db.get_one(Consolidation, run_id)
        if run.state != RunState.RUNNING:
            return
        calls = calls_of(db, run)
        drawing = _Drawing(db, run, numbers_in_force(db))
        for call in calls:
            if call.writer == Writer.BELIEFS and call.state == CallState.ANSWERED and "became" not in call.read:
                _write(drawing, call)
        end(db, run, calls, found=_found(drawing, calls), **_why_nothing(drawing, calls))


def _write(drawing: _Drawing, call: CriticCall) -> None:
    """What one reply holds, each belief with what became of it."""
    shown = drawing.run.material["questions"][call.place - 1]
    said = parse_beliefs(call.reply, drawing.numbers.beliefs_of_question)
    became = []
    for place, one in enumerate(said.beliefs, 1):
        became.append({"place": place, "text": one.text, **_one(drawing, call, shown, one, place)})
    unreadable = [[part.place, part.why] for part in said.unreadable]
    call.read = {**call.read, "became": became, "unreadable": unreadable, "cut": said.cut}
    drawing.db.add(call)


def _one(drawing: _Drawing, call: CriticCall, shown: Mapping[str, Any], said: SaidBelief, place: int) -> dict[str, Any]:
    """What became of one belief: proposed, found again, dropped by the rules, or refused by a gate."""
    db, numbers = drawing.db, drawing.numbers
    if call.read.get(MASKED) and TAKEN_OUT.search(said.text):
        return {"what": "refused", "why": "It held a credential.", "code": "contains_secret", "text": ""}
    found = cited(said.cites, [one["id"] for one in shown["episodes"]], numbers.belief_citations)
    if isinstance(found, Dropped):
        return {"what": "dropped", "why": found.why}
    rows = db.exec(select(Episode).where(col(Episode.id).in_(found.ids)).order_by(col(Episode.id))).all()
    if len(standing_of(db, found.ids)) < numbers.belief_citations:
        return {"what": "dropped", "why": "its sources were withdrawn meanwhile"}
    if _repeats(said.text, rows):
        return {"what": "dropped", "why": REPEATS}
    if depth_above(db, found.ids) > numbers.belief_depth:
        return {"what": "dropped", "why": f"deeper than {numbers.belief_depth}"}
    try:
        proposed = propose(db, _draft(drawing, call, shown, said.text, found.ids), at=now(), rule=RULE)
    except ValidationError as error:
        return {"what": "refused", "why": f"It cannot be stored: {error.errors()[0]['msg']}.", "code": "unstorable"}
    except Refused as refused:
        hidden = {"text": ""} if refused.code == "contains_secret" else {}
        return {"what": "refused", "why": str(refused), "code": refused.code, **hidden}
    if db.get(Written, (proposed.item_id, call.id)) is None:
        db.add(Written(item_id=proposed.item_id, call_id=call.id or 0, place=place))
        db.flush()
    return {"what": proposed.what, "item": proposed.item_id, "ref": proposed.ref, "cites": list(found.ids)}


def _draft(drawing: _Drawing, call: CriticCall, shown: Mapping[str, Any], text: str, cites: Sequence[int]) -> Draft:
    db, run = drawing.db, drawing.run
    content = BeliefContent(
        text=text,
        cites=tuple(cites),
        depth=depth_above(db, cites),
        importance=drawing.numbers.belief_importance,
        question=shown["question"],
    )
    return Draft(
        content=content,
        severity=Severity.MEDIUM,
        agent_id=run.agent_id,
        task_class="",
        user=run.user_key or None,
        origin=f"critic {call.writer} {call.prompt_sha256[:8]}, consolidation {run.id}",
        proposer=PROPOSER,
        source=Source.CRITIC,
        quotes=tuple(quotes_behind(db, cites)),
    )


def _repeats(text: str, rows: Sequence[Episode]) -> bool:
    """Whether a belief says nothing more than one of the statements that it cites, in its words or nearly so."""
    alike = (Relation.SAME, Relation.TWIN)
    return repeats_a_source(text, [row.text for row in rows]) or any(
        compare(text, row.text).relation in alike for row in rows
    )


def _found(drawing: _Drawing, calls: Sequence[CriticCall]) -> dict[str, Any]:
    """What came of a run: beliefs written, what was dropped by reason, and what each question brought."""
    of_beliefs = {call.place: call for call in calls if call.writer == Writer.BELIEFS}
    became = [one for call in of_beliefs.values() for one in call.read.get("became", ())]
    dropped = Counter(_reason(one) for one in became if one["what"] in ("dropped", "refused"))
    questions = drawing.run.material.get("questions", [])
    skipped = sum(bool(one["skipped"]) for one in questions)
    cut = sum(call.read.get("cut", 0) for call in of_beliefs.values())
    unreadable = sum(len(call.read.get("unreadable", ())) for call in of_beliefs.values())
    return {
        "questions": len(questions),
        "skipped": skipped,
        "beliefs": sum(one["what"] == "new" for one in became),
        "known": sum(one["what"] in ("added", "known", "returned") for one in became),
        "dropped": {why: dropped[why] for why in sorted(dropped)},
        "beyond": cut,
        "unreadable": unreadable,
        "recent": len(drawing.run.material.get("recent", ())),
    }


def _reason(became: Mapping[str, Any]) -> str:
    return str(became["why"] if became["what"] == "dropped" else became.get("code", "refused"))


def _why_nothing(drawing: _Drawing, calls: Sequence[CriticCall]) -> dict[str, str]:
    """The reason of a run that went well and wrote nothing, and its words."""
    run, numbers = drawing.run, drawing.numbers
    if not calls:
        have = of_high_importance(drawing.db, run.agent_id, run.user_key or None, numbers)
        said = f"{have} episodes have an importance of {numbers.high_importance} or more; {numbers.episode_floor}"
        return {"reason": TOO_FEW, "detail": f"{said} are needed before anything is concluded."}
    asked = [call for call in calls if call.writer == Writer.QUESTIONS and call.state == CallState.ANSWERED]
    if asked and not parse_questions(asked[0].reply, numbers.salient_questions).questions:
        return {"reason": NO_QUESTIONS, "detail": "The model named no question that the episodes can answer."}
    became = [one for call in calls for one in call.read.get("became", ())]
    if not any("item" in one for one in became):
        return {"reason": NO_BELIEFS, "detail": "Nothing was concluded that could be kept."}
    return {}
