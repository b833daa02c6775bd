"""How many people a move needs, who of them said yes already, and who must be somebody else.

All of it is read from the log at the moment of the decision.
"""

from collections.abc import Sequence
from decimal import Decimal

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance.bodies import content_of
from core.governance.desk_settings import settings_in_force
from core.governance.gate import remarked
from core.governance.lifecycle import Apart, Move, Weighty
from core.governance.people import Person, duties_of
from core.governance.references import reference
from core.governance.verdicts import REFUSED
from core.screening.comparison import Relation, compare
from core.screening.contract import ScreenFinding
from core.store.asked_once import once
from core.store.oversight_records import Parent
from core.store.records import Decision, Item, LessonBody
from core.vocabulary import Action, Kind, Scope, Severity, Status

NOT_ALIKE = (Relation.DIFFERENT, Relation.CONFLICT)
OF_POLICY = ("against_policy", "widens_permission")
"""How the codes of findings begin that touch a policy."""


def weighty(db: DatabaseSession, item: Item, findings: Sequence[ScreenFinding] = ()) -> frozenset[Weighty]:
    """What makes this item weighty, by what was remarked when it came and by ``findings`` of now."""
    said = {Weighty.CRITICAL} if gravest(db, item) == Severity.CRITICAL else set()
    if said and settings_in_force(db).four_eyes:
        said.add(Weighty.FOUR_EYES)
    if item.kind == Kind.LESSON and db.get_one(LessonBody, item.id).scope == Scope.AGENT:
        said.add(Weighty.AGENT_SCOPE)
    if any(one.code.startswith(OF_POLICY) for one in (*remarked(db, item.id or 0), *findings)):
        said.add(Weighty.POLICY)
    return frozenset(said)


def gravest(db: DatabaseSession, item: Item) -> str:
    """The severity by which the table reads an item: a note of which a version was critical stays a critical one.

    Otherwise an edit by one person would take it from the auditors, and from the second person.
    """
    if item.kind != Kind.NOTE or item.version == 1:
        return item.severity
    was = select(Item.id).where(Item.kind == item.kind, Item.number == item.number, Item.version < item.version)
    return Severity.CRITICAL if db.exec(was.where(Item.severity == Severity.CRITICAL)).first() else item.severity


def endorsers(
    db: DatabaseSession, item: Item, action: Action, screen: str, confidence: Decimal | None = None
) -> tuple[str, ...]:
    """Who said yes to this very act on what stands on the screen now; the first of two people, if anybody.

    Other words, other proof, another remark or another confidence is something that they did not say yes to.
    """
    said = [row for row in _since_it_stands_so(db, item) if row.action == Action.ENDORSE and row.toward == action]
    return tuple(row.by for row in said if row.screen_hash == screen and row.confidence == confidence)


def said_yes(db: DatabaseSession, item: Item) -> frozenset[str]:
    """The people by whom an item last came into force: whoever did it, and who had said yes before."""
    history = effective(db, item)
    into = (at for at, row in enumerate(history) if row.after == Status.ACTIVE and row.before != Status.ACTIVE)
    at = max(into, default=None)
    if at is None:
        return frozenset()
    since = max((before for before in range(at) if history[before].before != history[before].after), default=-1)
    halves = {
        row.by
        for row in history[since + 1 : at]
        if (row.action, row.toward) == (Action.ENDORSE, history[at].action)
        and (row.screen_hash, row.confidence) == (history[at].screen_hash, history[at].confidence)
    }
    return frozenset({history[at].by, *halves})


def must_be_apart(db: DatabaseSession, item: Item, move: Move, person: Person) -> None:
    """Refuse a move by somebody from whom it must be kept apart. Alone at the desk nobody is. Raises ``Refused``."""
    if person.single_operator:
        return
    if Apart.PROPOSER in move.apart and _wrote(db, item, person.name):
        raise Refused("own_item", f"{reference(item)} was proposed by {person.name}; somebody else decides about it.")
    history = effective(db, item)
    if Apart.APPELLANT in move.apart:
        appeal = next((row for row in reversed(history) if row.action == Action.APPEAL), None)
        if appeal is not None and appeal.by == person.name:
            raise Refused("own_appeal", f"{person.name} appealed about {reference(item)}; somebody else decides.")
    if Apart.DECIDER in move.apart and person.name in _deciders(history):
        raise Refused("own_decision", f"{person.name} decided about {reference(item)}; the appeal is another's.")


