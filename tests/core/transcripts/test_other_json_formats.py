"""ShareGPT, ChatGPT exports, τ-bench results and τ-bench examples."""

import json

import pytest

from core.transcripts.formats import Format
from core.transcripts.read import read
from core.vocabulary import Role, Source


def speakers(session):
    return [message.speaker for message in session.transcript.messages]


def contents(session):
    return [message.content for message in session.transcript.messages]


def test_sharegpt_never_makes_an_unknown_speaker_the_assistant(read_value):
    said_by = ["system", "Human", "user ", "gpt", "assistant", "observation", "critic"]
    reading = read_value({"id": 7, "conversations": [{"from": who, "value": who[0]} for who in said_by]})
    (session,) = reading.sessions
    assert reading.format is Format.SHAREGPT
    assert session.external_id == "7"
    assert speakers(session) == ["system", "user", "user", "assistant", "assistant", "tool", "other:critic"]
    assert contents(session) == ["s", "H", "u", "g", "a", "o", "c"]


def test_sharegpt_calls_are_calls_and_the_system_field_is_the_first_turn(session_of):
    turns = [
        {"from": "function_call", "value": '{"name": "find_order", "arguments": {"id": 17}}'},
        {"from": "function_call", "value": "no json"},
        {"from": "observation", "value": '{"error": "gone"}'},
    ]
    session = session_of({"conversations": turns, "system": "Be kind."})
    assert speakers(session) == ["system", "assistant", "other:function_call", "tool"]
    assert session.transcript.messages[1].tool_calls[0].shown == 'find_order({"id": 17})'
    assert session.transcript.messages[3].failed


def test_sharegpt_names_the_broken_turn(errors_of):
    value = {"conversations": [{"from": "human", "value": "x"}, {"from": None, "value": "y"}]}
    assert errors_of(value) == ["record 1: message 2: “from” is missing"]


def node(parent, role=None, text="", **more):
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "content": content} | more if role else None
    return {"parent": parent, "message": message}


def test_a_chatgpt_export_follows_the_current_branch_up_to_the_root(session_of):
    session = session_of(
        {
            "id": "c-1",
            "title": "Greeting",
            "create_time": 1773135000.5,
            "mapping": {
                "r": node(None),
                "s": node("r", "system", ""),
                "m1": node("s", "user", "hi"),
                "old": node("m1", "assistant", "go away"),
                "m2": node("m1", "assistant", "hello"),
            },
            "current_node": "m2",
        }
    )
    assert contents(session) == ["hi", "hello"]
    assert (session.external_id, session.task, session.started_at.timestamp()) == ("c-1", "Greeting", 1773135000.5)
    assert session.remarks == ("1 message on other branches of the conversation left out",)


def test_a_chatgpt_export_without_a_current_node_ends_in_the_latest_leaf(session_of):
    mapping = {
        "m1": node(None, "user", "hi"),
        "b": node("m1", "assistant", "new", create_time=2),
        "a": node("m1", "assistant", "old", create_time=1),
    }
    assert contents(session_of({"mapping": mapping})) == ["hi", "new"]


def test_what_chatgpt_says_to_a_tool_is_a_call(session_of):
    mapping = {
        "m1": node(None, "user", "2+2?"),
        "m2": node("m1", "assistant", recipient="python", content={"content_type": "code", "text": "2+2"}),
        "m3": node("m2", "tool", content={"content_type": "execution_output", "text": "4"}),
        "m4": node("m3", "assistant", content={"parts": ["4", {"content_type": "image_asset_pointer"}]}),
    }
    session = session_of({"mapping": mapping, "current_node": "m4"})
    assert session.transcript.messages[1].tool_calls[0].shown == "python(2+2)"
    assert contents(session) == ["2+2?", "", "4", "4 [image]"]


@pytest.mark.parametrize(
    ("mapping", "why"),
    [
        ({"a": node("b", "user", "x"), "b": node("a", "user", "y")}, "runs in a circle"),
        ({"a": node("gone", "user", "x")}, "names “gone”, which is not in the file"),
        ({"a": {"parent": None, "message": {"content": "x"}}}, "does not say whose it is"),
        ({"a": node(None)}, "it holds no messages"),
    ],
)
def test_a_broken_tree_is_an_error(errors_of, mapping, why):
    (error,) = errors_of({"mapping": mapping, "current_node": "a"})
    assert why in error


def tau_run(**changes):
    return {
        "task_id": 3,
        "trial": 1,
        "reward": 0.0,
        "info": {
            "task": {"user_id": "ada_1", "instruction": "Cancel the flight."},
            "reward_info": {"info": {"outputs": {"327": False, "10": True}}},
        },
        "traj": [
            {"role": "system", "content": "# Airline Agent Policy\n\nBe exact."},
            {"role": "user", "content": "Cancel, please."},
        ],
    } | changes


def test_a_tau_run_has_its_task_its_user_and_its_reward(session_of):
    session = session_of([tau_run()])
    assert (session.agent, session.task_class, session.user) == ("airline-agent", "airline", "ada_1")
    assert session.task == "Cancel the flight."
    assert session.agent_record.base_prompt == "# Airline Agent Policy\n\nBe exact."
    assert [(signal.source, signal.good, signal.score) for signal in session.feedback] == [
        (Source.EVALUATOR, False, 0.0),
        (Source.EVALUATOR, False, None),
    ]
    assert session.feedback[1].text == "Not told to the user: 327"


def test_a_tau_run_keeps_its_id_and_runs_of_other_models_have_others(session_of):
    other = tau_run(traj=[{"role": "user", "content": "Something else."}])
    ids = [session_of([run]).external_id for run in (tau_run(), tau_run(), other, tau_run(trial=2))]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
    assert ids[0].startswith("task-3-trial-1-")


def test_a_crashed_tau_run_is_an_external_failure_without_feedback(session_of):
    crash = tau_run(traj=[], info={"error": "litellm.ServiceUnavailableError: 503", "traceback": "…"})
    session = session_of([crash])
    assert session.external_failure == "litellm.ServiceUnavailableError: 503"
    assert session.feedback == ()
    assert session.transcript.messages == ()


def test_a_tau_run_without_messages_or_an_error_is_broken(errors_of):
    assert errors_of([tau_run(traj=[])]) == ["record 1: it holds no messages"]


@pytest.mark.parametrize(("reward", "why"), [(2, "between 0 and 1; it is 2"), ("1.0", "must be a number; it is text")])
def test_a_reward_that_is_none_is_an_error(errors_of, reward, why):
    assert why in errors_of([tau_run(reward=reward)])[0]


def test_an_example_keeps_the_turn_of_a_call_that_was_lost():
    display = "user: Hi\nassistant: None\ntool: Error: user not found\nassistant: Sorry.\n\nAnything else?\nuser: None"
    reading = read(json.dumps({"messages_display": display}).encode(), "few.jsonl")
    (session,) = reading.sessions
    assert reading.format is Format.TAU_FEW_SHOT
    assert speakers(session) == ["user", "assistant", "tool", "assistant", "user"]
    assert contents(session) == ["Hi", "", "Error: user not found", "Sorry.\n\nAnything else?", "None"]
    assert [message.role for message in session.transcript.messages if message.tool_calls] == [Role.ASSISTANT]
    assert [message.failed for message in session.transcript.messages] == [False, False, True, False, False]
    assert session.remarks == ("the file does not hold the name and the arguments of 1 tool call",)
