"""Which tool does what an agent says that it did.

Part of the checks, second station of the flow. Verbs fall into kinds (``cancel``, ``refund`` …); a tool belongs to a
kind by the stems in its name. The kinds are general words of service work and know no data set. Promise: a pure
lookup.
"""

import re
from dataclasses import dataclass

_READ_VERB = re.compile(
    r"^(?:get|find|search|list|lookup|look|fetch|read|check(?!_?(?:in|out))|query|calculate|compute|think|show|view|"
    r"retrieve|describe|verify|validate|estimate|quote|preview|compare|authenticate)(?:$|_)"
)
_READ_NOUN = re.compile(
    r"_(?:get|find|search|list|lookup|look_up|fetch|read|check|query|status|details|history|info|test|compare|match|map|"
    r"calculate|rules)$"
)
_CHANGES = re.compile(
    r"(?:^|_)(?:update|set|change|create|add|modify|delete|remove|reset|submit|send|start|edit)(?:$|_)"
)
_NAME_IN_PROMPT = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+\.(?:create|update|cancel|delete|send|add|book|refund)\b")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class ActionKind:
    """A kind of action: the participles that claim it and the stems of the tools that do it."""

    name: str
    participles: str
    stems: tuple[str, ...]
    """Stems that a tool's name must hold, one of them; empty: any tool that changes something."""
    saying: str
    """The participle as it stands in a sentence about the kind."""

    def done_by(self, tool: str, arguments: str = "") -> bool:
        """Whether a tool of this name can do this kind of action, by itself or with a request in these arguments."""
        if reads_only(tool):
            return False
        name, asked = plain_name(tool), arguments.lower()
        return not self.stems or any(stem in name or stem in asked for stem in self.stems)


KINDS = tuple(
    ActionKind(name, participles, tuple(stems.split()), saying)
    for name, participles, stems, saying in (
        ("cancel", r"cancell?ed|terminated|unsubscribed", "cancel terminat unsubscri close delete stop", "cancelled"),
        (
            "refund",
            r"refunded|reimbursed",
            "refund reimburs cancel return exchange credit pay modify update change",
            "refunded",
        ),
        ("book", r"(?:re-?)?booked|reserved", "book reserv order purchase schedul appoint slot ticket", "booked"),
        (
            "transfer",
            r"transferred|handed over|connected|escalated",
            "transfer escalat handoff hand_off handover connect human ticket case",
            "transferred",
        ),
        ("exchange", r"exchanged|swapped", "exchange swap replac modify return", "exchanged"),
        ("return", r"returned", "return exchange refund rma", "returned"),
        (
            "send",
            r"sent|e-?mailed|texted|mailed|forwarded",
            "send mail sms notif messag issue dispatch ship share certificate code reset link",
            "sent",
        ),
        (
            "credit",
            r"credited|compensated|waived",
            "credit certificate compensat voucher refund waive adjust payment bonus reward goodwill update apply",
            "credited",
        ),
        (
            "schedule",
            r"(?:re-?)?scheduled|rearranged",
            "schedul book appoint slot calendar meeting visit event update modify create change",
            "scheduled",
        ),
        (
            "reset",
            r"reset|restarted|rebooted|re-?provisioned",
            "reset restart reboot provision refresh clear toggle password code update",
            "reset",
        ),
        (
            "activate",
            r"(?:re-?)?activated|(?:re-?)?enabled|unlocked|unblocked",
            "activ enabl lock toggle resume update set",
            "activated",
        ),
        (
            "block",
            r"deactivated|disabled|suspended|blocked|locked|frozen",
            "activ disabl lock suspend freeze toggle update set",
            "blocked",
        ),
        ("enroll", r"enroll?ed|registered|signed up", "enrol regist sign subscri join create add", "enrolled"),
        (
            "pay",
            r"paid|charged|invested|purchased|redeemed",
            "pay charg invest purchas order redeem buy sip book update checkout",
            "paid",
        ),
        ("upgrade", r"upgraded|downgraded", "upgrad downgrad plan cabin update modify change book", "upgraded"),
        (
            "record",
            r"documented|logged|recorded",
            "document log record note ticket case comment report complain crm escalat create submit",
            "recorded",
        ),
        ("submit", r"filed|raised|opened|submitted|lodged", "", "submitted"),
        (
            "change",
            r"updated|changed|modified|corrected|amended|edited|added|removed|applied|deleted|created|placed|processed|"
            r"issued|completed|finali[sz]ed|extended|adjusted|switched|moved|set up|arranged|initiated|paused|renewed",
            "",
            "changed",
        ),
    )
)
"""Every kind of action, the specific ones first; any tool that changes something does ``submit`` and ``change``."""


def plain_name(tool: str) -> str:
    """A tool's name in lower case with underscores between its words: ``CancelOrder`` is ``cancel_order``."""
    return re.sub(r"[\s.\-/]+", "_", _CAMEL.sub("_", tool)).lower()


def reads_only(tool: str) -> bool:
    """Whether the name says that the tool only looks something up."""
    name = plain_name(tool)
    return bool(_READ_VERB.search(name) or (_READ_NOUN.search(name) and not _CHANGES.search(name)))


def tools_named_in(prompt: str) -> frozenset[str]:
    """Names in a prompt that look like tools, such as ``cancel_order`` or ``refunds.create``."""
    return frozenset(_NAME_IN_PROMPT.findall(prompt))
