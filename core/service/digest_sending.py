"""Sends the digest to a webhook: once a day, by one of however many workers, at the hour that the settings name.

A day's row is claimed before anything is sent, so no day is sent twice; one that was missed is not made up for, and the
next digest says since when. What goes wrong is kept in the row and told.
"""

import json
import logging
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.message import Message
from http.client import HTTPException
from ipaddress import ip_address
from threading import Event, Thread
from typing import IO, Any
from urllib.parse import urlsplit

from sqlmodel import col, select

from core.errors import BadInput, TutelageError
from core.governance.desk_settings import settings_in_force
from core.service.digest import Digest, as_json, digest_of
from core.store.clock import now
from core.store.database import Database
from core.store.oversight_records import Digest as Sent
from core.vocabulary import DigestWay

WEBHOOK = "TUTELAGE_DIGEST_WEBHOOK"
SECONDS = 10
LOOK_EVERY = 60.0
UNDER_WAY = "it was being sent when its process ended"
UNKNOWN = "The digest of the day was not sent for a reason that nobody foresaw ({}); the log of the process says more."
LOG = logging.getLogger(__name__)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Where an address leads elsewhere, nothing is sent there."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


def webhook(environ: Mapping[str, str] = os.environ) -> str | None:
    """The address that the environment names; None for none. Raises ``BadInput`` for one that is not safe to use."""
    named = environ.get(WEBHOOK, "").strip()
    if not named:
        return None
    parts = urlsplit(named)
    host = parts.hostname or ""
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and _is_this_machine(host))):
        shown = f"{parts.scheme}://{host}" if host else "no address"
        raise BadInput(f"{WEBHOOK} names {shown}; it needs https, or http on this machine only. Nothing was sent.")
    return named


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def send(address: str, digest: Digest) -> None:
    """Post a digest. Raises ``BadInput`` with what the other side answered; redirects are not followed.

    The address holds a secret, so what is said of it is its host alone.
    """
    request = urllib.request.Request(
        address, data=json.dumps(as_json(digest)).encode(), headers={"Content-Type": "application/json"}, method="POST"
    )
    host = urlsplit(address).hostname
    try:
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=SECONDS):
            return
    except urllib.error.HTTPError as error:
        error.close()
        raise BadInput(f"The webhook at {host} answered {error.code}; the digest was not taken.") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "reason", error)
        raise BadInput(f"The webhook at {host} could not be reached ({why}); the digest was not sent.") from error
    except HTTPException as error:
        said = f"The webhook at {host} gave no answer that can be read; whether it took the digest is not known."
        raise BadInput(said) from error


def send_if_due(database: Database, *, at: datetime | None = None, environ: Mapping[str, str] = os.environ) -> bool:
    """Send the digest of the day if its hour has come and nobody has claimed it; whether one was sent.

    What goes wrong is kept with the day and raised.
    """
    moment = (at or now()).astimezone(UTC)
    address = webhook(environ)
    if address is None or not _claimed(database, moment):
        return False
    _sent(database, address, moment, environ)
    return True


def send_now(database: Database, *, at: datetime | None = None, environ: Mapping[str, str] = os.environ) -> Digest:
    """Send it at once, whatever was sent before; the day counts as sent. Raises ``BadInput``."""
    moment = (at or now()).astimezone(UTC)
    address = webhook(environ)
    if address is None:
        raise BadInput(f"No webhook is named; {WEBHOOK} names one. Nothing was sent.")
    with database.writing() as db:
        row = db.get(Sent, _day(moment)) or _row(moment)
        row.problem = UNDER_WAY
        db.add(row)
    return _sent(database, address, moment, environ)


def _sent(database: Database, address: str, at: datetime, environ: Mapping[str, str]) -> Digest:
    """Send it and keep with the day what became of it; the day counts as sent only when the webhook took it."""
    problem: str | None = UNDER_WAY
    counts: dict[str, Any] = {}
    try:
        digest = digest_of(database, at=at, since=_missed_since(database, at), environ=environ)
        counts = digest.counts
        send(address, digest)
        problem = None
    except TutelageError as error:
        problem = str(error)
        raise
    except Exception as error:
        problem = UNKNOWN.format(type(error).__name__)
        raise
    finally:
        with database.writing() as db:
            row = db.get_one(Sent, _day(at))
            row.at, row.counts, row.problem = at, counts, problem
            db.add(row)
    return digest


def _claimed(database: Database, at: datetime) -> bool:
    """Claim the day, if its hour has come and nobody has."""
    with database.reading() as db:
        if at.hour < settings_in_force(db).digest_hour or db.get(Sent, _day(at)) is not None:
            return False
    with database.writing() as db:
        if db.get(Sent, _day(at)) is not None:
            return False
        db.add(_row(at))
        return True


def _row(at: datetime) -> Sent:
    return Sent(day=_day(at), at=at, way=DigestWay.WEBHOOK, problem=UNDER_WAY)


def _missed_since(database: Database, at: datetime) -> datetime | None:
    """When the last digest was taken, where that was before yesterday or the ones since failed."""
    with database.reading() as db:
        before = select(Sent).where(Sent.day < _day(at), col(Sent.problem).is_(None))
        last = db.exec(before.order_by(col(Sent.day).desc()).limit(1)).first()
    return last.at if last and (at.date() - last.at.date()).days > 1 else None


def _day(at: datetime) -> str:
    return at.astimezone(UTC).date().isoformat()


class DigestClock:
    """Looks once a minute whether the digest is due, where a webhook is named."""

    def __init__(self, database: Database, tell: Callable[[str], Any] = LOG.warning) -> None:
        self._database, self._tell, self._over = database, tell, Event()
        self._thread = Thread(target=self._keep, name="digest", daemon=True)
        if os.environ.get(WEBHOOK):
            self._thread.start()

    def stop(self) -> None:
        """End; a digest that is on its way is waited for, as long as its webhook may take."""
        self._over.set()
        if self._thread.ident is not None:
            self._thread.join(timeout=SECONDS + 2)

    def _keep(self) -> None:
        while not self._over.is_set():
            try:
                send_if_due(self._database)
            except TutelageError as error:
                self._tell(str(error))
            except Exception:
                LOG.exception("The digest of the day went wrong; the next day has another.")
            self._over.wait(LOOK_EVERY)
