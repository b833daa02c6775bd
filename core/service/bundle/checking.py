"""Checks a bundle's file without the database: the same questions that its own page asks, by another program.

The first thing that does not fit is named in words.
"""

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from core.errors import BadInput
from core.governance.audit.links import MASK
from core.governance.log import sha256_of
from core.service.bundle.contract import MASKED, SEALED
from core.service.bundle.elements import shown
from core.service.bundle.reading import Page, read_page

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)
"""What is raised by data that no bundle was ever made with."""

PARTS = ["header", "main", "script", "script"]


class Unfit(Exception):
    """Something does not fit; the text says what."""


@dataclass(frozen=True)
class Checked:
    """What a check found. ``broken`` says what does not fit first, None where all fits; ``kept_back`` counts rows of
    which only the hash is there.
    """

    transcripts: int = 0
    quotes: int = 0
    rows: int = 0
    kept_back: int = 0
    head: str = ""
    broken: str | None = None

    @property
    def text(self) -> str:
        """One line for people."""
        if self.broken is not None:
            return f"does not fit: {self.broken}"
        counts = ((self.transcripts, "transcript"), (self.quotes, "quote"), (self.rows, "row"))
        said = ", ".join(f"{count:,} {one if count == 1 else one + 's'}" for count, one in counts)
        kept = f"; {self.kept_back:,} kept back, as said in it" if self.kept_back else ""
        return f"{said} fit their hashes{kept}"


def check_bundle(text: str, expected: tuple[int, str] | None = None) -> Checked:
    """Check a bundle. ``expected`` is a link of the log that was kept elsewhere: number and hash.

    Raises ``BadInput`` for a file that is no bundle, and where the bundle does not hold the link that is expected.
    """
    page, data = read_page(text)
    try:
        for step in (_transcripts, _quotes, _rows, _contents):
            step(data)
        _page(page, data)
        if expected is not None:
            _expected(data, *expected)
        back = sum(link["row"] is None for link in data["links"])
        counts = (len(data["transcripts"]), len(data["quotes"]), len(data["links"]) - back)
        return Checked(*counts, kept_back=back, head=data["made"]["head"])
    except Unfit as unfit:
        return Checked(broken=str(unfit))
    except UNREADABLE:
        return Checked(broken="its data cannot be read any more, so it was changed")


def _must(fits: bool, why: str) -> None:
    if not fits:
        raise Unfit(why)


def _transcripts(data: dict[str, Any]) -> None:
    for one in data["transcripts"]:
        fits = sha256_of("".join(one["turns"])) == one["sha256"]
        _must(fits, f"the transcript of {one['ref']} does not fit its hash")
        one["messages"] = [json.loads(turn) for turn in one["turns"]]


def _quotes(data: dict[str, Any]) -> None:
    for one in data["quotes"]:
        messages = data["transcripts"][one["transcript"]]["messages"]
        for turn, start, end, exact in one["spans"]:
            words = messages[turn][2][start:end] if turn < len(messages) else ""
            where = f"turn {turn + 1}, characters {start} to {end}"
            _must(words == exact and end > start, f"{one['about']}: other words stand in {where}")


def _rows(data: dict[str, Any]) -> None:
    for link in data["links"]:
        name = _named(link)
        _must(link["row"] is not None or _may_be_kept_back(data, link), f"{name}: its row is missing")
        fits = link["row"] is None or sha256_of(link["row"]) == link["row_sha256"]
        _must(fits, f"{name}: its row was changed")
        parts = (link[part] for part in ("seq", "at", "before", "logged", "row_id", "row_sha256"))
        _must(sha256_of("\n".join(map(str, parts))) == link["sha256"], f"{name}: the link was changed")
        link["said"] = json.loads(link["row"]) if link["row"] is not None else {}
        names = (link["said"].get("id"), link["said"].get("item_id", 0)) == (link["row_id"], link["item"])
        _must(link["row"] is None or names, f"{name}: it names another row")
    for before, link in pairwise(data["links"]):
        _must(before["seq"] < link["seq"], f"{_named(link)} does not stand in the order of the log")
        follows = before["seq"] + 1 != link["seq"] or before["sha256"] == link["before"]
        _must(follows, f"{_named(link)} does not stand on the link before")


def _may_be_kept_back(data: dict[str, Any], link: dict[str, Any]) -> bool:
    """A row that was masked has its new form at a later link; a sealed one is a blind verdict."""
    if link["kept_back"] == SEALED:
        return bool(link["logged"] == "blind_verdict")
    same = [one for one in data["links"] if (one["logged"], one["row_id"]) == (link["logged"], link["row_id"])]
    return link["kept_back"] == MASKED and any(one["seq"] > link["seq"] for one in same)


