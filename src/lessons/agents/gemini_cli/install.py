"""Adds our hooks to a settings file of Gemini CLI, and removes them."""

from lessons.agents.base import InstallReport
from lessons.agents.gemini_cli.wire import AGENT
from lessons.agents.hook_command import build_commands, in_posix_shell
from lessons.agents.hook_settings import Registration, read
from lessons.agents.settings_file import command_places, commands_in, put_in, take_out
from lessons.agents.settings_text import find

__all__ = ["AGENT", "REGISTRATIONS", "hook_commands", "install", "installed_commands", "uninstall"]

# In milliseconds. A hint comes with the result of a call, so every call is checked twice.
REGISTRATIONS = {
    "BeforeTool": Registration(timeout=5_000),
    "AfterTool": Registration(timeout=5_000),
    "SessionStart": Registration(timeout=10_000),
    "AfterAgent": Registration(timeout=5_000),
    "SessionEnd": Registration(timeout=5_000),
}
_EMPTY = "{}\n"


def hook_commands(home: str) -> dict[str, str]:
    """Returns the command of every event."""
    lines = build_commands(REGISTRATIONS, command_places(home), AGENT)
    return {event: in_posix_shell(line) for event, line in lines.items()}


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    """Adds our commands to the file; safe to run again."""
    after, done = put_in(settings_file, hook_commands(home), REGISTRATIONS, dry_run)
    return done._replace(warnings=_switched_off(after, settings_file))


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Removes our commands from the file, and the file if it has nothing else."""
    return take_out(settings_file, dry_run, made=_EMPTY)


def installed_commands(settings_file: str) -> dict[str, str]:
    """Returns event -> our command in the file, of any version; empty if there is no file."""
    return commands_in(settings_file)


def _switched_off(text: str, file: str) -> tuple[str, ...]:
    switch = find(read(text, file), ("hooksConfig", "enabled"))
    if switch is None or switch.value is not False:
        return ()
    return (f"{file} has `hooksConfig.enabled: false`, so no hook runs: remove it to let lessons fire.",)
