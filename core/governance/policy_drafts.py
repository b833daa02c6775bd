"""How people change a policy: one proposes a text, another brings it into force or turns it down.

Governance. A draft names the version that its author saw; where another came into force since, it is refused with who
and when. What the change outdates leaves the briefing in the same transaction, and the file follows it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session as DatabaseSession
from sqlmodel import col, select

from core.checks.contract import Policy
from core.checks.policies import policy_from
from core.errors import AlreadyDecided, BadInput, NotFound, Refused
from core.governance.allowed import is_a_person
from core.governance.log import log
from core.governance.people import Person, duties_of, lost_duties
from core.governance.policies import as_policy, fields_of, newest_of
from core.governance.policy_adoption import adopt, outdated
from core.governance.policy_files import policies_folder, policy_files, storable, write_policy
from core.governance.policy_suspension import screened_before
from core.governance.refusals import refusals_kept
from core.governance.tokens import said_to_be
from core.screening.invisible import says_nothing
from core.screening.secrets import mask
from core.store.clock import now, time_in_words
from core.store.database import Database
from core.store.oversight_records import PolicyDraft, PolicyTurnedDown, PolicyVersion
from core.store.records import Item
from core.vocabulary import Duty, PolicyOrigin

MAY_PROPOSE = frozenset({Duty.LEAD, Duty.AUDITOR, Duty.DEVELOPER})
MAY_APPROVE = frozenset({Duty.LEAD})
FIELDS = ("title", "text", "words", "severity", "improvement", "trigger", "tags", "owner")
"""What a draft says; the desk sets id, version and date."""

NOTHING_STORED = "Nothing was stored."

WITHDRAWN = "withdrawn"
"""The field of a draft that asks to withdraw its policy."""


@dataclass(frozen=True)
class InForce:
    """What an approval did: the version, what left the briefing, and the file, or why there is none."""

    policy: Policy
    withdrawn: bool
    suspended: tuple[str, ...]
    file: str = ""
    problem: str = ""


def propose_policy(
    database: Database,
    policy: str,
    changes: Mapping[str, Any],
    *,
    base: int,
    by: str,
    reason: str,
    at: datetime | None = None,
) -> int:
    """Keep a draft for a second person; returns its number. ``base`` is the version that was seen, 0 for a new policy.

    Raises ``BadInput`` without a reason and for fields that make no policy, ``Refused`` for a person without one of the
    duties and where another version came into force since.
    """
    return _propose(database, policy, _body(policy, changes), base=base, by=by, reason=reason, at=at or now())


def propose_withdrawal(
    database: Database, policy: str, *, base: int, by: str, reason: str, at: datetime | None = None
) -> int:
    """Ask that there be no such policy any more. Raises as ``propose_policy``, and ``NotFound`` for an unknown one."""
    with database.reading() as db:
        row = newest_of(db, policy)
        if row is None or row.withdrawn:
            raise NotFound("policy in force", policy)
    return _propose(database, policy, {WITHDRAWN: True}, base=base, by=by, reason=reason, at=at or now())


def _propose(
    database: Database, policy: str, body: dict[str, Any], *, base: int, by: str, reason: str, at: datetime
) -> int:
    adopt(database, at=at)
    with database.reading() as db:
        who = said_to_be(db, by)
    with refusals_kept(database, None, "propose a policy", who, at), database.writing() as db:
        _may(db, who, MAY_PROPOSE, "propose a change of a policy")
        if says_nothing(reason):
            raise BadInput(f"A change of a policy needs a reason. {NOTHING_STORED}")
        _still_on(db, policy, base)
        row = PolicyDraft(policy=policy, base=base, body=body, by=who, reason=mask(reason.strip()).text, at=at)
        log(db, row)
        return row.id or 0


def approve_policy(database: Database, draft_id: int, *, by: str, at: datetime | None = None) -> InForce:
    """Bring a draft into force as the next version, and write its file.

    The version counts also where its file cannot be written. Raises ``NotFound`` for an unknown draft, ``Refused`` for
    whoever proposed it, for a person without the duty lead and where another version came into force since, and
    ``AlreadyDecided`` where somebody decided about the draft before.
    """
    moment = at or now()
    adopt(database, at=moment)
    with database.reading() as db:
        who, draft = said_to_be(db, by), _draft(db, draft_id)
    with refusals_kept(database, None, "approve a policy", who, moment), database.writing() as db:
        person = _may(db, who, MAY_APPROVE, "bring a policy into force")
        still_waits(db, draft)
        if draft.by == who and not person.single_operator:
            raise Refused("own_item", f"{who} proposed this change of {draft.policy}; somebody else decides about it.")
        _still_on(db, draft.policy, draft.base)
        before = newest_of(db, draft.policy)
        policy = draft_as_policy(draft, before, moment)
        withdrawn = bool(draft.body.get(WITHDRAWN))
        second = who if who != draft.by else None
        made: dict[str, Any] = {
            "origin": PolicyOrigin.PAGE,
            "withdrawn": withdrawn,
            "draft_id": draft.id,
            "by": draft.by,
            "second": second,
        }
        log(db, PolicyVersion(**fields_of(policy), **made, reason=draft.reason, at=moment))
        out = () if withdrawn else outdated(db, policy, before, by=who, at=moment)
    return _with_file(policy, withdrawn, out, before)


def turn_down_policy(database: Database, draft_id: int, *, by: str, reason: str, at: datetime | None = None) -> None:
    """Turn a draft down, or take back one's own. Raises as ``approve_policy``, and ``BadInput`` without a reason."""
    moment = at or now()
    with database.reading() as db:
        who, draft = said_to_be(db, by), _draft(db, draft_id)
    with refusals_kept(database, None, "turn down a policy", who, moment), database.writing() as db:
        _may(db, who, MAY_PROPOSE if draft.by == who else MAY_APPROVE, "turn down a change of a policy")
        still_waits(db, draft)
        if says_nothing(reason):
            raise BadInput("To turn a change of a policy down, a reason must be written. Nothing was changed.")
        log(db, PolicyTurnedDown(draft_id=draft_id, by=who, reason=mask(reason.strip()).text, at=moment))


