"""Records what a suite saw a real client do; `make docs` generates docs/AGENTS.md from it."""

import json
from pathlib import Path

from tests.e2e.rig.clients import CLIENTS

# Not committed: `make docs` puts what a run noted into docs/agents-seen.json.
NOTES = Path(__file__).parents[3] / "build" / "agents-seen.jsonl"


def seen(agent: str, event: str, what: str, honoured: bool, version: str = "") -> None:
    """To be called when the test has proved it; the line is short enough to be written at once.

    `agent` is its name in agents/table.py, `event` the client's own name of it, `what` what we asked of it. The
    version is the pinned one, unless another is named.
    """
    line = {"agent": agent, "version": version or CLIENTS[agent][1], "event": event, "what": what, "honoured": honoured}
    NOTES.parent.mkdir(exist_ok=True)
    with open(NOTES, "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
