"""Ways in which a quote is not what was said: the false classes. None of them may be grounded."""

import random
import re
from collections.abc import Callable
from itertools import pairwise

from bench.evidence.samples import (
    Labelled,
    Passage,
    in_order,
    negates,
    plain_words,
    stands_anyway,
    stands_elsewhere,
    with_message,
)
from core.vocabulary import Role

Falsehood = Callable[[Passage, random.Random], Labelled | None]

_NUMBER = re.compile(r"\d[\d,.]*")
_PLAIN = re.compile(r"(?<![\w'’-])[A-Za-z]{3,}(?![\w'’-])")
_INVENTED = (
    "the crimson lighthouse keeper forgave every wandering gull before supper",
    "seventeen marble otters negotiated the harbour treaty by candlelight",
    "our umbrella orchestra rehearses only underneath collapsing staircases",
)


def changed(change: Callable[[str, random.Random], str | None]) -> Falsehood:
    """A quote whose words were changed, unless the changed words stand somewhere anyway."""

    def made(found: Passage, chance: random.Random) -> Labelled | None:
        quote = change(found.text, chance)
        if quote is None or quote == found.text or stands_anyway(quote, found.transcript):
            return None
        return Labelled(quote, found.transcript, None)

    return made


def _one(pattern: re.Pattern[str], replacement: Callable[[str, random.Random], str]) -> Falsehood:
    def change(text: str, chance: random.Random) -> str | None:
        matches = list(pattern.finditer(text))
        if not matches:
            return None
        match = chance.choice(matches)
        return text[: match.start()] + replacement(match.group(), chance) + text[match.end() :]

    return changed(change)


def _other_digit(number: str, chance: random.Random) -> str:
    place = chance.choice([index for index, digit in enumerate(number) if digit.isdigit()])
    return number[:place] + str((int(number[place]) + chance.randint(1, 9)) % 10) + number[place + 1 :]


def _swapped(text: str, chance: random.Random) -> str | None:
    words = text.split()
    told = [plain_words(word).strip() for word in words]
    places = [index for index, (one, next_one) in enumerate(pairwise(told)) if one and next_one and one != next_one]
    if not places:
        return None
    place = chance.choice(places)
    words[place], words[place + 1] = words[place + 1], words[place]
    return " ".join(words)


def _without_a_word(text: str, chance: random.Random) -> str | None:
    words = text.split()
    places = [index for index in range(1, len(words) - 1) if words[index].isalpha()]
    if not places:
        return None
    place = chance.choice(places)
    return " ".join([*words[:place], *words[place + 1 :]])


def _with_negation(text: str, chance: random.Random) -> str | None:
    words = text.split()
    place = chance.randrange(1, len(words))
    return " ".join([*words[:place], "not", *words[place:]])


def _contracted(text: str, chance: random.Random) -> str | None:
    matches = list(re.finditer(r"\b(?:is|are|do|does|did|would|could|should|have|has|was|were)\b", text))
    if not matches:
        return None
    match = chance.choice(matches)
    return f"{text[: match.end()]}n't{text[match.end() :]}"


def _reversed_pieces(found: Passage, _: random.Random) -> Labelled | None:
    words = found.text.split()
    half = len(words) // 2
    first, second = " ".join(words[: half - 1]), " ".join(words[half + 1 :])
    if half < 5 or any(in_order(second, first, message.content) for message in found.transcript.messages):
        return None
    return Labelled(f"{second} ... {first}", found.transcript, None)


def _of_two_messages(found: Passage, chance: random.Random) -> Labelled | None:
    others = [
        turn
        for turn, message in enumerate(found.transcript.messages)
        if turn != found.turn and message.role is Role.ASSISTANT and len(message.content.split()) > 6
    ]
    if not others:
        return None
    other = " ".join(found.transcript.messages[chance.choice(others)].content.split()[:6])
    if stands_anyway(f"{found.text} {other}", found.transcript) or any(
        stands_anyway(found.text, t) and stands_anyway(other, t)
        for t in (found.transcript.model_copy(update={"messages": (m,)}) for m in found.transcript.messages)
    ):
        return None
    return Labelled(f"{found.text} ... {other}", found.transcript, None)


def _across_a_border(found: Passage, _: random.Random) -> Labelled | None:
    if found.turn + 1 >= len(found.transcript.messages):
        return None
    following = found.transcript.messages[found.turn + 1].content.split()[:6]
    quote = " ".join([*found.content.split()[-6:], *following])
    return None if stands_anyway(quote, found.transcript) else Labelled(quote, found.transcript, None)


