"""Whether a lesson says what to do next time.

Screening, the third screen. Source: Using Feedback and Reflection in Agent Workflows, "Which lessons are worth
storing", and Reflexion buffer, "Hard rejects". It decides without a model: a lesson needs one clause with a step and
something concrete to do it on; a clause of good will (“be more careful”) does not count, however long it is.
"""

import re

from core.screening.contract import Follows, Place, Screen, ScreenFinding
from core.screening.instructions import Act, Clause, clauses
from core.screening.one_case import case_words, tells_what_happened
from core.screening.stems import words
from core.screening.word_lists import word_list
from core.vocabulary import Form, Scope, Severity

VERSION = 2

_NEXT_TIME = re.compile(
    r"\b(?:next time|in (?:the )?future|from now on|going forward|in (?:my|the) next \w+|next trial|instead)\b",
    re.IGNORECASE,
)
_SENTENCE = "Say one step and when it is due, such as “Check … before …”."
_GENERAL = "Say it for every case of its kind, without the name, number or date."


def find_vagueness(
    text: str, *, form: Form = Form.INSTRUCTION, scope: Scope = Scope.TASK_CLASS
) -> tuple[ScreenFinding, ...]:
    """No finding where the text can be acted on in other cases; else one that says what is missing.

    Codes: ``vague`` (only good will), ``vague:nothing_to_do`` (no step at all), ``vague:no_object`` (a step, but on
    what?), ``one_case`` (a name, a number, a report of what happened) and ``not_judged`` (not English; a person looks).
    ``text`` is plain. Scope ``user`` may name its user.
    """
    if not _english(text):
        return (_not_judged(text),)
    reflection = form is Form.REFLECTION
    found = clauses(text, reflection=reflection)
    told = _told_part(text) if reflection else text
    named = case_words(told, scope=scope)
    if named:
        return (_one_case(text, named),)
    if says_what_to_do(found):
        return ()
    if tells_what_happened(text) and all(clause.act is Act.NONE for clause in found):
        return (_one_case(text, (0, len(text))),)
    return (_vague(text, found),)


def find_empty_belief(text: str) -> tuple[ScreenFinding, ...]:
    """No finding where a belief says something definite of its user; it need not say what to do.

    Codes: ``vague:belief`` (“The user seems thoughtful.” is refused; with one definite word it is shown) and
    ``not_judged``. Source: Reflection: From Experiences to Beliefs, on free-floating claims.
    """
    if not _english(text):
        return (_not_judged(text),)
    weak = (
        word_list("function_words") | word_list("empty_words") | word_list("quality_words") | word_list("seeming_words")
    )
    definite = {word for word in words(text) if word not in weak}
    if len(definite) > 1:
        return ()
    why = "It says nothing definite of its user." if not definite else "It says little that is definite of its user."
    follows = Follows.FLAG if definite else Follows.REFUSE
    shown = (Severity.MEDIUM, text, Place(0, len(text)), why)
    return (ScreenFinding(Screen.VAGUE, "vague:belief", *shown, "Say what the user does, wants or avoids.", follows),)


def says_what_to_do(found: list[Clause]) -> bool:
    """Whether one clause is a step on something concrete."""
    around = sum(clause.weight for clause in found if clause.act is Act.NONE)
    return any(_can_be_done(clause, around) for clause in found)


def _can_be_done(clause: Clause, around: int) -> bool:
    """``around`` is how much is concrete in the conditions beside the clause."""
    if clause.act is Act.STEP:
        if clause.manner or clause.of_quality:
            return clause.weight >= 2 or (clause.weight == 1 and around >= 2)
        return clause.weight >= 1 or around >= (1 if clause.alone or clause.placed else 3)
    if clause.act is Act.THIN and not clause.of_quality:
        return clause.weight >= 2 or (clause.weight == 1 and around >= 1)
    return clause.act is Act.THIN and clause.weight >= 3


def _told_part(text: str) -> str:
    """What a reflection says about the next time; all of it where it does not say so."""
    match = _NEXT_TIME.search(text)
    return text[match.start() :] if match else text


def _english(text: str) -> bool:
    """Whether the text can be judged: its words are mostly ASCII and, from six words on, one is an English one."""
    found = words(text)
    letters = [word for word in found if not word[0].isdigit()]
    ascii_words = [word for word in letters if word.isascii()]
    if len(ascii_words) < 0.7 * len(letters):
        return False
    if len(letters) < 4:
        return True
    known = word_list("function_words") | word_list("empty_words") | word_list("verbs") | word_list("empty_verbs")
    return sum(word in known for word in letters) >= 0.2 * len(letters)


def _vague(text: str, found: list[Clause]) -> ScreenFinding:
    best = max((clause for clause in found if not clause.depends), key=lambda clause: clause.act, default=None)
    act = best.act if best else Act.NONE
    reasons = {
        Act.NONE: ("vague:nothing_to_do", "It names no step for the agent to take."),
        Act.WISH: ("vague", "It wishes for better work but names no step that could be seen to be done."),
        Act.THIN: ("vague:no_object", "It names a step but nothing concrete to take it on."),
        Act.STEP: ("vague:no_object", "It names a step but nothing concrete to take it on."),
    }
    code, why = reasons[act]
    shown = best.text.strip() if best else text
    start = max(text.find(shown), 0)
    place = Place(start, start + len(shown))
    return ScreenFinding(Screen.VAGUE, code, Severity.MEDIUM, shown, place, why, _SENTENCE, Follows.REFUSE)


def _one_case(text: str, place: tuple[int, int]) -> ScreenFinding:
    shown = text[slice(*place)]
    whole = shown == text
    why = (
        "It reports what happened once and gives no instruction."
        if whole
        else f"It is about one case: it names “{shown}”."
    )
    return ScreenFinding(Screen.VAGUE, "one_case", Severity.MEDIUM, shown, Place(*place), why, _GENERAL, Follows.REFUSE)


def _not_judged(text: str) -> ScreenFinding:
    return ScreenFinding(
        Screen.VAGUE,
        "not_judged",
        Severity.LOW,
        "",
        Place(0, len(text)),
        "It is not in English, so whether it can be acted on was not judged.",
        "A person decides whether it names a step and holds for other cases.",
        Follows.FLAG,
    )
