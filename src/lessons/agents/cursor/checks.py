"""Whether the hook of Cursor answers the payloads that the client is documented to send."""

import os
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.cursor.install import hook_commands
from lessons.agents.cursor.wire import AGENT
from lessons.agents.hook_trial import Tried, check_scopes
from lessons.check import Check

LIMITS = (
    "The Cursor hook follows its documentation and has not been tested with the client. Reports differ on whether"
    " hints before a call reach its model; blocks and stops are documented. Its transcripts are not read."
)


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    yield from check_scopes(Tried(AGENT, hook_commands, _payload, ()), settings, home, trial)


def _payload(event: str, folder: str, word: str) -> dict[str, object]:
    return {
        "hook_event_name": event[:1].lower() + event[1:],
        "conversation_id": f"doctor-{event}",
        "generation_id": "doctor",
        "workspace_roots": [os.path.join(folder, "none")],
        "tool_name": "Shell",
        "tool_input": {"command": word},
        "error_message": word,
    }
