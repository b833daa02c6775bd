"""From a pressed key to a decision.

What was on the screen goes along with every request: the item, its revision, the hash of its card, and when it came up.
Whatever the desk answers is kept as an ``Answer`` and shown; nothing is swallowed, and what was typed is kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

import streamlit as st

from core.errors import Refused, TutelageError
from core.evidence import Span
from core.governance import lifecycle
from core.governance.acts import Decided, Request
from core.governance.desk import decide, undo
from core.governance.kept_words import keep_words
from core.governance.people import Person
from core.governance.versions import AboutQuote, accept_gap, edit, pick_place
from core.service.views import Card, LastDecision
from core.store.clock import now
from core.store.database import Database
from core.vocabulary import Action, GivesWay, Kind
from ui.drawing import draw
from ui.opening import take_seen
from ui.signing_in import still_here
from ui.tree import node

FORWARD = (Action.APPROVE, Action.RELEASE, Action.GRANT, Action.RESOLVE, Action.REOPEN)
BACK = (Action.REJECT, Action.DISMISS, Action.DENY, Action.SUSPEND, Action.RETIRE)
BESIDES = (Action.ROLL_BACK, Action.REINSTATE, Action.SUSPEND, Action.RETIRE, Action.APPEAL)
"""What can be done to an item that does not wait, beside the first act of either kind."""

LABELS = {
    Action.APPROVE: "Approve",
    Action.RELEASE: "Release",
    Action.RESOLVE: "Resolve",
    Action.GRANT: "Grant another look",
    Action.REJECT: "Reject",
    Action.DISMISS: "Dismiss",
    Action.DENY: "Deny",
    Action.SUSPEND: "Suspend",
    Action.RETIRE: "Retire",
    Action.REINSTATE: "Reinstate",
    Action.REOPEN: "Reopen",
    Action.ROLL_BACK: "Roll back to this",
    Action.APPEAL: "Appeal",
    Action.MERGE: "Merge",
    Action.EXPIRE: "Expire",
}

FIELDS = {
    Kind.LESSON: (("text", "Lesson"), ("tags", "Tags, with a comma between them")),
    Kind.NOTE: (("observation", "What was observed"), ("improvement", "Next time")),
    Kind.BELIEF: (("text", "Belief"),),
    Kind.PROCEDURE: (("title", "Title"), ("trigger", "When"), ("instruction", "Instruction")),
}
"""What a person may edit of each kind: the field, and what the desk calls it."""

BAR = "bar"
"""The field under which it is kept what the bar was asking."""


@dataclass(frozen=True)
class Seen:
    """What was on the screen: ``following`` are the items below it, the first of which comes up after a decision."""

    item_id: int
    ref: str
    revision: int
    screen_hash: str
    kind: Kind
    following: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    """Quotes that were not found, by id; an edit can give them other words."""

    @property
    def next_id(self) -> int | None:
        """The item below it."""
        return self.following[0] if self.following else None

    @property
    def key(self) -> str:
        """A part of every button's key, so that a press can only ever mean this item as it was shown."""
        return f"{self.ref}-{self.item_id}-{self.revision}"


@dataclass(frozen=True)
class Choice:
    """One thing that can be done to the item on the screen; ``needs`` is ``reason``, ``text`` or empty."""

    action: Action
    needs: str
    allowed: bool

    @property
    def label(self) -> str:
        """The words on the button; "…" when a reason follows."""
        return LABELS[self.action] + ("…" if self.needs else "")


@dataclass(frozen=True)
class Answer:
    """What the desk said to the last press."""

    text: str
    refused: bool = False


def seen(card: Card, following: Sequence[int] = ()) -> Seen:
    """What the screen shows of this card."""
    lost = tuple(quote.id for quote in card.quotes if not quote.found)
    return Seen(card.id, card.ref, card.revision, card.screen_hash, card.kind, tuple(following), lost)


