"""Whatever a server answers, a request ends as a status or as an error that says what to do."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.critic.accepted import Remembered
from core.critic.answer import Answer
from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from core.errors import ModelError
from tests.core.critic.asking import ASKED, KEY, Waits
from tests.critic_server import Scripted

NAMES = ("choices", "message", "content", "finish_reason", "refusal", "usage", "prompt_tokens", "completion_tokens")
ERRORS = ("error", "code", "param", "type", "detail", "text", "model")
SAID = ("length", "stop", "error", "max_tokens", "response_format", "context_length_exceeded", "json_validate_failed")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 600) | st.floats() | st.text(max_size=5) | st.sampled_from(SAID),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES + ERRORS), inner, max_size=4),
    max_leaves=12,
)
COMPLETIONS = st.fixed_dictionaries(
    {"choices": st.lists(st.fixed_dictionaries({"message": JSON, "finish_reason": JSON}), max_size=2), "usage": JSON}
)
BODIES = (JSON | COMPLETIONS).map(json.dumps) | st.text(max_size=20)
STATUSES = st.sampled_from([200, 201, 204, 302, 400, 401, 404, 413, 422, 429, 500, 503])
HEADERS = st.dictionaries(
    st.sampled_from(["retry-after", "retry-after-ms", "location", "content-type", "x-request-id", "content-encoding"]),
    st.sampled_from(["1", "gzip", "-1", "1e400", "soon", "text/html; charset=utf-16", "application/json", "http://["]),
    max_size=2,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(BODIES, STATUSES, HEADERS), min_size=1, max_size=4))
def test_any_answers_end_as_a_status_or_an_error(server, answers):
    server.clear()
    server.script(*[Scripted(body, status=status, headers=headers) for body, status, headers in answers])
    environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "m"}
    chosen = ModelSettings.from_environment(environ, tries=2, reasoning_effort="low")
    with Llm(chosen, remembered=Remembered(), clock=Waits().clock) as llm:
        try:
            got: Answer | ModelError = llm.ask(ASKED)
        except ModelError as error:
            got = error
    sent = got.attempts if isinstance(got, ModelError) else len(got.attempts)
    assert sent == len(server.received)
    assert isinstance(got, ModelError) or Answer.model_validate_json(got.model_dump_json()) == got
