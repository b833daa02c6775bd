"""Corrected transcripts

Revision ID: 0002
Revises: 0001
"""

import sqlalchemy as sa
import sqlmodel
import sqlmodel.sql.sqltypes
from alembic import op

import core.store.columns

revision = '0002'
down_revision = '0001'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('correction',
    sa.Column('id', sa.Integer(), nullable=False),
    sa.Column('session_id', sa.Integer(), nullable=False),
    sa.Column('import_id', sa.Integer(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('by', sqlmodel.sql.sqltypes.AutoString(length=120), nullable=False),
    sa.Column('turn', sa.Integer(), nullable=False),
    sa.Column('before_sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('after_sha256', sqlmodel.sql.sqltypes.AutoString(length=64), nullable=False),
    sa.Column('followed', sa.Integer(), nullable=False),
    sa.Column('lost', sa.Integer(), nullable=False),
    sa.ForeignKeyConstraint(['import_id'], ['import.id'], name=op.f('fk_correction_import_id')),
    sa.ForeignKeyConstraint(['session_id'], ['agent_session.id'], name=op.f('fk_correction_session_id')),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_correction'))
    )
    op.create_index('ix_correction_import_id', 'correction', ['import_id'])
    op.create_index('ix_correction_session_id', 'correction', ['session_id'])


def downgrade() -> None:
    op.drop_table('correction')