def _contents(data: dict[str, Any]) -> None:
    decisions = [link for link in data["links"] if link["logged"] == "decision" and link["row"] is not None]
    last = {link["item"]: link["said"] for link in decisions}
    for one in data["contents"]:
        fits = MASK in one["said"] if one["masked"] else sha256_of(one["said"]) == one["sha256"]
        _must(fits, f"the words of {one['about']} do not fit their hash")
        decided = last.get(one["item"])
        fits = decided is None or decided["content_hash"] == one["sha256"]
        _must(fits, f"the words of {one['about']} are not those that were decided about")
        one["fields"] = json.loads(one["said"][one["said"].index("{") :])
    for note in data["notes"]:
        after = last.get(note["item"], {}).get("after", note["state"])
        why = f"{note['ref']} is shown as {note['state']}, and its last decision says {after}"
        _must(after == note["state"], why)


def _page(page: Page, data: dict[str, Any]) -> None:
    _must(page.parts == PARTS and not page.beside, "something was put beside the page")
    for path, text in page.said:
        fits = shown(str(_value_at(data, path))) == text
        _must(fits, f"{_part(data, path)} is shown otherwise than it was hashed")
    for at, quote in enumerate(data["quotes"]):
        for number, span in enumerate(quote["spans"]):
            fits = page.lit.get(f"{at}.{number}") == shown(span[3])
            _must(fits, f"{quote['about']}: other words are lit than were quoted")
    seen = {path for path, _ in page.said}
    for path in _required(data):
        _must(path in seen, f"{_part(data, path)} is not shown")
    fits = sha256_of("".join(page.main)) == data["page_sha256"]
    _must(fits, "the page shows other words than it was made with")


def _required(data: dict[str, Any]) -> list[str]:
    """What the page must show, whatever else it shows."""
    transcripts = enumerate(data["transcripts"])
    turns = [f"turn:{at}:{turn}" for at, one in transcripts for turn in range(len(one["turns"]))]
    links = [f"link:{one['seq']}:sha256" for one in data["links"]]
    rows = [f"row:{one['seq']}:by" for one in data["links"] if one["row"] is not None]
    return [*turns, *links, *rows, *(f"quote:{at}" for at in range(len(data["quotes"])))]


def _value_at(data: dict[str, Any], path: str) -> Any:
    what, *rest = path.split(":")
    if what in ("link", "row"):
        link = next(link for link in data["links"] if str(link["seq"]) == rest[0])
        return link[rest[1]] if what == "link" else link["said"].get(rest[1], "")
    if what == "made":
        return data["made"][rest[0]]
    one = data[{"turn": "transcripts", "call": "transcripts"}.get(what, f"{what.replace('place', 'quote')}s")]
    one = one[int(rest[0])]
    if what in ("turn", "call"):
        message = one["messages"][int(rest[1])]
        return message[2] if what == "turn" else "{}({})".format(*message[4][int(rest[2])][1:])
    if what == "place":
        turn, start, end, _ = one["spans"][int(rest[1])]
        return f"turn {turn + 1}, characters {start} to {end}"
    if what == "content":
        return one["sha256"] if rest[1] == "sha256" else one["fields"][rest[1]]
    return one[rest[1]] if what == "transcript" else one["text"]


def _part(data: dict[str, Any], path: str) -> str:
    """What the page shows there, in words."""
    what, *rest = path.split(":")
    if what == "made":
        return "how the bundle was made"
    if what in ("link", "row"):
        return f"link {rest[0]}" if what == "link" else f"what link {rest[0]} names"
    at = int(rest[0])
    if what in ("turn", "call", "transcript"):
        of = f"{data['transcripts'][at]['ref']}"
        return f"the transcript of {of}" if what == "transcript" else f"turn {int(rest[1]) + 1} of {of}"
    if what == "content":
        return f"the words of {data['contents'][at]['about']}"
    about = str(data["quotes"][at]["about"])
    return f"the place of {about}" if what == "place" else about


def _expected(data: dict[str, Any], seq: int, sha256: str) -> None:
    head_seq, _, head = str(data["made"]["head"]).partition(":")
    known = {link["seq"]: link["sha256"] for link in data["links"]} | {int(head_seq): head}
    if seq not in known:
        held = ", ".join(map(str, sorted(known)))
        raise BadInput(f"The bundle does not hold link {seq}; it can be held against links {held}.")
    _must(known[seq] == sha256, f"link {seq} is another one than the link that was kept elsewhere")


def _named(link: dict[str, Any]) -> str:
    return f"link {link['seq']}, {link['logged'].replace('_', ' ')} {link['row_id']}"
