"""Of which one user an item speaks, if of one: what stays with that user, on every way in and out.

A procedure about one user's style, a lesson of scope ``user``, a note and a belief are of one user. All else is for
everybody. Sources: Procedural memory, "Per-user style"; Reflexion buffer, scopes.
"""

from collections.abc import Sequence

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.errors import Refused
from core.governance.drafts import AnyContent, LessonContent, ProcedureContent, Quoted
from core.store.records import AgentSession, Item
from core.vocabulary import Kind, ProcedureKind, Role, Scope


def of_one_user(kind: Kind, scope: Scope | str | None, user: str | None) -> str | None:
    """The user of whom an item of this kind and scope speaks; None where it is for everybody."""
    return None if kind is Kind.LESSON and scope != Scope.USER else user or None


def user_of_content(content: AnyContent, user: str | None) -> str | None:
    """The same for a content that stands under this user."""
    return of_one_user(content.becomes, content.scope if isinstance(content, LessonContent) else None, user)


def asked_for_by_the_user(content: AnyContent, quotes: Sequence[Quoted]) -> bool:
    """Whether it is one user's style: a pattern that rests on what the user said, so it stays with that user."""
    is_a_pattern = isinstance(content, ProcedureContent) and content.kind is ProcedureKind.PATTERN
    return is_a_pattern and any(quote.found and quote.speaker is Role.USER for quote in quotes)


def user_named(db: DatabaseSession, content: AnyContent, user: str | None, quotes: Sequence[Quoted]) -> str | None:
    """The user of a version: the one it stands under, else for a lesson about one user the one that its quotes are of.

    Raises ``Refused`` for a lesson about one user of whom nobody knows who it is: nobody would ever read it.
    """
    if user or not isinstance(content, LessonContent) or content.scope is not Scope.USER:
        return user
    sessions = {quote.session_id for quote in quotes}
    users = set(db.exec(select(AgentSession.user).where(col(AgentSession.id).in_(sessions))).all())
    if len(users) == 1 and (known := users.pop()):
        return known
    whom = "its quotes are of several users" if users else "it quotes no session of a user"
    can = "It can hold for its task class, or be proposed from a session of that user."
    raise Refused("user_needed", f"A lesson about one user must say of whom, and {whom}. {can} Nothing was stored.")


def item_for(item: Item, scope: Scope | str | None) -> str | None:
    """The user of whom a stored item speaks; ``scope`` is that of a lesson."""
    return of_one_user(Kind(item.kind), scope, item.user)
