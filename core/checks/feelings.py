"""How users say that something is wrong with them, and how a reply shows that it was heard.

Part of the checks, second station of the flow. Two strengths: a feeling that is named ("I'm upset"), and a strong one:
shouted, sworn, said for the third time, a call for a manager, a threat to leave or to sue, a loss. Promise: what is
denied, conditional, cheerful or a title is no feeling, and no text is read twice, however long it is.
"""

import re
from dataclasses import dataclass

from core.checks.passages import Passage, passage_at, sentences
from core.vocabulary import Severity

_NAMED = re.compile(
    r"(?P<own>\b(?:frustrated|upset|disappointed|annoyed|angry|worried|anxious|stressed|scared|overwhelmed|fed up"
    r"|panicked|panicking)\b)"
    r"|\b(?:frustrating|upsetting|disappointing|annoying|worrying|stressful|overwhelming|scary)\b",
    re.I,
)
_OWN = re.compile(
    r"\b(?:I(?:[’']m| am| was| feel| felt|[’']ve been| have been| got| get)|we(?:[’']re| are| were)|am|feeling"
    r"|made? (?:me|us)"
    r"|makes (?:me|us)|making (?:me|us)|left (?:me|us)|leaves (?:me|us))(?:\s+(?!(?:not|never|kind|kinda"
    r"|less)\b)\w+){0,4}\s+$|(?:^|[.!?\n]\s*)(?:(?:so|very|really|extremely)\s+)*$",
    re.I,
)
"""Words before a feeling that make it the user's own."""
_OF_THE_CASE = re.compile(
    r"(?:\b(?:is|was|been|are|it[’']s|that[’']s|this|so|very|really|how)|[’']s)(?:\s+(?!not\b|never\b"
    r"|kind)\w+){0,2}\s+$|(?:^|[.!?\n]\s*)$",
    re.I,
)
"""Words before "frustrating" that say it of what happened."""
_HEDGED = re.compile(r"\b(?:kinda|kind of|sort of|slightly|weirdly|oddly|a (?:bit|little) too)\b[\w\s]*$", re.I)
_BAD = (
    r"ridiculous|insane|unbelievable|a joke|outrageous|absurd|pathetic|disgusting|disgraceful|a disgrace|shameful|"
    r"appalling|infuriating|a nightmare|bullshit|unacceptable|not acceptable|so unfair|"
    r"(?:really|absolutely|simply|just) (?:horrible|terrible|awful)"
)
_OUTRAGE = (
    r"\b(?:furious|outrageous|unacceptable|devastat(?:ed|ing)|livid|enraged|in tears|heartbroken|desperate|disgusted)\b"
    rf"|\b(?:this|that|it|which)(?: is|[’']s| was)(?: (?:all|just|absolutely|completely|totally|so|really))? (?:{_BAD})"
    r"(?=\W*$|[.!,;\n]| that\b| and\b| how\b| after\b)"
    r"|\b(?:worst|terrible|horrible|awful|pathetic|lousy|useless) (?:customer )?"
    r"(?:service|support|experience|company|bank|airline|store|shop|app)\b"
    r"|\b(?:sick (?:and tired )?of|(?:so|really) tired of|had enough of|(?:complete|total|a) waste of (?:my )?time"
    r"|wast(?:ing|ed) my time)\b"
)
_TIMES = r"(?:two|three|four|five|six|seven|ten|\d+|several|many|multiple|so many|a hundred|countless) times"
_AGAIN = (
    r"\bfor the (?:second|third|fourth|fifth|sixth|tenth|last|umpteenth|nth|\d+(?:nd|rd|th)) time\b"
    r"|\b(?:third|fourth|fifth|sixth|tenth) time (?:I|I[’']ve|that I|now|already|you)\b"
    r"|\bhow many (?:more )?times (?:do|must|have|should|will) I\b"
    r"|\bI(?:[’']ve| have)?(?: already)? (?:told|asked|said|explained|repeated|called|contacted|complained)"
    rf"[^.!?\n]{{0,30}}? (?:(?:already )?{_TIMES}|twice already|over and over|again and again)\b"
)
_BOSS = r"(?:manager|supervisor|boss)"
_MANAGER = (
    rf"\b(?:speak|talk)(?:ing)? (?:to|with) (?:a|your|the|some) {_BOSS}\b"
    rf"|\b(?:get me|give me|put me through to|I want|I need|I demand) (?:a|your|the) {_BOSS}\b"
    rf"|\bescalate\b[^.!?\n]{{0,40}}\b{_BOSS}\b"
)
_THREAT = (
    r"\bI(?:[’']ll|[’']m| will| am)? (?:\w+ )?(?:never|not) (?:\w+ ){0,2}(?:us(?:e|ing)|fly(?:ing)?|order(?:ing)?|"
    r"shop(?:ping)?|buy(?:ing)?|book(?:ing)?|com(?:e|ing)|trust(?:ing)?)[^.!?\n]{0,40} again\b"
    r"|\b(?:tak(?:e|ing) my (?:business|money|account) (?:elsewhere|somewhere)|otherwise I (?:switch|leave)"
    r"|switch(?:ing)? to (?:another|a different|your) (?:company|provider|bank|airline|competitors?|store)"
    r"|(?:I[’']ll|I will|going to|gonna|I[’']m|I am)(?: \w+){0,2} (?:sue|suing) (?:you|them|this)"
    r"|my (?:lawyer|attorney|solicitor) (?:will|is going|has been)"
    r"|(?:take|taking|pursue) legal action against (?:you|the)"
    r"|take (?:you|this|them) to court|(?:see|meet) you in court|(?:go|complain) to (?:the )?consumer (?:court|forum)"
    r"|(?:to|with) the ombudsman|go(?:ing)? to the (?:press|media|newspapers?)"
    r"|leav(?:e|ing) (?:you )?a (?:bad|negative|one[- ]star|terrible) review)\b"
)
_RELATION = (
    r"(?:mother|father|mom|mum|dad|parents?|brother|sister|son|daughter|child|baby|wife|husband|partner|spouse|"
    r"grand(?:mother|father|ma|pa|mom|dad)|uncle|aunt|cousin|friend|dog|cat)"
)
_LOSS = (
    rf"\bmy (?:\w+ )?{_RELATION}(?: \w+)? (?:(?:has |just |had )?(?:died|passed away)|(?:has |was )?been killed)\b"
    rf"|\bmy (?:\w+ )?{_RELATION},? (?:who )?(?:is|[’']s|who[’']s|has been) (?:\w+ )?(?:sick|ill|dying)\b"
    rf"|\b(?:death|loss|funeral) (?:of|for) my (?:\w+ )?{_RELATION}\b|\bpassed away\b|\bfuneral\b"
    rf"|\blost my (?:\w+ )?(?:job|home|house|savings|{_RELATION})"
    r"(?=\W*$|[.,;!]| (?:and|in|to|last|this|because|when|after|so|due|on)\b)"
    r"|\b(?:(?:family|medical) emergency|in (?:the )?hospital|(?:was|been|got) (?:robbed|mugged|assaulted|laid off)"
    r"|(?:had|having) a (?:heart attack|miscarriage|stroke)|(?:was|been|am) diagnosed with)\b"
)
_STRONG = re.compile("|".join((_OUTRAGE, _AGAIN, _MANAGER, _THREAT, _LOSS)), re.I)
_STRONG_CUES = (
    "furious outrag unaccept devast livid enraged tears heartbroken desperate disgust ridiculous insane unbeliev "
    "joke absurd pathetic horrib terrib awful nightmare bullshit fair worst lousy useless sick tired enough waste "
    "wasting time again manager supervisor boss elsewhere somewhere switch leaving sue suing lawyer attorney "
    "solicitor legal court claims ombudsman action press media police newspaper review died passed killed death "
    "loss funeral lost emergency hospital robbed mugged assault laid attack miscarriage diagnosed appalling "
    "infuriating disgrac shameful acceptable over sick dying ill"
)
_STRONG_LETTERS = tuple(_STRONG_CUES.split())
"""Letters of which one stands in every strong feeling that is put into words, a cheap first look."""
_SWORN = re.compile(
    r"\b(?:wtf|damn it|dammit|goddamn(?:ed)?|bullshit|piss(?:ed)? off|pissed|for (?:fuck|god|christ"
    r"|heaven)[’']?s sake"
    r"|what the (?:hell|fuck|heck)|why the (?:hell|fuck|heck)|fuck(?:ing|ed)?|shit(?:ty|show)?|screw you|idiots?)\b",
    re.I,
)
_CHEERFUL = re.compile(
    r"\b(?:thank\w*|thx|great|love\w*|yay|awesome|perfect|bye|wow|whoa|amaz\w+|congrat\w*|ha(?:ha)+|lol|"
    r"excit\w+|yes+|good|nice|cool|holy|beautiful|wonderful|brilliant|fun|funny|happy|finally|works?|worked|lovely|"
    r"best|cheers|fantastic|exactly|welcome|glad|job)\b|[🎉🚀😀-😅😍🥳👍❤☺😊🙏]",
    re.I,
)
_GREETING = re.compile(r"\b(?:hello|hi|hey)\b", re.I)
_RUN = re.compile(r"(?:!|\?!){3,}|!{2,}\?+|\?+!{2,}")
_CAPITALS = re.compile(r"(?<![\w’'])[A-Z][A-Z’']*(?:[ ,]{1,2}[A-Z][A-Z’']*){3,}(?![\w’'])")
_PLAIN = (
    "I MY ME YOU YOUR THE IS ARE NOT THIS THAT TO WANT NOW WHY NO STOP HELP AND IT AM WHAT HAVE DO GET BACK NEVER "
    "NEED WAS HAS CAN CANNOT CAN'T CAN’T DON'T DON’T DID NOBODY STILL ANSWER PLEASE JUST LISTEN HOW ALREADY WILL"
)
_PLAIN_WORDS = frozenset(_PLAIN.split())
"""Words that stand in capitals only where somebody shouts; names of airports and codes are none of them."""
_FEWEST_WORDS = 2
"""How many words a run of exclamation marks or an oath must stand beside."""
_SHOUTED = 4
_SHOUTED_PLAIN = 2
"""How many words a run of capitals needs, and how many plain ones among them."""

