"""Memory: episodes and beliefs in one address space, trials of task classes, words of lessons, consolidations

Revision ID: 0007
Revises: 0006
"""

import hashlib
import json
import re
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
import sqlmodel
import sqlmodel.sql.sqltypes
from alembic import op

import core.store.columns
from core.store.append_only import guard, unguard
from core.store.migrations.closed_sets import checks, in_the_schema

revision = '0007'
down_revision = '0006'
branch_labels = None
depends_on = None

ACTIONS = "'propose', 'approve', 'reject', 'edit', 'supersede', 'suspend', 'retire', 'reinstate', 'reopen', 'release', 'resolve', 'dismiss', 'endorse', 'roll_back', 'appeal', 'grant', 'deny', 'undo', 'merge'"
ACTIONS_NOW = f"{ACTIONS}, 'expire'"
KINDS = "'note', 'lesson', 'procedure'"
KINDS_NOW = f"{KINDS}, 'belief'"
WRITERS = "'notes', 'lesson', 'reflection', 'procedures', 'episodes', 'opinion', 'self_review'"
WRITERS_NOW = f"{WRITERS}, 'questions', 'beliefs', 'compaction'"
EPISODE_SOURCES = "'critic', 'note', 'import', 'belief'"
GUARDED = ('decision', 'blind_verdict')
"""Tables whose guard must stand aside while their columns change."""
LOGGED = ('episode_decision',)
"""New tables of the log."""

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
RELIABLE = {'check': 0, 'tool': 0, 'evaluator': 0, 'person': 0, 'user': 1, 'critic': 2}
"""The ranks of the sources as they were when this was written."""


def upgrade() -> None:
    unguard(op.get_bind(), GUARDED)
    checks(
        (
            ('item', 'kind', KINDS, KINDS_NOW),
            ('decision', 'action', ACTIONS, ACTIONS_NOW),
            ('decision', 'toward', ACTIONS, ACTIONS_NOW),
            ('blind_verdict', 'action', ACTIONS, ACTIONS_NOW),
            ('critic_prompt', 'writer', WRITERS, WRITERS_NOW),
            ('critic_call', 'writer', WRITERS, WRITERS_NOW),
        )
    )
    new_tables()
    for table, column in (
        ('task_class', "trials INTEGER DEFAULT '0' NOT NULL"),
        ('agent_session', "trial INTEGER DEFAULT '0' NOT NULL"),
        ('lesson', 'from_trial INTEGER'),
        ('critic_call', 'consolidation_id INTEGER CONSTRAINT fk_critic_call_consolidation_id REFERENCES consolidation (id)'),
    ):
        op.execute(f'ALTER TABLE {table} ADD COLUMN {column}')
    op.create_index('ix_critic_call_consolidation_id', 'critic_call', ['consolidation_id'])
    episodes()
    count_trials()
    find_lessons()
    guard(op.get_bind(), (*GUARDED, *LOGGED))


def downgrade() -> None:
    """Beliefs and what the log says of them have no place in the older schema."""
    raise NotImplementedError('The schema of 0007 cannot be taken back: beliefs have no place in 0006. A copy that was made before can be put back.')


def episodes() -> None:
    """Episodes may come from notes, from files, and from beliefs; those that there are came from the critic."""
    time = op.get_bind().dialect.type_compiler_instance.process(core.store.columns.UtcTime().impl)
    for column in (
        f'source VARCHAR(40) CONSTRAINT ck_episode_source_known CHECK (source IN ({EPISODE_SOURCES}))',
        'note_id INTEGER CONSTRAINT fk_episode_note_id REFERENCES item (id)',
        'belief_id INTEGER CONSTRAINT fk_episode_belief_id REFERENCES item (id)',
        'external_id VARCHAR(200)',
        "depth INTEGER DEFAULT '0' NOT NULL CONSTRAINT ck_episode_depth_counts CHECK (depth >= 0)",
        f'true_from {time}',
        f'withdrawn_at {time}',
        'withdrawn VARCHAR',
    ):
        op.execute(f'ALTER TABLE episode ADD COLUMN {column}')
    started = 'SELECT started_at FROM agent_session WHERE agent_session.id = episode.session_id'
    op.execute(f"UPDATE episode SET source = 'critic', true_from = ({started})")
    if op.get_bind().dialect.name == 'sqlite':
        in_the_schema(
            (
                ('episode', 'session_id INTEGER NOT NULL', 'session_id INTEGER'),
                ('episode', 'call_id INTEGER NOT NULL', 'call_id INTEGER'),
                ('episode', 'source VARCHAR(40) CONSTRAINT', 'source VARCHAR(40) NOT NULL CONSTRAINT'),
                ('episode', f'true_from {time}', f'true_from {time} NOT NULL'),
            )
        )
    else:
        for name, nullable in (('session_id', True), ('call_id', True), ('source', False), ('true_from', False)):
            op.alter_column('episode', name, nullable=nullable)
    op.create_index('ix_episode_note_id', 'episode', ['note_id'])
    op.create_index('ix_episode_belief_id', 'episode', ['belief_id'])
    op.create_index('ix_episode_of_user', 'episode', ['agent_id', 'user', 'true_from'])


