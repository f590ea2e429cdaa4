"""Cursor as documented: its hook file, and the form of its payloads and answers."""

import json

from lessons.agents.cursor import wire
from lessons.agents.hook_event import Answer
from lessons.agents.table import AGENTS
from tests.tables import table

CALL: dict[str, object] = {
    "conversation_id": "c",
    "generation_id": "g",
    "workspace_roots": ["/shop"],
    "tool_name": "Shell",
    "tool_input": {"command": "ls"},
}


@table("value", [None, 5, True, [], {}])
def test_no_field_of_another_type_is_an_error(value: object) -> None:
    for name in AGENTS["cursor"].events:
        event = wire.parse(name, dict.fromkeys(("conversation_id", "workspace_roots", "tool_name", "error"), value))
        assert event is None or (event.session, event.cwd) == ("", "")


def test_a_call_and_the_answers_to_it() -> None:
    event = wire.parse("PreToolUse", CALL)
    assert event is not None and event.call is not None
    assert (event.session, event.cwd, event.call.command, event.call.names[0]) == ("c", "/shop", "ls", "Bash")
    denied = json.loads(wire.render(event, Answer(deny="no", message="for you")))
    assert denied == {"permission": "deny", "agent_message": "no", "user_message": "for you"}
    assert json.loads(wire.render(event, Answer("hint"))) == {"additional_context": "hint"}
    failed = wire.parse("PostToolUseFailure", {**CALL, "error_message": "boom"})
    assert failed is not None and failed.error == "boom"
