"""Words that speak to whoever reviews a draft, in the draft or in what the agent was given.

Self-review. A model that obeyed them would call anything good, so its “good” does not count by itself then. The agent
can take such words out of its draft; what a user, a tool or a fact says it cannot change, so a person looks at that.
"""

from collections.abc import Iterator

from core.checks.contract import Case
from core.screening.addressed import Addressed, Passage, Why, passages_to_reviewer, speaks_to_reviewer, text_of
from core.vocabulary import Role

CHECK = "words_to_reviewer"
"""The name under which such a problem is told."""

IMPROVEMENT = "Take out what speaks to the reviewer."

_AFTER = 80
"""Characters behind a passage that are told along with it."""

_SHOWN = 300
"""Characters of a passage that are repeated."""


def words_to_reviewer(case: Case) -> tuple[dict[str, str], dict[str, str]]:
    """The problems of the draft, which is the case's last turn, and those of what the agent was given: text by place.

    Of each place the longest passage is told. The agent's own prompt and the policies are not looked at: whoever wrote
    them also set the reviewer up.
    """
    in_draft: dict[str, str] = {}
    given: dict[str, str] = {}
    for place, is_draft, words, found in sorted(_passages(case), key=lambda each: len(each[2]), reverse=True):
        why = "" if found.why is Why.SPEAKS_TO_REVIEWER else f" {found.why.in_words}"
        text = f"{place} speaks to whoever reviews: “{_short(words)}”.{why}"
        (in_draft if is_draft else given).setdefault(place, text)
    return in_draft, given


def _passages(case: Case) -> Iterator[tuple[str, bool, str, Addressed | Passage]]:
    messages = case.transcript.messages
    for one in speaks_to_reviewer(case.transcript):
        is_draft = one.turn == len(messages) - 1
        words = _words(text_of(messages[one.turn], one.part), one)
        yield _place(case, one.turn, is_draft), is_draft, words, one
    for fact in case.facts:
        for each in passages_to_reviewer(fact.text):
            yield "A fact about the user", False, _words(fact.text, each), each


def _place(case: Case, turn: int, is_draft: bool) -> str:
    """How a person finds the place: the draft, the user's words, a tool's answer, or the call of one."""
    message = case.transcript.messages[turn]
    if is_draft:
        return "The draft"
    if message.role is Role.USER:
        return "What the user said"
    if message.tool_calls:
        return f"The call of “{_short(message.tool_calls[0].name)}”"
    return f"The tool result “{_short(message.name)}”" if message.name else "A tool result"


def _words(text: str, found: Addressed | Passage) -> str:
    """The passage with a little of what follows on its line: what is demanded stands there."""
    rest = text[found.end : found.end + _AFTER].partition("\n")[0]
    return (text[found.start : found.end] + rest).lstrip(" .,;:!?\n")


def _short(words: str) -> str:
    tidy = " ".join(words.split())
    return tidy if len(tidy) <= _SHOWN else f"{tidy[:_SHOWN]} …"