_TAKEN_BACK = re.compile(
    r"(?:\b(?:not|never|no longer|without being|less|if|unless|avoid(?:ing)?|in case|when|would be|might be"
    r"|don[’']t want to)|n['’]t)\s+(?:[\w’']+\s+){0,3}$",
    re.I,
)
"""Words before a feeling that take it back, or make it somebody's condition."""
_REACH = 60
"""Code points before a feeling in which such words are looked for."""
_PASTED = 2_500
"""Code points from which a user's turn is no longer somebody's own voice, but something pasted."""
_MACHINE = re.compile(r"\s*(?:[<{\[#`]|---)")

_HEARD = re.compile(
    r"\b(?:sorry|apolog\w+|understand\w*|appreciat\w+|regret\w*|condolence\w*|hear (?:that|you|this)|inconvenien\w+"
    r"|concern\w*|frustrat\w+|upset\w*|disappoint\w+|stress\w*|worr\w+|anxi\w+|difficult|tough|rough|must (?:be|feel)"
    r"|i see (?:why|how)|take care|thank you for (?:your patience|telling|sharing)|rest assured|emergency"
    r"|transferr?\w*|escalat\w+|managers?|supervisors?|senior|human|colleagues?|specialists?|department"
    r"|right away|straight away|at once|immediately|urgen\w+|as soon as|let[’']s (?:fix|sort|get)|you(?:[’']re|"
    r" are) right"
    r"|calm\w*|unfortunate\b|trouble|confus\w+|mistakes?|our fault|my bad|oops|oh no|terrible|awful|horrible"
    r"|feel(?:s|ing|ings)?|unacceptable|hard|painful|breath\w*|valid|loss|lost|died|death|passed|grief|griev\w+"
    r"|heal\w*|hospital|recover\w*|should not have|shouldn[’']t have|complain\w*)\b",
    re.I,
)
_HEARD_ELSEWHERE = re.compile(
    r"\b(?:samajh\w*|maaf\w*|afsos|khed|chinta\w*|pareshan\w*|dukh|takl[ei]ef|asuvidha|ghabra\w*|dhyan|dobara"
    r"|versteh\w*|leid|entschuldig\w+|verzeih\w+|bedauer\w+|lamento|siento|entiendo|disculp\w+|perd[oó]n\w*"
    r"|d[ée]sol[ée]\w*|comprends|excus\w+|regrett\w+|capisco|dispiace|scus\w+|entendo|desculp\w+|begrijp\w*|spijt)\b"
    r"|समझ|माफ|माफ़|खेद|अफ़सोस|अफसोस|चिंता|परेशान|दुख|दुःख|असुविधा|निराश|तकलीफ|ध्यान|दोबारा|抱歉|对不起|理解|すみません|申し訳",
    re.I,
)
"""The same in the languages of service talk that is mixed with English."""


