"""Lessons to measure with: made from parts, always the same ones, every tenth a rewording of an earlier one."""

import random

_STEPS = ("check", "confirm", "read", "compare", "quote", "name", "record", "attach", "summarise", "translate", "count")
_OBJECTS = (
    "the refund policy",
    "the order number",
    "the fare rules",
    "the caller's identity",
    "the exchange rate",
    "the return label",
    "the passenger's surname",
    "the delivery date",
    "the error message",
    "the tax line",
    "the account balance",
    "the meter reading",
    "the seat map",
    "the course progress",
    "the warranty card",
    "the invoice address",
    "the tariff",
)
_WHEN = (
    "before promising a refund",
    "before closing the ticket",
    "after every failed payment",
    "when a parcel is late",
    "when two prices differ",
    "before quoting a fee",
    "after a name has changed",
    "before cancelling a booking",
    "when a form is incomplete",
    "after the second reminder",
    "before reading out a balance",
    "when the address is abroad",
)
_WHERE = ("for courses", "for flights", "for parcels", "for contracts", "in the shop", "on the phone", "in the chat")


def lessons(count: int) -> list[str]:
    """``count`` lessons of about a hundred characters."""
    draw = random.Random(7)
    made: list[str] = []
    while len(made) < count:
        made.append(_reworded(draw, draw.choice(made)) if len(made) % 10 == 9 else _lesson(draw))
    return made


def _lesson(draw: random.Random) -> str:
    first, second = draw.sample(_OBJECTS, 2)
    step, other = draw.sample(_STEPS, 2)
    condition = f"{draw.choice(_WHERE)} {draw.choice(_WHEN)}"
    return f"{step.capitalize()} {first} {condition}, and {other} {second} in field {draw.randint(2, 9_999)}."


def _reworded(draw: random.Random, old: str) -> str:
    return draw.choice((f"Always {old[0].lower()}{old[1:]}", old.replace("the ", "each ", 1), f"{old[:-1]} as well."))
