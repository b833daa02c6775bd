"""One door to all that pages show."""

from core.governance.numbers import numbers, saved_numbers
from core.service.agents import agent_names as agents
from core.service.agents import users_of as users
from core.service.agreement_views import agreement_report
from core.service.belief_views import belief_list, belief_tree
from core.service.briefing_views import briefing_view, task_classes
from core.service.card_views import card
from core.service.case_views import case_view, resolve_too
from core.service.consolidation.views import belief_run, belief_runs, belief_sums
from core.service.episode_views import episode_list
from core.service.evidence_views import FILTERS as verdict_filters
from core.service.governed import bring_up, hand_out, waited_for, who_was_first
from core.service.history_views import history, last_decision
from core.service.log_views import decisions, log_choices, log_page
from core.service.procedure_views import procedures
from core.service.queue_counts import queue_counts
from core.service.review_views import (
    item_id_of,
    review_queue,
    waiting_count,
    waiting_evidence,
    waiting_item,
)
from core.service.self_review.lists import review_list, review_view, waiting_escalations
from core.service.session_views import (
    critical_counts,
    evidence_of_notes,
    notes,
    session_id_of,
    session_list,
    session_view,
    session_words,
)
from core.service.signs_views import signs_shown
from core.service.thresholds import different, past

__all__ = [
    "agents",
    "agreement_report",
    "belief_list",
    "belief_run",
    "belief_runs",
    "belief_sums",
    "belief_tree",
    "briefing_view",
    "bring_up",
    "card",
    "case_view",
    "critical_counts",
    "decisions",
    "different",
    "episode_list",
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
    "queue_counts",
    "resolve_too",
    "review_list",
    "review_queue",
    "review_view",
    "saved_numbers",
    "session_id_of",
    "session_list",
    "session_view",
    "session_words",
    "signs_shown",
    "task_classes",
    "users",
    "verdict_filters",
    "waited_for",
    "waiting_count",
    "waiting_escalations",
    "waiting_evidence",
    "waiting_item",
    "who_was_first",
]
