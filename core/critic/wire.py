"""The ``openai`` client for a server, and what is added to a request only where it leaves the machine.

Critic. The client's own log names every URL, so the secret part of an address is put in below it, at the transport.
The client neither repeats a request nor follows a redirect: a transcript goes to the server that was named, once for
each attempt that is recorded.
"""

import logging
from ipaddress import ip_address
from urllib.request import getproxies, proxy_bypass

import httpx2
from openai import OpenAI

from core.critic.body import CODINGS, NotPacked, read_body
from core.critic.deadline import Hurried, within
from core.critic.endpoint import Endpoint
from core.critic.model_settings import ModelSettings

logging.getLogger("httpcore2").setLevel(logging.INFO)
"""At DEBUG it writes down the headers of every response, and some servers repeat a key in them."""

_NO_KEY = "none"
"""What is sent where no key is set: the client wants one, and servers without keys ignore it."""


CUT = "cut"
"""Extension of a response whose body was larger than is read."""


class _Transport(httpx2.HTTPTransport):
    """Sends requests with what was secret in the endpoint's URL, and reads replies up to a size and a time."""

    def __init__(self, endpoint: Endpoint, proxy: str | None, longest: float) -> None:
        super().__init__(proxy=proxy)
        self._pool._network_backend = Hurried()
        self._longest = longest
        self._endpoint = endpoint
        self._query = {name: value.get_secret_value() for name, value in endpoint.query}
        self._authorization = endpoint.authorization

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        sent = httpx2.Request(
            request.method,
            self._endpoint.full(request.url, self._query),
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )
        if self._authorization:
            sent.headers["Authorization"] = self._authorization
        sent.headers["Accept-Encoding"] = CODINGS
        with within(self._longest):
            return _read(super().handle_request(sent))


def _read(response: httpx2.Response) -> httpx2.Response:
    """The response with its body, which is cut where it is too large; the rest is not waited for."""
    headers = response.headers
    try:
        body, cut = read_body(response.iter_raw(), headers.get("content-encoding", ""))
    except NotPacked as error:
        raise httpx2.DecodingError(str(error)) from None
    finally:
        response.close()
    for name in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    _without_charset(headers)
    extensions = {**response.extensions, CUT: cut}
    return httpx2.Response(response.status_code, headers=headers, content=body, extensions=extensions)


def _without_charset(headers: httpx2.Headers) -> None:
    """Leave a body to be read as UTF-8, which JSON is: a server that names another charset may not even use it."""
    if "content-type" in headers:
        headers["content-type"] = headers["content-type"].partition(";")[0]


def client(settings: ModelSettings) -> OpenAI:
    """A client for the server of these settings; it may be shared between threads."""
    timeout = httpx2.Timeout(settings.timeout, connect=settings.connect_timeout)
    longest = max(settings.longest_request, settings.timeout)
    transport = _Transport(settings.endpoint, _proxy(settings.endpoint.address), longest)
    return OpenAI(
        api_key=settings.key.get_secret_value() if settings.key else _NO_KEY,
        base_url=settings.endpoint.address,
        timeout=timeout,
        max_retries=0,
        http_client=httpx2.Client(transport=transport, timeout=timeout, follow_redirects=False),
    )


def _proxy(address: str) -> str | None:
    """The proxy that the environment names for an address; none stands between this machine and itself."""
    url = httpx2.URL(address)
    if _here(url.host) or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    named = proxies.get(url.scheme) or proxies.get("all")
    return named if named is None or "://" in named else f"http://{named}"


def _here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
