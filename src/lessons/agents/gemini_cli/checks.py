"""Whether the hook of Gemini CLI answers, and what the client does not support."""

import os
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.gemini_cli.install import AGENT, hook_commands
from lessons.agents.hook_trial import Tried, check_scopes
from lessons.check import Check

LIMITS = (
    "Gemini CLI passes no text to the model before a call: blocks and stops act before it, hints come with its result."
    " It does not report when it has compressed a context, so lessons are not shown again and no handoff is restored."
    " It runs the hooks of a project only in a folder that you trust."
)
_SILENT = ("AfterAgent", "SessionEnd")


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    yield from check_scopes(Tried(AGENT, hook_commands, _payload, _SILENT), settings, home, trial)


def _payload(event: str, folder: str, word: str) -> dict[str, object]:
    """The folder does not exist and the session has no files: no event starts anything in the background."""
    return {
        "session_id": "doctor",
        "hook_event_name": event,
        "transcript_path": os.path.join(folder, "none.jsonl"),
        "cwd": os.path.join(folder, "none"),
        "source": "clear",
        "reason": "exit",
        "tool_name": "run_shell_command",
        "tool_input": {"command": word},
        "tool_response": {"llmContent": f"Output: {word}\nExit Code: 1"},
    }
