"""The gate at the drafts' door: every text that wants to become memory is screened before anything of it is stored.

Between evidence and the store. What must not be stored is refused here with its reason; what a person has to look at
is held; all that was remarked is kept beside the item. The desk asks again when somebody approves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import TypeAdapter
from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.checks.contract import Policy
from core.errors import Refused
from core.governance.drafts import AnyContent, BeliefContent, LessonContent, NoteContent, Quoted
from core.governance.for_whom import user_of_content
from core.governance.known_texts import Own, texts_beside, texts_of
from core.governance.policies import policies_of_agent
from core.governance.policy_screens import versions_beside
from core.governance.references import version_named
from core.governance.sources import well_cited
from core.screening.contract import (
    Follows,
    Heard,
    PolicyText,
    Screen,
    ScreenDraft,
    Screened,
    ScreenFinding,
    Support,
)
from core.screening.gate import beside_known, screen
from core.screening.plants import OUTSIDE, TRUSTED
from core.store.records import Item, Screening, SessionMessage
from core.vocabulary import Dimension, Form, Kind, Role, Scope, Source, Status

FINDINGS: TypeAdapter[tuple[ScreenFinding, ...]] = TypeAdapter(tuple[ScreenFinding, ...])


@dataclass(frozen=True)
class Text:
    """A content on its way in: of which agent and task class, made from what, under which number where it has one."""

    content: AnyContent
    agent_id: int
    task_class: str
    source: Source
    quotes: tuple[Quoted, ...] = ()
    number: int | None = None
    user: str | None = None
    """Of which user it would be."""
    heard: tuple[Heard, ...] = ()
    instead_of: frozenset[str] = frozenset()
    """References of versions that are merged into it."""

    @property
    def kind(self) -> Kind:
        """The kind of item that it becomes."""
        return self.content.becomes

    @property
    def scope(self) -> Scope:
        """For whom it would hold."""
        if isinstance(self.content, BeliefContent):
            return Scope.USER
        return self.content.scope if isinstance(self.content, LessonContent) else Scope.TASK_CLASS


def screened(db: DatabaseSession, text: Text, *, only_in_force: bool = False) -> Screened:
    """What the screens say of a text, beside all that is known of its agent and the policies in force for it.

    With ``only_in_force`` it stands beside what the agent reads now, and not beside what waits or was decided.
    """
    draft, policies = _as_draft(db, text), _policies(db, text.agent_id)
    with texts_beside(db, text.agent_id, _own(text), only_in_force=only_in_force) as known:
        return screen(draft, known.texts, policies, beside=known.counts)


def beside_in_force(
    db: DatabaseSession, agent_id: int, texts: Sequence[tuple[Own, str]]
) -> list[tuple[ScreenFinding, ...]]:
    """The part of ``screened`` that names what is in force: twins and contraries of each of an agent's texts."""
    found = []
    with texts_of(db, agent_id, only_in_force=True) as beside:
        for own, headline in texts:
            known = beside(own)
            found.append(tuple(beside_known(ScreenDraft(own.kind, headline), known.texts, known.counts)))
    return found


def _own(text: Text) -> Own:
    return Own(
        text.kind, text.task_class, text.scope, text.number, user_of_content(text.content, text.user), text.instead_of
    )


def passed(db: DatabaseSession, text: Text) -> Screened:
    """What the screens say of a text that may be stored. Raises ``Refused`` for one that may not."""
    if isinstance(text.content, BeliefContent):
        well_cited(db, text.content, text.agent_id, text.user)
    answer = screened(db, text)
    refusing = [finding for finding in answer.findings if finding.follows is Follows.REFUSE]
    if answer.follows is Follows.REFUSE and not _twin(answer):
        said = " ".join(dict.fromkeys(f"{finding.text} {finding.possible}" for finding in refusing))
        raise Refused(answer.refusal or "screened", f"{said} Nothing was stored.")
    return answer


def remarked_too(answer: Screened, remarks: tuple[ScreenFinding, ...]) -> Screened:
    """The answer of the screens with what was remarked before they were asked; the gravest decides what follows."""
    follows = min((answer.follows, *(finding.follows for finding in remarks)), key=lambda each: each.rank)
    return replace(answer, findings=(*answer.findings, *remarks), follows=follows)