def count_trials() -> None:
    """Sessions are trials in the order in which they came in; reflections in force live from now on."""
    missing = 'NOT EXISTS (SELECT 1 FROM task_class WHERE task_class.agent_id = agent_session.agent_id AND task_class.name = agent_session.task_class)'
    op.execute(f'INSERT INTO task_class (agent_id, name, recurs) SELECT DISTINCT agent_id, task_class, true FROM agent_session WHERE {missing}')
    op.execute(
        'UPDATE agent_session SET trial = counted.trial FROM (SELECT id, row_number() OVER (PARTITION BY agent_id, task_class ORDER BY id) AS trial FROM agent_session) AS counted WHERE counted.id = agent_session.id'
    )
    op.execute('UPDATE task_class SET trials = (SELECT count(*) FROM agent_session WHERE agent_session.agent_id = task_class.agent_id AND agent_session.task_class = task_class.name)')
    of_item = 'SELECT task_class.trials FROM task_class JOIN item ON item.agent_id = task_class.agent_id AND item.task_class = task_class.name WHERE item.id = lesson.item_id'
    active = "SELECT id FROM item WHERE status IN ('active', 'suspended')"
    op.execute(f"UPDATE lesson SET from_trial = coalesce(({of_item}), 0) WHERE form = 'reflection' AND item_id IN ({active})")


def find_lessons() -> None:
    """The words of the instructions in force."""
    connection = op.get_bind()
    query = "SELECT item.id, item.agent_id, item.\"user\", item.task_class, coalesce(item.active_at, item.created_at), lesson.scope, lesson.text, lesson.tags, screening.source FROM item JOIN lesson ON lesson.item_id = item.id LEFT JOIN screening ON screening.item_id = item.id WHERE item.status = 'active' AND lesson.form = 'instruction'"
    rows = []
    for item, agent, user, task_class, since, scope, text, tags, source in connection.exec_driver_sql(query).all():
        if scope == 'user' and not user:
            continue
        tags = json.loads(tags) if isinstance(tags, str) else tags
        place = {'agent': 'agent', 'user': f'user {user or ""}'}.get(scope, f'class {task_class}')
        since = datetime.fromisoformat(since) if isinstance(since, str) else since
        since = since if since.tzinfo else since.replace(tzinfo=UTC)
        standing = RELIABLE.get(source, 0) * 10**16 - (since - BEGINNING) // timedelta(microseconds=1)
        for word in sorted({*re.findall('[a-z]{3,}', ' '.join((text, *tags)).lower()), *tags}):
            if len(word) > 200:
                word = f'{word[:200]}#{hashlib.sha256(word.encode()).hexdigest()}'
            rows.append({'item': item, 'word': word, 'agent': agent, 'place': place, 'standing': standing})
    if rows:
        connection.execute(sa.text('INSERT INTO lesson_word (item_id, word, agent_id, place, standing) VALUES (:item, :word, :agent, :place, :standing)'), rows)


