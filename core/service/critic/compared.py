"""The report of a comparison: what each side wrote, and what the sessions that both reviewed say.

Behind the requests. Values only. A winner is named where the sides differ in one thing, and interval and sign test
agree; what is said then is that more of its quotes stand in the sessions, not that its notes are right.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from statistics import fmean

from core.critic.pairing import Paired, paired
from core.service.critic.caps import OVER_CAP
from core.service.critic.sides import Difference
from core.vocabulary import Severity, Writer

_GRAVEST_FIRST = ("unknown", *(severity.value for severity in Severity))

NOT_ASKED = "not_asked"
"""Instead of a status: the comparison ended before."""


@dataclass(frozen=True)
class SideReply:
    """What one side made of one session. Only where it was ``reviewed`` the counts mean anything."""

    status: str = NOT_ASKED
    """``ok``, or why there is no whole review: the first status of a request that has no reply to be read."""
    detail: str = ""
    items: int = 0
    proven: int = 0
    """Items of which every quote was found, and of a note one at least of whom it is about."""
    quotes: int = 0
    found: int = 0
    severities: tuple[str, ...] = ()
    unreadable: int = 0
    """Parts of replies that could not be read, or not be stored."""
    requests: int = 0
    stored: int = 0
    """Requests that were answered from the store."""
    tokens_prompt: int = 0
    tokens_completion: int = 0
    cost: int | None = 0
    """Millionths for all its tokens at today's prices, whoever paid for them; None where a price is not known."""
    spent: int | None = 0
    """Millionths that this comparison has paid."""
    seconds: float = 0.0
    models: tuple[str, ...] = ()
    """The model's names as the server returned them."""
    temperatures: tuple[str, ...] = ()
    """The temperatures that were really sent, `none` where none was."""

    @property
    def reviewed(self) -> bool:
        """Whether every request has a reply that could be read."""
        return self.status == "ok"

    @property
    def missing(self) -> bool:
        """Whether it was not asked, because the comparison ended or the day's cap was reached."""
        return self.status in (NOT_ASKED, OVER_CAP)


@dataclass(frozen=True)
class SessionPair:
    """What both sides made of one session."""

    session: str
    a: SideReply
    b: SideReply


@dataclass(frozen=True)
class SideFigures:
    """One side over all sessions that it was asked about; counts of what was written are of reviewed sessions."""

    name: str
    asked_with: str
    reviewed: int
    failed: tuple[tuple[str, str, str], ...]
    """Session, status and detail of each that has no whole review."""
    missing: tuple[str, ...]
    """Sessions that were not asked about."""
    items: int
    proven: int
    quotes: int
    found: int
    severities: tuple[tuple[str, int], ...]
    unreadable: int
    requests: int
    stored: int
    tokens_prompt: int
    tokens_completion: int
    cost: Decimal | None
    spent: Decimal | None
    seconds: float
    models: tuple[str, ...]
    temperatures: tuple[str, ...]


@dataclass(frozen=True)
class Measure:
    """One figure of the sessions that both sides reviewed: the mean of each side, and the differences, b less a.

    ``skipped`` are such sessions in which a side quotes nothing, so that it has no share.
    """

    what: str
    a: float | None
    b: float | None
    difference: Paired
    skipped: int = 0


class Kind(StrEnum):
    """What a comparison can be read as."""

    SPREAD = "spread"
    """The sides do not differ: it shows how much chance alone does."""

    ONE_CHANGE = "one_change"
    SEVERAL_CHANGES = "several_changes"


