"""Whether the user's Copilot CLI hooks run ours for an event: then the one in Claude's settings is silent."""

from lessons.agents.registered import runs_hook
from lessons.system import environment


def in_settings(event: str) -> bool:
    """Only the user's own file is trusted: a file in a repository must not disable a hook."""
    home = environment("COPILOT_HOME") or (environment("HOME") or environment("USERPROFILE")) + "/.copilot"
    return runs_hook(home + "/hooks/lessons.json", event, "copilot-cli")
