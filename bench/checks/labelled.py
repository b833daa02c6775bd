"""Who&When: do the checks fire where people say that a run of several agents went wrong?

The label is not shown to the checks: every agent speaks as the assistant, the terminal is a tool, the question is the
user's turn and the agents' prompts are told. Beside the checks stand guesses from the same run of the bench: the
first step always, the last step always, and any step with the same chance, which is counted out and not drawn.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.evidence.corpus import root
from core.checks import Case, Finding, run
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role

_TERMINAL = "Computer_terminal"


@dataclass(frozen=True)
class LabelledRun:
    """A failed run; ``agents`` says who speaks at each step, ``step`` and ``agent`` are the person's label."""

    case: Case
    offset: int
    """Turns of the case before the first step."""
    agents: tuple[str, ...]
    step: int
    agent: str


@dataclass(frozen=True)
class Hits:
    """How good one guess is: chances from 0 to 1 that it names the step, a step beside it at most, the agent."""

    step: float
    near: float
    agent: float


def labelled_runs() -> Iterator[LabelledRun]:
    """Every run of Who&When, in a fixed order."""
    folder = root()
    for path in sorted((folder / "who-and-when").glob("*/*.json")) if folder else ():
        row = json.loads(path.read_text(encoding="utf-8"))
        told = [Message(role=Role.SYSTEM, content=prompt) for prompt in (row.get("system_prompt") or {}).values()]
        asked = Message(role=Role.USER, content=row["question"])
        agents = tuple(str(each.get("name") or each["role"]) for each in row["history"])
        said = [_said(agent, each["content"]) for agent, each in zip(agents, row["history"], strict=True)]
        case = Case(Transcript(messages=(*told, asked, *said)))
        yield LabelledRun(case, len(told) + 1, agents, int(row["mistake_step"]), row["mistake_agent"])


def _said(agent: str, content: str) -> Message:
    return Message(role=Role.TOOL if agent == _TERMINAL else Role.ASSISTANT, content=content, name=agent)


def report() -> Iterator[str]:
    """The lines of the report."""
    runs = list(labelled_runs())
    if not runs:
        return
    found = [(each, run(each.case)) for each in runs]
    fired = [(each, findings) for each, findings in found if findings]
    steps = sum(len(each.agents) for each in runs)
    yield f"who-and-when: {len(runs)} runs, {steps} steps; a check fires in {len(fired)}"
    for name in sorted({finding.check for _, findings in found for finding in findings}):
        yield f"  {name}: {sum(finding.check == name for _, findings in found for finding in findings)} findings"
    yield from _compared("all runs", [(each, _worst(findings)) for each, findings in found])
    yield from _compared("runs in which a check fires", [(each, _worst(findings)) for each, findings in fired])
    yield f"  any finding of the run at the labelled step: {sum(map(_any_at_step, fired))} of {len(fired)}"


def _worst(findings: Sequence[Finding]) -> Finding | None:
    """The finding that a reader would open first: the most severe, of these the earliest."""
    return min(findings, key=lambda each: (each.severity.rank, each.spans[-1].turn), default=None)


def _any_at_step(pair: tuple[LabelledRun, list[Finding]]) -> bool:
    labelled, findings = pair
    return any(span.turn - labelled.offset == labelled.step for each in findings for span in each.spans)


def _compared(which: str, guesses: Sequence[tuple[LabelledRun, Finding | None]]) -> Iterator[str]:
    ways: dict[str, Callable[[LabelledRun, Finding | None], Hits]] = {
        "the checks' worst finding": _of_finding,
        "always the first step": lambda each, _: _of_step(each, 0),
        "always the last step": lambda each, _: _of_step(each, len(each.agents) - 1),
        "any step, by chance": lambda each, _: _by_chance(each),
    }
    yield f"  {which} ({len(guesses)}): labelled step, within one step, same agent"
    for name, way in ways.items():
        hits = [way(each, finding) for each, finding in guesses]
        sums = (sum(hit.step for hit in hits), sum(hit.near for hit in hits), sum(hit.agent for hit in hits))
        yield f"    {name}: " + ", ".join(f"{total:.1f} ({total / max(len(hits), 1):.1%})" for total in sums)


def _of_finding(labelled: LabelledRun, finding: Finding | None) -> Hits:
    if finding is None:
        return Hits(0, 0, 0)
    turns = [span.turn for span in finding.spans]
    spoken = [turn for turn in turns if labelled.case.transcript.messages[turn].role is Role.ASSISTANT]
    return _of_step(labelled, (spoken or turns)[-1] - labelled.offset)


def _of_step(labelled: LabelledRun, step: int) -> Hits:
    same = 0 <= step < len(labelled.agents) and labelled.agents[step] == labelled.agent
    return Hits(step == labelled.step, abs(step - labelled.step) <= 1, same)


def _by_chance(labelled: LabelledRun) -> Hits:
    each = [_of_step(labelled, step) for step in range(len(labelled.agents))]
    count = len(each)
    return Hits(
        sum(hit.step for hit in each) / count,
        sum(hit.near for hit in each) / count,
        sum(hit.agent for hit in each) / count,
    )
