"""Passwords told without a word for them right in front: beside a user's name, before the word, or when asked for.

Screening, secrets. Only what looks made counts, since the words around are mostly ordinary ones.
"""

import re
from collections.abc import Iterator

from core.screening.glances import holds, lowered, matches_at, places, regions
from core.screening.ordinary import PLACEHOLDER
from core.screening.spoken_credentials import is_identifier, is_measure, machine_made

_BEHIND = re.compile(
    r"(?<!\S)[\"'`“]?([^\s\"'`,;<>“”]{4,80})[\"'`”]?\s(?:as|is|als|comme|como|come|som|jako)\s(?:(?:the|my|your|our|their|a|his"
    r"|her|le|la|el|das|mon|votre|il|o|het)\s)?(?:[\w-]{1,16}\s){0,2}?"
    r"(password|passcode|passphrase|pin|api key|access key|secret|access token|token|passwort|kennwort|contraseña"
    r"|mot de passe|senha|wachtwoord|lösenord|hasło)\b",
    re.IGNORECASE,
)
_KEY_NAMES = frozenset(("pin", "api key", "access key", "secret", "access token", "token"))
_NAMES_BEHIND = (
    *("pass", "pin", "api key", "access key", "secret", "token"),
    *("kennwort", "contraseña", "mot de", "senha", "wachtwoord", "lösenord", "hasło"),
)
_REACH, _LONGEST_NAME = 160, 24
"""Characters before such a name where its value and the words between begin, and from its start to its end."""
_LOGIN = re.compile(
    r"\b(?:credentials?|log(?:ged|s)? ?[io]n|sign(?:ed)? in|user(?:name)?|account|admin)\b[^\n/:]{0,40}?"
    r"[\s:]([\w.@-]{2,40})(?:\s?[/:,]\s?(?:pass(?:word)?|pw)?\s?|\s(?:and|with|und|mit|et|y|con|e)\s)([^\s,;\"'<>]{5,80})",
    re.IGNORECASE,
)
_LOGIN_WORDS = ("credential", "log", "sign", "user", "admin", "account")
_CLIENTS = ("mysql", "mariadb", "sshpass", "smbclient", "mongo")
_CLIENT = re.compile(
    r"\b(?:mysql\w*|mariadb\w*|sshpass|smbclient|mongo\w*)\b[^\n|;]{0,80}?\s-p ?([^\s\"'$-][^\s\"']{3,80})"
)
_CURL = re.compile(r"-(?<!\S-)(?:u|-user|p)\s?[\"']?([\w.@-]{1,60}:[^\s\"']{3,120})")


def _pairs(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """A user's name and a password with a slash or a colon between: “admin / Winter2024!”."""
    for match in matches_at(_LOGIN, text, places(lower, _LOGIN_WORDS)):
        value = match[2].rstrip(".,;:?)]}")
        strong = re.search(r"\d", value) and re.search(r"[A-Za-z]", value) and not is_identifier(value)
        if strong and re.search(r"[A-Z!@#$%^&*]", value) and not value.isupper() and "/" not in value:
            yield match.start(2), match.start(2) + len(value), "password"


def _before_the_name(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """“Use Kiwi2020 as the password”: only what looks made, since the word before is mostly an ordinary one."""
    for match in _behind(text, lower):
        value, name = match[1], match[2].casefold()
        is_pin = name == "pin" and value.isdigit() and len(value) in (4, 5, 6, 8)
        mixed = (
            re.search(r"\d", value)
            and re.search(r"[A-Za-z]", value)
            and not is_measure(value)
            and not is_identifier(value)
        )
        word = name not in _KEY_NAMES
        if is_pin or (mixed and word) or (not word and machine_made(value, 12)):
            yield *match.span(1), "pin" if is_pin else "password" if word else "generic_key"


def _behind(text: str, lower: str) -> Iterator[re.Match[str]]:
    for start, end in regions(places(lower, _NAMES_BEHIND), _REACH, _LONGEST_NAME):
        yield from _BEHIND.finditer(text, start, end)


_VALUE = r"[\"'`“]?([^\s\"'`,;<>“”]{5,80}?)[\"'`”]?"
_NAME = r"(?:password|passcode|passphrase|pass ?word|pwd|passwort|kennwort|mot de passe|contraseña|senha)"
_NAME_WORDS = ("pass", "pwd", "kennwort", "contraseña", "senha")
_ASKED_FOR = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:enter|type|use|give|say|try) {_VALUE}(?:,| ) ?(?:when|if|where|as soon as)\b[^.;\n]{{0,40}}\b{_NAME}\b",
        rf"\b{_NAME}\b[^.;\n]{{0,24}}, (?:then )?(?:enter|type|use|give|say|try) {_VALUE}(?=[\s.,;]|$)",
    )
)
_AROUND = 200
"""Characters before and after such a name in which the whole sentence stands."""
_BESIDE_AN_ACCOUNT = re.compile(
    rf"\b(?:wi-?fi|wlan|vpn|user(?:name)?|login|account)\b[^.;\n]{{0,30}}?"
    rf"(?: pass|: ?[\w-]{{1,20}} /) {_VALUE}(?=[\s.,;]|$)",
    re.IGNORECASE,
)


def told_logins(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of passwords told in a sentence. ``text`` is plain."""
    lower = lowered(text)
    yield from _pairs(text, lower)
    yield from _before_the_name(text, lower)
    yield from _asked_for(text, lower)
    if holds(text, ("-u", "-p")):
        yield from ((*match.span(1), "password") for match in _CURL.finditer(text) if "$" not in match[1])
    if "-p" in text and holds(text, _CLIENTS):
        yield from ((*match.span(1), "password") for match in _CLIENT.finditer(text) if not PLACEHOLDER.match(match[1]))


def _asked_for(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """“When it asks for a password, type …”."""
    for match in _asking(text, lower):
        mixed = re.search(r"\d", match[1]) and re.search(r"[^\W\d_]", match[1])
        if mixed and not is_measure(match[1]) and not is_identifier(match[1]):
            yield *match.span(1), "password"


def _asking(text: str, lower: str) -> Iterator[re.Match[str]]:
    for start, end in regions(places(lower, _NAME_WORDS), _AROUND, _AROUND):
        for form in _ASKED_FOR:
            yield from form.finditer(text, start, end)
    if holds(lower, (" pass ", " / ")):
        yield from _BESIDE_AN_ACCOUNT.finditer(text)
