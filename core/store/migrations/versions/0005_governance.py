"""Governance: the chain over the log, rights, tokens, leases, appeals and two people

Revision ID: 0005
Revises: 0004
"""

import hashlib
import json
from typing import Any

import sqlalchemy as sa
import sqlmodel
import sqlmodel.sql.sqltypes
from alembic import op

import core.store.columns
from core.store.append_only import guard, unguard
from core.store.migrations.closed_sets import checks, in_the_schema

revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None

STATUSES = "'open', 'held', 'resolved', 'dismissed', 'proposed', 'active', 'suspended', 'expired', 'superseded', 'merged', 'rejected', 'retired'"
STATUSES_NOW = STATUSES.replace("'retired'", "'appealed', 'retired'")
ACTIONS = "'propose', 'approve', 'reject', 'edit', 'supersede', 'suspend', 'retire', 'reinstate', 'reopen', 'release', 'resolve', 'dismiss', 'undo'"
ACTIONS_NOW = ACTIONS.replace("'undo'", "'endorse', 'roll_back', 'appeal', 'grant', 'deny', 'undo'")
SEVERITIES = "'critical', 'high', 'medium', 'low', 'positive'"
WAITS = "status IN ('proposed', 'held')"
WAITS_NOW = "status IN ('proposed', 'held', 'appealed')"
LOGGED = ('log_entry', 'decision', 'refusal', 'rights_change', 'desk_settings')


def upgrade() -> None:
    new_tables()
    checks((('item', 'status', STATUSES, STATUSES_NOW), ('decision', 'after', STATUSES, STATUSES_NOW), ('decision', 'action', ACTIONS, ACTIONS_NOW)))
    for column, values in (('severity', SEVERITIES), ('toward', ACTIONS_NOW)):
        op.execute(f"ALTER TABLE decision ADD COLUMN {column} VARCHAR(40) CONSTRAINT ck_decision_{column}_known CHECK ({column} IN ({values}))")
    for column in ('screen_hash', 'hash_before', 'placed'):
        op.execute(f'ALTER TABLE decision ADD COLUMN {column} VARCHAR(64)')
    for column in ('issuer', 'subject'):
        op.execute(f'ALTER TABLE person ADD COLUMN {column} VARCHAR(300)')
    op.create_index('ix_decision_by', 'decision', ['by', 'id'], unique=False)
    op.create_index('ix_person_login', 'person', ['issuer', 'subject'], unique=True)
    refusals(nullable=True)
    queue_index(WAITS_NOW)
    link_what_stands()
    guard(op.get_bind(), LOGGED)


def downgrade() -> None:
    unguard(op.get_bind(), LOGGED)
    queue_index(WAITS)
    op.drop_index('ix_person_login', 'person')
    op.drop_index('ix_decision_by', 'decision')
    for table in ('returned', 'lease', 'kept_words', 'agent_token', 'sign_in', 'rights_change', 'log_entry', 'desk_settings'):
        op.drop_table(table)
    if op.get_bind().dialect.name == 'postgresql':
        op.execute('DROP FUNCTION only_added()')