def new_tables() -> None:
    op.create_table('accumulator',
    sa.Column('agent_id', sa.Integer(), nullable=False),
    sa.Column('user_key', sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
    sa.Column('hundredths', sa.Integer(), nullable=False),
    sa.Column('runs', sa.Integer(), nullable=False),
    sa.Column('last_run_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.ForeignKeyConstraint(['agent_id'], ['agent.id'], name=op.f('fk_accumulator_agent_id')),
    sa.PrimaryKeyConstraint('agent_id', 'user_key', name=op.f('pk_accumulator'))
    )
    op.create_table('consolidation',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('memory', sa.String(length=40), nullable=False),
    sa.Column('agent_id', sa.Integer(), nullable=False),
    sa.Column('user_key', sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
    sa.Column('task_class', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('settings', sa.JSON(), nullable=False),
    sa.Column('server', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('state', sa.String(length=40), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(length=60), nullable=True),
    sa.Column('detail', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('attempt', sa.Integer(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('hundredths', sa.Integer(), nullable=False),
    sa.Column('material', sa.JSON(), nullable=False),
    sa.Column('found', sa.JSON(), nullable=False),
    sa.Column('queued_at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('started_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('ended_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.CheckConstraint("memory IN ('beliefs', 'buffer')", name=op.f('ck_consolidation_memory_known')),
    sa.CheckConstraint("state IN ('queued', 'running', 'done', 'failed', 'stopped', 'skipped')", name=op.f('ck_consolidation_state_known')),
    sa.ForeignKeyConstraint(['agent_id'], ['agent.id'], name=op.f('fk_consolidation_agent_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_consolidation'))
    )
    with op.batch_alter_table('consolidation', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_consolidation_agent_id'), ['agent_id'], unique=False)
        batch_op.create_index('ix_consolidation_state', ['state', 'id'], unique=False)
        batch_op.create_index('ix_consolidation_under_way', ['memory', 'agent_id', 'user_key', 'task_class'], unique=True, sqlite_where=sa.text("state IN ('queued', 'running')"), postgresql_where=sa.text("state IN ('queued', 'running')"))

    op.create_table('belief',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('depth', sa.Integer(), nullable=False),
    sa.Column('importance', core.store.columns.Hundredths(), nullable=False),
    sa.Column('question', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.CheckConstraint('depth >= 1', name=op.f('ck_belief_depth_counts')),
    sa.CheckConstraint('importance BETWEEN 0 AND 100', name=op.f('ck_belief_importance_share')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_belief_item_id')),
    sa.PrimaryKeyConstraint('item_id', name=op.f('pk_belief'))
    )
    op.create_table('episode_decision',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('episode_id', sa.Integer(), nullable=False),
    sa.Column('action', sa.String(length=40), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint("action IN ('withdraw', 'restore', 'release')", name=op.f('ck_episode_decision_action_known')),
    sa.ForeignKeyConstraint(['episode_id'], ['episode.id'], name=op.f('fk_episode_decision_episode_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_episode_decision'))
    )
    op.create_index(op.f('ix_episode_decision_episode_id'), 'episode_decision', ['episode_id'], unique=False)
    op.create_table('lesson_word',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('word', sqlmodel.sql.sqltypes.AutoString(length=600), nullable=False),
    sa.Column('agent_id', sa.Integer(), nullable=False),
    sa.Column('place', sqlmodel.sql.sqltypes.AutoString(length=220), nullable=False),
    sa.Column('standing', sa.BigInteger(), nullable=False),
    sa.ForeignKeyConstraint(['agent_id'], ['agent.id'], name=op.f('fk_lesson_word_agent_id')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_lesson_word_item_id')),
    sa.PrimaryKeyConstraint('item_id', 'word', name=op.f('pk_lesson_word'))
    )
    with op.batch_alter_table('lesson_word', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_lesson_word_agent_id'), ['agent_id'], unique=False)
        batch_op.create_index('ix_lesson_word_found', ['agent_id', 'word', 'place', 'item_id', 'standing'], unique=False)

    op.create_table('citation',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('episode_id', sa.Integer(), nullable=False),
    sa.ForeignKeyConstraint(['episode_id'], ['episode.id'], name=op.f('fk_citation_episode_id')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_citation_item_id')),
    sa.PrimaryKeyConstraint('item_id', 'episode_id', name=op.f('pk_citation'))
    )
    with op.batch_alter_table('citation', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_citation_episode_id'), ['episode_id'], unique=False)
