"""The table of workers: which processes carry out queued work, and when each was last heard of."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from core.store.columns import when


class Worker(SQLModel, table=True):
    """A process that carries out queued work. ``id`` is its name in the durable engine, too."""

    id: str = Field(primary_key=True, max_length=120)
    host: str = Field(max_length=200)
    pid: int
    started_at: datetime = Field(sa_column=when("started_at"))
    seen_at: datetime = Field(sa_column=when("seen_at", index=True))
