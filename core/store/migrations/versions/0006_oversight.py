"""Oversight: a queue by consequence, assignments, blind verdicts, policies and numbers as versions, cases, merges

Revision ID: 0006
Revises: 0005
"""

import math

import sqlalchemy as sa
import sqlmodel
import sqlmodel.sql.sqltypes
from alembic import op

import core.store.columns
from core.store.append_only import guard, unguard
from core.store.migrations.closed_sets import checks

revision = '0006'
down_revision = '0005'
branch_labels = None
depends_on = None

ACTIONS = "'propose', 'approve', 'reject', 'edit', 'supersede', 'suspend', 'retire', 'reinstate', 'reopen', 'release', 'resolve', 'dismiss', 'endorse', 'roll_back', 'appeal', 'grant', 'deny', 'undo'"
ACTIONS_NOW = f"{ACTIONS}, 'merge'"
SEVERITIES = "'critical', 'high', 'medium', 'low', 'positive'"
CAUSES = "'policy', 'stale_source', 'harm', 'person'"
WAITED = "status IN ('proposed', 'held', 'appealed')"
WAITS = "queued_at IS NOT NULL AND status <> 'open'"
WAITS_ANYWHERE = 'queued_at IS NOT NULL'
NOTES = "queued_at IS NOT NULL AND kind = 'note'"
ASIDE = 'queued_at IS NOT NULL AND cause IS NOT NULL'
BLIND = 'queued_at IS NOT NULL AND blind'
LOGGED = ('assignment', 'blind_verdict', 'numbers', 'policy_draft', 'policy_turned_down', 'policy_version')
GUARDED = ('decision',)
"""Tables whose guard must stand aside while their columns change."""

WEEK = 7 * 24 * 3_600
SEVERITY_COUNTS = {'critical': 16, 'high': 8, 'medium': 4, 'low': 2, 'positive': 1}


def upgrade() -> None:
    unguard(op.get_bind(), GUARDED)
    checks((('decision', 'action', ACTIONS, ACTIONS_NOW), ('decision', 'toward', ACTIONS, ACTIONS_NOW)))
    time = op.get_bind().dialect.type_compiler_instance.process(core.store.columns.UtcTime().impl)
    no = '0' if op.get_bind().dialect.name == 'sqlite' else 'false'
    for table, column in (
        ('decision', 'batch VARCHAR(20)'),
        ('decision', 'looked_ms INTEGER'),
        ('decision', 'opened INTEGER'),
        ('read_mark', "opened JSON DEFAULT '[]' NOT NULL"),
        ('item', f'queued_at {time}'),
        ('item', "rank BIGINT DEFAULT '0' NOT NULL"),
        ('item', f'cause VARCHAR(40) CONSTRAINT ck_item_cause_known CHECK (cause IN ({CAUSES}))'),
        ('item', 'assignee VARCHAR(120)'),
        ('item', f'blind BOOLEAN DEFAULT {no} NOT NULL'),
    ):
        op.execute(f'ALTER TABLE {table} ADD COLUMN {column}')
    new_tables()
    op.drop_index('ix_item_queue', 'item')
    fill_the_queue()
    index('ix_item_queue', ['rank', 'id'], WAITS)
    index('ix_item_overdue', ['weight', 'queued_at'], WAITS_ANYWHERE)
    index('ix_item_assignee', ['assignee', 'rank', 'id'], WAITS_ANYWHERE)
    index('ix_item_notes', ['weight', 'rank', 'queued_at'], NOTES)
    index('ix_item_aside', ['cause', 'id'], ASIDE)
    index('ix_item_blind', ['rank', 'id'], BLIND)
    guard(op.get_bind(), (*LOGGED, *GUARDED))


def downgrade() -> None:
    """What the log has linked since then, and the seals of verdicts, have no place in the older schema."""
    raise NotImplementedError('The schema of 0006 cannot be taken back: what its log holds has no place in 0005. A copy that was made before can be put back.')