@dataclass(frozen=True)
class Comparison:
    """All of a comparison."""

    number: int
    writer: Writer
    sessions: int
    nothing_due: tuple[tuple[str, str], ...]
    """Sessions that a debrief would not ask about, and why."""
    differences: tuple[Difference, ...]
    remarks: tuple[str, ...]
    a: SideFigures
    b: SideFigures
    pairs: tuple[SessionPair, ...]
    both: int
    """Sessions that both sides reviewed; the measures are of them alone."""
    found_in_both: tuple[tuple[int, int], tuple[int, int]]
    """Quotes found, of quotes, in those sessions: of a, and of b."""
    measures: tuple[Measure, ...]
    stopped: str | None
    """Why it ended before all was asked."""
    currency: str

    @property
    def kind(self) -> Kind:
        """What it can be read as."""
        if not self.differences:
            return Kind.SPREAD
        return Kind.ONE_CHANGE if len(self.differences) == 1 else Kind.SEVERAL_CHANGES

    @property
    def better(self) -> str | None:
        """The side whose quotes are found more often, where that can be told and has one possible cause; else None."""
        if self.kind is not Kind.ONE_CHANGE or not self.measures:
            return None
        return {1: "b", -1: "a"}.get(self.measures[0].difference.tells)

    @property
    def conclusion(self) -> str:
        """What may be concluded, and what may not."""
        if not self.both:
            return "No session was reviewed by both sides, so nothing is compared."
        if self.kind is Kind.SPREAD:
            return "Both sides are the same, so this is the spread that chance makes; no winner is named."
        if self.kind is Kind.SEVERAL_CHANGES:
            what = ", ".join(one.what for one in self.differences)
            return f"The sides differ in {len(self.differences)} things ({what}), so no winner is named."
        if self.better is None:
            return f"From {self.both} sessions it cannot be told whose quotes are found more often; no winner is named."
        return (
            f"Quotes of {self.better} are found more often, on these sessions, with this {self.differences[0].what}. "
            "Whether its observations are right, people must say."
        )


def measures_of(pairs: Sequence[SessionPair]) -> tuple[Measure, ...]:
    """The figures of the sessions that both sides reviewed; the share of quotes found comes first."""
    both = [pair for pair in pairs if pair.a.reviewed and pair.b.reviewed]
    quoting = [pair for pair in both if pair.a.quotes and pair.b.quotes]
    share = _measure("share of quotes found", quoting, lambda one: one.found / one.quotes, len(both) - len(quoting))
    return (
        share,
        _measure("written a session", both, lambda one: one.items),
        _measure("of these, proven", both, lambda one: one.proven),
    )


def figures_of(name: str, asked_with: str, replies: Iterable[tuple[str, SideReply]]) -> SideFigures:
    """One side over all its sessions."""
    asked = list(replies)
    every = [reply for _, reply in asked]
    good = [reply for reply in every if reply.reviewed]
    severities = Counter(severity for reply in good for severity in reply.severities)
    return SideFigures(
        name=name,
        asked_with=asked_with,
        reviewed=len(good),
        failed=tuple((ref, one.status, one.detail) for ref, one in asked if not (one.reviewed or one.missing)),
        missing=tuple(ref for ref, one in asked if one.missing),
        items=sum(one.items for one in good),
        proven=sum(one.proven for one in good),
        quotes=sum(one.quotes for one in good),
        found=sum(one.found for one in good),
        severities=tuple((name, severities[name]) for name in _GRAVEST_FIRST if severities[name]),
        unreadable=sum(one.unreadable for one in good),
        requests=sum(one.requests for one in every),
        stored=sum(one.stored for one in every),
        tokens_prompt=sum(one.tokens_prompt for one in every),
        tokens_completion=sum(one.tokens_completion for one in every),
        cost=_money([one.cost for one in every]),
        spent=_money([one.spent for one in every]),
        seconds=sum(one.seconds for one in every),
        models=tuple(sorted({model for one in every for model in one.models})),
        temperatures=tuple(sorted({sent for one in every for sent in one.temperatures})),
    )


def _measure(what: str, pairs: Sequence[SessionPair], of: Callable[[SideReply], float], skipped: int = 0) -> Measure:
    a, b = [of(pair.a) for pair in pairs], [of(pair.b) for pair in pairs]
    differences = [second - first for first, second in zip(a, b, strict=True)]
    return Measure(what, fmean(a) if a else None, fmean(b) if b else None, paired(differences), skipped)


def _money(amounts: Sequence[int | None]) -> Decimal | None:
    known = [amount for amount in amounts if amount is not None]
    return None if len(known) < len(amounts) else (Decimal(sum(known)) / 1_000_000).quantize(Decimal("0.0001"))
