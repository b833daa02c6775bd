"""The digest: what waits, oldest first, without words that must not leave the desk; sent once a day, by one of many."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.errors import BadInput
from core.governance.assignments import assign
from core.governance.desk_settings import save_desk_settings, saved_desk_settings
from core.governance.drafts import NoteContent
from core.governance.people import set_person
from core.service.digest import as_json, as_text, desk_address, digest_of
from core.service.digest_sending import WEBHOOK, send_if_due, send_now, webhook
from core.store.oversight_records import Digest
from core.vocabulary import Dimension, Duty, Severity
from tests.commands import Commands
from tests.core.governed import team
from tests.desk import START, lesson, note, put, quote, session

pytestmark = pytest.mark.databases("sqlite", "postgresql")

MORNING = START.replace(hour=7) + timedelta(days=9)
OTHER = "Name the costs that are not given back, such as postage."


class Hook:
    """A webhook on this machine that answers with the status it is told."""

    def __init__(self) -> None:
        self.status, self.taken, self.elsewhere, self.raw = 200, [], 0, b""
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path == "/elsewhere":
                    hook.elsewhere += 1
                else:
                    hook.taken.append(json.loads(body))
                if hook.raw:
                    self.wfile.write(hook.raw)
                    return
                self.send_response(hook.status)
                if hook.status in (301, 307):
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.environ = {
            WEBHOOK: f"http://127.0.0.1:{self.server.server_port}/hook",
            "TUTELAGE_URL": "https://desk.test/",
        }

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def hook():
    made = Hook()
    yield made
    made.close()


@pytest.fixture(name="waits")
def _waits(database):
    """Two lessons and a critical note that wait, one of them Cleo's."""
    team(database)
    first, second = lesson(database).item_id, lesson(database, OTHER).item_id
    note(database, session(database), severity=Severity.CRITICAL)
    assign(database, [second], "Cleo", by="Ben")
    return first, second


def kept(database):
    with database.reading() as db:
        return db.get(Digest, MORNING.date().isoformat())


def test_it_says_what_waits_oldest_first_with_links_and_whose_it_is(database, waits):
    found = digest_of(database, at=MORNING, environ={"TUTELAGE_URL": "https://desk.test/"})
    text = as_text(found).splitlines()
    assert text[0] == "Tutelage, 11 Nov 2026: 3 wait (2 on Review, 1 on Critical notes), 3 overdue."
    assert text[1] == "Oldest first:"
    assert text[2].startswith("- L-0001 high, waits 8 d, overdue 5 d: Check the refund policy")
    assert text[2].endswith(" https://desk.test/review?item=L-0001")
    assert "for Cleo" in text[3]
    assert text[4].endswith(" https://desk.test/critical_notes?note=N-0001")
    assert text[5:] == ["Given to: Cleo 1.", "All of it: https://desk.test/review"]


def test_one_persons_digest_names_only_what_was_given_to_them(database, waits):
    found = digest_of(database, person="Cleo", at=MORNING)
    assert [one.ref for one in found.oldest] == ["L-0002"]
    assert as_text(found).startswith("Tutelage for Cleo, 11 Nov 2026: 1 waits, 1 overdue.")


def test_an_empty_desk_says_that_nothing_waits(database):
    assert as_text(digest_of(database, at=MORNING, environ={})).splitlines() == [
        "Tutelage, 11 Nov 2026: nothing waits.",
        "All of it: http://localhost:8501/review",
    ]
    assert desk_address({}) == "http://localhost:8501"


def test_no_quoted_word_and_no_user_leaves_the_desk(database):
    observed = (
        "The agent told Asha Rao “your refund is on its way” and 'it is done', "
        "although asha Rao's was refused, so Asha's brother rang."
    )
    content = NoteContent(
        dimension=Dimension.COMPLIANCE, severity=Severity.CRITICAL, observation=observed, improvement="Look it up."
    )
    here = session(database, user="Asha Rao")
    put(database, content, Severity.CRITICAL, quotes=(quote(here),), user="Asha Rao", session_id=here)
    said = json.dumps(as_json(digest_of(database, at=MORNING)), ensure_ascii=False)
    assert "The agent told the user “…” and “…”" in said
    assert not [word for word in ("asha", "rao", "refund is", "it is done") if word in said.lower()]


def test_it_is_sent_from_its_hour_on_and_once_a_day(database, waits, hook):
    assert not send_if_due(database, at=MORNING - timedelta(seconds=1), environ=hook.environ)
    assert send_if_due(database, at=MORNING, environ=hook.environ)
    assert not send_if_due(database, at=MORNING + timedelta(hours=9), environ=hook.environ)
    assert [one["text"].partition(":")[0] for one in hook.taken] == ["Tutelage, 11 Nov 2026"]
    assert (kept(database).problem, kept(database).counts["waiting"]) == (None, 3)


def test_the_hour_is_the_one_of_the_desks_settings(database, waits, hook):
    save_desk_settings(database, {"digest_hour": 9}, by="Ada", reason="After the stand-up")
    assert not send_if_due(database, at=MORNING, environ=hook.environ)
    assert send_if_due(database, at=MORNING.replace(hour=9), environ=hook.environ)
    before = saved_desk_settings(database)
    with pytest.raises(BadInput, match="digest hour cannot be saved as “24”"):
        save_desk_settings(database, {"digest_hour": 24}, by="Ada", reason="Never")
    assert saved_desk_settings(database) == before


