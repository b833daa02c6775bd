"""Lessons of any scope, source and form, proposed and approved through the product's own doors."""

from core.governance.drafts import Draft, LessonContent
from core.governance.proposals import propose
from core.store.database import Database
from core.vocabulary import Action, Form, Scope, Severity, Source, Status
from tests.desk import START, act, agent, item


def put(
    database: Database,
    text: str,
    *,
    tags: tuple[str, ...] = (),
    scope: Scope = Scope.TASK_CLASS,
    task_class: str = "refunds",
    user: str | None = None,
    source: Source = Source.CHECK,
    form: Form = Form.INSTRUCTION,
) -> int:
    """A proposed lesson of any scope and source."""
    draft = Draft(
        content=LessonContent(form=form, text=text, tags=tags, scope=scope),
        severity=Severity.MEDIUM,
        agent_id=agent(database),
        task_class=task_class,
        user=user,
        origin="a test",
        proposer="check test",
        source=source,
    )
    with database.writing() as db:
        return propose(db, draft, at=START).item_id


def approved(database: Database, made: int) -> int:
    """Approved, after it was released where it is held."""
    if item(database, made).status == Status.HELD:
        act(database, made, Action.RELEASE, text="looked at")
    act(database, made, Action.APPROVE)
    return made
