"""What the log alone must show, whatever the desk says of itself."""

from sqlmodel import col, select

from core.governance.audit import verify
from core.governance.log import BEGINNING, LOGGED, canonical, link_hash, sha256_of
from core.store.database import Database
from core.store.governance_records import LogEntry, RightsChange
from core.store.records import Decision, Item, LessonBody
from core.vocabulary import Action, Duty, Scope, Status


def the_chain_holds(database: Database) -> None:
    """Every logged row has its link, every link stands on the one before, and the hashes are those of the rows."""
    with database.reading() as db:
        links = db.exec(select(LogEntry).order_by(col(LogEntry.seq))).all()
        rows = {(name, row.id): row for name, table in LOGGED.items() for row in db.exec(select(table)).all()}
    before = BEGINNING
    for seq, link in enumerate(links, 1):
        assert (link.seq, link.before, link.sha256) == (seq, before, link_hash(link))
        assert link.row_sha256 == sha256_of(canonical(rows[link.logged, link.row_id].model_dump()))
        before = link.sha256
    assert {(link.logged, link.row_id) for link in links} == set(rows)
    found = verify(database)
    assert (found.breaks, found.unguarded) == ((), ())


def nothing_is_active_without_its_approvals(database: Database, breaks_a_policy: str) -> None:
    """Read from the log alone: who brought what is active into force, had the right then, and had not proposed it."""
    with database.reading() as db:
        links = db.exec(select(LogEntry).order_by(col(LogEntry.seq))).all()
        rights = {row.id: row for row in db.exec(select(RightsChange)).all()}
        acts = {row.id: row for row in db.exec(select(Decision)).all()}
        items = {row.id: row for row in db.exec(select(Item)).all()}
        wide = {row.item_id for row in db.exec(select(LessonBody).where(LessonBody.scope == Scope.AGENT)).all()}
    undone = {row.undoes for row in acts.values()}
    duties: dict[str, list[str]] = {}
    yes: dict[int, dict[str, set[str]]] = {}
    in_force: dict[int, tuple[set[str], bool]] = {}
    for link in links:
        if link.logged == "rights_change" and rights[link.row_id].what == "person":
            duties[rights[link.row_id].name] = rights[link.row_id].after
        if link.logged != "decision" or link.row_id in undone:
            continue
        row = acts[link.row_id]
        if row.action == Action.ENDORSE:
            yes.setdefault(row.item_id, {}).setdefault(row.toward or "", set()).add(row.by)
            assert Duty.LEAD in duties[row.by] or Duty.AUDITOR in duties[row.by]
        elif row.action != Action.UNDO and row.before != row.after:
            said = yes.pop(row.item_id, {}).get(row.action, set())
            if row.after == Status.ACTIVE:
                assert row.self_approved or Duty.LEAD in duties[row.by]
                in_force[row.item_id] = ({row.by, *said}, row.self_approved)
    for found, item in items.items():
        if item.status != Status.ACTIVE:
            continue
        people, alone = in_force[found]
        needs_two = found in wide or item.headline == breaks_a_policy
        assert alone or len(people) >= (2 if needs_two else 1)
        assert alone or item.proposer not in people
