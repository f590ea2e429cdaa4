"""Cursor as documented: its hook file, and the form of its payloads and answers."""

import json
from pathlib import Path

from lessons.agents.cursor import hook_in_settings, install, places, transcript, wire
from lessons.agents.hook_event import Answer
from tests.conftest import SetVariable
from tests.tables import table

OWN = '{\n  "version": 1,\n  "hooks": {\n    "preToolUse": [{"command": "./mine.sh"}]\n  }\n}\n'
CALL: dict[str, object] = {
    "conversation_id": "c",
    "generation_id": "g",
    "workspace_roots": ["/shop"],
    "tool_name": "Shell",
    "tool_input": {"command": "ls"},
}


@table("value", [None, 5, True, [], {}])
def test_no_field_of_another_type_is_an_error(value: object) -> None:
    for name in wire.EVENTS:
        event = wire.parse(name, dict.fromkeys(("conversation_id", "workspace_roots", "tool_name", "error"), value))
        assert event is None or (event.session, event.cwd) == ("", "")


def test_nothing_is_read_of_its_transcripts() -> None:
    assert places.roots() == [] and list(places.conversations("")) == []
    assert not transcript.READER.recognises([b'{"role":"user"}\n'])


def test_hooks_come_and_go_and_others_stay(tmp_path: Path) -> None:
    file = tmp_path / "hooks.json"
    file.write_text(OWN)
    report = install.install(str(file), str(tmp_path))
    assert report.changed and "not been tested" in report.warnings[0]
    hooks = json.loads(file.read_text())["hooks"]
    assert hooks["preToolUse"][0]["command"] == "./mine.sh"
    assert hooks.keys() == {"preToolUse", "postToolUseFailure", "sessionStart"}
    assert install.installed_commands(str(file)) == install.hook_commands(str(tmp_path))
    assert not install.install(str(file), str(tmp_path)).changed
    assert install.uninstall(str(file)).changed
    assert file.read_text() == OWN


def test_a_call_and_the_answers_to_it() -> None:
    event = wire.parse("PreToolUse", CALL)
    assert event is not None and event.call is not None
    assert (event.session, event.cwd, event.call.command, event.call.names[0]) == ("c", "/shop", "ls", "Bash")
    denied = json.loads(wire.render(event, Answer(deny="no", message="for you")))
    assert denied == {"permission": "deny", "agent_message": "no", "user_message": "for you"}
    assert json.loads(wire.render(event, Answer("hint"))) == {"additional_context": "hint"}
    failed = wire.parse("PostToolUseFailure", {**CALL, "error_message": "boom"})
    assert failed is not None and failed.error == "boom"


def test_its_own_hook_is_found(tmp_path: Path, variable: SetVariable) -> None:
    variable("HOME", str(tmp_path))
    assert not hook_in_settings.in_settings("PreToolUse")
    install.install(places.settings_path("user", "", {"HOME": str(tmp_path)}), str(tmp_path))
    assert all(hook_in_settings.in_settings(event) for event in wire.EVENTS)
