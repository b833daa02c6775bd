"""One door to all that pages show."""

from core.governance.numbers import numbers, saved_numbers
from core.service.agents import agent_names as agents
from core.service.agents import users_of as users
from core.service.briefing_views import briefing_view, task_classes
from core.service.card_views import card
from core.service.evidence_views import FILTERS as verdict_filters
from core.service.governed import bring_up, hand_out, who_was_first
from core.service.history_views import history, last_decision
from core.service.log_views import decisions, log_choices, log_page
from core.service.procedure_views import procedures
from core.service.review_views import (
    item_id_of,
    review_queue,
    unread_count,
    waiting_count,
    waiting_evidence,
)
from core.service.self_review.lists import review_list, review_view, waiting_escalations
from core.service.session_views import (
    critical_counts,
    critical_open_count,
    evidence_of_notes,
    notes,
    session_id_of,
    session_list,
    session_view,
    session_words,
)
from core.service.thresholds import different, past

__all__ = [
    "agents",
    "briefing_view",
    "bring_up",
    "card",
    "critical_counts",
    "critical_open_count",
    "decisions",
    "different",
    "evidence_of_notes",
    "hand_out",
    "history",
    "item_id_of",
    "last_decision",
    "log_choices",
    "log_page",
    "notes",
    "numbers",
    "past",
    "procedures",
    "review_list",
    "review_queue",
    "review_view",
    "saved_numbers",
    "session_id_of",
    "session_list",
    "session_view",
    "session_words",
    "task_classes",
    "unread_count",
    "users",
    "verdict_filters",
    "waiting_count",
    "waiting_escalations",
    "waiting_evidence",
    "who_was_first",
]
