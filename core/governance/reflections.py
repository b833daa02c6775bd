"""What a reflection must be at the drafts' door, beside all that is asked of any lesson, and what it replaces.

Between the gate and the store. Source: Reflexion buffer, "Reflection capture", "Scope policy", "TTL and dedup" and
"Refusal rules".
"""

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.critic.forms import is_reflection
from core.errors import Refused
from core.governance.acts import Act
from core.governance.drafts import AnyContent, LessonContent
from core.governance.parents import COMPACTION
from core.governance.references import version_reference, versions_named
from core.governance.status_writer import turn
from core.screening.contract import Follows, Place, Screen, Screened, ScreenFinding
from core.screening.preferences import names_a_preference
from core.store.records import Decision, Item, LessonBody, TaskClass
from core.vocabulary import Action, Form, Kind, Scope, Severity, Status

TWIN = "twin"
"""The name of the rule by which a newer twin replaces a reflection that is still proposed, as it stands in the log."""

NO_PREFERENCE = ScreenFinding(
    Screen.VAGUE,
    "scope:no_preference",
    Severity.MEDIUM,
    "",
    Place(0, 0),
    "It would hold for one user and names nothing that this user prefers.",
    "It can be edited to hold for its task class, or released with a reason.",
    Follows.HOLD,
)


def of_its_form(
    db: DatabaseSession, content: AnyContent, agent_id: int, task_class: str, *, by_rule: bool
) -> tuple[ScreenFinding, ...]:
    """What is remarked of a reflection for its scope; nothing of any other content.

    Raises ``Refused`` where it has another shape, where its task never comes back, and where a rule, not a person,
    would have it hold for every task.
    """
    if not isinstance(content, LessonContent) or content.form is not Form.REFLECTION:
        return ()
    if not is_reflection(content.text):
        shape = "It is no reflection of one line: “I failed to … because …; next time, …”."
        raise Refused("wrong_form", f"{shape} It can be written so, or as an instruction. Nothing was stored.")
    if not _comes_back(db, agent_id, task_class):
        text = f"“{task_class}” never comes back, so a reflection on it would help nobody."
        raise Refused("one_shot", f"{text} The Agents page says which tasks do. Nothing was stored.")
    if content.scope is Scope.AGENT and by_rule:
        text = "A reflection never holds for every task of its agent by itself; a person can widen it once it is here."
        raise Refused("agent_scope", f"{text} Nothing was stored.")
    unclear = content.scope is Scope.USER and not names_a_preference(content.text)
    return (NO_PREFERENCE,) if unclear else ()


def replace_twins(db: DatabaseSession, item: Item, answer: Screened, row: Decision) -> tuple[Item, ...]:
    """Set the older twins of a new reflection aside that nobody has decided about; returns them.

    Only what is proposed, as it was written and for the same people, gives way: what a person edited or decides
    blind stays, and so does all that is in force. ``row`` is the decision by which the new one came. It is logged,
    and each can be brought back.
    """
    if item.kind != Kind.LESSON or item.status != Status.PROPOSED or item.origin == COMPACTION:
        return ()
    body = db.get_one(LessonBody, item.id)
    names = [one.beside.reference for one in answer.of(Screen.TWIN) if one.beside and one.code == "twin:near"]
    if body.form != Form.REFLECTION or not names:
        return ()
    gone = []
    for older in versions_named(db, names).values():
        if _gives_way(db, older, item, body):
            said = f"{version_reference(item)} says nearly the same and is newer"
            turn(db, older, Act(Action.MERGE, Status.MERGED, row.by, row.at, rule=TWIN, text=said, cause=row.id))
            gone.append(older)
    return tuple(gone)


def _gives_way(db: DatabaseSession, older: Item, item: Item, body: LessonBody) -> bool:
    edited_or_merged = older.version > 1 or older.origin == COMPACTION
    if older.kind != Kind.LESSON or older.status != Status.PROPOSED or edited_or_merged or older.blind:
        return False
    others = db.get_one(LessonBody, older.id)
    same_people = (older.task_class, older.user, others.scope) == (item.task_class, item.user, body.scope)
    return others.form == Form.REFLECTION and same_people and not _endorsed(db, older)


def _endorsed(db: DatabaseSession, item: Item) -> bool:
    """Whether somebody has said yes to it already, as the first of two."""
    said = select(Decision.id).where(Decision.item_id == item.id, Decision.action == Action.ENDORSE)
    return db.exec(said.order_by(col(Decision.id)).limit(1)).first() is not None


def _comes_back(db: DatabaseSession, agent_id: int, task_class: str) -> bool:
    known = select(TaskClass.recurs).where(TaskClass.agent_id == agent_id, TaskClass.name == task_class)
    return db.exec(known).first() is not False
