"""Quotes that join what a line parts, or drop what begins a line: false classes."""

import random

from bench.evidence.falsehoods import Falsehood, of_source
from bench.evidence.samples import Labelled, Passage, stands_anyway, with_message
from core.vocabulary import Role

_LINES = {
    "a line": "\n",
    "a paragraph": "\n\n",
    "a heading": "\n\n## ",
    "a list": "\n- ",
}


def _joined(border: str) -> Falsehood:
    """An answer that stands on a line of its own, quoted as the beginning of what follows: it turns the meaning."""

    def made(found: Passage, chance: random.Random) -> Labelled | None:
        word, text = chance.choice(("No", "Never", "Not")), found.text
        if not text[0].isalpha() or stands_anyway(f"{word} {text}", found.transcript):
            return None
        source = f"Is that so? {word}{border}{text[0].upper()}{text[1:]}"
        return Labelled(f"{word} {text}", with_message(found.transcript, Role.ASSISTANT, source), None)

    return made


JOINS: dict[str, Falsehood] = {f"No, joined to {name}": _joined(border) for name, border in _LINES.items()} | {
    "a Chinese unit cut off": of_source("我们的价格是5万元整，请您在三天内付款。", "我们的价格是5"),
    "a Chinese numeral cut at its end": of_source("我们的价格是三百五十元整，请您付款。", "我们的价格是三百"),
    "a Chinese numeral cut at its start": of_source("我们会在二十三天内退款给您，请放心。", "三天内退款给您，请放心"),
    "a Japanese numeral cut": of_source("ご返金は二十五日以内に行われますので。", "五日以内に行われますので"),
    "a number that begins a line": of_source(
        "You pay up to\n20. It is due on Monday.", "You pay up to It is due on Monday."
    ),
    "a bound that begins a line": of_source(
        "The bags weigh a mean of\n> 20 kilos.", "The bags weigh a mean of 20 kilos."
    ),
    "a minus that begins a line": of_source("The fee changed by\n- 20 dollars.", "The fee changed by 20 dollars."),
}
