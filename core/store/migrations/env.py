"""Runs migrations on the connection that ``Database.migrate`` hands over."""

from alembic import context
from sqlmodel import SQLModel

import core.store.critic_records
import core.store.governance_records
import core.store.memory_records
import core.store.oversight_records
import core.store.records
import core.store.self_review_records
import core.store.work_records  # noqa: F401  (all of them fill the metadata)

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
