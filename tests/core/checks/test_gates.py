"""What the newer checks propose passes the gates before the store: a lesson and a procedure for each fault."""

import json

from sqlmodel import select

from core.service.bring_in import bring_in
from core.service.debrief import debrief
from core.store.database import Database
from core.store.records import Item
from core.vocabulary import Kind, Status

TURNS = [
    ("user", "Hi, this is ridiculous. Where is my parcel? Also, please cancel the bicycle rental in Hamburg."),
    ("assistant", "Could you please provide your order number?"),
    ("user", "W-48213. Please reply in German. Please don’t call me. Please email me the form."),
    ("assistant", "Could you please provide your order number?"),
    ("user", "Please answer in one sentence. And what happens now?"),
    (
        "assistant",
        "I guarantee that it is on its way. We will waive the fee. It will be delivered by Friday. It is fine. So.",
    ),
    ("user", "Fine."),
    (
        "assistant",
        "Our office will call you tomorrow. A specialist will contact you. You are welcome, and have a good day.",
    ),
]


def test_every_fault_of_the_newer_checks_becomes_a_note_a_lesson_and_a_procedure(database: Database) -> None:
    sessions = [
        {
            "id": f"S-{number}",
            "agent": "Parcel Desk",
            "user": f"user {number}",
            "task_class": "parcels",
            "messages": [{"role": role, "content": text} for role, text in TURNS],
        }
        for number in range(4)
    ]
    bring_in(database, json.dumps(sessions).encode(), "parcels.json")

    debrief(database)

    with database.reading() as db:
        items = db.exec(select(Item)).all()
    faults = {kind: {item.fault for item in items if item.kind == kind} for kind in Kind}
    checks = {fault.split(":")[0] for fault in faults[Kind.NOTE]}
    assert checks == {"missed_signals", "asked_again", "unsupported_promise", "dropped_instruction"}
    assert faults[Kind.LESSON] == faults[Kind.PROCEDURE] == faults[Kind.NOTE]
    assert {item.status for item in items} <= {Status.OPEN, Status.PROPOSED}
