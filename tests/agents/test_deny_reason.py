"""A call is denied with a reason in every agent: without one the clients run the call."""

import json
from importlib import import_module

import pytest

from lessons.agents.hook_event import BEFORE_CALL, Answer, HookEvent


@pytest.mark.parametrize(
    "agent", ["claude_code", "codex", "copilot_cli", "cursor", "gemini_cli", "opencode", "qwen_code"]
)
@pytest.mark.parametrize("reason", ["", " \n", "\u200b"])
def test_no_deny_without_a_reason(agent: str, reason: str) -> None:
    wire = import_module(f"lessons.agents.{agent}.wire")
    document = json.loads(wire.render(HookEvent(BEFORE_CALL, agent=agent), Answer(deny=reason)))
    assert "A lesson stops this call." in json.dumps(document)
