"""In which language a text is written, as far as a few everyday words or the script tell.

Part of the checks, second station of the flow. Promise: in doubt the answer is None.
"""

import re
from collections import Counter

_EVERYDAY = {
    "english": "the and is of to you your for with that this are can have not will be it we",
    "german": "der die das und ist nicht ich sie wir mit für ein eine zu auf ihre ihr haben wird bitte",
    "french": "le la les et est des vous votre pour avec une que nous dans pas sur sont être du je",
    "spanish": "el la los las y es de que su para con una por está no puede usted en del se",
    "italian": "il la gli e è di che per con una del non sono della suo può nel si le vostro",
    "portuguese": "o a os as e é de que para com uma seu você não em do da está pode por",
    "dutch": "de het een en is niet van je uw voor met dat we op zijn kan wordt naar ik aan",
}
_WORDS = {language: frozenset(words.split()) for language, words in _EVERYDAY.items()}
_SCRIPTS = {
    "hindi": re.compile(r"[\u0900-\u097F]"),
    "japanese": re.compile(r"[\u3040-\u30FF]"),
    "chinese": re.compile(r"[\u4E00-\u9FFF]"),
    "korean": re.compile(r"[\uAC00-\uD7AF]"),
    "russian": re.compile(r"[\u0400-\u04FF]"),
    "arabic": re.compile(r"[\u0600-\u06FF]"),
}
NAMES = {
    "english": "english|englisch|inglés|anglais",
    "german": "german|deutsch",
    "french": "french|français|francais",
    "spanish": "spanish|español|espanol|castellano",
    "italian": "italian|italiano",
    "portuguese": "portuguese|português|portugues",
    "dutch": "dutch|nederlands",
    "hindi": "hindi|हिंदी",
    "japanese": "japanese|日本語",
    "chinese": "chinese|mandarin|中文",
    "korean": "korean|한국어",
    "russian": "russian|русск",
    "arabic": "arabic|العربية",
}
"""How each language is called, as alternatives of a pattern."""
_LOOKED_AT = 2_000
_FEWEST = 8
"""Words that a text needs before it is judged."""
_SHARE = 0.15
"""Which share of them everyday words of one language must be."""
_LEAD = 2
"""How many times as many as of any other language."""


def language_of(text: str) -> str | None:
    """The language of a text by its English name in small letters, or None where it cannot be told."""
    text = text[:_LOOKED_AT]
    letters = sum(character.isalpha() for character in text)
    for language, script in _SCRIPTS.items():
        if letters and 3 * len(script.findall(text)) > letters:
            return language
    words = re.findall(r"[^\W\d_]+", text.lower())
    counts = Counter({language: sum(word in known for word in words) for language, known in _WORDS.items()})
    (first, most), (_, next_most) = counts.most_common(2)
    if len(words) < _FEWEST or most < _SHARE * len(words) or most < _LEAD * max(next_most, 1):
        return None
    return first