@dataclass(frozen=True)
class Feeling:
    """A feeling in a user's turn: the words that name it, the sentence, and how strong it is."""

    words: str
    said: Passage
    strong: bool

    @property
    def severity(self) -> Severity:
        """High for a strong feeling, medium for one that is only named."""
        return Severity.HIGH if self.strong else Severity.MEDIUM


def feeling_in(text: str, *, capitals: bool = True) -> Feeling | None:
    """The first strong feeling of a user's turn, else the first that is named, else None.

    ``capitals`` says whether words in capitals mean that the user shouts.
    """
    if len(text) > _PASTED or _MACHINE.match(text):
        return None
    return _strong(text, capitals) or _named(text)


def is_heard(reply: str) -> bool:
    """Whether a reply shows in any way that a feeling reached the agent."""
    return bool(_HEARD.search(reply) or _HEARD_ELSEWHERE.search(reply))


def _named(text: str) -> Feeling | None:
    for match in _NAMED.finditer(text):
        before = text[max(0, match.start() - _REACH) : match.start()]
        cue = _OWN if match.group("own") else _OF_THE_CASE
        if cue.search(before) and not _TAKEN_BACK.search(before) and not _HEDGED.search(before):
            return _feeling(text, match, strong=False)
    return None


def _strong(text: str, capitals: bool) -> Feeling | None:
    found = _outspoken(text) or _cheerless(text, _SWORN) or _cheerless(text, _RUN)
    return found or (_shouted(text) if capitals else None)