def _of_another(role: Role) -> Falsehood:
    def made(found: Passage, _: random.Random) -> Labelled | None:
        message = next((m for m in found.transcript.messages if m.role is role and len(m.content.split()) > 5), None)
        if message is None:
            return None
        quote = " ".join(message.content.split()[:12])
        agents = [m for m in found.transcript.messages if m.role is Role.ASSISTANT]
        said = stands_anyway(quote, found.transcript.model_copy(update={"messages": tuple(agents)}))
        return None if said else Labelled(quote, found.transcript, None)

    return made


def _cut(at_start: bool) -> Falsehood:
    def change(text: str, _: random.Random) -> str | None:
        word = text.split()[0 if at_start else -1]
        if not word.isalpha() or not word.isascii() or len(word) < 5:
            return None
        return text[2:] if at_start else text[:-2]

    return changed(change)


def _prefixed(found: Passage, _: random.Random) -> Labelled | None:
    """The source says ``non-…``; the quote begins after the hyphen."""
    changed = found.with_source(f"non-{found.text}")
    if not found.text[0].isalpha() or stands_elsewhere(found):
        return None
    return Labelled(found.text, changed.transcript, None)


def of_source(source: str, quote: str) -> Falsehood:
    """A sentence of the agent, and a quote of it that says something else."""

    def made(found: Passage, _: random.Random) -> Labelled | None:
        return Labelled(quote, with_message(found.transcript, Role.ASSISTANT, source), None)

    return made


def _hidden_negation(found: Passage, _: random.Random) -> Labelled | None:
    """Honest or not, a gap with a negation is held until a person looks."""
    words = list(re.finditer(r"\S+", found.text))
    third = len(words) // 3
    if third < 5:
        return None
    first, gap, second = (
        found.text[words[0].start() : words[third - 1].end()],
        found.text[words[third - 1].end() : words[2 * third].start()],
        found.text[words[2 * third].start() :],
    )
    held = negates(gap) and not any(
        plain_words(piece) in plain_words(message.content.replace(found.text, "", 1))
        for message in found.transcript.messages
        for piece in (first, second)
    )
    return Labelled(f"{first} ... {second}", found.transcript, None) if held else None


CHANGES: dict[str, Falsehood] = {
    "a digit changed": _one(_NUMBER, _other_digit),
    "a digit dropped": _one(re.compile(r"\d{2,}"), lambda number, _: number[:-1]),
    "a digit added": _one(re.compile(r"\d+"), lambda number, _: number + "7"),
    "a decimal point moved": _one(re.compile(r"\d+\.\d+"), lambda number, _: number.replace(".", "")),
    "a per cent sign dropped": of_source("You pay 5 % in all years.", "You pay 5 in all years"),
    "a per cent sign cut off": of_source("The fee you pay is 5 % today.", "The fee you pay is 5"),
    "another currency": of_source("You pay $50 in all years.", "You pay €50 in all years"),
    "a negation added": changed(_with_negation),
    "a negation dropped": _one(re.compile(r"\b(?:not|never) "), lambda *_: ""),
    "a contraction negated": changed(_contracted),
    "a word replaced": _one(_PLAIN, lambda *_: "ordinarily"),
    "a word added": _one(_PLAIN, lambda word, _: f"{word} ordinarily"),
    "a word dropped": changed(_without_a_word),
    "two words swapped": changed(_swapped),
    "a letter changed": _one(_PLAIN, lambda word, _: word[0] + ("x" if word[1] != "x" else "y") + word[2:]),
    "pieces reversed": _reversed_pieces,
    "pieces of two messages": _of_two_messages,
    "across two messages": _across_a_border,
    "the user's words": _of_another(Role.USER),
    "the system prompt's words": _of_another(Role.SYSTEM),
    "a tool's words": _of_another(Role.TOOL),
    "cut at the start of a word": _cut(at_start=True),
    "cut at the end of a word": _cut(at_start=False),
    "cut after a hyphen": _prefixed,
    "gap with a negation": _hidden_negation,
    "gap with a restriction": of_source(
        "We will refund the whole fee only if you ask.", "We will refund the whole fee ... if you ask"
    ),
    "invented": lambda found, chance: Labelled(chance.choice(_INVENTED), found.transcript, None),
    "a thousand cut short": of_source("The fee would be $1,250 in all.", "The fee would be $1"),
    "an exponent flattened": of_source("There are 10² ways of it.", "There are 102 ways of it"),
    "an exponent cut off": of_source("It holds up to 10² items.", "It holds up to 10"),
    "a minus left out": of_source("The return was −5 % last year.", "5 % last year for you"),
    "a comma after No": of_source("No, refunds are possible here.", "No refunds are possible here"),
    "an accent lost": of_source("Đây là nội dung của ông ấy.", "Đây là no dung của ông ấy"),
    "a range cut": of_source("Between 15–20 days pass by.", "20 days pass by"),
    "two words": of_source("Such zebra crossings are rare, I think.", "zebra crossings"),
}
