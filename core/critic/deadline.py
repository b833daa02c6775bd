"""A moment after which a request is given up, whatever the server still sends.

Critic. The time limits of the HTTP client begin anew with every byte, in headers too, so a server that drips them
would be listened to for ever. Here each read gets only what is left of the whole.
"""

import math
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpcore2


class _Moment(threading.local):
    """When the request of this thread is given up; a connection serves one request at a time, in its thread."""

    at = math.inf

    def left(self, timeout: float | None) -> float | None:
        """Seconds that may still be waited; raises where none are left."""
        if self.at == math.inf:
            return timeout
        left = self.at - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the time for the whole request is over")
        return left if timeout is None else min(timeout, left)


_moment = _Moment()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give up what is received in this block, over connections of ``Hurried``, after so many seconds."""
    _moment.at = time.monotonic() + seconds
    try:
        yield
    finally:
        _moment.at = math.inf


class Hurried(httpcore2.NetworkBackend):
    """Opens connections that keep to ``within``."""

    def __init__(self) -> None:
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, *args: Any, **more: Any) -> "_Stream":
        return _Stream(self._plain.connect_tcp(host, port, _moment.left(timeout), *args, **more))


class _Stream(httpcore2.NetworkStream):
    def __init__(self, plain: httpcore2.NetworkStream) -> None:
        self._plain = plain

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._plain.read(max_bytes, _moment.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._plain.write(buffer, _moment.left(timeout))

    def close(self) -> None:
        self._plain.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> "_Stream":
        return _Stream(self._plain.start_tls(ssl_context, server_hostname, _moment.left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._plain.get_extra_info(info)
