"""An instruction of the user that the agent never takes up.

A check: from a case to findings, second station of the flow. Source of the rule: Self-reflection memory, "Constraint
compliance" and "Completeness". An instruction about a reply is judged by the next reply; a way to write back and a
second request by all that the agent says and calls until the session ends; calls and forbidden acts by what comes
before the user speaks of them again. A reply that refuses, asks back or names the thing has taken it up.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from core.checks.actions import reads_only
from core.checks.answers import ToolAnswer, tool_answers
from core.checks.contract import Case, Finding
from core.checks.instruction_remarks import REMARKS
from core.checks.instructions import About, Instruction, instructions_in, stems_of
from core.checks.languages import NAMES, language_of
from core.checks.passages import Passage, is_question, sentences, shortened
from core.evidence.contract import Span
from core.transcripts.message import Message
from core.vocabulary import Role

NAME = "dropped_instruction"
_MOST_JUDGED = 20
"""Instructions of a session that are followed up; each is held against all that follows it."""
_SPARE_SENTENCES = 2
_SPARE_WORDS = 10
"""What a reply may have over the limit without being worth a remark: a greeting, a closing question."""
_LIST_LINE = re.compile(r"(?:^|\n)\s*(?:[-*•]|\d{1,2}[.)])\s+\S")
_LIST_LINES = 2
_TABLE = re.compile(r"\|.*\||\t")
_CALLS_YOU = re.compile(
    r"\b(?:will|[’']ll|going to|can expect|should expect|expect|shall)\b[^.!?\n]{0,60}"
    r"\b(?:call(?:ing)? you|phone you|ring you|give you a (?:phone )?(?:call|ring)|(?:phone )?call from|call"
    r" ?back|calls you)\b",
    re.I,
)
_NOT_CALLING = re.compile(r"\b(?:not|never|no|without|instead|rather|stop)\b|n[’']t\b", re.I)
_NAMED = {
    "e-mail": re.compile(r"e-?mail|\bmail|inbox|@|मेल|correo|courriel", re.I),
    "text message": re.compile(r"\btext|\bsms\b|messag|whatsapp|मैसेज|एसएमएस", re.I),
    "call": re.compile(r"\bcall|\bphone|\bring\b|\bdial|reach out|contact|कॉल|फोन|फ़ोन", re.I),
    "post": re.compile(r"\bpost|\bmail|letter|deliver|\bship", re.I),
}
_BOTH = re.compile(r"\b(?:both|also|too|as well|in addition|each|all of|as requested)\b", re.I)
"""Words of a reply that take up more than one request at once."""
_REFUSES = re.compile(r"\b(?:cannot|unable|unfortunately|not (?:able|possible|allowed|available))\b|n[’']t\b", re.I)
_THANKS = re.compile(r"\b(?:thank|thx|great|perfect|appreciate)", re.I)
_NEWS = 2
"""How many words a second request must bring into the session to be known by them."""
_HANDED_OVER = re.compile(r"\btransferr?|\bescalat|human agent|\bspecialist|\bcolleague|\bsupervisor", re.I)
_GO_AHEAD = re.compile(
    r"\b(?:yes|yeah|yep|sure|ok|okay|go ahead|proceed|do it|please do|fine|alright|confirm\w*|never ?mind|forget)\b",
    re.I,
)


@dataclass(frozen=True)
class _Record:
    """A case, with what follows a turn prepared once."""

    case: Case

    @property
    def messages(self) -> tuple[Message, ...]:
        return self.case.transcript.messages

    @cached_property
    def answers(self) -> tuple[ToolAnswer, ...]:
        return tool_answers(self.case.transcript)

    def reply(self, turn: int) -> int | None:
        """The next turn of the agent that the user reads, before the user speaks again."""
        reply = None
        for later in range(turn + 1, len(self.messages)):
            message = self.messages[later]
            if message.role is Role.USER:
                break
            if message.role is Role.ASSISTANT and message.content.strip():
                reply = later
        return reply

    def stems_before(self, turn: int, instruction: Instruction) -> frozenset[str]:
        """What the session was about before an instruction."""
        earlier = [message.content for message in self.messages[:turn]]
        return stems_of("\n".join([*earlier, self.messages[turn].content[: instruction.passage.start]]))

    def thanked(self, turn: int, news: frozenset[str]) -> bool:
        """Whether the user later gives thanks for it, so that it was taken up in other words."""
        later = (m.content for m in self.messages[turn + 1 :] if m.role is Role.USER and _THANKS.search(m.content))
        return any(news & stems_of(text) for text in later)

    def said_after(self, turn: int) -> str:
        """All that the agent says and calls after a turn, and what tools answered."""
        later = self.messages[turn + 1 :]
        calls = (f"{call.name} {call.arguments}" for message in later for call in message.tool_calls)
        return "\n".join([*(message.content for message in later if message.role is not Role.USER), *calls])


def findings(case: Case) -> list[Finding]:
    """One finding a turn of the user for an instruction that was dropped."""
    record = _Record(case)
    found: list[Finding] = []
    for turn, instruction in itertools.islice(_instructions(record), _MOST_JUDGED):
        finding = _judged(record, turn, instruction)
        if finding and not any(each.spans[0].turn == turn for each in found):
            found.append(finding)
    return found


def _instructions(record: _Record) -> Iterator[tuple[int, Instruction]]:
    for turn, message in enumerate(record.messages):
        if message.role is Role.USER:
            yield from ((turn, instruction) for instruction in instructions_in(message.content))


def _judged(record: _Record, turn: int, instruction: Instruction) -> Finding | None:
    reply = record.reply(turn)
    if reply is None:
        return None
    proof = next(_proofs(record, turn, reply, instruction), None)
    return _finding(record, turn, instruction, proof) if proof else None


def _proofs(record: _Record, turn: int, reply: int, instruction: Instruction) -> Iterator[Span]:
    """Where the instruction shows as dropped; nothing where it was taken up or where that cannot be told."""
    match instruction.about:
        case About.LANGUAGE | About.LENGTH | About.LIST | About.NO_LIST:
            if _is_against_form(record.messages[reply].content, instruction):
                yield _beginning(record, reply)
        case About.NO_CALLS:
            yield from _calls(record, turn)
        case About.CHANNEL:
            later = record.said_after(turn)
            if not _NAMED[instruction.wanted].search(later) and _is_settled(record, turn, later):
                yield _beginning(record, reply)
        case About.ALSO:
            if not _is_taken_up(record, turn, reply, instruction):
                yield _beginning(record, reply)
        case About.FORBIDDEN:
            yield from _deeds(record, turn, instruction)


def _is_taken_up(record: _Record, turn: int, reply: int, instruction: Instruction) -> bool:
    """Whether anything shows that a second request was heard, or that this cannot be told."""
    later, answered = record.said_after(turn), record.messages[reply].content
    news = instruction.stems - record.stems_before(turn, instruction)
    named = news & stems_of(later) or (_REFUSES.search(answered) and instruction.stems & stems_of(answered))
    heard = named or _BOTH.search(answered) or record.thanked(turn, news)
    return bool(heard) or len(news) < _NEWS or not _is_settled(record, turn, later)


def _is_against_form(reply: str, instruction: Instruction) -> bool:
    if reply.lstrip().startswith(("{", "[{")):
        return False
    match instruction.about:
        case About.LANGUAGE:
            written = language_of(reply)
            named = re.search(NAMES[instruction.wanted], reply, re.I)
            return written not in (None, instruction.wanted) and not named
        case About.LENGTH if instruction.wanted == "sentence":
            return len(sentences(reply)) > instruction.limit + _SPARE_SENTENCES
        case About.LENGTH:
            return len(reply.split()) > 1.5 * instruction.limit + _SPARE_WORDS
        case About.NO_LIST:
            return len(_LIST_LINE.findall(reply)) >= _LIST_LINES
    lines = [line for line in sentences(reply) if not is_question(reply, line)]
    return len(lines) > _LIST_LINES and not _LIST_LINE.search(reply) and not _TABLE.search(reply)


def _is_settled(record: _Record, turn: int, later: str) -> bool:
    """Whether what came later can be trusted to show it: English as the user's words, and not handed over to people."""
    spoken = language_of(" ".join(m.content for m in record.messages[turn + 1 :] if m.role is Role.ASSISTANT))
    return spoken == "english" and not _HANDED_OVER.search(later)


