"""What is said of a dropped instruction, and what is to be learned from it.

Part of the checks, second station of the flow. Instructions that teach the same thing share a fault, so that they
become one proposal. Promise: a pure table.
"""

from dataclasses import dataclass, replace

from core.checks.instructions import About
from core.vocabulary import Dimension, Severity


@dataclass(frozen=True)
class Remark:
    """How a dropped instruction is remarked; ``came`` says what came instead."""

    fault: str
    came: str
    dimension: Dimension
    severity: Severity
    improvement: str
    trigger: str
    title: str
    tags: tuple[str, ...]


_NOTHING_CAME = "nothing that the agent said or called afterwards speaks of it"
_FORM = Remark(
    "form",
    "the reply is in another language",
    Dimension.COMMUNICATION,
    Severity.MEDIUM,
    "When the user says in which language, length or form to answer, keep to it in every reply, or say why you cannot.",
    "When the user says how to answer",
    "Answer in the form asked for",
    ("reply", "form"),
)
_CONTACT = Remark(
    "contact",
    _NOTHING_CAME,
    Dimension.COMPLIANCE,
    Severity.MEDIUM,
    "Write back in the way that the user asked for, or say why that is not possible; never in a way that "
    "was ruled out.",
    "When the user says how to be contacted",
    "Contact as the user wishes",
    ("contact", "wishes"),
)
_REQUEST = Remark(
    "second_request",
    _NOTHING_CAME,
    Dimension.COMPLETENESS,
    Severity.MEDIUM,
    "Before you finish, go through each request of the user's turn and answer every one: done, not possible with the "
    "reason, or still to come.",
    "When a turn of the user holds more than one request",
    "Answer every request of a turn",
    ("requests", "completeness"),
)
_ACT = Remark(
    "forbidden_act",
    "a tool did it all the same",
    Dimension.COMPLIANCE,
    Severity.HIGH,
    "Do nothing that the user has forbidden; ask first where the task seems to need it.",
    "When the user says what must not be done",
    "Hands off what the user forbade",
    ("limits", "actions"),
)
REMARKS = {
    About.LANGUAGE: _FORM,
    About.LENGTH: replace(_FORM, came="the reply is much longer"),
    About.NO_LIST: replace(_FORM, came="the reply is a list"),
    About.LIST: replace(_FORM, came="the reply is none"),
    About.NO_CALLS: replace(_CONTACT, came="the agent announces a call"),
    About.CHANNEL: _CONTACT,
    About.ALSO: _REQUEST,
    About.FORBIDDEN: _ACT,
}
"""What is said of each kind of instruction."""
