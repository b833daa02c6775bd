"""The one process: the Streamlit desk at ``/`` and the agents' HTTP door at ``/api``.

Start it with ``streamlit run app.py``, or faster with ``python -m uvicorn app:app --ws-per-message-deflate false``.
The desk's script is ``ui/main.py`` and not this file: with a ``pages`` folder beside the script, Streamlit would run a
page by its address before the script that navigates.
"""

import gc
import importlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import streamlit as st
from starlette.middleware import Middleware
from starlette.routing import Mount

from core.service.http import api
from core.service.working import DeskWorker
from ui.content_policy import ContentPolicy

HEAVY = ("pandas", "sqlalchemy", "pyarrow", "plotly.graph_objects", "altair")


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[dict[str, Any]]:
    """Import what every page needs, open the database, and start the worker, which does not hold up the pages.

    Then the collector is kept away from what stays for good: Streamlit collects garbage after every run of a page, and
    scanning these modules each time cost most of a run.
    """
    for name in HEAVY:
        importlib.import_module(name)
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
