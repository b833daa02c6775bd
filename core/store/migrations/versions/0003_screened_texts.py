"""Screened texts

Revision ID: 0003
Revises: 0002
"""

import sqlalchemy as sa
import sqlmodel
import sqlmodel.sql.sqltypes
from alembic import op

import core.store.columns

revision = '0003'
down_revision = '0002'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('screening',
    sa.Column('item_id', sa.Integer(), nullable=False),
    sa.Column('at', core.store.columns.UtcTime(timezone=True), nullable=False),
    sa.Column('source', sa.String(length=40), nullable=False),
    sa.Column('follows', sqlmodel.sql.sqltypes.AutoString(length=20), nullable=False),
    sa.Column('findings', sa.JSON(), nullable=False),
    sa.Column('versions', sa.JSON(), nullable=False),
    sa.CheckConstraint("source IN ('check', 'tool', 'evaluator', 'person', 'user', 'critic')", name=op.f('ck_screening_source_known')),
    sa.ForeignKeyConstraint(['item_id'], ['item.id'], name=op.f('fk_screening_item_id')),
    sa.PrimaryKeyConstraint('item_id', name=op.f('pk_screening'))
    )


def downgrade() -> None:
    op.drop_table('screening')
