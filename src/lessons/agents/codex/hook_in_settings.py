"""Whether the person's hooks.json already runs the hook for an event, so that the plugin's hook stays silent."""

from lessons.agents.hook_lines import from_posix_shell, line_of
from lessons.agents.registered import commands_for, read_small, runs
from lessons.system import environment


def in_settings(event: str) -> bool:
    """Only where the person has trusted it: one that Codex skips must not silence the plugin.

    Only the person's own file is believed: a line in a repository must not switch the plugin's hook off.
    """
    folder = environment("CODEX_HOME") or (environment("HOME") or environment("USERPROFILE")) + "/.codex"
    file, lines = folder + "/hooks.json", (line_of(event, "codex"),)
    for group, number, command in commands_for(file, event):
        if runs(from_posix_shell(command), event, lines):
            return _is_trusted(folder + "/config.toml", f"{file}:{state_name(event)}:{group}:{number}")
    return False


def state_name(event: str) -> str:
    """The event as the client's configuration spells it: PreToolUse -> pre_tool_use."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in event).lstrip("_")


def _is_trusted(config: str, key: str) -> bool:
    """By the table that Codex writes; whether the hash in it is the right one only `lessons doctor` computes."""
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
