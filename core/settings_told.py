"""What people are told of each number of the rules: its name, rule, unit, bounds, steps, source and one line.

Name, rule, unit and step stand in ``TOLD``; bounds are those of the field, line and source those of its docstring.
``python -c "from core.settings_told import drawn; print(drawn())"`` prints that part of docs/settings.md anew.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic.fields import FieldInfo

from core.settings import DEFAULTS, Settings

OURS = "ours"
_SOURCE = re.compile(r"\s*Source: (?P<source>.+)\.$", re.S)
CENT, UNIT = Decimal("0.01"), Decimal(1)

CONFIDENCE, NOTES, LESSONS, TWINS = "Procedures and their confidence", "Notes", "Lessons", "Twins"
BUFFER, BELIEFS, FOUND, BRIEFING = "The reflection buffer", "Beliefs", "Finding episodes", "The briefing"
QUEUE, OVERDUE, SIGNALS, CRITIC = "The queue", "Overdue", "Checks and signals", "The critic's replies"
SELF_REVIEW, TEXTS = "Self-review", "Texts and files"

CRITIC_PAGE = "the critic's settings, on the Critic page"


class Form(StrEnum):
    """What kind of value a setting has."""

    HUNDREDTHS = "hundredths"
    WHOLE = "whole"
    WORD = "word"
    YES_OR_NO = "yes or no"


@dataclass(frozen=True)
class Told:
    """Name, rule and unit of a setting; ``elsewhere`` says where else it is set, where it is not set here."""

    label: str
    rule: str
    unit: str
    step: Decimal = UNIT
    elsewhere: str | None = None


@dataclass(frozen=True)
class Setting:
    """All that is known of one setting. ``low`` and ``high`` are None for a word; ``words`` are those it may be."""

    name: str
    label: str
    rule: str
    unit: str
    step: Decimal
    low: Decimal | None
    high: Decimal | None
    default: Any
    source: str
    line: str
    form: Form
    words: tuple[str, ...] = ()
    elsewhere: str | None = None

    @property
    def bounds(self) -> str:
        """The bounds in words: ``0.00 to 1.00``, or the words that it may be."""
        if self.low is None or self.high is None:
            return " or ".join(map(word_shown, self.words))
        return f"{value_shown(self.low, self.form)} to {value_shown(self.high, self.form)}"

    def shown(self, value: Any) -> str:
        """A value as people read it."""
        return value_shown(value, self.form)


TOLD: dict[str, Told] = {
    "procedure_threshold": Told("Procedure is read from confidence", CONFIDENCE, "confidence", CENT),
    "success_step": Told("Step up on success", CONFIDENCE, "confidence", CENT),
    "failure_step": Told("Step down on failure", CONFIDENCE, "confidence", CENT),
    "procedures_in_briefing": Told("Procedures in a briefing, at most", CONFIDENCE, "procedures"),
    "first_confidence": Told("A procedure starts from confidence", CONFIDENCE, "confidence", CENT),
    "top_first_confidence": Told("A procedure starts at most at confidence", CONFIDENCE, "confidence", CENT),
    "procedure_from_sessions": Told("Sessions before a check proposes a procedure", CONFIDENCE, "sessions"),
    "notes_in_briefing": Told("Notes in a briefing, at most", NOTES, "notes"),
    "notes_read_from": Told("Notes are read from severity", NOTES, "severity"),
    "grounded_notes": Told("Which open notes are read", NOTES, "rule"),
    "notes_looked_at": Told("Notes among which a briefing chooses", NOTES, "notes"),
    "lessons_in_briefing": Told("Lessons in a briefing, at most", LESSONS, "lessons"),
    "active_lessons": Told("Active lessons of an agent, at most", LESSONS, "lessons"),
    "second_ranker": Told("Another ranker, shown beside", LESSONS, "ranker"),
    "reflection_trials": Told("A reflection lives for", BUFFER, "trials"),
    "reflections_in_briefing": Told("Reflections in a briefing, at most", BUFFER, "reflections"),
    "buffer_budget": Told("Reflections of a task class before compaction", BUFFER, "reflections"),
    "expiring_soon": Told("Will expire soon, from", BUFFER, "trials left"),
    "belief_sum": Told("Importance that sets off a consolidation", BELIEFS, "importance", Decimal("0.25")),
    "high_importance": Told("High importance, from", BELIEFS, "importance", CENT),
    "episode_floor": Told("Episodes of high importance before beliefs", BELIEFS, "episodes"),
    "recent_episodes": Told("Newest episodes for the questions", BELIEFS, "episodes"),
    "salient_questions": Told("Questions of a consolidation", BELIEFS, "questions"),
    "episodes_of_question": Told("Episodes for a question", BELIEFS, "episodes"),
    "beliefs_of_question": Told("Beliefs of a question, at most", BELIEFS, "beliefs"),
    "belief_citations": Told("Episodes a belief cites, at least", BELIEFS, "episodes"),
    "belief_importance": Told("Importance of a belief", BELIEFS, "importance", CENT),
    "belief_depth": Told("Depth of beliefs, at most", BELIEFS, "levels"),
    "beliefs_in_briefing": Told("Beliefs in a briefing, at most", BELIEFS, "beliefs"),
    "stale_walk": Told("Staleness is followed for", BELIEFS, "steps"),
    "importance_of_critical": Told("Importance from a critical note", BELIEFS, "importance", CENT),
    "importance_of_high": Told("Importance from a high note", BELIEFS, "importance", CENT),
    "importance_of_medium": Told("Importance from a medium note", BELIEFS, "importance", CENT),
    "importance_of_low": Told("Importance from a low note", BELIEFS, "importance", CENT),
    "importance_of_positive": Told("Importance from a positive note", BELIEFS, "importance", CENT),
    "recency_half_life": Told("Recency halves after", FOUND, "days"),
    "recency_weight": Told("Weight of recency", FOUND, "power", Decimal("0.05")),
    "importance_weight": Told("Weight of importance", FOUND, "power", Decimal("0.05")),
    "similarity_weight": Told("Weight of similarity", FOUND, "power", Decimal("0.05")),
    "episodes_read": Told("Episodes that an agent may be given", FOUND, "rule"),
    "briefing_tokens": Told("Tokens of a briefing, at most", BRIEFING, "tokens", Decimal(100)),
    "twin_share": Told("Twin: common run from a share of", TWINS, "share of the shorter text", CENT),
    "twin_cosine": Told("Twin: cosine above", TWINS, "cosine", CENT),
    "queue_doubling_days": Told("Waiting counts twice after", QUEUE, "days"),
    "queue_critical": Told("Weight of critical", QUEUE, "times"),
    "queue_high": Told("Weight of high", QUEUE, "times"),
    "queue_medium": Told("Weight of medium", QUEUE, "times"),
    "queue_low": Told("Weight of low", QUEUE, "times"),
    "queue_positive": Told("Weight of positive", QUEUE, "times"),
    "queue_agent_scope": Told("Weight of scope agent", QUEUE, "times"),
    "queue_task_class_scope": Told("Weight of scope task class", QUEUE, "times"),
    "queue_user_scope": Told("Weight of scope user", QUEUE, "times"),
    "overdue_critical": Told("Critical is overdue after", OVERDUE, "days"),
    "overdue_high": Told("High is overdue after", OVERDUE, "days"),
    "overdue_medium": Told("Medium is overdue after", OVERDUE, "days"),
    "overdue_low": Told("Low is overdue after", OVERDUE, "days"),
    "overdue_positive": Told("Positive is overdue after", OVERDUE, "days"),
    "findings_of_fault": Told("Findings of one fault in a session, at most", SIGNALS, "findings"),
    "evaluator_threshold": Told("Evaluator's score that counts as good", SIGNALS, "score", CENT),
    "notes_in_reply": Told("Notes of one reply, at most", CRITIC, "notes"),
    "procedures_in_reply": Told("Procedures of one reply, at most", CRITIC, "procedures"),
    "earlier_sessions_tokens": Told(
        "Earlier sessions in a request, at most", CRITIC, "tokens", Decimal(100), CRITIC_PAGE
    ),
    "facts_tokens": Told("Facts of the user in a request, at most", CRITIC, "tokens", Decimal(100)),
    "overlap_turns": Told("Turns that a part repeats", CRITIC, "turns", UNIT, CRITIC_PAGE),
    "self_review_revisions": Told("Revisions that are reviewed, at most", SELF_REVIEW, "revisions"),
    "self_review_tries": Told("Requests about one draft, at most", SELF_REVIEW, "requests"),
    "self_review_checks_suffice": Told("What checks find suffices", SELF_REVIEW, "rule"),
    "self_review_retry_minutes": Told("The same draft is the same request for", SELF_REVIEW, "minutes"),
    "lesson_characters": Told("Length of a lesson or instruction, at most", TEXTS, "characters", Decimal(10)),
    "import_bytes": Told("Size of a file, at most", TEXTS, "bytes", Decimal(1_000_000)),
}
"""In the order in which they are shown, rule by rule."""


def settings_told() -> tuple[Setting, ...]:
    """Every setting, in the order of ``TOLD``. Raises ``KeyError`` for one that nothing is told of."""
    return tuple(setting(name) for name in TOLD)


def setting(name: str) -> Setting:
    """All that is known of a setting. Raises ``KeyError`` for a name that there is not."""
    told, field = TOLD[name], Settings.model_fields[name]
    default = getattr(DEFAULTS, name)
    form = _form(default)
    said = " ".join((field.description or "").split())
    source = _SOURCE.search(said)
    return Setting(
        name=name,
        label=told.label,
        rule=told.rule,
        unit=told.unit,
        step=told.step,
        low=_bound(field, "ge"),
        high=_bound(field, "le"),
        default=default,
        source=source["source"] if source else OURS,
        line=_SOURCE.sub("", said),
        form=form,
        words=_words(default, form),
        elsewhere=told.elsewhere,
    )


def drawn() -> str:
    """Every setting as Markdown, rule by rule, as it stands in docs/settings.md."""
    parts = []
    for rule in dict.fromkeys(one.rule for one in settings_told()):
        rows = [_row(one) for one in settings_told() if one.rule == rule]
        head = "| setting | default | bounds | unit, step | what it is | source |\n|---|---|---|---|---|---|"
        parts.append("\n".join([f"## {rule}", "", head, *rows]))
    return "\n\n".join(parts)


def _row(one: Setting) -> str:
    step = f", {value_shown(one.step, one.form)}" if one.low is not None else ""
    named = f"{one.label} (`{one.name}`)"
    where = f" Set in {one.elsewhere}." if one.elsewhere else ""
    cells = (named, one.shown(one.default), one.bounds, one.unit + step, one.line + where, one.source)
    return f"| {' | '.join(cells)} |"


def value_shown(value: Any, form: Form) -> str:
    """A value as people read it: ``0.55``, ``200,000,000``, ``yes``, ``looked at``."""
    if form is Form.HUNDREDTHS:
        return f"{value:.2f}"
    if form is Form.WHOLE:
        return f"{value:,}"
    return word_shown(("yes" if value else "no") if isinstance(value, bool) else str(value))


def word_shown(word: str) -> str:
    """A word as people read it."""
    return word.replace("_", " ")


def _form(default: Any) -> Form:
    if isinstance(default, bool):
        return Form.YES_OR_NO
    if isinstance(default, Decimal):
        return Form.HUNDREDTHS
    return Form.WHOLE if isinstance(default, int) else Form.WORD


def _words(default: Any, form: Form) -> tuple[str, ...]:
    if form is Form.YES_OR_NO:
        return ("no", "yes")
    return tuple(str(one) for one in type(default)) if isinstance(default, StrEnum) else ()


def _bound(field: FieldInfo, name: str) -> Decimal | None:
    found = next((getattr(one, name) for one in field.metadata if hasattr(one, name)), None)
    return None if found is None else Decimal(found)