def new_tables() -> None:
    op.create_table('desk_settings',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('chosen', sa.JSON(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_desk_settings'))
    )
    op.create_table('log_entry',
    sa.Column('seq', sa.Integer(), autoincrement=False, nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('logged', sqlmodel.sql.sqltypes.AutoString(length=40), nullable=False),
    sa.Column('row_id', sa.Integer(), nullable=False),
    sa.Column('row_sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('before', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.PrimaryKeyConstraint('seq', name=op.f('pk_log_entry'))
    )
    op.create_index('ix_log_entry_at', 'log_entry', ['at'], unique=False)
    op.create_index('ix_log_entry_row', 'log_entry', ['logged', 'row_id'], unique=False)
    op.create_table('rights_change',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('what', sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
    sa.Column('name', sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
    sa.Column('before', sa.JSON(), nullable=False),
    sa.Column('after', sa.JSON(), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_rights_change'))
    )
    op.create_index('ix_rights_change_name', 'rights_change', ['what', 'name'], unique=False)
    op.create_table('sign_in',
    sa.Column('id', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('person', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('way', sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('ended_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_sign_in'))
    )
    op.create_index('ix_sign_in_person', 'sign_in', ['person'], unique=False)
    op.create_table('agent_token',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('name', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('agent_id', sa.Integer(), nullable=False),
    sa.Column('verbs', sa.JSON(), nullable=False),
    sa.Column('sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('hint', sqlmodel.sql.sqltypes.AutoString(length=8), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('expires_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('revoked_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('used_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['agent_id'], ['agent.id'], name=op.f('fk_agent_token_agent_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_agent_token')),
    sa.UniqueConstraint('name', name=op.f('uq_agent_token_name')),
    sa.UniqueConstraint('sha256', name=op.f('uq_agent_token_sha256'))
    )
    op.create_index('ix_agent_token_agent_id', 'agent_token', ['agent_id'], unique=False)
    op.create_table('kept_words',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('person', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('field', sqlmodel.sql.sqltypes.AutoString(length=60), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_kept_words_item_id')),
    sa.PrimaryKeyConstraint('item_id', 'person', 'field', name=op.f('pk_kept_words'))
    )
    op.create_table('lease',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('person', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('since', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('until', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('beat_at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_lease_item_id')),
    sa.PrimaryKeyConstraint('item_id', name=op.f('pk_lease'))
    )
    op.create_table('returned',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('number', sa.Integer(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('proposer', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('is_twin', sa.Boolean(), nullable=False),
    sa.Column('session_id', sa.Integer(), nullable=True),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_returned_item_id')),
    sa.ForeignKeyConstraint(['session_id'], ['agent_session.id'], name=op.f('fk_returned_session_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_returned')),
    sa.UniqueConstraint('item_id', 'number', name=op.f('uq_returned_item_id_number'))
    )
    op.create_index('ix_returned_item_id', 'returned', ['item_id'], unique=False)
    op.create_index('ix_returned_session_id', 'returned', ['session_id'], unique=False)


def refusals(*, nullable: bool) -> None:
    """A refusal may be about something else than an item, and then names an act of its own."""
    if op.get_bind().dialect.name == 'sqlite':
        in_the_schema([
            ('refusal', 'item_id INTEGER NOT NULL', 'item_id INTEGER'),
            ('refusal', f'CONSTRAINT ck_refusal_action_known CHECK (action IN ({ACTIONS}))', "CONSTRAINT ck_refusal_action_said CHECK (action <> '')"),
        ])
        return
    op.execute('ALTER TABLE refusal ALTER COLUMN item_id DROP NOT NULL')
    op.execute('ALTER TABLE refusal DROP CONSTRAINT ck_refusal_action_known')
    op.execute("ALTER TABLE refusal ADD CONSTRAINT ck_refusal_action_said CHECK (action <> '')")


def queue_index(waits: str) -> None:
    op.drop_index('ix_item_queue', 'item')
    op.create_index('ix_item_queue', 'item', ['weight', 'created_at', 'id'], unique=False, sqlite_where=sa.text(waits), postgresql_where=sa.text(waits))


def link_what_stands() -> None:
    """The chain begins with what was logged before there was one, in the order in which its tables have it."""
    connection = op.get_bind()
    time, share, lists = core.store.columns.UtcTime(timezone=True), core.store.columns.Hundredths(), sa.JSON()
    decision = sa.table('decision', *(sa.column(name, kind) for name, kind in (
        ('id', sa.Integer), ('at', time), ('item_id', sa.Integer), ('action', sa.String), ('before', sa.String), ('after', sa.String),
        ('revision', sa.Integer), ('by', sa.String), ('rule', sa.String), ('reason', sa.String), ('text', sa.String), ('content_hash', sa.String),
        ('self_approved', sa.Boolean), ('confidence', share), ('cause', sa.Integer), ('undoes', sa.Integer))))
    refusal = sa.table('refusal', *(sa.column(name, kind) for name, kind in (
        ('id', sa.Integer), ('at', time), ('item_id', sa.Integer), ('action', sa.String), ('by', sa.String), ('code', sa.String), ('text', sa.String))))
    person = sa.table('person', *(sa.column(name, kind) for name, kind in (('name', sa.String), ('duties', lists), ('at', time))))
    change = sa.table('rights_change', *(sa.column(name, kind) for name, kind in (
        ('id', sa.Integer), ('at', time), ('by', sa.String), ('what', sa.String), ('name', sa.String), ('before', lists), ('after', lists), ('text', sa.String))))
    link = sa.table('log_entry', *(sa.column(name, kind) for name, kind in (
        ('seq', sa.Integer), ('at', time), ('logged', sa.String), ('row_id', sa.Integer), ('row_sha256', sa.String), ('before', sa.String), ('sha256', sa.String))))
    for number, someone in enumerate(connection.execute(sa.select(person).order_by(person.c.name)).mappings().all(), 1):
        connection.execute(change.insert().values(id=number, at=someone['at'], by='migration', what='person', name=someone['name'], before=[], after=sorted(someone['duties']), text='in the table before changes were logged'))
    if connection.dialect.name == 'postgresql':
        connection.execute(sa.text("SELECT setval(pg_get_serial_sequence('rights_change', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM rights_change), false)"))
    rows = [(table.name, dict(row)) for table in (change, decision, refusal) for row in connection.execute(sa.select(table).order_by(table.c.id)).mappings()]
    order = ('rights_change', 'decision', 'refusal')
    before = '0' * 64
    for seq, (name, row) in enumerate(sorted(rows, key=lambda one: (order.index(one[0]), one[1]['id'])), 1):
        said = {key: plain(value) for key, value in row.items() if value is not None}
        row_sha256 = hashlib.sha256(json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(',', ':')).encode()).hexdigest()
        sha256 = hashlib.sha256(f"{seq}\n{plain(row['at'])}\n{before}\n{name}\n{row['id']}\n{row_sha256}".encode()).hexdigest()
        connection.execute(link.insert().values(seq=seq, at=row['at'], logged=name, row_id=row['id'], row_sha256=row_sha256, before=before, sha256=sha256))
        before = sha256


def plain(value: Any) -> Any:
    if hasattr(value, 'isoformat'):
        return value.isoformat(timespec='microseconds')
    return f'{value:.2f}' if hasattr(value, 'quantize') else value
