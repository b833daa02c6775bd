"""The one process: the Streamlit desk at ``/`` and the agents' HTTP door at ``/api``.

Start it with ``streamlit run app.py``, or faster with ``python -m uvicorn app:app --ws-per-message-deflate false``.
The desk's script is ``ui/main.py`` and not this file: with a ``pages`` folder beside the script, Streamlit would run a
page by its address before the script that navigates.
"""

import gc
import importlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount
from streamlit.env_util import is_repl

from core.service.http import api
from core.service.working import DeskWorker
from ui.content_policy import ContentPolicy

HEAVY = ("pandas", "sqlalchemy", "pyarrow", "plotly.graph_objects", "altair")


def _pieces_of_pages() -> list[str]:
    """Every module of ``ui``, apart from the script that navigates."""
    folder = Path(__file__).parent / "ui"
    return [f"ui.{file.stem}" for file in sorted(folder.glob("*.py")) if file.stem not in ("__init__", "main")]


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[dict[str, Any]]:
    """Import what the pages need, open the database, and start the worker, which does not hold up the pages.

    Then the collector is kept away from what stays for good; scanning these modules again and again would cost most of
    a page's run. For the same reason Streamlit does not collect after every run (``.streamlit/config.toml``).
    """
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)  # Streamlit switches them on again
    for name in (*HEAVY, *_pieces_of_pages()):
        importlib.import_module(name)
    is_repl()  # looks through every module once, and would do so while the first page is waited for
    from ui.frame import database

    opened = await anyio.to_thread.run_sync(database)
    api.state.database = opened
    worker = DeskWorker(opened)
    gc.collect()
    gc.freeze()
    yield {}
    await anyio.to_thread.run_sync(worker.stop)
    opened.close()


app = st.App(
    Path(__file__).parent / "ui" / "main.py",
    lifespan=lifespan,
    routes=[Mount("/api", app=api)],
    middleware=[Middleware(ContentPolicy)],
)

if __name__ == "__main__":
    app.run()
