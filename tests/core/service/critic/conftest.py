"""A desk whose critic is a scripted server."""

from collections.abc import Iterator

import pytest

from core.store.database import Database
from tests.critic_desk import Desk, critic_desk


@pytest.fixture
def desk(database: Database) -> Iterator[Desk]:
    """A desk of this test's own."""
    with critic_desk(database) as desk:
        yield desk
