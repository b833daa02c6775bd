"""Checks a bundle's file without the database: the questions that its own page asks, by another program, and two more.

Every byte outside its data is held against a hash in the data, and the page is drawn again from the data by the code
that makes bundles. The first thing that does not fit is named in words.
"""

import json
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from core import __version__
from core.errors import BadInput
from core.governance.audit.links import MASK
from core.governance.log import sha256_of
from core.service.bundle.contract import MASKED, SEALED
from core.service.bundle.document import ISLAND, document
from core.service.bundle.elements import shown
from core.service.bundle.reading import Page, Unfit, read_page
from core.service.bundle.redrawing import contents_of
from core.service.bundle.saying import part_of, required, value_at

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What is raised by data that no bundle was ever made with."""

HEAD = ["meta", "meta", "meta", "title", "style"]
PARTS = ["header", "main", "script", "script"]


@dataclass(frozen=True)
class Checked:
    """What a check found. ``broken`` says what does not fit first, None where all fits; ``kept_back`` counts rows of
    which only the hash is there. ``made_with`` is the version of the program that made the file, where that is
    another one than this, so that the page could not be drawn again.
    """

    transcripts: int = 0
    quotes: int = 0
    rows: int = 0
    kept_back: int = 0
    head: str = ""
    broken: str | None = None
    made_with: str | None = None

    @property
    def text(self) -> str:
        """One line for people."""
        if self.broken is not None:
            return f"does not fit: {self.broken}"
        counts = ((self.transcripts, "transcript"), (self.quotes, "quote"), (self.rows, "row"))
        said = ", ".join(f"{count:,} {one if count == 1 else one + 's'}" for count, one in counts)
        kept = f"; {self.kept_back:,} kept back, as said in it" if self.kept_back else ""
        other = (
            f"; made with Tutelage {self.made_with} and checked with {__version__}, so its page was not drawn again "
            "from its data: its bytes were only held against the hash in the file, which whoever changes them can renew"
        )
        return f"{said} fit their hashes{kept}{other if self.made_with else ''}"


def check_bundle(text: str, expected: tuple[int, str] | None = None) -> Checked:
    """Check a bundle. ``expected`` is a link of the log that was kept elsewhere: number and hash.

    Raises ``BadInput`` for a file that is no bundle, and where the bundle does not hold the link that is expected.
    """
    try:
        page, data = read_page(text)
        for step in (_transcripts, _quotes, _rows, _contents, _history):
            step(data)
        _page(page, data)
        _outside(text, data)
        redrawn = _redrawn(text, page)
        if expected is not None:
            _expected(data, *expected)
        back = sum(link["row"] is None for link in data["links"])
        counts = (len(data["transcripts"]), len(data["quotes"]), len(data["links"]) - back)
        return Checked(
            *counts, kept_back=back, head=data["made"]["head"], made_with=None if redrawn else data["made"]["program"]
        )
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
        severity = last.get(note["item"], {}).get("severity") or note["severity"]
        why = f"{note['ref']} is shown as {note['severity']}, and its last decision says {severity}"
        _must(severity == note["severity"], why)


def _history(data: dict[str, Any]) -> None:
    """Each item in the file has every decision, from revision 1 to the one that is shown."""
    named = {one["item"]: (one["about"], one["revision"]) for one in data["contents"]}
    for note in data["notes"]:
        named |= {item: (ref, revision) for ref, item, revision in note["others"] if item not in named}
    made: dict[int, set[int]] = {item: set() for item in named}
    for link in data["links"]:
        if link["logged"] == "decision" and link["row"] is not None:
            made.setdefault(link["item"], set()).add(link["said"]["revision"])
    for item, revisions in made.items():
        name, last = named.get(item, (f"item {item}", max(revisions, default=0)))
        missing = next((one for one in range(1, last + 1) if one not in revisions), None)
        _must(missing is None, f"the decision that made revision {missing} of {name} is missing")
        _must(max(revisions, default=0) == last, f"{name} is shown at revision {last}, and was decided about since")


def _page(page: Page, data: dict[str, Any]) -> None:
    _must(page.parts == PARTS and not page.beside, "something was put beside the page")
    for path, text in page.said:
        fits = shown(str(value_at(data, path))) == text
        _must(fits, f"{part_of(data, path)} is shown otherwise than it was hashed")
    for at, quote in enumerate(data["quotes"]):
        for number, span in enumerate(quote["spans"]):
            fits = page.lit.get(f"{at}.{number}") == shown(span[3])
            _must(fits, f"{quote['about']}: other words are lit than were quoted")
    seen, due = Counter(path for path, _ in page.said), Counter(required(data))
    for path in due:
        _must(seen[path] >= due[path], f"{part_of(data, path)} is not shown")
    for path in seen:
        _must(seen[path] == due[path], f"{part_of(data, path)} is shown more often than it was")
    for name in page.strange[:1]:
        raise Unfit(f"“{name}” stands in the page, which no bundle has")
    _must(not page.comments, "a comment stands in the page, which no bundle has")
    _must(page.head == HEAD, "the head of the file has other parts than it was made with")
    fits = sha256_of("".join(page.main)) == data["page_sha256"]
    _must(fits, "the page shows other words than it was made with")


def _outside(text: str, data: dict[str, Any]) -> None:
    """Every byte of the file that is not its data: style, script, content policy and page."""
    first, _, rest = text.partition(ISLAND)
    fits = sha256_of(first + ISLAND + rest[rest.find("</script>") :]) == data["outside_sha256"]
    _must(fits, "the file was changed outside its data: its page, style, script or content policy")


def _redrawn(text: str, page: Page) -> bool:
    """Whether the same file comes of its data; False where another version of the program draws another one."""
    data = json.loads(page.data[0])
    other = data["made"]["program"] != __version__
    try:
        same = document(contents_of(data)) == text.encode(errors="replace")
    except UNREADABLE:
        if not other:
            raise
        same = False
    _must(same or other, "drawn again from its data, it is another file")
    return same


def _expected(data: dict[str, Any], seq: int, sha256: str) -> None:
    head_seq, _, head = str(data["made"]["head"]).partition(":")
    known = {link["seq"]: link["sha256"] for link in data["links"]} | {int(head_seq): head}
    if seq not in known:
        held = ", ".join(map(str, sorted(known)))
        raise BadInput(f"The bundle does not hold link {seq}; it can be held against links {held}.")
    _must(known[seq] == sha256, f"link {seq} is another one than the link that was kept elsewhere")


def _named(link: dict[str, Any]) -> str:
    return f"link {link['seq']}, {link['logged'].replace('_', ' ')} {link['row_id']}"
