"""The agents' door answers as itself, whatever is asked."""

import pytest
from starlette.testclient import TestClient

from core import __version__
from core.service.http import api


def test_health_names_the_version() -> None:
    assert TestClient(api).get("/v1/health").json() == {"status": "ok", "version": __version__}


@pytest.mark.parametrize(("method", "path", "status"), [("POST", "/v1/health", 405), ("GET", "/v1/nothing", 404)])
def test_an_unknown_path_or_method_is_answered_as_such(method: str, path: str, status: int) -> None:
    assert TestClient(api).request(method, path).status_code == status
