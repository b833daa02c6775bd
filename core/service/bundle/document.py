"""The one file that a bundle is: the page, its style, the script that checks it, and the data, with nothing from afar.

The content policy lets in this very style and this very script, by their hashes, and no address at all.
"""

import base64
import hashlib
from pathlib import Path

from core.governance.log import moment_text, sha256_of
from core.service.bundle.contract import Contents
from core.service.bundle.data import data_of, island
from core.service.bundle.elements import Element, Node, element, rendered, said, shown, text_of
from core.service.bundle.note_pages import doings, log_table, note_page
from core.service.bundle.transcript_pages import session_page

_HERE = Path(__file__).parent
STYLE = (_HERE / "style.css").read_text(encoding="utf-8")
SCRIPT = (_HERE / "check.js").read_text(encoding="utf-8")
RECIPE = (_HERE / "recipe.py.txt").read_text(encoding="utf-8")
ISLAND = '<script type="application/json" id="bundle">'
"""Behind it the data begin; they end with the element."""
UNCHECKED = "Not checked: this needs the script of this page. How to check it without stands at the end."


def document(contents: Contents) -> bytes:
    """The file, in UTF-8. The same contents give the same bytes."""
    main = element("main", "", *_main(contents))
    title = f"Evidence: {shown(contents.made.about)}"
    before = (
        "<!doctype html>\n",
        '<html lang="en"><head><meta charset="utf-8">',
        rendered(element("meta", **{"http-equiv": "Content-Security-Policy", "content": _policy()})),
        rendered(element("meta", name="viewport", content="width=device-width, initial-scale=1")),
        rendered(element("title", "", title)),
        f"<style>{STYLE}</style></head><body>",
        rendered(_header()),
        rendered(main),
        ISLAND,
    )
    first, last = "".join(before), f"</script><script>{SCRIPT}</script></body></html>\n"
    hashes = {"page_sha256": sha256_of(text_of(main)), "outside_sha256": sha256_of(first + last)}
    return (first + island({**data_of(contents), "did": doings(contents), **hashes}) + last).encode()


def _policy() -> str:
    """What the file may do: this style, this script, and nothing else."""
    style, script = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (STYLE, SCRIPT))
    rules = ("default-src 'none'", f"style-src 'sha256-{style}'", f"script-src 'sha256-{script}'")
    return "; ".join((*rules, "base-uri 'none'", "form-action 'none'"))


def _header() -> Element:
    return element("header", "", element("p", "", UNCHECKED, id="checked", role="status"))


def _main(contents: Contents) -> list[Node]:
    drawn: set[int] = set()
    parts: list[Node] = [_made(contents)]
    first = 0
    for place, note in enumerate(contents.notes):
        parts.append(note_page(contents, place, first, drawn))
        first += len(note.versions)
    parts += [session_page(contents, place) for place in range(len(contents.sessions))]
    others = [link.seq for link in contents.links if link.seq not in drawn]
    if others:
        title = element("h2", "", "The log about its cases, and the policies of its agents")
        parts.append(element("section", "session", title, log_table(contents, others, drawn)))
    return [*parts, _how_to_check(contents)]


def _made(contents: Contents) -> Element:
    made = contents.made
    left = f" {made.left_out:,} more notes fit the filter and are not in it." if made.left_out else ""
    many = f"{len(contents.notes):,} {'note' if len(contents.notes) == 1 else 'notes'}"
    return element(
        "section",
        "made",
        element("h1", "", f"Evidence: {made.about}"),
        element("p", "", f"{many}, with every transcript whole and every act in the log about them.{left}"),
        element("p", "meta", _in_the_log(contents)),
        element(
            "p",
            "meta",
            "Made by ",
            said("made:by", made.by),
            " at ",
            said("made:at", moment_text(made.at)),
            " with Tutelage ",
            said("made:program", made.program),
            ". The log then ended with link ",
            said("made:head", f"{made.head[0]}:{made.head[1]}", "hash"),
            ". Times are UTC. A quote that is found was said so; that the note is right is for people to judge.",
        ),
    )


def _in_the_log(contents: Contents) -> str:
    """What of the log is not in the file, so that a number that is missed is no riddle."""
    held, all_ = len(contents.links), contents.made.head[0]
    return (
        f"Of {all_:,} links of the log, {held:,} {'is' if held == 1 else 'are'} in it. The others are about something "
        "else: other items, people, settings. Of each item that is in it, every decision is, from revision 1 on."
    )


def _how_to_check(contents: Contents) -> Element:
    seq, sha256 = contents.made.head
    steps = (
        "With the program, which draws the page again from its data, without its database: "
        f"python -m core audit check-bundle FILE --expect {seq}:{sha256}",
        "The making of this file stands in the log as the act “bundle” with the SHA-256 of its bytes: sha256sum FILE "
        "gives the same, or it is another file.",
        "With Python alone, which checks every transcript, content, row and link, and the bytes of the page:",
    )
    return element(
        "section",
        "session",
        element("h2", "", "How to check this without the script of the page"),
        element("ol", "", *(element("li", "", one) for one in steps)),
        element("div", "code", RECIPE),
        element(
            "p",
            "meta",
            "What it proves: the parts fit one another. Whoever can write the whole file anew can make all of it fit; "
            "the SHA-256 that the log keeps of the file shows that, and a link that was kept elsewhere shows it of "
            "that link and of those that lead up to it without a gap.",
        ),
    )
