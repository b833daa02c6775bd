"""A loopback server that speaks chat completions as a test, or a demonstration, scripts it.

The real client talks to it over HTTP. Answers are given in the order in which they were queued, one a request, or by
what a request asks where ``answering`` is set; a request beyond both is answered with status 599, so that it cannot
pass unseen.
"""

import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any


@dataclass(frozen=True)
class Scripted:
    """One answer: a dictionary becomes JSON, a text is sent as it is."""

    body: Mapping[str, Any] | str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before the answer."""
    missing: int = 0
    """Bytes that the header promises and the body lacks."""


HANG_UP = Scripted("", status=0)
"""The connection is closed without an answer."""


@dataclass(frozen=True)
class Received:
    """A request as it came in: path with query, headers by lower-case name, and the JSON body."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


def reply(
    content: object, *, finish: str | None = "stop", headers: Mapping[str, str] | None = None, **more: Any
) -> Scripted:
    """A completion with this content; ``more`` are further fields, and ``message`` further ones of its message."""
    message = {"role": "assistant", "content": content, **more.pop("message", {})}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m-1", "choices": [choice], **more}
    return Scripted(body, headers=headers or {})


def refusal(status: int, error: object, *, headers: Mapping[str, str] | None = None) -> Scripted:
    """An error in the form of OpenAI: ``error`` is its object, or, as some servers write it, its text."""
    return Scripted({"error": error}, status=status, headers=headers or {})


class CriticServer:
    """The server: a script to be filled, and the requests that came in."""

    def __init__(self, port: int = 0) -> None:
        self.received: list[Received] = []
        self.answering: Callable[[Received], Scripted | None] = lambda request: None
        self._script: deque[Scripted] = deque()
        self._lock = Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True

    @property
    def host(self) -> str:
        """Address and port."""
        return f"127.0.0.1:{self._http.server_port}"

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://{self.host}/v1"

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        """The bodies of the requests, in order."""
        return [each.body for each in self.received]

    def script(self, *answers: Scripted) -> None:
        """Queue answers."""
        self._script.extend(answers)

    def clear(self) -> None:
        """Forget the script and what came in."""
        self.received.clear()
        self._script.clear()

    def next(self, request: Received) -> Scripted:
        """Record a request and take the next answer."""
        with self._lock:
            self.received.append(request)
            unscripted = refusal(599, "nothing is scripted", headers={"x-should-retry": "false"})
            return self._script.popleft() if self._script else self.answering(request) or unscripted

    @contextmanager
    def running(self) -> Iterator["CriticServer"]:
        """Serve until the block is left."""
        thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._http.shutdown()
            self._http.server_close()
            thread.join()


def _handler(server: CriticServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = server.next(Received(self.path, headers, json.loads(self.rfile.read(length))))
            time.sleep(answer.delay)
            if answer is HANG_UP:
                self.close_connection = True
                return
            self._send(answer)

        def _send(self, answer: Scripted) -> None:
            body = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            encoded = body.encode()
            headers = {"content-type": "application/json", "x-request-id": "req-1", **answer.headers}
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(encoded) + answer.missing))
            self.end_headers()
            self.wfile.write(encoded)
            self.close_connection = bool(answer.missing)

        def log_message(self, *_: object) -> None:
            """Nothing is written beside the tests."""

    return Handler
