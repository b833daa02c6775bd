"""Serves ``floor.py``: ``python -m uvicorn bench.reviewer.floor_app:app``."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[dict[str, Any]]:
    """The collector is kept away from what stays for good, as in the desk."""
    gc.collect()
    gc.freeze()
    yield {}


app = st.App(Path(__file__).with_name("floor.py"), lifespan=lifespan)
