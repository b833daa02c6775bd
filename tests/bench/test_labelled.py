"""The bench's comparison with people's labels counts what it says."""

from bench.checks.labelled import Hits, LabelledRun, _by_chance, _of_finding, _of_step
from core.checks import Case, run
from core.transcripts.message import Message, Transcript
from core.vocabulary import Role


def _run(step: int, agent: str) -> LabelledRun:
    said = ("Planner", "How long?"), ("Coder", "It takes 1234 days."), ("Planner", "Fine."), ("Coder", "Done.")
    asked = Message(role=Role.USER, content="How long does it take?")
    messages = (asked, *(Message(role=Role.ASSISTANT, content=text, name=name) for name, text in said))
    return LabelledRun(Case(Transcript(messages=messages), "Plan."), 1, tuple(name for name, _ in said), step, agent)


def test_a_guess_hits_the_step_its_neighbour_and_the_agent():
    labelled = _run(1, "Coder")

    assert _of_step(labelled, 1) == Hits(1, 1, 1)
    assert _of_step(labelled, 2) == Hits(0, 1, 0)
    assert _of_step(labelled, 3) == Hits(0, 0, 1)


def test_chance_is_the_mean_over_all_steps():
    assert _by_chance(_run(1, "Coder")) == Hits(1 / 4, 3 / 4, 2 / 4)
    assert _by_chance(_run(0, "Planner")) == Hits(1 / 4, 2 / 4, 2 / 4)


def test_a_finding_counts_at_the_turn_of_the_agent_that_it_lights():
    labelled = _run(1, "Coder")
    [finding] = run(labelled.case)

    assert _of_finding(labelled, finding) == Hits(1, 1, 1)
    assert _of_finding(labelled, None) == Hits(0, 0, 0)
