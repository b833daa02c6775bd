"""The critic, self-reviews and workers

Revision ID: 0004
Revises: 0003
"""

import sqlalchemy as sa
import sqlmodel
import sqlmodel.sql.sqltypes
from alembic import op

import core.store.columns

revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('critic_prompt',
    sa.Column('sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('writer', sa.String(length=40), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint("writer IN ('notes', 'lesson', 'reflection', 'procedures', 'episodes', 'opinion', 'self_review')", name=op.f('ck_critic_prompt_writer_known')),
    sa.PrimaryKeyConstraint('sha256', name=op.f('pk_critic_prompt'))
    )
    op.create_table('worker',
    sa.Column('id', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('host', sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
    sa.Column('pid', sa.Integer(), nullable=False),
    sa.Column('started_at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('seen_at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_worker'))
    )
    with op.batch_alter_table('worker', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_worker_seen_at'), ['seen_at'], unique=False)

    op.create_table('critic_settings',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('agent_id', sa.Integer(), nullable=True),
    sa.Column('chosen', sa.JSON(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['agent_id'], ['agent.id'], name=op.f('fk_critic_settings_agent_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_critic_settings'))
    )
    with op.batch_alter_table('critic_settings', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_critic_settings_agent_id'), ['agent_id'], unique=False)

    op.create_table('self_review',
    sa.Column('id', sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
    sa.Column('agent_id', sa.Integer(), nullable=False),
    sa.Column('user', sqlmodel.sql.sqltypes.AutoString(length=200), nullable=True),
    sa.Column('task_class', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=True),
    sa.Column('task', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('material', sa.JSON(), nullable=False),
    sa.Column('state', sa.String(length=40), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('escalated_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('answer', sqlmodel.sql.sqltypes.AutoString(), nullable=True),
    sa.Column('answered_by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=True),
    sa.Column('answered_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.CheckConstraint("state IN ('open', 'passed', 'escalated', 'answered')", name=op.f('ck_self_review_state_known')),
    sa.ForeignKeyConstraint(['agent_id'], ['agent.id'], name=op.f('fk_self_review_agent_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_self_review'))
    )
    with op.batch_alter_table('self_review', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_self_review_agent_id'), ['agent_id'], unique=False)
        batch_op.create_index('ix_self_review_state', ['state', 'at'], unique=False)

    op.create_table('critic_run',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('session_id', sa.Integer(), nullable=False),
    sa.Column('transcript_sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('recipe', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('settings', sa.JSON(), nullable=False),
    sa.Column('server', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('state', sa.String(length=40), nullable=False),
    sa.Column('reason', sqlmodel.sql.sqltypes.AutoString(length=60), nullable=True),
    sa.Column('detail', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('attempt', sa.Integer(), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('queued_at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('started_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('ended_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('answered_from', sa.Integer(), nullable=True),
    sa.Column('addressed', sa.JSON(), nullable=False),
    sa.Column('covered', sa.JSON(), nullable=False),
    sa.Column('remarks', sa.JSON(), nullable=False),
    sa.CheckConstraint("state IN ('queued', 'running', 'done', 'failed', 'stopped', 'skipped')", name=op.f('ck_critic_run_state_known')),
    sa.ForeignKeyConstraint(['answered_from'], ['critic_run.id'], name=op.f('fk_critic_run_answered_from')),
    sa.ForeignKeyConstraint(['session_id'], ['agent_session.id'], name=op.f('fk_critic_run_session_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_critic_run'))
    )
    with op.batch_alter_table('critic_run', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_critic_run_answered_from'), ['answered_from'], unique=False)
        batch_op.create_index(batch_op.f('ix_critic_run_session_id'), ['session_id'], unique=False)
        batch_op.create_index('ix_critic_run_state', ['state', 'id'], unique=False)
        batch_op.create_index('ix_critic_run_under_way', ['session_id', 'transcript_sha256', 'recipe'], unique=True, sqlite_where=sa.text("state IN ('queued', 'running')"), postgresql_where=sa.text("state IN ('queued', 'running')"))

    op.create_table('critic_call',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('run_id', sa.Integer(), nullable=True),
    sa.Column('attempt', sa.Integer(), nullable=False),
    sa.Column('place', sa.Integer(), nullable=False),
    sa.Column('writer', sa.String(length=40), nullable=False),
    sa.Column('about', sqlmodel.sql.sqltypes.AutoString(length=200), nullable=False),
    sa.Column('after', sa.Integer(), nullable=True),
    sa.Column('first_turn', sa.Integer(), nullable=False),
    sa.Column('last_turn', sa.Integer(), nullable=False),
    sa.Column('cut_to', sa.Integer(), nullable=True),
    sa.Column('key', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('prompt_sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('messages', sa.JSON(), nullable=False),
    sa.Column('parameters', sa.JSON(), nullable=False),
    sa.Column('state', sa.String(length=40), nullable=False),
    sa.Column('status', sqlmodel.sql.sqltypes.AutoString(length=60), nullable=False),
    sa.Column('detail', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('model', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('sent', sa.JSON(), nullable=False),
    sa.Column('reply', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('tokens_estimated', sa.Integer(), nullable=False),
    sa.Column('tokens_reserved', sa.Integer(), nullable=False),
    sa.Column('tokens_prompt', sa.Integer(), nullable=True),
    sa.Column('tokens_cached', sa.Integer(), nullable=True),
    sa.Column('tokens_completion', sa.Integer(), nullable=True),
    sa.Column('tokens_reasoning', sa.Integer(), nullable=True),
    sa.Column('reserved', sa.BigInteger(), nullable=True),
    sa.Column('cost', sa.BigInteger(), nullable=True),
    sa.Column('seconds', sa.Float(), nullable=True),
    sa.Column('request_id', sqlmodel.sql.sqltypes.AutoString(), nullable=True),
    sa.Column('attempts', sa.JSON(), nullable=False),
    sa.Column('read', sa.JSON(), nullable=False),
    sa.Column('asked_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('answered_at', core.store.columns.UtcTime(timezone=True), nullable=True),
    sa.Column('answered_from', sa.Integer(), nullable=True),
    sa.CheckConstraint("state IN ('due', 'asked', 'answered', 'failed')", name=op.f('ck_critic_call_state_known')),
    sa.CheckConstraint("writer IN ('notes', 'lesson', 'reflection', 'procedures', 'episodes', 'opinion', 'self_review')", name=op.f('ck_critic_call_writer_known')),
    sa.ForeignKeyConstraint(['after'], ['critic_call.id'], name=op.f('fk_critic_call_after')),
    sa.ForeignKeyConstraint(['answered_from'], ['critic_call.id'], name=op.f('fk_critic_call_answered_from')),
    sa.ForeignKeyConstraint(['prompt_sha256'], ['critic_prompt.sha256'], name=op.f('fk_critic_call_prompt_sha256')),
    sa.ForeignKeyConstraint(['run_id'], ['critic_run.id'], name=op.f('fk_critic_call_run_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_critic_call'))
    )
    with op.batch_alter_table('critic_call', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_critic_call_after'), ['after'], unique=False)
        batch_op.create_index(batch_op.f('ix_critic_call_answered_from'), ['answered_from'], unique=False)
        batch_op.create_index(batch_op.f('ix_critic_call_asked_at'), ['asked_at'], unique=False)
        batch_op.create_index('ix_critic_call_key', ['key', 'state'], unique=False)
        batch_op.create_index(batch_op.f('ix_critic_call_prompt_sha256'), ['prompt_sha256'], unique=False)
        batch_op.create_index('ix_critic_call_run', ['run_id', 'place'], unique=False)
        batch_op.create_index(batch_op.f('ix_critic_call_run_id'), ['run_id'], unique=False)

    op.create_table('episode',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('agent_id', sa.Integer(), nullable=False),
    sa.Column('user', sqlmodel.sql.sqltypes.AutoString(length=200), nullable=True),
    sa.Column('session_id', sa.Integer(), nullable=False),
    sa.Column('call_id', sa.Integer(), nullable=False),
    sa.Column('text', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('importance', core.store.columns.Hundredths(), nullable=True),
    sa.Column('quotes', sa.JSON(), nullable=False),
    sa.Column('held', sqlmodel.sql.sqltypes.AutoString(), nullable=True),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint('importance BETWEEN 0 AND 100', name=op.f('ck_episode_importance_share')),
    sa.ForeignKeyConstraint(['agent_id'], ['agent.id'], name=op.f('fk_episode_agent_id')),
    sa.ForeignKeyConstraint(['call_id'], ['critic_call.id'], name=op.f('fk_episode_call_id')),
    sa.ForeignKeyConstraint(['session_id'], ['agent_session.id'], name=op.f('fk_episode_session_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_episode'))
    )
    with op.batch_alter_table('episode', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_episode_agent_id'), ['agent_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_episode_call_id'), ['call_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_episode_session_id'), ['session_id'], unique=False)

    op.create_table('opinion',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('evidence_id', sa.Integer(), nullable=False),
    sa.Column('call_id', sa.Integer(), nullable=False),
    sa.Column('supports', sa.String(length=40), nullable=False),
    sa.Column('why', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('model', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.CheckConstraint("supports IN ('yes', 'partly', 'no', 'unreadable')", name=op.f('ck_opinion_supports_known')),
    sa.ForeignKeyConstraint(['call_id'], ['critic_call.id'], name=op.f('fk_opinion_call_id')),
    sa.ForeignKeyConstraint(['evidence_id'], ['evidence.id'], name=op.f('fk_opinion_evidence_id')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_opinion_item_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_opinion'))
    )
    with op.batch_alter_table('opinion', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_opinion_call_id'), ['call_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_opinion_evidence_id'), ['evidence_id'], unique=False)
        batch_op.create_index('ix_opinion_item_evidence', ['item_id', 'evidence_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_opinion_item_id'), ['item_id'], unique=False)

    op.create_table('self_review_round',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('review_id', sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
    sa.Column('number', sa.Integer(), nullable=False),
    sa.Column('draft', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('ok', sa.Boolean(), nullable=False),
    sa.Column('problems', sa.JSON(), nullable=False),
    sa.Column('fix', sqlmodel.sql.sqltypes.AutoString(), nullable=False),
    sa.Column('call_id', sa.Integer(), nullable=True),
    sa.Column('unreviewed', sqlmodel.sql.sqltypes.AutoString(), nullable=True),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['call_id'], ['critic_call.id'], name=op.f('fk_self_review_round_call_id')),
    sa.ForeignKeyConstraint(['review_id'], ['self_review.id'], name=op.f('fk_self_review_round_review_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_self_review_round')),
    sa.UniqueConstraint('review_id', 'number', name=op.f('uq_self_review_round_review_id_number'))
    )
    with op.batch_alter_table('self_review_round', schema=None) as batch_op:
        batch_op.create_index(batch_op.f('ix_self_review_round_call_id'), ['call_id'], unique=False)
        batch_op.create_index(batch_op.f('ix_self_review_round_review_id'), ['review_id'], unique=False)

    op.create_table('written',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('call_id', sa.Integer(), nullable=False),
    sa.Column('place', sa.Integer(), nullable=False),
    sa.ForeignKeyConstraint(['call_id'], ['critic_call.id'], name=op.f('fk_written_call_id')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_written_item_id')),
    sa.PrimaryKeyConstraint('item_id', 'call_id', name=op.f('pk_written'))
    )


def downgrade() -> None:
    op.drop_table('written')
    with op.batch_alter_table('self_review_round', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_self_review_round_review_id'))
        batch_op.drop_index(batch_op.f('ix_self_review_round_call_id'))

    op.drop_table('self_review_round')
    with op.batch_alter_table('opinion', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_opinion_item_id'))
        batch_op.drop_index('ix_opinion_item_evidence')
        batch_op.drop_index(batch_op.f('ix_opinion_evidence_id'))
        batch_op.drop_index(batch_op.f('ix_opinion_call_id'))

    op.drop_table('opinion')
    with op.batch_alter_table('episode', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_episode_session_id'))
        batch_op.drop_index(batch_op.f('ix_episode_call_id'))
        batch_op.drop_index(batch_op.f('ix_episode_agent_id'))

    op.drop_table('episode')
    with op.batch_alter_table('critic_call', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_critic_call_run_id'))
        batch_op.drop_index('ix_critic_call_run')
        batch_op.drop_index(batch_op.f('ix_critic_call_prompt_sha256'))
        batch_op.drop_index('ix_critic_call_key')
        batch_op.drop_index(batch_op.f('ix_critic_call_asked_at'))
        batch_op.drop_index(batch_op.f('ix_critic_call_answered_from'))
        batch_op.drop_index(batch_op.f('ix_critic_call_after'))

    op.drop_table('critic_call')
    with op.batch_alter_table('critic_run', schema=None) as batch_op:
        batch_op.drop_index('ix_critic_run_under_way', sqlite_where=sa.text("state IN ('queued', 'running')"), postgresql_where=sa.text("state IN ('queued', 'running')"))
        batch_op.drop_index('ix_critic_run_state')
        batch_op.drop_index(batch_op.f('ix_critic_run_session_id'))
        batch_op.drop_index(batch_op.f('ix_critic_run_answered_from'))

    op.drop_table('critic_run')
    with op.batch_alter_table('self_review', schema=None) as batch_op:
        batch_op.drop_index('ix_self_review_state')
        batch_op.drop_index(batch_op.f('ix_self_review_agent_id'))

    op.drop_table('self_review')
    with op.batch_alter_table('critic_settings', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_critic_settings_agent_id'))

    op.drop_table('critic_settings')
    with op.batch_alter_table('worker', schema=None) as batch_op:
        batch_op.drop_index(batch_op.f('ix_worker_seen_at'))

    op.drop_table('worker')
    op.drop_table('critic_prompt')
