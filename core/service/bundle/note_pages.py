"""A note of a bundle: what was observed, on which words, its case, its versions, and the log about it."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from core.evidence.in_words import SPEAKERS, verdict_in_words
from core.governance.acts import done, in_words
from core.service.bundle.contract import MASKED, SEALED, Contents, Link, NoteKept
from core.service.bundle.elements import Element, Node, element, said, table
from core.service.case_views import CaseNote, CaseView
from core.service.views import OpinionView, Quote
from core.store.clock import time_in_words
from core.transcripts.message import Transcript
from core.vocabulary import Severity, Verdict

SEVERITIES: Mapping[str, str] = {str(one): str(one).capitalize() for one in Severity}
LOG = ("Link", "When", "Who", "What", "Why", "Hashes")
KEPT_BACK = {
    MASKED: "secrets were taken out of this row later; a later link has its new form",
    SEALED: "a blind verdict, sealed until another person has said, too",
}


def note_page(contents: Contents, place: int, first_content: int, drawn: set[int]) -> Element:
    """One note. ``first_content`` is the number of its first version among all; ``drawn`` are links shown before."""
    note = contents.notes[place]
    card, at = note.card, next(n for n, one in enumerate(note.versions) if one.item == note.card.id)
    content = f"content:{first_content + at}"
    about = [card.ref, str(card.dimension or "").replace("_", " "), card.agent, card.user, card.task_class]
    line = " · ".join(one for one in about if one)
    return element(
        "article",
        "note",
        element(
            "p",
            "first",
            element("span", f"sev {card.severity}", SEVERITIES.get(card.severity, card.severity)),
            element("span", "meta", f" {line} · ", element("b", "", card.status), f" · v{card.version}", dir="auto"),
        ),
        element("h2", "lesson", said(f"{content}:observation", card.observation)),
        element("p", "improve", element("b", "", "Next time: "), said(f"{content}:improvement", card.improvement)),
        element("h3", "", "Proof"),
        *_proof(contents, note),
        element("h3", "", "Case"),
        *_case(note.case),
        element("h3", "", "Versions"),
        table(("Version", "Status", "Its words", "SHA-256 of them"), _versions(note, first_content), "hashes"),
        element("h3", "", "The log about it"),
        log_table(contents, [seq for seq in note.links if seq not in drawn], drawn),
        id=card.ref,
    )


def log_table(contents: Contents, seqs: Sequence[int], drawn: set[int]) -> Element:
    """Links of the log with what they name; their numbers join ``drawn``."""
    by_seq = {link.seq: link for link in contents.links}
    names = {one.item: one.name for note in contents.notes for one in note.versions}
    names |= {
        other.id: other.ref
        for note in contents.notes
        for other in (*note.case.recurrences, *([note.case.first] if note.case.first else []))
    }
    drawn |= set(seqs)
    return table(LOG, [_link(by_seq[seq], names) for seq in seqs], "log")


def _proof(contents: Contents, note: NoteKept) -> list[Node]:
    if not note.quotes:
        return [element("p", "meta", "No words are quoted, so nothing proves it.")]
    places = {one.id: place for place, one in enumerate(contents.sessions)}
    opinions = {one.evidence_id: one for one in note.card.opinions}
    return [
        _quote(quote, places[quote.session], contents.sessions[places[quote.session]].transcript, opinions)
        for quote in note.quotes
    ]


def _quote(quote: Quote, place: int, transcript: Transcript, opinions: Mapping[int, OpinionView]) -> Element:
    found, number = quote.grounding, quote.number - 1
    words = verdict_in_words(quote.text, quote.speaker, found, transcript, stale=bool(quote.stale))
    look = {Verdict.FOLDED: "folded", Verdict.ELIDED: "elided"}.get(found.verdict, "exact") if quote.found else "bad"
    where = [
        element(
            "a",
            "",
            said(f"place:{number}:{at}", f"turn {span.turn + 1}, characters {span.start} to {span.end}"),
            href=f"#turn-{place}-{span.turn}",
        )
        for at, span in enumerate(found.spans if quote.found else ())
    ]
    reasons = [quote.stale] if quote.stale else [reason.text for reason in (*found.reasons, *found.flags)]
    told = opinions.get(quote.id)
    under: list[Node] = [element("span", f"badge {look}", words)]
    under += [element("span", "meta", f"{SPEAKERS[quote.speaker]}, in {quote.session_ref}")]
    under += [element("span", "meta", one) for one in where]
    return element(
        "div",
        "proof",
        element("span", "ring", str(quote.number)),
        element(
            "div",
            "",
            element("p", f"quote {look}", said(f"quote:{number}", quote.text)),
            element("p", "under", *under),
            *(element("p", "meta", reason) for reason in reasons if reason),
            element("p", "meta", f"Second opinion of {told.model}: {told.supports}. {told.why}") if told else None,
        ),
    )


def _case(case: CaseView) -> list[Node]:
    rows: list[tuple[Node, ...]] = [
        (time_in_words(step.at, seconds=True), " ".join(filter(None, (step.what, step.note))), step.who, step.words)
        for step in case.steps
    ]
    told: list[Node] = [element("p", "", case.summary)]
    if case.first is not None:
        told.append(element("p", "", f"It is a recurrence. First case: {_other(case.first)}"))
    if case.then is not None:
        then = case.then
        stood = "Then" if then.stood else "Before that, and opened again since,"
        when = f"{stood} {then.status} by {then.by} on {time_in_words(then.at)}: "
        told.append(element("p", "", when, element("q", "", then.words)))
    told += [element("p", "", f"Recurrence: {_other(one)}") for one in case.recurrences]
    return [*told, table(("When", "What", "Who", "Words"), rows, "steps")]


def _other(note: CaseNote) -> str:
    who = f", {note.user}" if note.user else ""
    return f"{note.ref}, {note.status}, in {note.session_ref}{who}, {time_in_words(note.seen_at)}"


def _versions(note: NoteKept, first: int) -> list[tuple[Node, ...]]:
    return [
        (
            element("b", "", one.name),
            one.status,
            said(f"content:{first + at}:observation", json.loads(one.said[one.said.index("{") :])["observation"]),
            element(
                "span",
                "",
                said(f"content:{first + at}:sha256", one.sha256, "hash"),
                " · secrets were masked in these words later" if one.masked else None,
            ),
        )
        for at, one in enumerate(note.versions)
    ]


def _link(link: Link, names: Mapping[int, str]) -> tuple[Node, ...]:
    hashes = element(
        "span",
        "hash",
        said(f"link:{link.seq}:at", link.at),
        element("br"),
        "row ",
        said(f"link:{link.seq}:row_sha256", link.row_sha256),
        element("br"),
        "link ",
        said(f"link:{link.seq}:sha256", link.sha256),
    )
    number = said(f"link:{link.seq}:seq", link.seq)
    when = time_in_words(datetime.fromisoformat(link.at), seconds=True)
    if link.row is None:
        what = f"{link.logged.replace('_', ' ')} {link.row_id}"
        return (number, when, "", what, KEPT_BACK.get(str(link.kept_back), "kept back"), hashes)
    row = json.loads(link.row)
    who = element("span", "", _rule(row), said(f"row:{link.seq}:by", row.get("by", "")), _further(row))
    return (number, when, who, _what(link, row, names), _why(link, row), hashes)


def _rule(row: Mapping[str, Any]) -> str | None:
    return f"the rule “{row['rule']}”, after " if row.get("rule") else None


def _further(row: Mapping[str, Any]) -> str | None:
    if row.get("second"):
        return f" and {row['second']}"
    return " (alone at the desk: self-approved)" if row.get("self_approved") else None


def _what(link: Link, row: Mapping[str, Any], names: Mapping[int, str]) -> str:
    name = names.get(link.item, f"item {link.item}")
    if link.logged == "decision":
        toward = f": {in_words(row['toward'])}" if row.get("toward") else ""
        return f"{name} {done(row['action'])}{toward}, {row.get('before') or 'new'} → {row['after']}"
    if link.logged == "refusal":
        return f"was refused to {in_words(row['action'])} {name} ({row['code']})"
    if link.logged == "assignment":
        return f"{name} given to {row.get('person', 'nobody in particular')}"
    if link.logged == "blind_verdict":
        return f"{name}, blind verdict: {in_words(row['action'])}"
    if link.logged == "policy_version":
        return f"policy {row['policy']} v{row['version']}, {'withdrawn' if row.get('withdrawn') else 'in force'}"
    return f"{link.logged.replace('_', ' ')} {link.row_id} about {name}"


def _why(link: Link, row: Mapping[str, Any]) -> Element:
    field = "text" if link.logged in ("decision", "refusal", "blind_verdict") else "reason"
    code = element("span", "", said(f"row:{link.seq}:reason", row["reason"]), " ") if _has_code(field, row) else None
    policy = (
        element("p", "quote", said(f"row:{link.seq}:text", row["text"])) if link.logged == "policy_version" else None
    )
    return element("span", "", code, said(f"row:{link.seq}:{field}", row.get(field, "")), policy)


def _has_code(field: str, row: Mapping[str, Any]) -> bool:
    return field == "text" and bool(row.get("reason"))