def choice(kind: Kind, status: str, severity: str, person: Person, actions: tuple[Action, ...]) -> Choice | None:
    """The first of these actions that the lifecycle table knows for such an item, and whether the person may."""
    return next(iter(choices(kind, status, severity, person, actions)), None)


def choices(kind: Kind, status: str, severity: str, person: Person, actions: tuple[Action, ...]) -> tuple[Choice, ...]:
    """Those of these actions that people may take by the lifecycle table, and whether this person may."""
    found = []
    for action in actions:
        move = lifecycle.move(kind, status, action)
        if isinstance(move, lifecycle.Move) and move.who:
            needs = "reason" if move.reason else "text" if move.needs_text(severity) else ""
            found.append(Choice(action, needs, bool(move.duties(severity) & person.duties)))
    return tuple(found)


def may_edit(card: Card, person: Person) -> bool:
    """Whether the person may make a new version of it, in the status that it has."""
    editable = card.status in lifecycle.EDITED_FROM[card.kind]
    return editable and bool(lifecycle.editors(card.kind, card.gravest) & person.duties)


def mark_shown(what: Seen, *, anew: bool = False) -> None:
    """Remember when an item first came on the screen; ``anew`` after a press that came too soon."""
    shown: dict[str, datetime] = st.session_state.setdefault("shown_at", {})
    if anew or what.key not in shown:
        shown[what.key] = now()


def draft_key(what: Seen, field: str = "words") -> str:
    """The key of a field whose words belong to one version of one item."""
    return f"draft-{field}-{what.key}"


def scope_key(what: Seen) -> str:
    """The key of the field that says for whom a lesson holds."""
    return f"scope-{what.key}"


def restore(what: Seen, kept: tuple[tuple[str, str], ...]) -> None:
    """Put the words that were kept back into their fields, and the question that was open back into the bar."""
    if what.key in st.session_state.setdefault("restored", set()):
        return
    st.session_state["restored"].add(what.key)
    for field, text in kept:
        st.session_state.setdefault(draft_key(what, field), text)
    mode = dict(kept).get(BAR)
    if mode and "bar" not in st.session_state and len(kept) > 1:
        st.session_state["bar"] = (what.key, mode)


def fields_of(what: Seen) -> tuple[str, ...]:
    """Every field in which something can be typed about this item."""
    named = [field for field, _ in FIELDS[what.kind]]
    merged = () if what.kind is Kind.NOTE else (f"merge-{field}" for field in named)
    return ("words", *named, *merged, *(f"quote-{lost}" for lost in what.lost))


def words_of(what: Seen) -> dict[str, str]:
    """What stands in the fields of this item now, by field."""
    known = {field: st.session_state.get(draft_key(what, field)) for field in fields_of(what)}
    return {field: str(text) for field, text in known.items() if text}


def carry_out(
    db: Database,
    person: str,
    what: Seen,
    action: Action,
    reason: str | None = None,
    confidence: Decimal | None = None,
    gives_way: GivesWay | None = None,
    yields: tuple[int, ...] | None = None,
    makes_room: int | None = None,
) -> None:
    """Ask the desk for a decision, with the words that were written about it."""
    text = str(st.session_state.get(draft_key(what)) or "")
    seen_so = (what.item_id, action, person, what.revision, what.screen_hash)
    shown: dict[str, datetime] = st.session_state.get("shown_at", {})
    said = Request(*seen_so, reason, text, confidence, gives_way, yields, shown.get(what.key))
    request = replace(said, makes_room=makes_room)

    def ask() -> Decided:
        take_seen(db, person)
        return decide(db, request)

    if ask_desk(ask, db, person, what):
        leave(what)


