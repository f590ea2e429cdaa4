"""Whether the user's settings file already runs the hook for an event, so that the plugin's hook stays silent."""

from lessons.agents.registered import runs_hook
from lessons.system import environment


def in_settings(event: str) -> bool:
    """Then the plugin's hook does nothing, so that no call is answered or counted twice.

    Only the user's own file is trusted: a line in a repository must not disable the plugin's hook. A resident server is
    not checked: its fallback command is in the same file.
    """
    home = environment("HOME") or environment("USERPROFILE")
    return runs_hook((environment("CLAUDE_CONFIG_DIR") or home + "/.claude") + "/settings.json", event)
