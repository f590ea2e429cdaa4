"""What all wires share: ids that recur get the session's name, and no call is denied without a reason."""

import json

import pytest

from lessons.agents.hook_event import BEFORE_CALL, Answer, HookEvent, unique_call_id
from lessons.agents.table import AGENTS, wire_of
from tests.tables import table


@pytest.mark.parametrize("agent", AGENTS)
@table("reason", ["", " \n", "\u200b"])
def test_no_deny_without_a_reason(agent: str, reason: str) -> None:
    """Without one the clients run the call."""
    document = json.loads(wire_of(agent).render(HookEvent(BEFORE_CALL, agent=agent), Answer(deny=reason)))
    assert "A lesson stops this call." in json.dumps(document)


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
