"""A decision of a rule names the rule first, and then both people whose act it followed."""

from pathlib import Path

from sqlmodel import col, select

from core.governance.by_whom import by_whom
from core.governance.policy_drafts import approve_policy, propose_policy
from core.service.card_views import card
from core.service.case_views import case_view
from core.service.history_views import history
from core.store.database import Database
from core.store.records import Decision
from tests.core.governed import team
from tests.policies import ID, adopted, folder, give, put_file, read_by_the_agent

__all__ = ["folder"]

CHANGE = {"title": "Refund window", "owner": "Tomas Berg", "text": "Within 30 days.", "severity": "high"}
RULE = "the rule “policy change”, after Ben and Cleo"


def test_what_a_policy_suspended_is_the_rules_act_after_both_who_changed_it(database: Database, folder: Path) -> None:
    team(database)
    put_file(folder)
    adopted(database)
    give(database)
    lesson, _, note = read_by_the_agent(database)
    draft = propose_policy(database, ID, CHANGE, base=1, by="Ben", reason="The law changed")
    approve_policy(database, draft, by="Cleo")
    assert f"suspended by {RULE} on " in card(database, lesson, person="Ben").governed.ended
    assert RULE in [row.who for row in history(database, lesson)]
    assert RULE in [step.who for step in case_view(database, note).steps]
    with database.reading() as db:
        rows = db.exec(select(Decision).order_by(col(Decision.id))).all()
        said = {row.rule: by_whom(db, row) for row in rows}
    assert said["policy change"] == RULE
