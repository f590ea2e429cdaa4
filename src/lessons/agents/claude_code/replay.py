"""Made-up events as Claude Code sends them, and what it reads from an answer: for `doctor` and `demo`."""

import json
import os
from typing import Any

from lessons.agents.base import Heard
from lessons.agents.hook_trial import SESSION


def payload_of(event: str, folder: str, word: str) -> dict[str, object]:
    """Returns the client's input for the hook's stdin, for any event; only PreCompact, which waits, gets a transcript.

    Without one the others start nothing that would outlive the check.
    """
    transcript = _lay_transcript(folder, word) if event == "PreCompact" else os.path.join(folder, "none.jsonl")
    return {
        **call_payload(word, SESSION, os.path.join(folder, "none")),
        "transcript_path": transcript,
        "trigger": "manual",
        "reason": "other",
        # For other events the folder does not exist, so that a starting session starts nothing in the background.
        **({"cwd": folder} if event == "PreCompact" else {}),
        "hook_event_name": event,
        "source": "clear",  # starts nothing in the background
        "error": f"Exit code 1\n{word}",
    }


def call_payload(command: str, name: str, cwd: str) -> dict[str, object]:
    """Returns the payload before a shell runs the command; `name` is the id of session and call."""
    return {
        "session_id": name,
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": name,
    }


def heard(answer: str) -> Heard:
    """Returns the text that the model reads from an answer to a call."""
    output: Any = json.loads(answer)["hookSpecificOutput"] if answer.strip() else {}
    reason = output.get("permissionDecisionReason")
    return Heard(reason is not None, str(reason or output.get("additionalContext") or ""))


def _lay_transcript(folder: str, word: str) -> str:
    """Writes the transcript of a session that ran this one command, and returns its path."""
    call = {"type": "tool_use", "id": "doctor", "name": "Bash", "input": {"command": word}}
    result = {"type": "tool_result", "tool_use_id": "doctor", "content": "done"}
    common = {"sessionId": SESSION, "cwd": folder, "isSidechain": False}
    lines = [
        {**common, "type": role, "uuid": f"0-{role}", "message": {"role": role, "content": [block]}}
        for role, block in (("assistant", call), ("user", result))
    ]
    path = os.path.join(folder, "doctor.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path
