"""What all wires share: ids that recur get the session's name, and no call is denied without a reason."""

import json

import pytest

from lessons.agents.hook_event import BEFORE_CALL, Answer, HookEvent, unique_call_id
from lessons.agents.table import AGENTS, wire_of
from tests.conftest import SetVariable
from tests.tables import table


@pytest.mark.parametrize("agent", AGENTS)
@table("reason", ["", " \n", "\u200b"])
def test_no_deny_without_a_reason(agent: str, reason: str) -> None:
    """Without one the clients run the call."""
    document = json.loads(wire_of(agent).render(HookEvent(BEFORE_CALL, agent=agent), Answer(deny=reason)))
    assert "A lesson stops this call." in json.dumps(document)


FIELDS = (
    *("session_id", "sessionId", "agent_id", "cwd", "transcript_path", "tool_name", "tool_input", "tool_use_id"),
    *("tool_response", "tool_result", "error", "source", "reason", "model", "prompt", "session", "parent", "call"),
    *("args", "output", "exit", "conversation_id", "workspace_roots", "turn_id", "tool_call_id", "parent_agent_id"),
)
WRONG: list[object] = [None, 5, -1.5, True, [], [[]], {}, {"command": 5}, {"llmContent": []}, "\ud800", "x" * 10_000]


@pytest.mark.parametrize("agent", AGENTS)
@table("value", WRONG)
def test_no_field_of_any_type_is_an_error(agent: str, value: object, variable: SetVariable) -> None:
    variable("HOME", "/nowhere")
    wire = wire_of(agent)
    call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool": "bash", "args": {"command": "ls"}}
    for event in (*AGENTS[agent].events, "an event of tomorrow"):
        for payload in ({}, dict.fromkeys(FIELDS, value), *({**call, field: value} for field in FIELDS)):
            parsed = wire.parse(event, {"session_id": "s", **payload})
            assert parsed is None or wire.render(parsed, Answer()) in ("", "{}")


@table(
    "given",
    [
        "toolu_bdrk_016Vhz9rZBJHNBAPu8Crj4h1",
        "call_9pW6V8gZ4bYxQ2mN1kL7tR3s",
        "chatcmpl-tool-0123456789abcdef0123456789abcdef",
        "toolu_1794768450074_akc0cbh6t",
        "",
    ],
)
def test_what_is_unique_stays(given: str) -> None:
    assert unique_call_id(given, "s", "a") == given


@table("given", ["call_1", "call_1_0", "0", "functions.run_shell_command:3", "call_w0u2yzqd"])
def test_what_comes_again_gets_the_session(given: str) -> None:
    assert unique_call_id(given, "s") == f"{given}@s"
    assert unique_call_id(given, "s", "a") == f"{given}@s/a"
    assert unique_call_id(given, "") == given
