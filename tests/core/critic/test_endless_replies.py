"""A reply ends: at a time, at a size, and at the size that it unpacks to."""

import gzip
import json
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from core.critic.answer import RunStatus
from core.critic.body import LARGEST, read_body
from core.errors import ModelUnreachable, ReplyNotUnderstood
from tests.core.critic.asking import ASKED
from tests.critic_server import Scripted, reply

DONE = json.dumps(reply('{"notes": []}').body).encode()


@contextmanager
def raw_server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that answers each request with what is written to the socket, whether that is HTTP or not."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection = listening.accept()[0]
            except OSError:
                return
            threading.Thread(target=one, args=(connection,), daemon=True).start()

    def one(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(1_000_000)
                answer(connection)
            except OSError:
                pass

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


def http(body: bytes, *headers: bytes) -> bytes:
    return b"\r\n".join([b"HTTP/1.1 200 OK", b"content-length: %d" % len(body), *headers, b"", body])


def dripping(first: bytes, drop: bytes) -> Callable[[socket.socket], None]:
    def drip(connection: socket.socket) -> None:
        connection.sendall(first)
        while True:
            connection.sendall(drop)
            time.sleep(0.05)

    return drip


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        (b"HTTP/1.1 200 OK\r\n", b"x-a: b\r\n"),
    ],
    ids=["body", "headers"],
)
def test_a_reply_that_drips_for_ever_is_given_up(door, first, drop):
    begun = time.monotonic()
    with raw_server(dripping(first, drop)) as url, pytest.raises(ModelUnreachable, match="no answer in time"):
        door(url=url, timeout=0.3, longest_request=0.4, tries=1).ask(ASKED)
    assert 0.3 < time.monotonic() - begun < 3


def test_the_limit_is_for_each_request_and_a_connection_serves_the_next(server, door):
    server.script(*[Scripted(reply("{}").body, delay=0.25)] * 3)
    llm = door(timeout=0.4, longest_request=0.4, tries=1)
    assert {llm.ask(ASKED).status for _ in range(3)} == {RunStatus.OK}


def test_the_limit_is_never_less_than_the_time_without_a_byte(server, door):
    server.script(Scripted(reply("{}").body, delay=0.3))
    assert door(timeout=5, longest_request=0.1, tries=1).ask(ASKED).status is RunStatus.OK


def test_a_reply_that_is_too_large_is_not_understood_and_not_read_on(door):
    def endless(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b" " * 65_536 + b"\r\n")

    with raw_server(endless) as url, pytest.raises(ReplyNotUnderstood, match="longer than 10,000,000 bytes"):
        door(url=url, tries=1).ask(ASKED)


def test_a_small_reply_that_unpacks_to_much_is_not_understood(door):
    packed = gzip.compress(DONE + b" " * 30_000_000)
    assert len(packed) < 100_000

    def bomb(connection: socket.socket) -> None:
        connection.sendall(http(packed, b"content-encoding: gzip"))

    with raw_server(bomb) as url, pytest.raises(ReplyNotUnderstood, match="longer than 10,000,000 bytes"):
        door(url=url, tries=1).ask(ASKED)


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(DONE), b"gzip"),
        (zlib.compress(DONE), b"deflate"),
        (raw_deflate(DONE), b"deflate"),
        (gzip.compress(gzip.compress(DONE)), b"gzip, gzip"),
        (DONE, b"identity"),
        (b"\xef\xbb\xbf" + DONE, b""),
    ],
)
def test_a_packed_reply_and_one_with_a_byte_order_mark_are_read(door, body, coding):
    def answer(connection: socket.socket) -> None:
        connection.sendall(http(body, b"content-encoding: " + coding))

    with raw_server(answer) as url:
        got = door(url=url, tries=1).ask(ASKED)
    assert (got.status, got.text) == (RunStatus.OK, '{"notes": []}')


def test_a_reply_that_is_not_packed_as_it_says_is_an_error_of_ours(door):
    def answer(connection: socket.socket) -> None:
        connection.sendall(http(b"not gzip", b"content-encoding: gzip"))

    with raw_server(answer) as url, pytest.raises(ModelUnreachable, match="not packed as its header says"):
        door(url=url, tries=1).ask(ASKED)


def test_no_more_is_kept_than_the_limit():
    assert read_body(iter([b" " * LARGEST]), "") == (b" " * LARGEST, False)
    body, cut = read_body((b" " * 1_000 for _ in range(10**9)), "")
    assert (len(body), cut) == (LARGEST, True)