def waiting_drafts(db: DatabaseSession, policy: str | None = None) -> tuple[PolicyDraft, ...]:
    """The drafts about which nobody has decided, oldest first."""
    used = select(PolicyVersion.draft_id).where(col(PolicyVersion.draft_id).is_not(None))
    waiting = select(PolicyDraft).where(
        col(PolicyDraft.id).not_in(used), col(PolicyDraft.id).not_in(select(PolicyTurnedDown.draft_id))
    )
    rows = db.exec(waiting.order_by(col(PolicyDraft.id))).all()
    return tuple(row for row in rows if policy in (None, row.policy))


def would_leave(db: DatabaseSession, draft: PolicyDraft) -> tuple[Item, ...]:
    """What would leave the briefing if a draft came into force."""
    return () if draft.body.get(WITHDRAWN) else tuple(screened_before(db, draft.policy, None))


def draft_as_policy(draft: PolicyDraft, before: PolicyVersion | None, at: datetime) -> Policy:
    """The version that a draft would be; one that withdraws says what is withdrawn."""
    if draft.body.get(WITHDRAWN) and before is not None:
        return as_policy(before)
    given = {name: draft.body[name] for name in FIELDS if name in draft.body}
    version = before.version + 1 if before is not None else 1
    set_here = {"id": draft.policy, "version": version, "date": at.date()}
    return policy_from({**given, **set_here}, f"the change of {draft.policy}", "Nothing was changed.")


