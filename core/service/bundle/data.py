"""The data of a bundle, from which it is checked: every transcript, content and row in the form that was hashed."""

import json
from typing import Any

from core.governance.log import moment_text
from core.service.bundle.contract import FORM, Contents, NoteKept
from core.service.bundle.redrawing import drawn
from core.service.case_views import CaseStep
from core.service.views import Quote
from core.transcripts.message import canonical


def data_of(contents: Contents) -> dict[str, Any]:
    """All of it as JSON values."""
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
        "notes": [_note(one) for one in contents.notes],
        "transcripts": [
            {"ref": one.ref, "sha256": one.sha256, "turns": [canonical(turn) for turn in one.transcript.messages]}
            for one in contents.sessions
        ],
        "contents": [
            {"about": one.name, "item": one.item, "revision": one.revision, "said": one.said}
            | {"sha256": one.sha256, "masked": one.masked}
            for note in contents.notes
            for one in note.versions
        ],
        "quotes": [_quote(contents, ref, quote) for ref, quote in contents.quotes],
        "links": [vars(link) for link in contents.links],
        "drawn": drawn(contents),
    }


def island(data: dict[str, Any]) -> str:
    """The data as it stands in the file, where nothing in it can end the element that holds it."""
    text = json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _note(note: NoteKept) -> dict[str, Any]:
    """A note and its case; ``others`` are the notes of its case with the revisions that they then had."""
    card, case = note.card, note.case
    others = [case.first, *case.recurrences] if case.first else case.recurrences
    return {
        "ref": card.ref,
        "item": card.id,
        "state": card.status,
        "severity": card.severity,
        "summary": case.summary,
        "steps": [[moment_text(one.at), said_of(one), one.who, one.words] for one in case.steps],
        "others": [[one.ref, one.id, one.revision] for one in others],
    }


def said_of(step: CaseStep) -> str:
    """What a step of a case was, with the note that it is about."""
    return " ".join(filter(None, (step.what, step.note)))


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