def carried(db: DatabaseSession, item: Item, content: AnyContent) -> tuple[ScreenFinding, ...]:
    """What no screen can say again of a newer version: what the critic's reply left open, and what planted words held.

    It holds the newer version, too, until somebody has released it; from then on it is shown.
    """
    text = " ".join((content.headline, *content.further.values()))
    kept = [one for one in remarked(db, item.id or 0) if one.kind is Screen.CRITIC or _still_planted(one, text)]
    if item.status == Status.HELD:
        return tuple(kept)
    return tuple(replace(one, follows=Follows.FLAG) if one.follows is Follows.HOLD else one for one in kept)


def _still_planted(finding: ScreenFinding, text: str) -> bool:
    return finding.kind is Screen.PLANT and bool(finding.words) and finding.words in text


def with_carried(answer: Screened, kept: tuple[ScreenFinding, ...]) -> Screened:
    """The answer of the screens with those of the kept remarks that they do not make themselves."""
    said = {finding.code for finding in answer.findings}
    return remarked_too(answer, tuple(finding for finding in kept if finding.code not in said))


def twin_of(db: DatabaseSession, answer: Screened) -> Item | None:
    """The item that says the same, or nearly the same and was rejected; None where there is none."""
    found = _twin(answer)
    return version_named(db, found.beside.reference) if found and found.beside else None


def _twin(answer: Screened) -> ScreenFinding | None:
    """The finding of a text that is refused for nothing but being there already."""
    refusing = [finding for finding in answer.findings if finding.follows is Follows.REFUSE]
    others = [finding for finding in refusing if finding.kind is not Screen.TWIN]
    return None if others else next(iter(refusing), None)


def keep(db: DatabaseSession, item: Item, source: Source, answer: Screened, at: datetime) -> None:
    """Store what was remarked, beside the item, by which screens and policies, and what it was made from."""
    findings = FINDINGS.dump_python(answer.findings, mode="json")
    known = db.get(Screening, item.id)
    row = known or Screening(item_id=item.id or 0, at=at, source=source, follows=answer.follows)
    row.versions = {**answer.versions, **versions_beside(db, item, known)}
    row.findings, row.follows, row.at = list(findings), answer.follows.value, at
    db.add(row)
    db.flush()


def remarked(db: DatabaseSession, item_id: int) -> tuple[ScreenFinding, ...]:
    """What was remarked about an item when it was stored."""
    row = db.get(Screening, item_id)
    return FINDINGS.validate_python(row.findings) if row else ()


def source_of(db: DatabaseSession, item: Item) -> Source:
    """What an item was made from; a later version keeps the source of the first."""
    row = db.get(Screening, item.id)
    if row is not None:
        return Source.stored(row.source)
    return Source.CHECK if item.proposer.startswith("check ") else Source.PERSON


def _as_draft(db: DatabaseSession, text: Text) -> ScreenDraft:
    content = text.content
    support = tuple(Support(quote.speaker, quote.quote) for quote in text.quotes if quote.found)
    return ScreenDraft(
        kind=text.kind,
        text=content.headline,
        parts=content.further,
        form=content.form if isinstance(content, LessonContent) else Form.INSTRUCTION,
        scope=text.scope,
        source=text.source,
        support=support,
        shown_by_user=isinstance(content, NoteContent) and content.dimension is Dimension.MISSED_SIGNAL,
        heard=() if text.source in TRUSTED else (*text.heard, *_heard(db, {one.session_id for one in text.quotes})),
    )


def _heard(db: DatabaseSession, sessions: Iterable[int]) -> Iterable[Heard]:
    """What users and tools said in the sessions that a draft quotes."""
    said = select(SessionMessage).where(col(SessionMessage.session_id).in_(sessions))
    for row in db.exec(said.where(col(SessionMessage.role).in_(OUTSIDE))).all():
        yield Heard(Role(row.role), row.content)


def _policies(db: DatabaseSession, agent_id: int) -> list[PolicyText]:
    return [as_policy_text(policy) for policy in policies_of_agent(db, agent_id)]


def as_policy_text(policy: Policy) -> PolicyText:
    """A policy as the screens read it."""
    return PolicyText(policy.id, policy.title, policy.version, policy.text, policy.words)
