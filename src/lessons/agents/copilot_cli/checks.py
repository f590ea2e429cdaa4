"""Whether the hook of Copilot CLI answers, and what the client does not support."""

import os
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.copilot_cli.install import AGENT, hook_commands
from lessons.agents.hook_trial import Tried, check_scopes
from lessons.check import Check

LIMITS = (
    "Copilot CLI does not show you messages of hooks: run `lessons log` to see what fired, and `lessons allow` to let"
    " a blocked call pass. It gives hooks no call id, so a call that is repeated within one second of a stop is"
    " stopped too. It accepts no text from a hook at a compaction: the handoff is saved, but not restored."
)
_SILENT = ("PreCompact", "Stop", "SessionEnd")


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    yield from check_scopes(Tried(AGENT, hook_commands, _payload, _SILENT), settings, home, trial)


def _payload(event: str, folder: str, word: str) -> dict[str, object]:
    """The folder does not exist and the session has no files: no event starts anything in the background."""
    return {
        "hook_event_name": event,
        "session_id": f"doctor-{event}",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "cwd": os.path.join(folder, "none"),
        "tool_name": "Bash",
        "tool_input": {"command": word},
        "tool_result": {"text_result_for_llm": f"{word}\n<shellId: 0 completed with exit code 1>"},
        "error": word,
        "source": "clear",
        "reason": "other",
    }