def _calls(record: _Record, turn: int) -> Iterator[Span]:
    """Sentences of the agent that announce a call after the user did not want any."""
    for later in range(turn + 1, len(record.messages)):
        message = record.messages[later]
        if message.role is Role.USER and re.search(r"\b(?:call|phone)", message.content, re.I):
            return
        if message.role is Role.ASSISTANT and _CALLS_YOU.search(message.content):
            for sentence in sentences(message.content):
                said = sentence.of(message.content)
                if (
                    _CALLS_YOU.search(said)
                    and not _NOT_CALLING.search(said)
                    and not is_question(message.content, sentence)
                ):
                    yield Span(later, sentence.start, sentence.end)


def _deeds(record: _Record, turn: int, instruction: Instruction) -> Iterator[Span]:
    """What the agent says after a tool did the forbidden act, while the user had not come back to it."""
    for answer in record.answers:
        name = answer.name or ""
        if answer.turn <= turn or answer.failed or instruction.wanted not in name.lower() or reads_only(name):
            continue
        between = [m.content.lower() for m in record.messages[turn + 1 : answer.turn] if m.role is Role.USER]
        reply = record.reply(answer.turn)
        if reply and not any(_GO_AHEAD.search(said) or instruction.wanted in said for said in between):
            yield _beginning(record, reply)
        return


def _beginning(record: _Record, turn: int) -> Span:
    """The first sentence of a turn."""
    content = record.messages[turn].content
    first = next(iter(sentences(content)), Passage(0, len(content)))
    return Span(turn, first.start, first.end)


def _finding(record: _Record, turn: int, instruction: Instruction, proof: Span) -> Finding:
    remark = REMARKS[instruction.about]
    said = instruction.passage.of(record.messages[turn].content)
    return Finding(
        check=NAME,
        fault=f"{NAME}:{remark.fault}",
        dimension=remark.dimension,
        severity=remark.severity,
        about=Role.ASSISTANT,
        observation=f"The user said “{shortened(said)}”, and {remark.came}.",
        spans=(Span(turn, instruction.passage.start, instruction.passage.end), proof),
        improvement=remark.improvement,
        trigger=remark.trigger,
        title=remark.title,
        tags=remark.tags,
    )
