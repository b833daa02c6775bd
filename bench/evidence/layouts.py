"""Sources that are laid out as headings, lists, tables, code or HTML, and quotes that say their words: true classes."""

import random
import re
from collections.abc import Callable

from bench.evidence.noise import Noise, written
from bench.evidence.samples import Labelled, Passage, negates, stands_anyway, stands_elsewhere, with_message
from core.evidence.contract import Span
from core.vocabulary import Role

_MARKUP = re.compile(r"[\n<>{}|`*#=\[\]\\]")
_FIRST, _LAST = "\x02", "\x03"
_FAR = "".join(f"The line was looked at again at station {number}, and all was well. " for number in range(80))


def _laid_out(of: int, join: Callable[[list[str]], str], fits: Callable[[str], bool] = bool) -> Noise:
    """The words of the source, where the text ``fits``, stand in runs of ``of`` words that ``join`` puts together."""

    def made(found: Passage, _: random.Random) -> Labelled | None:
        words = f"{_FIRST}{found.text}{_LAST}".split()
        if _MARKUP.search(found.text) or not fits(found.text) or stands_elsewhere(found):
            return None
        marked = join([" ".join(words[start : start + of]) for start in range(0, len(words), of)])
        start, end = marked.index(_FIRST), marked.index(_LAST) - 1
        laid = found.with_source(marked.replace(_FIRST, "").replace(_LAST, ""))
        return Labelled(found.text, laid.transcript, (laid.part(start, end).span,))

    return made


def _numbered(runs: list[str]) -> str:
    return "".join(f"\n{number}. {run}" for number, run in enumerate(runs, 1))


def _before_each(mark: str) -> Callable[[list[str]], str]:
    return lambda runs: "\n".join(f"{mark}{run}" for run in runs)


def _headed(runs: list[str]) -> str:
    return f"## {runs[0]}\n\n" + "\n\n".join(runs[1:])


def _fenced(language: str) -> Callable[[list[str]], str]:
    return lambda runs: f"{runs[0]}\n\n```{language}\n" + "\n".join(runs[1:]) + "\n```\n"


def _cells(runs: list[str]) -> str:
    return "| " + " | ".join(runs) + " |\n|" + "---|" * len(runs)


def _has_a_number(text: str) -> bool:
    return any(letter.isdigit() for letter in text)


def _may_lose_a_mark(text: str) -> bool:
    """Whether nothing in the text forbids that a mark beside it is left out: a number, or a word that negates."""
    return text.isascii() and not _has_a_number(text) and not negates(text)


def _keeps_statements(text: str) -> bool:
    """Whether no item of four words ends or begins with a negation, which a list would part from what it negates."""
    return not any(negates(word) for place, word in enumerate(text.split()) if place % 4 in (0, 3))


def _tagged(runs: list[str]) -> str:
    return "<p>" + "</p>\n<p>".join(re.sub(r"(\S+)$", r"<b>\1</b>", run) for run in runs) + "</p>"


def _marked(in_source: str, in_quote: str) -> Noise:
    """One word stands in marks that differ."""

    def made(found: Passage, chance: random.Random) -> Labelled | None:
        words = found.text.split(" ")
        middle = len(words) // 2
        if not words[middle].isalpha():
            return None
        source, quote = (
            " ".join([*words[:middle], form.format(words[middle]), *words[middle + 1 :]])
            for form in (in_source, in_quote)
        )
        sample = written(lambda _: source)(found, chance)
        return sample and Labelled(quote, sample.transcript, sample.spans)

    return made


def _alone(before: str, quote: str, after: str) -> Noise:
    """Too few words to prove anything, were they not a whole sentence, line or turn."""

    def made(found: Passage, _: random.Random) -> Labelled | None:
        transcript = with_message(found.transcript, Role.ASSISTANT, before + quote + after)
        span = Span(len(transcript.messages) - 1, len(before), len(before) + len(quote))
        return None if stands_anyway(quote, found.transcript) else Labelled(quote, transcript, (span,))

    return made


def _far_apart(found: Passage, chance: random.Random) -> Labelled | None:
    """Two pieces with thousands of characters between them; nothing left out negates, and dots say that it was."""
    head = re.match(r"[A-Za-z]+(?:\s+[A-Za-z]+){3,}(?=\s)", found.text)
    if head is None or re.search(r"\.\.\.|…", found.text):
        return None
    first, second = head.group(), found.text[head.end() :].lstrip()
    sample = written(lambda _: f"{first}. {_FAR}{second}")(found, chance)
    if sample is None or len(re.findall(r"(?<!\S)[A-Za-z]+(?!\S)", second)) < 3:
        return None
    [span] = sample.spans or ()
    pieces = Span(span.turn, span.start, span.start + len(first)), Span(span.turn, span.end - len(second), span.end)
    return Labelled(f"{first} ... {second}", sample.transcript, pieces)


LAYOUTS: dict[str, Noise] = {
    "source as a list": _laid_out(4, _before_each("- "), _keeps_statements),
    "source as a list of stars": _laid_out(4, _before_each("  * "), _keeps_statements),
    "source as a list of bullets": _laid_out(4, _before_each("• "), _keeps_statements),
    "source as a numbered list": _laid_out(4, _numbered, _keeps_statements),
    "source as a list of things to do": _laid_out(4, _before_each("- [ ] "), _may_lose_a_mark),
    "source as a list of things done": _laid_out(4, _before_each("\n- [x] "), _may_lose_a_mark),
    "source quoted in a mail": _laid_out(4, _before_each("> ")),
    "source under a heading": _laid_out(4, _headed, _keeps_statements),
    "source all headings": _laid_out(4, _before_each("### "), _keeps_statements),
    "source in a code fence": _laid_out(4, _fenced(""), _keeps_statements),
    "source in a fence of a language": _laid_out(4, _fenced("bash"), _keeps_statements),
    "source as a table": _laid_out(3, _cells, _may_lose_a_mark),
    "source with HTML tags": _laid_out(4, _tagged, _keeps_statements),
    "source with line breaks as tags": _laid_out(4, "<br/>".join),
    "source with guillemets": _marked("«{}»", '"{}"'),
    "source with inverted commas": _marked("„{}“", "“{}”"),
    "two words, a whole sentence": _alone("It is done. ", "Zebras agree.", " You will see."),
    "two words, a whole line": _alone("It is done:\n\n- ", "Zebra crossing", "\n- the other thing\n"),
    "one word, a whole turn": _alone("", "Zebras.", "\n"),
    "elided, pieces far apart": _far_apart,
}

OPEN_LAYOUTS: dict[str, Noise] = {
    "source as a table of numbers": _laid_out(3, _cells, _has_a_number),
}
"""Here a border is left out that may tell something."""