def save_edit(db: Database, person: str, what: Seen) -> None:
    """Store the edited words as a new version."""
    changes: dict[str, object] = {}
    for field, _ in FIELDS[what.kind]:
        changes[field] = field_value(field, st.session_state.get(draft_key(what, field)))
    scope = st.session_state.get(scope_key(what))
    changes |= {"scope": scope} if scope else {}
    quotes = {lost: str(st.session_state.get(draft_key(what, f"quote-{lost}")) or "") for lost in what.lost}
    asked = {"item_id": what.item_id, "person": person, "revision_seen": what.revision}
    if ask_desk(lambda: edit(db, **asked, changes=changes, quotes=quotes), db, person, what):  # type: ignore[arg-type]
        leave(what)


def field_value(field: str, typed: object) -> object:
    """What a field holds: tags are a list with commas."""
    text = str(typed or "")
    return tuple(tag.strip() for tag in text.split(",") if tag.strip()) if field == "tags" else text


def settle(db: Database, person: str, what: Seen, press: str) -> bool:
    """Carry out a press that settles a doubt about a quote; False for a press about something else.

    ``place:QUOTE:TURN:START:END`` says which place is meant, ``gap:QUOTE`` that the words left out keep the meaning.
    """
    act, *numbers = press.split(":")
    if act not in ("place", "gap"):
        return False
    quote, *place = map(int, numbers)
    about = AboutQuote(quote, person, what.revision)

    def ask() -> Decided:
        return pick_place(db, about, Span(*place)) if act == "place" else accept_gap(db, about)

    made = ask_desk(ask, db, person, what)
    if made:
        st.session_state["item"] = made.item_id
    return True


def take_back(db: Database, person: str, last: LastDecision) -> None:
    """Undo the person's last decision and bring its item up again."""
    try:
        still_here()
        say(undo(db, decision_id=last.id, person=person).text)
        st.session_state["wanted"] = last.ref
    except TutelageError as error:
        say(str(error), refused=True)


def skip(what: Seen) -> None:
    """Go on without deciding."""
    leave(what)
    say(f"{what.ref} was skipped; it still waits.")


def open_bar(what: Seen, mode: str) -> None:
    """Turn the bar into what ``mode`` asks: ``edit``, or the action that needs words."""
    st.session_state["bar"] = (what.key, mode)
    forget_answer()


def close_bar() -> None:
    """Back to the buttons; what was written stays."""
    st.session_state.pop("bar", None)


def bar_mode(what: Seen) -> str:
    """What the bar asks about this very item; empty for its buttons."""
    key, mode = st.session_state.get("bar", ("", ""))
    return str(mode) if key == what.key else ""


def say(text: str, *, refused: bool = False) -> None:
    """Put a sentence where the desk answers."""
    st.session_state["answer"] = Answer(text, refused)


def forget_answer() -> None:
    """What was said is no longer about what is on the screen."""
    st.session_state.pop("answer", None)


def last_answer() -> Answer | None:
    """What the desk said to the last press."""
    said = st.session_state.get("answer")
    return said if isinstance(said, Answer) else None


def show_answer() -> None:
    """Draw what the desk said to the last press, where anything was said."""
    said = last_answer()
    if said:
        draw(node("p", "answer no" if said.refused else "answer", said.text, role="status"), key="answer-line")


def ask_desk(ask: Callable[[], Decided], db: Database, person: str, what: Seen) -> Decided | None:
    """Ask the desk; what it refuses is said, and what was typed is kept."""
    try:
        still_here()
        decided = ask()
    except TutelageError as error:
        if isinstance(error, Refused) and error.code == "too_soon":
            mark_shown(what, anew=True)
        typed = words_of(what)
        if typed:
            keep_words(db, what.item_id, person, typed)
        kept = " What was written is kept." if typed and isinstance(error, Refused) else ""
        say(f"{error}{kept}", refused=True)
        return None
    say(decided.text)
    return decided


def leave(what: Seen) -> None:
    """Go on to the next item."""
    st.session_state["item"], st.session_state["following"] = None, what.following
    st.session_state.pop("quote", None)
    close_bar()
