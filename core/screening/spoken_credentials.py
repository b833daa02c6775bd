"""Credentials that a sentence or an assignment gives away: “the password is …”, ``api_key=…``, ``user:pass@host``.

Screening, secrets. A word that names a credential is found first; then what stands right behind it decides. A value
counts only when it looks like one: ordinary sentences about passwords, tokens that are counted, and placeholders pass.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator

from core.screening.glances import holds, lowered, matches_at, starts
from core.screening.ordinary import CODE_WORDS, PLACEHOLDER, STATES, followed_by_unit
from core.screening.word_lists import pairs

_ROOTS = tuple((root, int(reach)) for root, reach in pairs("credential_words"))
"""Every name of a credential has one of these words, at most so many characters behind its start."""

_NAMES = (
    r"(?P<answer>security answer|secret answer|answer to (?:the|my|his|her|their) (?:security|secret) question"
    r"|(?:mother['’]s|his|her|my|their) maiden name)"
    r"|(?P<phrase>(?:seed|recovery|secret|backup|wallet|pass)[ _-]?phrase|mnemonic)"
    r"|(?P<password>(?:wi-?fi|wlan|wpa\d?|network) key|passwor[dt]|passwd|pass ?code|pwd|kennwort|contrase[ñn]a"
    r"|\bclave|mot de passe|\bsenha|wachtwoord"
    r"|\bparola(?: d['’]ordine)?|hasło|\bheslo|lösenord|adgangskode|şifre|пароль|密码|密碼|パスワード|비밀번호|पासवर्ड"
    r"|كلمة (?:المرور|السر)"
    r"|(?<![a-z])p(?:ass|w)(?=[\"']?\s?[=:]\s?\S)|(?<![a-z])pw(?=\s[^\s\d]*\d))"
    r"|(?P<code>\b(?:pin(?: ?code| number)?|otp|cvv2?|cvc2?|card verification (?:code|number|value)"
    r"|(?:one[- ]time|verification|security|confirmation|login|sign-in|2fa|mfa|authenticat(?:ion|or)|access|door|gate"
    r"|alarm|unlock|entry|safe|backup|recovery) (?:pass)?codes?))\b"
    r"|(?P<key>(?:api|access|secret|private|signing|encryption|license|licence|account|auth|service|master|deploy|ssh"
    r"|admin"
    r"|storage|subscription|webhook|shared|client|app|consumer)[ _-]?(?:access[ _-]?)?(?:key|secret)"
    r"|(?:personal |access|auth|api|bearer|refresh|session|deploy|bot|user|login|id)[ _-]?token"
    r"|session[ _-]?(?:cookie|id|key)|credentials?|set-cookie|\bcookie|token|secret|(?<![a-z])key)(?![a-z])"
)
_KEYWORD, _KEYWORD_IN_ANY_CASE = re.compile(_NAMES), re.compile(_NAMES, re.IGNORECASE)
_LINK = re.compile(
    r"(?:\s?\([^()\n]{1,40}\)|,[^,\n]{1,30},(?=\sis\s))?[\"'`\]*]{0,2}"
    r"(?P<for>\s(?:for|of|to|on|at|in|de|du|des|del|della|do|da|für|zum|zur|pour|para|per|voor|van|til|dla|do|od|от|для|к)\s"
    r"(?:(?:the|my|our|your|his|her|their|el|la|das|den|die|le|les|il|o|a|het)\s)?"
    r"[\w.@/'-]{1,40}(?:\s(?!is\b|was\b)[\w.@/'-]{1,30}){0,3}?)?"
    r"(?P<link>\s{0,3}(?:=>|:=|==?|:|->)(?:\*\*| ?[|>]-?\n)?\s{0,3}"
    r"|,?\s(?:is|was|are|has been|ist|lautet|es|est|é|è|är|jest|to)\s(?:(?:now|currently|still|always|just|set to"
    r"|changed to"
    r"|reset to|called|simply)\s)?:?\s?|(?:是|は|는|은|为|為|\sهي|\s-\s)\s?|(?(for)(?!)|\s\n?))",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\"([^\"\n]{3,120})\"|'([^'\n]{3,120})'|`([^`\n]{3,120})`|([^\s\"'`,;<>]{3,300})")
_PHRASE = re.compile(r"[\"'`]?((?:[a-z]{3,10}[ ,-]{1,2}){3,23}[a-z]{3,10})\b")
_COUNTED = re.compile(
    r"(?:page|next|continuation|cursor|idempotency|cache|primary|foreign|public|partition|sort|stop|end|max|min|total"
    r"|input|output|prompt|completion|per|answer|design|object|composite|dictionary|row|range|storage item|s3)[ _-]?$",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{1,200})@(?=[\w\[])")
_BEARER = re.compile(r"\b[Bb]earer[\s:]+([A-Za-z0-9._~+/=-]{16,})")
_BASIC = re.compile(r"\b[Bb]asic\s+([A-Za-z0-9+/]{8,}={0,2})(?![A-Za-z0-9])")
_QUERY = re.compile(r"[?&](?:key|auth|sig|signature|code|pass)=([A-Za-z0-9%._~+/-]{16,300})", re.IGNORECASE)

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d?:\d\d")
_IDENTIFIER = re.compile(
    r"(?:[a-z]+[_./-])+[a-z]*\d{0,4}|[a-z]{2,6}_[A-Za-z0-9]{0,8}|https?:|[\w/.-]*\.(?:py|js|md|txt|json|ya?ml|html)$"
)
_CODE = re.compile(r"\d{3}[ -]\d{3}(?!\d)|\d{3,8}(?![\w.,]*\d)|(?=[A-Za-z-]{0,8}\d)[A-Z0-9-]{4,12}\b")


def spoken_credentials(text: str) -> Iterator[tuple[int, int, str]]:
    """Places (start, end, code) of credentials given away by the words around them. ``text`` is plain."""
    if "://" in text:
        yield from _urls(text)
    yield from _named(text)
    if holds(text, ("earer", "asic")):
        yield from _headers(text)


def _urls(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _IN_URL.finditer(text):
        if not PLACEHOLDER.match(match[1]):
            yield *match.span(1), "password_in_url"
    for match in _QUERY.finditer(text):
        if machine_made(match[1], 16):
            yield *match.span(1), "key_in_url"


def _headers(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _BEARER.finditer(text):
        if machine_made(match[1], 16):
            yield *match.span(1), "bearer_token"
    for match in _BASIC.finditer(text):
        if re.search(r"[a-z][A-Z]|\d|=", match[1]) and re.search(r"[A-Z]", match[1]):
            yield *match.span(1), "basic_authorization"


def is_identifier(value: str) -> bool:
    """Whether a value is a name in code or an address from end to end; “river-Otter-19” only begins like one."""
    match = _IDENTIFIER.match(value)
    return match is not None and (match.end() == len(value) or match[0].startswith("http"))


def _named(text: str) -> Iterator[tuple[int, int, str]]:
    for keyword in _keywords(text):
        kind = keyword.lastgroup or "key"
        if kind == "key" and _COUNTED.search(text, max(0, keyword.start() - 24), keyword.start()):
            continue
        link = _LINK.match(text, keyword.end())
        if link is None:
            continue
        found = _value(text, keyword, kind, link)
        if found:
            yield found


def _keywords(text: str) -> Iterator[re.Match[str]]:
    """Words that name a credential, at their places in the text; lower case is read much faster than any case."""
    lower = text.lower()
    same = len(lower) == len(text)
    pattern, seen = (_KEYWORD, lower) if same else (_KEYWORD_IN_ANY_CASE, text)
    return matches_at(pattern, seen, starts(lower if same else lowered(text), _ROOTS))


def _value(text: str, keyword: re.Match[str], kind: str, link: re.Match[str]) -> tuple[int, int, str] | None:
    if kind == "phrase" and (phrase := _spoken_phrase(text, link)):
        return phrase
    if kind == "answer":
        return _spoken_answer(text, link)
    if kind == "code":
        return _spoken_code(text, keyword, link)
    match = _VALUE.match(text, link.end())
    if match is None:
        return None
    quoted = match.lastindex != 4
    start, end = match.span(match.lastindex or 0)
    value = text[start:end] if quoted else text[start:end].rstrip(".,;:?)]}")
    end = start + len(value)
    sure = link["link"].strip()
    rest = text[end : end + 24]
    if PLACEHOLDER.match(value) or value.casefold() in STATES or followed_by_unit(rest):
        return None
    if kind == "key":
        return (start, end, "generic_key") if _is_key(keyword[0].casefold(), value, quoted or "=" in sure) else None
    return (start, end, "password") if _is_password(value, sure, quoted, rest) else None


def _spoken_phrase(text: str, link: re.Match[str]) -> tuple[int, int, str] | None:
    match = _PHRASE.match(text, link.end()) if link["link"].strip() else None
    if match is None:
        return None
    words = re.findall(r"[a-z]+", match[1])
    common = sum(word in STATES for word in words[1:])
    return (*match.span(1), "pass_phrase") if common <= len(words) // 5 else None


def _spoken_answer(text: str, link: re.Match[str]) -> tuple[int, int, str] | None:
    """The answer to a security question is a credential, whatever word it is."""
    match = re.compile(r"[\"'“]?([A-Z][\w-]{2,30})").match(text, link.end()) if link["link"].strip() else None
    return (*match.span(1), "security_answer") if match else None


def _spoken_code(text: str, keyword: re.Match[str], link: re.Match[str]) -> tuple[int, int, str] | None:
    match = _CODE.match(text, link.end() + (text[link.end() : link.end() + 1] in "\"'`#"))
    if match is None or followed_by_unit(text[match.end() : match.end() + 24]):
        return None
    name = keyword[0].casefold()
    digits = len(re.sub(r"\D", "", match[0]))
    if name.startswith("pin") and (digits not in (4, 5, 6, 8) or (digits == 6 and "code" in name)):
        return None
    if name.startswith("cv"):
        return (*match.span(), "card_verification") if digits in (3, 4) else None
    return (*match.span(), CODE_WORDS.get(name[:3], "access_code")) if digits >= 4 or "-" in match[0] else None


def _is_password(value: str, link: str, quoted: bool, rest: str) -> bool:
    """Whether a value behind a word for password is one; ``link`` is ``is``, ``=`` …, or empty when nothing is
    between.
    """
    if value.isdigit() or re.fullmatch(r"\d{2,4}(?:-\d{2,4}){1,3}", value):
        return len(value) >= 4 and bool(link)
    if is_measure(value):
        return False
    if re.search(r"\d", value) and re.search(r"[^\W\d_]", value):
        return len(value) >= 4
    if re.search(r"[^\W\d_][@#$%^&*!~+|][^\W_]|[@#$%^&*~][^\W_]{2}", value) and "(" not in value:
        return True
    if not link or not re.search(r"[^\W\d_]", value):
        return False
    if value.count("-") >= 3 or re.search(r"[a-z][A-Z]", value):
        return not re.search(r"[./(\[]", value)
    if quoted or link.startswith(("=", "=>", ":=")):
        described = any(word in STATES for word in value.casefold().split())
        return len(value) >= 4 and not described and len(value.split()) <= 5 and not re.search(r"[.(\[]", value)
    spoken = value.isalpha() and len(value) >= 4 and _ends_clause(rest) and not _describes(value)
    return spoken and link not in _IS_ELSEWHERE and not _WITHOUT_SPACES.search(value)


_IS_ELSEWHERE = frozenset(
    ("ist", "est", "es", "é", "è", "är", "er", "jest", "是", "は", "는", "은", "为", "為", "هي", "-")
)
"""“Is” in other languages: a bare word behind it mostly says how the password is."""
_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MEASURE = re.compile(
    r"\d+[- ]?(?:char\w*|digit\w*|h|hr|hrs|min|mins|s|sec|d|day\w*|st|nd|rd|th|x|k|kb|mb|am|pm|fa|%|letter\w*|word\w*"
    r"|times?)"
    r"|(?:sha|md|aes|rsa|base|utf|oauth|saml|tls|v|mfa|http|ntlm|argon|pbkdf)-?\d[\w.-]*|2fa\b.*"
    r"|[$€£₹]\d[\d.,]*|(?:\w+-)?\d+-(?:char|digit|letter|symbol|word|bit|byte|day|hour|min|sec|time|month|year|step|stellig|fach|part)\w*",
    re.IGNORECASE,
)


def is_measure(value: str) -> bool:
    return bool(_MEASURE.fullmatch(value)) or bool(_DATE.match(value)) or value.startswith(("http", "www."))


def _ends_clause(rest: str) -> bool:
    return not rest.strip() or rest.lstrip(" ")[:1] in ".!,;)\n" or rest.startswith((" and ", " but ", " – ", " - "))


_DESCRIBES = re.compile(
    r".*(?:ed|ing|able|ible|ory|ary|ent|ant|ive|ous|less|ful|ly|al|ic|en|own|ish|ier|er|est|ate|y|s|ure)", re.IGNORECASE
)


def _describes(value: str) -> bool:
    """Whether a bare word behind “the password is” more likely says how the password is than what it is."""
    return bool(_DESCRIBES.fullmatch(value)) and value.casefold() not in ("sunflower", "monkey", "summer", "winter")


def _is_key(name: str, value: str, sure: bool) -> bool:
    if _UUID.fullmatch(value.rpartition(":")[2]):
        return (
            ":" not in value
            and not name.endswith(("session_id", "session id", "sessionid", "id_token"))
            and name
            not in (
                "key",
                "cookie",
            )
        )
    if "cookie" in name:
        value = value.rpartition("=")[2]
    if name == "key":
        return machine_made(value, 20) and entropy(value) >= 3.2
    return machine_made(value, 8 if sure and name != "token" else 12)


def machine_made(value: str, length: int) -> bool:
    """Whether a value of at least ``length`` characters looks drawn by chance: letters and digits mixed, high
    entropy.
    """
    if len(value) < length or _DATE.match(value) or _IDENTIFIER.fullmatch(value) or "(" in value:
        return False
    if not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value)):
        return (
            len(value) >= 24
            and bool(re.search(r"[a-z]", value) and re.search(r"[A-Z]", value))
            and entropy(value) >= 3.8
        )
    return entropy(value) >= 2.5


def entropy(value: str) -> float:
    """Shannon entropy of the characters, in bits a character."""
    return -sum(count / len(value) * math.log2(count / len(value)) for count in Counter(value).values())
