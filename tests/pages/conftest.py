"""A desk of its own for every test: a database file, filled once and copied."""

import shutil
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.governance.desk_settings import save_desk_settings
from core.governance.people import current_person
from core.service.start import open_database
from core.store.database import Database
from tests.pages.stock import fill
from ui.signing_in import KEPT

PAGES = Path(__file__).resolve().parents[2] / "pages"


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """A filled database file that no test writes to."""
    path = tmp_path_factory.mktemp("desk") / "filled.db"
    db = open_database(f"sqlite:///{path}")
    fill(db)
    db.close()
    return path


@pytest.fixture(name="db")
def _db(filled, tmp_path, monkeypatch):
    """The desk's database, and the desk opened on it."""
    path = tmp_path / "desk.db"
    shutil.copy(filled, path)
    return _opened(path, monkeypatch)


@pytest.fixture
def empty_db(tmp_path, monkeypatch):
    """A desk to which nothing has come yet."""
    return _opened(tmp_path / "empty.db", monkeypatch)


def _opened(path: Path, monkeypatch) -> Database:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    monkeypatch.setenv("TUTELAGE_SAMPLES", "0")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)
    st.cache_resource.clear()
    db = open_database(f"sqlite:///{path}")
    decide_at_once(db)
    return db


def decide_at_once(db: Database) -> None:
    """Let items be decided as soon as they appear; who tests the wait saves another."""
    save_desk_settings(db, {"decide_after": "0"}, by=current_person(db).name, reason="tests press at once")


@pytest.fixture(name="open_page")
def _open_page():
    """Opens a page by its file, as by its own address; ``be`` is the secret of a sign-in."""

    def opened(name: str, /, be: str | None = None, **query: str) -> AppTest:
        page = AppTest.from_file(str(PAGES / f"{name}.py"), default_timeout=20)
        if be:
            page.session_state[KEPT] = be
        for key, value in query.items():
            page.query_params[key] = value
        page.run()
        assert not page.exception, page.exception
        return page

    return opened
