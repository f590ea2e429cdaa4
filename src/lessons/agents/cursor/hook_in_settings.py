"""Whether the user's own Cursor hooks run ours for an event: then the one in Claude's settings is silent."""

from lessons.agents.registered import runs_hook
from lessons.system import environment


def in_settings(event: str) -> bool:
    home = environment("HOME") or environment("USERPROFILE")
    return runs_hook(home + "/.cursor/hooks.json", event[:1].lower() + event[1:], "cursor", event)
