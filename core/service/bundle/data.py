"""The data of a bundle, from which it is checked: every transcript, content and row in the form that was hashed."""

import json
from typing import Any

from core.governance.log import moment_text
from core.service.bundle.contract import FORM, Contents
from core.service.views import Quote
from core.transcripts.message import canonical


def data_of(contents: Contents, page_sha256: str) -> dict[str, Any]:
    """All of it as JSON values. ``page_sha256`` is the hash of the words that the page shows."""
    made = contents.made
    return {
        "form": FORM,
        "made": {
            "by": made.by,
            "at": moment_text(made.at),
            "program": made.program,
            "head": f"{made.head[0]}:{made.head[1]}",
            "about": made.about,
        },
        "notes": [{"ref": one.card.ref, "item": one.card.id, "state": one.card.status} for one in contents.notes],
        "transcripts": [
            {"ref": one.ref, "sha256": one.sha256, "turns": [canonical(turn) for turn in one.transcript.messages]}
            for one in contents.sessions
        ],
        "contents": [
            {"about": one.name, "item": one.item, "said": one.said, "sha256": one.sha256, "masked": one.masked}
            for note in contents.notes
            for one in note.versions
        ],
        "quotes": [_quote(contents, ref, quote) for ref, quote in contents.quotes],
        "links": [vars(link) for link in contents.links],
        "page_sha256": page_sha256,
    }


def island(data: dict[str, Any]) -> str:
    """The data as it stands in the file, where nothing in it can end the element that holds it."""
    text = json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _quote(contents: Contents, ref: str, quote: Quote) -> dict[str, Any]:
    places = {one.id: place for place, one in enumerate(contents.sessions)}
    at = places[quote.session]
    messages = contents.sessions[at].transcript.messages
    spans = quote.grounding.spans if quote.found else ()
    return {
        "about": f"quote {quote.number} of {ref}",
        "transcript": at,
        "text": quote.text,
        "spans": [[one.turn, one.start, one.end, messages[one.turn].content[one.start : one.end]] for one in spans],
    }