def still_waits(db: DatabaseSession, draft: PolicyDraft) -> None:
    """Refuse to decide about a draft twice. Raises ``AlreadyDecided``."""
    made = db.exec(select(PolicyVersion).where(PolicyVersion.draft_id == draft.id)).first()
    down = db.exec(select(PolicyTurnedDown).where(PolicyTurnedDown.draft_id == draft.id)).first()
    about = f"Draft {draft.id} of {draft.policy}"
    if made is not None:
        raise AlreadyDecided(about, made.second or made.by, time_in_words(made.at), f"approved as v{made.version}")
    if down is not None:
        raise AlreadyDecided(about, down.by, time_in_words(down.at), f"turned down ({down.reason})")


def _body(policy: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a draft, tidied by the reader of policy files. Raises ``BadInput``."""
    unknown = sorted(set(changes) - set(FIELDS))
    if unknown:
        raise BadInput(f"A change of a policy says {', '.join(FIELDS)}; it has no {unknown[0]}. {NOTHING_STORED}")
    fields = {**changes, "id": policy, "version": 1, "date": now().date()}
    tidy = policy_from(fields, f"the change of {policy}", NOTHING_STORED)
    storable(tidy)
    said = fields_of(tidy)
    return {name: said[name] for name in FIELDS}


def _may(db: DatabaseSession, who: str, duties: frozenset[Duty], what: str) -> Person:
    person = duties_of(db, who)
    is_a_person(person)
    if not duties & person.duties:
        needed, lost = " or ".join(sorted(duties)), lost_duties(db, who, duties)
        raise Refused("role", f"Only a person with the duty {needed} may {what}, not {mask(who).text}{lost}.")
    return person


def _still_on(db: DatabaseSession, policy: str, base: int) -> None:
    """Refuse a change of what is no longer in force. Raises ``Refused``."""
    row = newest_of(db, policy)
    in_force = 0 if row is None or row.withdrawn else row.version
    if row is not None and in_force != base:
        what = f"was withdrawn at v{row.version}" if row.withdrawn else f"is v{row.version}"
        when, seen = time_in_words(row.at), f"v{base}" if base else "a new policy"
        who = row.second or row.by
        raise Refused(
            "policy_moved_on",
            f"{policy} {what} since {when} by {who}; this change was made on {seen}. It can be proposed anew.",
        )
    if row is None and base:
        raise Refused("policy_moved_on", f"There is no version {base} of {policy}. It can be proposed as a new policy.")


def _draft(db: DatabaseSession, draft_id: int) -> PolicyDraft:
    row = db.get(PolicyDraft, draft_id)
    if row is None:
        raise NotFound("draft of a policy", draft_id)
    return row


def _with_file(policy: Policy, withdrawn: bool, out: tuple[str, ...], before: PolicyVersion | None) -> InForce:
    """Let the file follow. A file that says what was never recorded is somebody's work and is left alone."""
    file = policy_files().by_id.get(policy.id)
    if withdrawn:
        left = f"“{file.name}” can be removed from the folder." if file else ""
        return InForce(policy, True, out, problem=left)
    known = before.sha256 if before is not None else ""
    unread = file is None and (policies_folder() / f"{policy.id}.yaml").exists()
    if unread or (file is not None and fields_of(file.policy)["sha256"] != known):
        name = file.name if file is not None else f"{policy.id}.yaml"
        other = f"“{name}” says something that was never in force, and was left as it is"
        return InForce(policy, False, out, problem=f"{other}; `python -m core policies write {policy.id}` replaces it.")
    try:
        return InForce(policy, False, out, file=write_policy(policy, file.name if file else None))
    except BadInput as error:
        told = f"{error} v{policy.version} is in force all the same; its file can be downloaded here."
        return InForce(policy, False, out, problem=told)


def write_recorded(database: Database, policy: str) -> str:
    """Write the file of what is recorded anew, whatever it says now; returns its name.

    Raises ``NotFound`` for a policy that is not in force, ``BadInput`` where the folder cannot be written.
    """
    with database.reading() as db:
        row = newest_of(db, policy)
    if row is None or row.withdrawn:
        raise NotFound("policy in force", policy)
    file = policy_files().by_id.get(policy)
    return write_policy(as_policy(row), file.name if file else None)