def still_may(db: DatabaseSession, names: Sequence[str], move: Move, severity: str) -> tuple[str, ...]:
    """Those of these people who have a duty for the move now."""
    return tuple(name for name in names if move.duties(severity) & duties_of(db, name).duties)


def effective(db: DatabaseSession, item: Item) -> list[Decision]:
    """The decisions about a version that stand, oldest first: what was taken back is left out, and so is the undo."""
    rows = decisions_of(db, item)
    undone = {row.undoes for row in rows if row.undoes is not None}
    return [row for row in rows if row.id not in undone and row.action != Action.UNDO]


def decisions_of(db: DatabaseSession, item: Item) -> Sequence[Decision]:
    """Every decision about a version, oldest first."""
    of_item = select(Decision).where(Decision.item_id == item.id).order_by(col(Decision.id))
    return once(db, ("decisions", item.id or 0), lambda: db.exec(of_item).all())


def _wrote(db: DatabaseSession, item: Item, name: str) -> bool:
    """Whether somebody proposed these words, or an earlier version that says the same, whoever edited it since.

    Of a note or procedure each of its texts counts: what one part says is theirs although another was written anew.
    """
    if item.proposer == name or _wrote_a_parent(db, item, name):
        return True
    versions = versions_up_to(db, item)
    theirs = [at for at, one in enumerate(versions) if one.proposer == name]
    if any(_alike(versions[at].headline, item.headline) for at in theirs):
        return True
    if not theirs or item.kind == Kind.LESSON:
        return False
    texts, now = [content_of(db, one).further for one in versions], content_of(db, item).further
    return any(
        words not in [before[part] for before in texts[:at]] and _alike(words, now[part])
        for at in theirs
        for part, words in texts[at].items()
    )


def _wrote_a_parent(db: DatabaseSession, item: Item, name: str) -> bool:
    """Whether somebody proposed what was merged into it, or into an earlier version of it."""
    merged = once(db, ("merged into it", item.id or 0), lambda: _merged(db, item))
    return any(_wrote(db, one, name) for one in merged)


def _merged(db: DatabaseSession, item: Item) -> Sequence[Item]:
    versions = [one.id for one in versions_up_to(db, item)]
    into = select(Item).join(Parent, col(Parent.parent_id) == Item.id).where(col(Parent.item_id).in_(versions))
    return db.exec(into.where(Item.number != item.number)).all()


def versions_up_to(db: DatabaseSession, item: Item) -> Sequence[Item]:
    """A version and those before it, oldest first."""
    same = (Item.kind == item.kind, Item.number == item.number, Item.version <= item.version)
    versions = select(Item).where(*same).order_by(col(Item.version))
    return once(db, ("versions up to it", item.id or 0), lambda: db.exec(versions).all())


def _alike(one: str, other: str) -> bool:
    return compare(one, other).relation not in NOT_ALIKE


def _since_it_stands_so(db: DatabaseSession, item: Item) -> list[Decision]:
    """What stands since the item last came into its status, also where it came back to it by an undo."""
    rows = decisions_of(db, item)
    turned = max((row.id or 0 for row in rows if row.before != row.after), default=0)
    return [row for row in effective(db, item) if (row.id or 0) > turned]


def _deciders(history: Sequence[Decision]) -> frozenset[str]:
    """Everybody who had a hand in the last rejection or dismissal, and who denied another look since."""
    last = next((at for at in reversed(range(len(history))) if history[at].action in REFUSED), None)
    if last is None:
        return frozenset()
    act = history[last].action
    halves = {row.by for row in history[:last] if row.action == Action.ENDORSE and row.toward == act}
    denied = {row.by for row in history[last:] if row.action == Action.DENY}
    return frozenset({history[last].by, *halves, *denied})
