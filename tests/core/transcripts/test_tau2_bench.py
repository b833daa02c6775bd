"""τ²-bench results: the right task, the user, the evaluator's signals and runs that broke outside the agent."""

import pytest

from core.transcripts.formats import Format
from core.vocabulary import Source


def task(name="1", user="ada_1", **changes):
    return {
        "id": name,
        "user_scenario": {
            "instructions": {
                "reason_for_call": f"Task {name}.",
                "known_info": f"You are Ada.\n\nYour user id is: '{user}'.",
            }
        },
        "evaluation_criteria": {"actions": [action(name)], "nl_assertions": ["Agent is exact."]},
    } | changes


def action(name="1"):
    return {"action_id": f"{name}_0", "name": "cancel", "arguments": {"id": name}}


def run(**changes):
    return {
        "id": "sim-1",
        "task_id": "1",
        "start_time": "2025-01-01T00:00:00.000000",
        "termination_reason": "user_stop",
        "reward_info": {
            "reward": 0.0,
            "reward_breakdown": {"DB": 0.0, "COMMUNICATE": 1.0},
            "action_checks": [{"action": action()}],
            "nl_assertions": [{"nl_assertion": "Agent is exact.", "met": False, "justification": "It was not."}],
            "communicate_checks": [{"info": "327", "met": False, "justification": None}],
        },
        "messages": [
            {"role": "user", "content": "Cancel."},
            {"role": "assistant", "content": None, "tool_calls": [call("c1", "get_user_details", user_id="bob_2")]},
            {"role": "tool", "id": "c1", "content": "fine", "error": True},
        ],
    } | changes


def call(id, name, **arguments):
    return {"id": id, "name": name, "arguments": arguments, "requestor": "assistant"}


def results(*runs, tasks=None):
    environment = {"domain_name": "airline", "policy": "Be exact."}
    return {
        "simulations": list(runs),
        "tasks": tasks if tasks is not None else [task()],
        "info": {"environment_info": environment},
    }


def test_a_simulation_is_a_session_of_its_domain(read_value):
    reading = read_value(results(run()))
    (session,) = reading.sessions
    assert reading.format is Format.TAU2_BENCH
    assert (session.external_id, session.agent, session.task_class) == ("sim-1", "airline-agent", "airline")
    assert (session.user, session.task) == ("ada_1", "Task 1.")
    assert session.agent_record.base_prompt == "Be exact."
    assert session.started_at.isoformat() == "2025-01-01T00:00:00+00:00"
    assert session.remarks == ("1 time has no zone and was taken as UTC",)


def test_arguments_that_are_objects_become_text_and_the_error_flag_counts(session_of):
    _, asked, answer = session_of(results(run())).transcript.messages
    assert asked.tool_calls[0].shown == 'get_user_details({"user_id": "bob_2"})'
    assert (answer.name, answer.tool_call_id, answer.failed) == ("get_user_details", "c1", True)


def test_reward_and_unmet_checks_are_signals_of_the_evaluator(session_of):
    signals = session_of(results(run())).feedback
    assert {signal.source for signal in signals} == {Source.EVALUATOR}
    assert [(signal.good, signal.score, signal.text) for signal in signals] == [
        (False, 0.0, "Reward 0 (DB 0, COMMUNICATE 1)"),
        (False, None, "Not met: Agent is exact. (It was not.)"),
        (False, None, "Not told to the user: 327"),
    ]


def test_a_full_reward_is_good_and_a_run_that_was_cut_short_says_so(session_of):
    reward = {"reward": 0.9999999, "nl_assertions": [{"nl_assertion": "Agent is exact.", "met": True}]}
    (signal,) = session_of(results(run(reward_info=reward, termination_reason="max_steps"))).feedback
    assert (signal.good, signal.text) == (True, "Reward 1 (ended by max_steps)")


@pytest.mark.parametrize("ended", ["infrastructure_error", "unexpected_error", "user_error"])
def test_what_broke_outside_the_agent_is_an_external_failure_without_feedback(session_of, ended):
    session = session_of(results(run(termination_reason=ended, messages=[])))
    assert session.external_failure.endswith(f"({ended})")
    assert session.feedback == ()


@pytest.mark.parametrize("ended", ["max_steps", "too_many_errors", "agent_error", None])
def test_what_the_agent_did_is_no_external_failure(session_of, ended):
    assert session_of(results(run(termination_reason=ended))).external_failure is None


def test_a_task_name_that_the_evaluation_contradicts_is_not_believed(session_of):
    tasks = [task("1"), task("2", "eve_9")]
    mislabelled = run(reward_info={"reward": 1, "action_checks": [{"action": action("2")}]})
    session = session_of(results(mislabelled, tasks=tasks))
    assert (session.task, session.user) == ("Task 2.", "eve_9")
    assert session.remarks[0] == "the simulation names task “1”, but was evaluated on task “2”, which is taken"


def test_a_contradiction_that_cannot_be_solved_leaves_the_task_out(session_of):
    mislabelled = run(reward_info={"reward": 1, "action_checks": [{"action": action("7")}]})
    session = session_of(results(mislabelled))
    assert (session.task, session.user) == (None, "bob_2")
    assert session.remarks[0] == "the simulation names task “1”, but was evaluated on another; the task is left out"


def test_without_an_id_in_the_task_the_agents_calls_tell_the_user(session_of):
    plain = task(user_scenario={"instructions": "You do not know your user id."})
    assert session_of(results(run(), tasks=[plain])).user == "bob_2"
    found = run(
        messages=[
            {"role": "assistant", "tool_calls": [call("c", "find_user_id_by_email", email="x@example.com")]},
            {"role": "tool", "id": "c", "content": "Error: user not found"},
            {"role": "assistant", "tool_calls": [call("d", "find_user_id_by_email", email="y@example.com")]},
            {"role": "tool", "id": "d", "content": "cy_3"},
        ]
    )
    session = session_of(results(found, tasks=[plain]))
    assert (session.user, session.task) == ("cy_3", "You do not know your user id.")


def test_results_that_came_together_stand_apart(session_of):
    answers = [{"role": "tool", "id": "a", "content": "1"}, {"role": "tool", "id": "b", "content": "2"}]
    messages = [
        {"role": "assistant", "tool_calls": [call("a", "f"), call("b", "g")]},
        {"role": "tool", "tool_messages": answers},
    ]
    turns = session_of(results(run(messages=messages))).transcript.messages
    assert [(turn.name, turn.content) for turn in turns[1:]] == [("f", "1"), ("g", "2")]


def test_a_broken_simulation_costs_only_itself(read_value):
    reading = read_value(results(run(), 5, run(messages=None), run(reward_info={"reward": "high"}), run(id="sim-2")))
    assert [session.external_id for session in reading.sessions] == ["sim-1", "sim-2"]
    assert [str(error) for error in reading.errors] == [
        "record 2: a simulation must be an object; it is a number",
        "record 3: “messages” must be a list; it is nothing",
        "record 4: “reward” must be a number; it is text",
    ]


def test_a_file_without_simulations_holds_no_session(read_value):
    assert read_value(results()).sessions == ()
