"""Where the engine keeps its own tables: in a file beside a SQLite desk, in a schema of their own on PostgreSQL.

On SQLite the connections are made here, because the ones that the engine makes count and claim in two transactions:
two workers on one file then begin more requests than a rate allows. Here every transaction holds the file's write lock
from its beginning.
"""

import logging
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy
from dbos import DBOS, DBOSConfig

from core.store.database import FROZEN_TIMEOUT, Database

VERSION = "1"
"""Pinned, so that an update of the desk goes on with what was under way; raise it when the steps of a run change."""
SCHEMA = "tutelage_work"
OVER = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
"""The states of work that is over, in the engine's words."""
AT_ONCE = 200
"""Rows that are removed in one go."""


def prepared(database: Database, executor: str) -> DBOSConfig:
    """How the engine is to be started: its tables are there and up to date, and it speaks to nobody else.

    The caller disposes of ``system_database_engine``, if there is one.
    """
    logging.getLogger("dbos").setLevel(logging.ERROR)
    config: DBOSConfig = {
        "name": "tutelage",
        "application_version": VERSION,
        "executor_id": executor,
        "log_level": "ERROR",
        "enable_otlp": False,
    }
    url = database.engine.url
    if database.engine.dialect.name != "sqlite":
        address = url.render_as_string(hide_password=False)
        return {
            **config,
            "system_database_url": address,
            "dbos_system_schema": SCHEMA,
            "sys_db_pool_size": 8,
            "sys_db_idle_transaction_timeout_sec": FROZEN_TIMEOUT / 1_000,
        }
    address = f"sqlite:///{work_file(Path(str(url.database)))}"
    DBOS.migrate(address)
    connections = _connections(address)
    return {
        **config,
        "system_database_url": address,
        "system_database_engine": connections,
        "run_migrations": False,
    }


def work_file(desk: Path) -> Path:
    """The file of the engine's tables beside the desk's: ``data/tutelage.db`` has ``data/tutelage-work.db``."""
    return desk.resolve().with_name(f"{desk.stem}-work.db")


def clear(before: datetime) -> int:
    """Remove what the engine noted of work that was over before then, a part at a time; how much it removed."""
    old = DBOS.list_workflows(
        completed_before=before.isoformat(), status=list(OVER), limit=AT_ONCE, load_input=False, load_output=False
    )
    DBOS.delete_workflows([one.workflow_id for one in old])
    return len(old)


def _connections(address: str) -> sqlalchemy.Engine:
    connections = sqlalchemy.create_engine(address, pool_size=8, max_overflow=8)
    sqlalchemy.event.listen(connections, "connect", _prepare)
    sqlalchemy.event.listen(connections, "begin", lambda one: one.exec_driver_sql("BEGIN IMMEDIATE"))
    return connections


def _prepare(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver would begin late, at the first write
    for pragma in ("busy_timeout=30000", "journal_mode=WAL", "foreign_keys=ON", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")
