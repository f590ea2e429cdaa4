"""Whether the user's hooks.json already runs the hook for an event, so that the plugin's hook stays silent."""

from lessons.agents.hook_lines import from_posix_shell, line_of
from lessons.agents.registered import commands_for, read_small, runs
from lessons.system import environment


def in_settings(event: str) -> bool:
    """Only if the user has trusted it: a hook that Codex skips must not silence the plugin.

    Only the user's own file is trusted: a line in a repository must not disable the plugin's hook.
    """
    folder = environment("CODEX_HOME") or (environment("HOME") or environment("USERPROFILE")) + "/.codex"
    file, lines = folder + "/hooks.json", (line_of(event, "codex"),)
    for group, number, command in commands_for(file, event):
        if runs(from_posix_shell(command), event, lines):
            return _is_trusted(folder + "/config.toml", f"{file}:{state_name(event)}:{group}:{number}")
    return False


def state_name(event: str) -> str:
    """Returns the event as the client's configuration spells it: PreToolUse -> pre_tool_use."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in event).lstrip("_")


def _is_trusted(config: str, key: str) -> bool:
    """Decides by the table that Codex writes; only `lessons doctor` checks the hash in it."""
    try:
        lines = read_small(config).decode("utf-8", "replace").split("\n")
    except OSError:
        return False
    inside = trusted = False
    for line in lines:
        line = line.strip()
        if line.startswith("["):
            inside = line == f'[hooks.state."{key}"]'
        elif inside and line.startswith("trusted_hash"):
            trusted = True
        elif inside and line.replace(" ", "") == "enabled=false":
            return False
    return trusted
