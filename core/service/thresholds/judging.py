"""What people decided, beside what the gate of each kind would have said of it.

A gate keeps a procedure that is read by its confidence, a note that is read by its severity and its quotes, a lesson
that nothing stands beside as a twin. Vagueness and plants are no numbers, so they have no gate here.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from core.governance.acts import done
from core.governance.references import version_reference
from core.screening.comparison import Relation, compare
from core.screening.contract import KnownText
from core.screening.known import KnownTexts
from core.screening.likeness import Alike, common_run, folded
from core.service.thresholds.happened import Judged
from core.service.thresholds.timeline import Act
from core.settings_told import setting
from core.store.clock import day_in_words
from core.store.records import Item
from core.vocabulary import Kind, Severity, Status

LESSONS = 200
"""Lessons that are compared with each other, those that were decided last."""

LOOSEST = Alike(int((setting("twin_share").low or 0) * 100), float(setting("twin_cosine").low or 0))
WORDS_ALONE = Alike(101, 2.0)
"""Nothing is as alike as this, so that only the words decide."""

Verdicts = Mapping[int, tuple[bool, Act]]
ByItem = Mapping[int, tuple[Item, Any]]


def said_by(act: Act) -> str:
    """A decision in words: ``approved by Meera, 12 Nov 2026``."""
    return f"{done(act.action)} by {act.by}, {day_in_words(act.at)}"


def judged(by_item: ByItem, verdicts: Verdicts) -> tuple[Judged, ...]:
    """The last verdict of people about each procedure, lesson and note; of several versions the one decided last."""
    newest: dict[tuple[str, int], int] = {}
    for number, _ in sorted(verdicts.items(), key=lambda one: one[1][1].id):
        item = by_item[number][0]
        newest[item.kind, item.number] = number
    chosen = [(*by_item[number], *verdicts[number]) for number in newest.values()]
    lessons = [one for one in chosen if one[0].kind == Kind.LESSON][-LESSONS:]
    others = [one for one in chosen if one[0].kind != Kind.LESSON]
    return (*map(_gated, others), *_lessons(lessons))


def _gated(one: tuple[Item, Any, bool, Act]) -> Judged:
    item, _, kept, act = one
    known = item.severity in set(Severity)
    return Judged(
        kind=Kind(item.kind),
        ref=version_reference(item),
        kept=kept,
        in_words=said_by(act),
        number=item.number,
        severity=item.severity if known else Severity.CRITICAL,
        grounded=item.quotes > 0 and item.not_found == 0,
    )


def _lessons(rows: list[tuple[Item, Any, bool, Act]]) -> Iterable[Judged]:
    """Each lesson beside those of its agent and task class that were there before it.

    One whose status only a newer version of the desk knows is left out.
    """
    known: dict[tuple[int, str], KnownTexts] = {}
    readable = (row for row in rows if row[0].status in set(Status))
    for item, body, kept, act in sorted(readable, key=lambda one: one[0].id or 0):
        texts = known.setdefault((item.agent_id, item.task_class), KnownTexts(alike=LOOSEST))
        is_twin, run, cosine = _likest(body.text, texts)
        ref = version_reference(item)
        texts.add(KnownText(ref, body.text, Status(item.status), Kind.LESSON))
        yield Judged(Kind.LESSON, ref, kept, said_by(act), is_twin=is_twin, run=run, cosine=cosine)


def _likest(text: str, known: KnownTexts) -> tuple[bool, int, float]:
    """Whether the words alone make it a twin, else the longest common run (hundredths) and cosine that could."""
    twins, run, cosine = (Relation.SAME, Relation.TWIN), 0, 0.0
    for reference, likeness in known.candidates(text).items():
        other = known[reference].text
        if compare(text, other, alike=WORDS_ALONE).relation in twins:
            return True, 0, 0.0
        if compare(text, other, cosine=likeness, alike=LOOSEST).relation in twins:
            run, cosine = max(run, _run(text, other)), max(cosine, likeness or 0.0)
    return False, run, cosine


def _run(one: str, other: str) -> int:
    """Hundredths of the shorter text that the longest common run covers, rounded down."""
    one, other = folded(one), folded(other)
    return 100 * common_run(one, other) // max(1, min(len(one), len(other)))
