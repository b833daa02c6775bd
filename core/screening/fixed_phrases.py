"""Fixed expressions brought to one form, so that what is compared word by word has no idioms left.

Screening, twins and conflicts. The expressions are closed classes of English: ways to forbid, bounds of a number,
verbs with a particle, contrasts and exceptions. What stands inside a split expression is kept.
"""

import re

from core.screening.numbered_things import NOUNS
from core.screening.word_lists import pairs

_INSIDE = r"((?: [\w'-]+){0,4}?)"
"""The object inside a verb and its particle: “leave the tax out”."""

_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (rf"\b({NOUNS}) (?:number |numbers |no\. ?|nr\.? ?|nº ?|# ?)(?=\d)", r"\1 "),
        (r"\b(?:under no circumstances?|at no time|in no case|on no account|no longer)\b", " never "),
        (r"\b(?:never|don't|do not|not) (?:forget|fail|neglect|omit) to\b", " "),
        (
            r"(?<!\btry )(?<!\bneed )(?<!\bhave )(?<!\bwant )(?<!\bremember )\bto (?:make (?:sure|certain)|ensure)"
            r"(?: that)? (?=(?:i|you|we|it|they|the|no|nothing|all|every)\b)",
            " because ",
        ),
        (r"\b(?:make (?:sure|certain)|be sure|remember|ensure|take care)(?: to| that| you)?\b", " "),
        (r"\b(?:whether or not|no matter (?:if|whether|when|how|what|who)|irrespective of)\b", " regardless "),
        (r"\bnot only\b|\bnot just\b", " "),
        (r"\bfirst,?(?: and)?((?: [\w'-]+){1,5}) second\b", r" first then\1 "),
        (r"\b(?:start|begin)(?:ning|ing|s)? with (?=[^.;]*\bthen\b)", " first "),
        (r"\b(?:failing (?:that|which)|followed by)\b,?", " then "),
        (rf"\b(round|mark|scale|step)(?:ing|ed|s)?{_INSIDE} (up|down) to\b(?! [₹$€£]?\d)", r" \1\2 \3 "),
        (
            r"\b(?:no|not) (?:more|later|longer|higher|greater) than\b|\bat (?:the )?most\b|\bup to\b|\ba maximum of\b",
            " atmost ",
        ),
        (r"\b(?:no|not) (?:fewer|less|earlier) than\b|\bat least\b|\ba minimum of\b|\bor more\b", " atleast "),
        (r"\b(?:within|under|below|(?:less|fewer|earlier) than|by|before) (?=[₹$€£]?\d)", " atmost "),
        (
            r"\b(?:over|above|(?:more|longer|later) than|beyond|after|exceeding|outside)(?: the)? (?=[₹$€£]?\d)",
            " atleast ",
        ),
        (
            r"\b(?:is|are)(?: not|n't) (?:allowed|permitted)\b|\b(?:must|may|shall|should|can|could|do|does|did|is|are"
            r"|will|would)(?: not|n't|n’t)\b|\bcannot\b|\bno need to\b",
            " not ",
        ),
        (r"\bprior to\b|\bahead of\b|\bin advance of\b", " before "),
        (r"\b(?:as soon as|only after|following)\b", " after "),
        (
            r"(?<!\bat )(?<!\bonly )(?<!\bjust )\bonce\b(?! (?:an?|per|every|more|again|only|and)\b|\s*[.,;!?]|\s*$)",
            " after ",
        ),
        (r"\bat once\b", " immediately "),
        (r"\bonce (?:again|more)\b", " again "),
        (r"\bonce\b", " 1 times "),
        (r"\btwice\b", " 2 times "),
        (r"\bthrice\b", " 3 times "),
        (
            r"\b(?:instead of|rather than|in place of)\b|,? (?:and |but )?not (?=(?:in|by|to|with|from|as|the|a|an"
            r"|their|your)\b)|, (?:and |but )?never (?=(?:in|by|to|with|from|as|on|at|for|the|an?)\b)",
            " insteadof ",
        ),
        (r"\b(?:prefer|favou?r)(?:s|red|ring)?((?: \w+){1,4}?) (?:to|over)\b", r" prefer\1 insteadof "),
        (r"\b(?:other than|apart from|aside from|save for|excepting|with the exception of|but for)\b", " except "),
        (r"\b(first|second|third|last)[ -](name|class|aid|hand|floor|language)s?\b", r" \1\2 "),
        (r"\bhow (?:much|many|long)\b", " howmuch "),
        (r"\bat a time\b", " singly "),
        (r"\b(within|after|in|for|every|atmost|atleast) an? (?=(?:minute|hour|day|week|month|year)\b)", r"\1 1 "),
        (r"\b(?:on|within|in) (?:the|that) same day\b", " atmost 1 day "),
        (r"\bin full\b", " full "),
        (r"\bkeep((?: [\w'-]+){1,5}?) (?:secret|hidden|back) from\b", r" not share\1 with "),
        (r"\b(?:keep (?:quiet|silent)|stay (?:quiet|silent)|say nothing) (?:about|on|of)\b", " not tell "),
        (r"\b(?:stop|cease|quit)(?:ping)? (?!\w+ing\b)", " halt "),
        (r"\bmost expensive\b", " dearest "),
        (r"\bleast expensive\b", " cheapest "),
        (r"\blook(?:ing|ed|s)? up\b", " check "),
        (r"\blook(?:ing|ed|s)? (?:at|into)\b", " check "),
        (r"\b(?:find|finding) out\b", " check "),
        (r"\bread(?:ing)? (?:out|back)\b", " tell "),
        (rf"\b(?:hand|pass)(?:ing)?{_INSIDE} (?:over|on|off)\b", r" transfer\1 "),
        (r"\bhand(?:ing)?((?: [\w'-]+){1,4}?) to\b", r" transfer\1 to "),
        (r"\bhand(?:ing)? out\b", " give "),
        (r"\b(?:let|letting) (?:(?:the|a) )?(\w+) know\b", r" tell \1 "),
        (rf"\b(?:pay|give)(?:ing)?{_INSIDE} back\b|\bmoney back\b", r" refund\1 "),
        (rf"\b(?:turn|turning){_INSIDE} down\b", r" refuse\1 "),
        (rf"\b(?:leave|leaving){_INSIDE} out\b", r" omit\1 "),
        (rf"\b(?:keep|keeping){_INSIDE} out of\b", r" omit\1 from "),
        (rf"\b(?:leave|leaving){_INSIDE} (?:blank|empty|unfilled)\b", r" not fill\1 "),
        (rf"\b(?:turn|switch)(?:ing|ned)?{_INSIDE} on\b", r" enable\1 "),
        (rf"\b(?:leave|leaving|keep|keeping){_INSIDE} on(?=\s*(?:[.,;!?]|$))", r" enable\1 "),
        (rf"\b(?:turn|switch|leave|keep)(?:ing|ned)?{_INSIDE} off\b", r" disable\1 "),
        (r"\b(opt|log|sign|check|clock|phase|count)(?:ing|ged|ted|s)? (in|out)\b", r" \1 \2ward "),
    )
)
_ONE = (
    (re.compile(r"\bno one\b", re.IGNORECASE), "nobody"),
    (re.compile(r"\b(?:an?|one) single\b", re.IGNORECASE), "1"),
)
_CURLY = str.maketrans("’‘", "''")
_SPELT = {row[0]: row[1] for row in pairs("numerals")}
_SPELT_WORD = re.compile(rf"\b(?:{'|'.join(_SPELT)})\b(?!-)", re.IGNORECASE)
_ORDINALS = {form: row[0] for row in pairs("ordinals") for form in row[1:]}
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)


def levelled(text: str) -> str:
    """The text with every fixed expression in one form, numbers as digits and ordinals as words."""
    plain = text.translate(_CURLY)
    for pattern, instead in _ONE:
        plain = pattern.sub(instead, plain)
    plain = _SPELT_WORD.sub(lambda match: _SPELT[match[0].lower()], plain)
    for pattern, instead in _PHRASES:
        plain = pattern.sub(instead, plain)
    return _ORDINAL.sub(lambda match: _ORDINALS[match[0].lower()], plain)
