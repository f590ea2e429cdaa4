"""Whether the person's settings file already runs the hook for an event, so that the plugin's hook stays silent."""

from lessons.agents.registered import runs_hook
from lessons.system import environment


def in_settings(event: str) -> bool:
    """Then the plugin's hook does nothing, so that no call is answered or counted twice.

    Only the person's own file is believed: a line in a repository must not switch the plugin's hook off. A resident
    server is not looked for: the command that answers in its place stands beside it.
    """
    home = environment("HOME") or environment("USERPROFILE")
    return runs_hook((environment("CLAUDE_CONFIG_DIR") or home + "/.claude") + "/settings.json", event)
