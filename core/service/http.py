"""The agents' door, mounted at ``/api`` beside the desk.

A mount of its own, so that an unknown path or a wrong method is answered as such and never with the desk's page.
"""

from importlib.metadata import PackageNotFoundError, version

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route


def code_version() -> str:
    """The version of the installed product; ``source`` when it runs from its folder."""
    try:
        return version("tutelage")
    except PackageNotFoundError:
        return "source"


def health(_request: Request) -> JSONResponse:
    """``GET /api/v1/health``: the process answers, and which version it is."""
    return JSONResponse({"status": "ok", "version": code_version()})


api = Starlette(routes=[Route("/v1/health", health, methods=["GET"])])
