"""Whether the hook of Qwen Code answers, and what the client does not support."""

import os
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.hook_trial import Tried, check_scopes
from lessons.agents.qwen_code.install import AGENT, hook_commands
from lessons.check import Check

LIMITS = (
    "Qwen Code passes no text to the model before a call: blocks and stops act before it, hints come with its result."
    " It does not report the end of a session, so the handoff is saved after each turn. Without a terminal it does not"
    " show you messages of hooks: run `lessons log` to see what fired."
)
_SILENT = ("PostToolUse", "PreCompact", "Stop", "SessionEnd")


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    yield from check_scopes(Tried(AGENT, hook_commands, _payload, _SILENT), settings, home, trial)


def _payload(event: str, folder: str, word: str) -> dict[str, object]:
    """The folder does not exist and the session has no files: no event starts anything in the background."""
    return {
        "hook_event_name": event,
        "session_id": f"doctor-{event}",
        "transcript_path": os.path.join(folder, "none.jsonl"),
        "cwd": os.path.join(folder, "none"),
        "tool_name": "run_shell_command",
        "tool_input": {"command": word},
        "tool_call_id": "doctor",
        "error": word,
        "source": "clear",
        "reason": "other",
    }