def index(name: str, columns: list[str], where: str) -> None:
    op.create_index(name, 'item', columns, unique=False, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def fill_the_queue() -> None:
    """What waits has waited since it came; its place follows from the numbers that the desk begins with."""
    op.execute(f"UPDATE item SET queued_at = created_at WHERE {WAITED} OR (status = 'open' AND severity = 'critical')")
    counts = ' '.join(f"WHEN '{name}' THEN {round(WEEK * math.log2(weight))}" for name, weight in SEVERITY_COUNTS.items())
    reach = ' '.join(f'WHEN {sessions} THEN {round(WEEK * math.log2(sessions))}' for sessions in range(1, 64))
    scope = f"CASE WHEN kind = 'note' OR EXISTS (SELECT 1 FROM lesson WHERE item_id = item.id AND scope = 'user') THEN 0 WHEN EXISTS (SELECT 1 FROM lesson WHERE item_id = item.id AND scope = 'agent') THEN {2 * WEEK} ELSE {WEEK} END"
    since = "CAST(strftime('%s', substr(queued_at, 1, 19)) AS INTEGER)" if op.get_bind().dialect.name == 'sqlite' else 'CAST(floor(extract(epoch FROM queued_at)) AS BIGINT)'
    op.execute(f"UPDATE item SET rank = {since} - CASE severity {counts} ELSE 0 END - {scope} - CASE WHEN sessions >= 64 THEN {6 * WEEK} WHEN sessions < 1 THEN 0 ELSE CASE sessions {reach} ELSE 0 END END WHERE queued_at IS NOT NULL")


def new_tables() -> None:
    op.create_table('digest',
    sa.Column('day', sa.String(length=10), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('way', sa.String(length=40), nullable=False),
    sa.Column('counts', sa.JSON(), nullable=False),
    sa.Column('problem', sqlmodel.sql.sqltypes.AutoString(), nullable=True),
    sa.CheckConstraint("day LIKE '____-__-__'", name=op.f('ck_digest_day_day')),
    sa.CheckConstraint("way IN ('webhook')", name=op.f('ck_digest_way_known')),
    sa.PrimaryKeyConstraint('day', name=op.f('pk_digest'))
    )
    op.create_table('numbers',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('chosen', sa.JSON(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_numbers'))
    )
    op.create_table('policy_draft',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('policy', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('base', sa.Integer(), nullable=False),
    sa.Column('body', sa.JSON(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint('base >= 0', name=op.f('ck_policy_draft_base_counts')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_policy_draft'))
    )
    op.create_index(op.f('ix_policy_draft_policy'), 'policy_draft', ['policy'], unique=False)
    op.create_table('visit',
    sa.Column('person', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('here_at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('before_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.PrimaryKeyConstraint('person', name=op.f('pk_visit'))
    )
    op.create_table('policy_turned_down',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('draft_id', sa.Integer(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['draft_id'], ['policy_draft.id'], name=op.f('fk_policy_turned_down_draft_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_policy_turned_down'))
    )
    op.create_index(op.f('ix_policy_turned_down_draft_id'), 'policy_turned_down', ['draft_id'], unique=False)
    op.create_table('policy_version',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('policy', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('version', sa.Integer(), nullable=False),
    sa.Column('title', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('owner', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('date', sa.String(length=10), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('words', sa.JSON(), nullable=False),
    sa.Column('severity', sa.String(length=40), nullable=False),
    sa.Column('improvement', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('trigger', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('tags', sa.JSON(), nullable=False),
    sa.Column('sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('origin', sa.String(length=40), nullable=False),
    sa.Column('withdrawn', sa.Boolean(), nullable=False),
    sa.Column('draft_id', sa.Integer(), nullable=True),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('second', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=True),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint("severity IN ('critical', 'high', 'medium', 'low', 'positive')", name=op.f('ck_policy_version_severity_known')),
    sa.CheckConstraint('version >= 1', name=op.f('ck_policy_version_version_counts')),
    sa.CheckConstraint("date LIKE '____-__-__'", name=op.f('ck_policy_version_date_day')),
    sa.CheckConstraint("origin IN ('file', 'page')", name=op.f('ck_policy_version_origin_known')),
    sa.ForeignKeyConstraint(['draft_id'], ['policy_draft.id'], name=op.f('fk_policy_version_draft_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_policy_version')),
    sa.UniqueConstraint('policy', 'version', 'withdrawn', name=op.f('uq_policy_version_policy_version_withdrawn'))
    )
    op.create_index(op.f('ix_policy_version_draft_id'), 'policy_version', ['draft_id'], unique=False)
    op.create_table('assignment',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('person', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=True),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_assignment_item_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_assignment'))
    )
    op.create_index(op.f('ix_assignment_item_id'), 'assignment', ['item_id'], unique=False)
    op.create_table('blind_verdict',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('revision', sa.Integer(), nullable=False),
    sa.Column('action', sa.String(length=40), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(length=40), nullable=True),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('screen_hash', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('looked_ms', sa.Integer(), nullable=True),
    sa.Column('opened', sa.Integer(), nullable=True),
    sa.Column('salt', sqlmodel.sql.sqltypes.AutoString(length=32), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint("action IN ('propose', 'approve', 'reject', 'edit', 'supersede', 'suspend', 'retire', 'reinstate', 'reopen', 'release', 'resolve', 'dismiss', 'endorse', 'roll_back', 'appeal', 'grant', 'deny', 'undo', 'merge')", name=op.f('ck_blind_verdict_action_known')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_blind_verdict_item_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_blind_verdict'))
    )
    op.create_index(op.f('ix_blind_verdict_item_id'), 'blind_verdict', ['item_id'], unique=False)
    op.create_table('parent',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('parent_id', sa.Integer(), nullable=False),
    sa.CheckConstraint('item_id <> parent_id', name=op.f('ck_parent_another')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_parent_item_id')),
    sa.ForeignKeyConstraint(['parent_id'], ['item.id'], name=op.f('fk_parent_parent_id')),
    sa.PrimaryKeyConstraint('item_id', 'parent_id', name=op.f('pk_parent'))
    )
    op.create_table('recurrence',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('case_id', sa.Integer(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint('item_id <> case_id', name=op.f('ck_recurrence_another')),
    sa.ForeignKeyConstraint(['case_id'], ['item.id'], name=op.f('fk_recurrence_case_id')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_recurrence_item_id')),
    sa.PrimaryKeyConstraint('item_id', name=op.f('pk_recurrence'))
    )
    op.create_index(op.f('ix_recurrence_case_id'), 'recurrence', ['case_id'], unique=False)
