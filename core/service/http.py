"""The agents' door, mounted at ``/api`` beside the desk.

A mount of its own, so that an unknown path or a wrong method is answered as such and never with the desk's page.
"""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from core import __version__


def health(_request: Request) -> JSONResponse:
    """``GET /api/v1/health``: the process answers, and which version it is."""
    return JSONResponse({"status": "ok", "version": __version__})


api = Starlette(routes=[Route("/v1/health", health, methods=["GET"])])
