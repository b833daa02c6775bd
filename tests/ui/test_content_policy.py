"""The headers of every answer, and the door beside the desk."""

import base64
import hashlib
import re

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.service.http import api
from ui.content_policy import START_PAGE, ContentPolicy, policy, script_hashes


def test_each_inline_script_is_allowed_by_its_own_hash_and_no_other():
    html = "<script>let a = 1</script><script src='x.js'></script><script type='module'>b()</script>"
    expected = [base64.b64encode(hashlib.sha256(text).digest()).decode() for text in (b"let a = 1", b"b()")]
    assert script_hashes(html) == tuple(f"'sha256-{one}'" for one in expected)


def test_the_installed_start_page_needs_no_unsafe_script():
    rules = dict(part.split(" ", 1) for part in policy(START_PAGE.read_text(encoding="utf-8")).split("; "))
    assert "unsafe" not in rules["script-src"]
    assert rules["frame-ancestors"] == "'none'"
    inline = re.findall(r"<script(?![^>]*\bsrc=)", START_PAGE.read_text(encoding="utf-8"))
    assert rules["script-src"].count("sha256-") == len(inline) > 0


def test_every_answer_carries_the_policy():
    def plain(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("words")

    client = TestClient(ContentPolicy(Starlette(routes=[Route("/", plain)])))
    for path in ("/", "/missing"):
        headers = client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/v1/health", 200), ("POST", "/v1/health", 405), ("GET", "/x", 404)]
)
def test_the_door_answers_a_wrong_path_or_method_as_such(method, path, status):
    assert TestClient(api).request(method, path).status_code == status


def test_health_names_its_status_and_version():
    body = TestClient(api).get("/v1/health").json()
    assert body["status"] == "ok"
    assert body["version"]
