"""Adds our hooks to a settings file of Qwen Code, and removes them."""

from lessons.agents.base import InstallReport
from lessons.agents.hook_command import build_commands
from lessons.agents.hook_settings import Registration, switched_off
from lessons.agents.settings_file import command_places, commands_in, put_in, take_out

AGENT = "qwen-code"
# In seconds. A hint comes with the result of a call, so every call is checked twice.
REGISTRATIONS = {
    "PreToolUse": Registration(timeout=5),
    "PostToolUse": Registration(timeout=5),
    "PostToolUseFailure": Registration(timeout=5),
    "SessionStart": Registration(timeout=10),
    "SubagentStart": Registration(timeout=5),
    "PreCompact": Registration(timeout=10),
    "Stop": Registration(timeout=5),
    "SessionEnd": Registration(timeout=5),
}
_EMPTY = "{}\n"


def hook_commands(home: str) -> dict[str, str]:
    """Returns the command of every event."""
    return build_commands(REGISTRATIONS, command_places(home), AGENT)


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    """Adds our commands to the file; safe to run again."""
    after, done = put_in(settings_file, hook_commands(home), REGISTRATIONS, dry_run)
    return done._replace(warnings=switched_off(after, settings_file))


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Removes our commands from the file, and the file if it has nothing else."""
    return take_out(settings_file, dry_run, made=_EMPTY)


def installed_commands(settings_file: str) -> dict[str, str]:
    """Returns event -> our command in the file, of any version; empty if there is no file."""
    return commands_in(settings_file)
