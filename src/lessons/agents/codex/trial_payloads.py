"""Made-up events as Codex sends them, for `lessons doctor`."""

import json
import os

from lessons.agents.hook_trial import SESSION

_CALL = "call_of_lessons_doctor_trial"
_TURN = "doctor-turn"
_WITH_ROLLOUT = ("PreCompact", "PostToolUse")


def payload_of(event: str, folder: str, word: str) -> dict[str, object]:
    """Returns the client's input for the hook's stdin; without a rollout nothing is started that outlives the check.

    The command in the rollout worked before a compaction, and has just failed for the event with a result.
    """
    file = os.path.join(folder, "none.jsonl")
    if event in _WITH_ROLLOUT:
        file = _lay_rollout(folder, word, exit_code=1 if event == "PostToolUse" else 0)
    return {
        "session_id": SESSION,
        "turn_id": _TURN,
        "transcript_path": file,
        # For other events the folder does not exist, so that a starting session starts nothing in the background.
        "cwd": folder if event == "PreCompact" else os.path.join(folder, "none"),
        "hook_event_name": event,
        "source": "clear",  # starts nothing in the background
        "reason": "other",
        "trigger": "manual",
        "tool_name": "Bash",
        "tool_input": {"command": word},
        "tool_response": word,
        "tool_use_id": _CALL,
    }


def _lay_rollout(folder: str, word: str, exit_code: int) -> str:
    """Writes the rollout of a session that ran this one command, and returns its path."""
    status = "failed" if exit_code else "completed"
    item = {
        "type": "CommandExecution",
        "id": _CALL,
        "status": status,
        "aggregated_output": word,
        "exit_code": exit_code,
    }
    call = {"type": "function_call", "name": "exec_command", "arguments": json.dumps({"cmd": word}), "call_id": _CALL}
    lines = [
        ("session_meta", {"id": SESSION, "cwd": folder}),
        ("response_item", call),
        ("event_msg", {"type": "item_completed", "turn_id": _TURN, "item": item}),
    ]
    path = os.path.join(folder, "doctor.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        for kind, payload in lines:
            line = {"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    return path
