"""The content security policy of every answer: scripts only from the desk itself.

Streamlit's start page has one inline script; its hash is computed from the installed file when the process starts, so
that an upgrade of Streamlit needs no change here.
"""

import base64
import hashlib
import re
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

START_PAGE = Path(streamlit.__file__).parent / "static" / "index.html"


def script_hashes(html: str) -> tuple[str, ...]:
    """The CSP sources of the inline scripts of a page: ``'sha256-…'``."""
    inline = re.findall(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", html, re.DOTALL)
    digests = (hashlib.sha256(script.encode()).digest() for script in inline)
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


def policy(html: str) -> str:
    """The whole header. Components are loaded from ``blob:``; styles are inline in Streamlit and in charts."""
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(("'self'", "blob:", *script_hashes(html))),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' ws: wss:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "frame-ancestors": "'none'",
        "base-uri": "'self'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in rules.items())


class ContentPolicy:
    """Adds the policy and two related headers to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = {
            "content-security-policy": policy(START_PAGE.read_text(encoding="utf-8")),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await self.app(scope, receive, with_headers)
