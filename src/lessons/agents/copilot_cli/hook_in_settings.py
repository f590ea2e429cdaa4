"""Whether the hooks of a person's Copilot CLI run ours for an event: then the one in Claude's settings is silent."""

from lessons.agents.registered import runs_hook
from lessons.system import environment


def in_settings(event: str) -> bool:
    """Only the person's own file is believed: a file in a repository must not switch a hook off."""
    home = environment("COPILOT_HOME") or (environment("HOME") or environment("USERPROFILE")) + "/.copilot"
    return runs_hook(home + "/hooks/lessons.json", event, "copilot-cli")