def test_many_workers_send_it_once(database, waits, hook):
    with ThreadPoolExecutor(6) as workers:
        sent = list(workers.map(lambda _: send_if_due(database, at=MORNING, environ=hook.environ), range(6)))
    assert sorted(sent) == [False] * 5 + [True]
    assert len(hook.taken) == 1


@pytest.mark.parametrize("status", [301, 307, 404, 500])
def test_what_is_not_taken_is_told_kept_and_not_sent_again(database, waits, hook, status):
    hook.status = status
    with pytest.raises(BadInput, match=f"answered {status}"):
        send_if_due(database, at=MORNING, environ=hook.environ)
    assert str(status) in kept(database).problem
    assert not send_if_due(database, at=MORNING, environ=hook.environ)
    assert (len(hook.taken), hook.elsewhere) == (1, 0)


@pytest.mark.parametrize(
    "raw", [b"garbage\r\n\r\n", b"HTTP/1.1 xyz OK\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"a" * 70_000]
)
@pytest.mark.parametrize("sending", [send_if_due, send_now])
def test_an_answer_that_cannot_be_read_is_told_and_does_not_count_as_sent(database, waits, hook, raw, sending):
    hook.raw = raw
    with pytest.raises(BadInput, match="gave no answer that can be read"):
        sending(database, at=MORNING, environ=hook.environ)
    assert "no answer that can be read" in kept(database).problem
    hook.raw = b""
    send_if_due(database, at=MORNING + timedelta(days=1), environ=hook.environ)
    assert len(hook.taken) == 2


@pytest.mark.parametrize("sending", [send_if_due, send_now])
def test_what_nobody_foresaw_is_kept_with_the_day_which_does_not_count_as_sent(database, waits, hook, sending):
    with pytest.raises(AttributeError):
        sending(database, at=MORNING, environ=hook.environ | {"TUTELAGE_URL": 7})
    assert "a reason that nobody foresaw" in kept(database).problem
    assert hook.taken == []


def test_a_day_that_was_sent_and_goes_wrong_by_hand_does_not_count_as_sent(database, waits, hook):
    send_if_due(database, at=MORNING, environ=hook.environ)
    hook.raw = b"garbage\r\n\r\n"
    with pytest.raises(BadInput):
        send_now(database, at=MORNING + timedelta(hours=1), environ=hook.environ)
    assert "no answer that can be read" in kept(database).problem


def test_a_webhook_that_is_away_is_told(database, waits, hook):
    hook.close()
    with pytest.raises(BadInput, match=r"127\.0\.0\.1 could not be reached"):
        send_if_due(database, at=MORNING, environ=hook.environ)
    assert "could not be reached" in kept(database).problem


def test_a_missed_day_is_not_made_up_for_and_the_next_digest_says_since_when(database, waits, hook):
    send_if_due(database, at=MORNING, environ=hook.environ)
    send_if_due(database, at=MORNING + timedelta(days=1), environ=hook.environ)
    send_if_due(database, at=MORNING + timedelta(days=4), environ=hook.environ)
    assert len(hook.taken) == 3
    assert "The last digest" not in hook.taken[1]["text"]
    assert "The last digest was sent on 12 Nov 2026, 07:00 UTC." in hook.taken[2]["text"]


def test_sending_it_by_hand_counts_for_the_day(database, waits, hook):
    send_now(database, at=MORNING - timedelta(hours=2), environ=hook.environ)
    assert not send_if_due(database, at=MORNING, environ=hook.environ)
    send_now(database, at=MORNING, environ=hook.environ)
    assert len(hook.taken) == 2


def test_without_a_webhook_nothing_is_sent_and_no_day_is_claimed(database, waits):
    assert not send_if_due(database, at=MORNING, environ={})
    with pytest.raises(BadInput, match="No webhook is named"):
        send_now(database, at=MORNING, environ={})
    assert kept(database) is None


@pytest.mark.parametrize(
    "address", ["http://example.org/x", "ftp://127.0.0.1/x", "nonsense", "http://127.0.0.1.example.org/x"]
)
def test_an_address_that_is_not_safe_is_refused_before_a_day_is_claimed(database, waits, address):
    with pytest.raises(BadInput, match="it needs https"):
        send_if_due(database, at=MORNING, environ={WEBHOOK: address})
    assert kept(database) is None


def test_an_address_with_https_or_on_this_machine_is_used(database):
    for address in ("https://hooks.example.org/x", "http://localhost:9/x", "http://127.0.0.1:9/x", "http://[::1]:9/x"):
        assert webhook({WEBHOOK: address}) == address


def test_a_digest_is_asked_of_people_who_are_known(database):
    run = Commands(database.engine.url.render_as_string(hide_password=False))
    set_person(database, "Ann", {Duty.LEAD, Duty.ADMIN})
    assert run("digest", "--person", "Ann").returncode == 0
    told = run("digest", "--person", "Anne")
    assert (told.returncode, told.stdout) == (1, "")
    assert "There is no person Anne." in told.stderr