def _outspoken(text: str) -> Feeling | None:
    lower = text.lower()
    if not any(cue in lower for cue in _STRONG_LETTERS):
        return None
    for match in _STRONG.finditer(text):
        if not _TAKEN_BACK.search(text[max(0, match.start() - _REACH) : match.start()]):
            return _feeling(text, match, strong=True)
    return None


def _feeling(text: str, match: re.Match[str], *, strong: bool) -> Feeling:
    said = passage_at(sentences(text), match.start()) or Passage(match.start(), match.end())
    return Feeling(match.group(), said, strong)


def _cheerless(text: str, pattern: re.Pattern[str]) -> Feeling | None:
    """An oath, or a run of exclamation marks after words: a feeling where nothing in the turn is cheerful."""
    if _CHEERFUL.search(text):
        return None
    match = pattern.search(text)
    said = passage_at(sentences(text), match.start()) if match else None
    if match is None or said is None or _GREETING.search(said.of(text)):
        return None
    if len(re.findall(r"[^\W\d_]{2,}", said.of(text))) < _FEWEST_WORDS:
        return None
    return Feeling(match.group() if pattern is _SWORN else said.of(text), said, strong=True)


def _shouted(text: str) -> Feeling | None:
    """A run of words in capitals within a turn that is not written in capitals throughout."""
    for match in _CAPITALS.finditer(text):
        words = [word.strip(",") for word in match.group().split()]
        plain = sum(word in _PLAIN_WORDS for word in words)
        if len(words) >= _SHOUTED and plain >= _SHOUTED_PLAIN and not _CHEERFUL.search(text):
            return _feeling(text, match, strong=True)
    return None
