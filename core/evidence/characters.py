"""What each character counts as when words are compared.

Evidence, first step. Two promises: a character always folds the same way, whatever stands around it, so folding two
texts and joining them is the same as folding the joined text; and every class of look-alike (dashes, quotes, spaces,
presentation forms, invisible characters) is decided here and nowhere else.
"""

import unicodedata

WITHOUT_SPACES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x109F),  # Tibetan, Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),
    (0x3041, 0x30FA),  # kana
    (0x30FC, 0x312F),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFF9D),
    (0x20000, 0x3FFFF),
)
"""Code points of scripts that are written without spaces between words."""

HYPHENS = frozenset("-‐‑‒–−﹣－⁃˗")
LONG_DASHES = frozenset("—―⸺⸻﹘")
APOSTROPHES = frozenset("'’‘‛ʼʹ′´＇")
DOUBLE_QUOTES = frozenset('"“”„‟«»‹›「」『』〝〞＂″‚')
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\ufeff\u20e3™®©℠")
"""Characters that do not count at all, beside everything of the Unicode category Cf and the variation selectors."""

SKIN_TONES = frozenset("🏻🏼🏽🏾🏿")
"""Parts of the picture before them, though Unicode counts them among the symbols."""

_ASCII_SHAPES = {
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "a"),
    **dict.fromkeys("0123456789", "0"),
    **dict.fromkeys(' "()[]{};!?|', "p"),
    **dict.fromkeys("+=<>^%&@/\\", "s"),
    **dict.fromkeys("-'.,:_*`~$#\n", ""),
}
_CATEGORY_SHAPES = {"Nd": "0", "Nl": "n", "No": "n", "Sc": "$", "Sm": "s", "Sk": "s", "Cn": "e", "Co": "e", "Cs": "e"}


def written_without_spaces(character: str) -> bool:
    """Whether the character belongs to a script that puts no spaces between words."""
    code = ord(character)
    return any(first <= code <= last for first, last in WITHOUT_SPACES)


def is_invisible(character: str) -> bool:
    """Whether the character leaves no mark of its own: zero-width, soft hyphen, selectors, trade marks."""
    return (
        character in INVISIBLE
        or "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
        or unicodedata.category(character) == "Cf"
    )


def _shape(character: str) -> str:
    """One letter for what the character is; see ``SHAPES``."""
    if character in _ASCII_SHAPES:
        return " " if character == " " else _ASCII_SHAPES[character] or character
    if is_invisible(character):
        return "z"
    if character in HYPHENS:
        return "-"
    if character in APOSTROPHES:
        return "'"
    if character in LONG_DASHES or character in DOUBLE_QUOTES:
        return "p"
    return _shape_by_category(character)


def _shape_by_category(character: str) -> str:
    if character in SKIN_TONES:
        return "e"
    category = unicodedata.category(character)
    plain = unicodedata.normalize("NFKC", character)
    if plain in _ASCII_SHAPES and category != "No":
        return _shape(plain)
    if category[0] in "ZC" and character.isspace():
        return "\n" if character in "\u2028\u2029\x85" else " "
    if unicodedata.category(unicodedata.normalize("NFKD", character)[0])[0] == "M":
        return "m"
    if category[0] == "L":
        return "c" if written_without_spaces(character) else "a"
    if category == "So" and len(plain) == 1 and plain != character and plain.isalpha():
        return _shape(plain)  # a letter in a circle or a square, a radical
    if category == "So":
        return "s" if character == "°" or len(plain) > 1 else "e"
    return _CATEGORY_SHAPES.get(category, "p")


def _fold(character: str) -> str:
    """The character as it is compared: lower case, decomposed, look-alikes made one."""
    if is_invisible(character) or character in "*`":
        return ""
    for members, plain in ((HYPHENS, "-"), (LONG_DASHES, "-"), (APOSTROPHES, "'"), (DOUBLE_QUOTES, '"')):
        if character in members:
            return plain
    if character.isspace():
        return " "
    if character == "ı":
        return "i"
    decomposed = unicodedata.normalize("NFKD", character).casefold()
    return "".join(" " if part.isspace() else part for part in unicodedata.normalize("NFKD", decomposed))


class _Shapes(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = _shape(chr(code))
        return self[code]


class _Folds(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = _fold(chr(code))
        return self[code]


class _Letters(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = "".join(part for part in FOLDS[code] if part.isalnum())
        return self[code]


class _Spellings(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = "".join(part for part in FOLDS[code] if part.isascii() and part.isalnum())
        return self[code]


SHAPES = _Shapes()
"""Code point → shape, for ``str.translate``: one letter a character, so that offsets stay.

``a`` letter, ``m`` combining mark, ``c`` letter of a script without spaces, ``0`` digit, ``n`` other number (½ ² ①),
``$`` currency, ``s`` symbol that counts as a word, ``e`` picture, ``z`` invisible, ``p`` punctuation, space, new line,
and ``- ' . , : _ * ` ~ #`` for themselves and what looks like them.
"""

FOLDS = _Folds()
"""Code point → how it is compared, for ``str.translate``."""

LETTERS = _Letters()
"""Code point → its letters and digits in any script, without marks."""

SPELLINGS = _Spellings()
"""Code point → the ASCII letters and digits that it spells: ``é`` → ``e``, ``ﬁ`` → ``fi``, ``—`` → nothing."""

for _code in range(128):
    SHAPES[_code], FOLDS[_code] = _shape(chr(_code)), _fold(chr(_code))


def folded(text: str) -> str:
    """The text as it is compared, character by character; spaces are kept as they stand, one for one.

    Folding twice is folding once, and ``folded(a + b) == folded(a) + folded(b)`` up to the order of combining marks,
    which is made canonical.
    """
    if text.isascii():
        return text.translate(FOLDS)
    return unicodedata.normalize("NFKD", text.translate(FOLDS).replace("i\u0307", "i"))
