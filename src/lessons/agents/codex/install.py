"""Adds our hooks to a hooks.json of Codex, and removes them; the user decides in Codex whether they run."""

import os
import sys

from lessons.agents.base import InstallReport
from lessons.agents.hook_command import build_commands, in_posix_shell
from lessons.agents.hook_settings import Registration
from lessons.agents.settings_file import command_places, commands_in, put_in, take_out

AGENT = "codex"
# The client never waits longer than 3 seconds at session end.
REGISTRATIONS = {
    "PreToolUse": Registration(timeout=5, matcher="*"),
    "PostToolUse": Registration(timeout=5, matcher="Bash"),
    "SessionStart": Registration(timeout=10),
    "SubagentStart": Registration(timeout=5),
    "PreCompact": Registration(timeout=10),
    "Stop": Registration(timeout=5),
    "SessionEnd": Registration(timeout=3),
}
_EMPTY = "{}\n"
TRUST = "Codex runs only hooks that you trust: start `codex`, enter /hooks and trust those of lessons."
_SHARED = "{} names paths of this machine: do not commit it. Codex reads it only in a project that you trust."


def hook_commands(home: str, executable: str = sys.executable, entry: str | None = None) -> dict[str, str]:
    """Returns the command of every registered event."""
    lines = build_commands(REGISTRATIONS, command_places(home, executable, entry), AGENT)
    return {event: in_posix_shell(line) for event, line in lines.items()}


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    """Adds our commands to the file; running it again changes nothing, so that the user's trust stays valid."""
    _, done = put_in(settings_file, hook_commands(home), REGISTRATIONS, dry_run)
    in_project = os.path.isdir(os.path.join(os.path.dirname(os.path.dirname(settings_file)), ".git"))
    warnings = (_SHARED.format(settings_file),) if in_project else ()
    return done._replace(warnings=warnings, next_steps=(TRUST,))


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Removes our commands from the file, and the file if it has nothing else."""
    return take_out(settings_file, dry_run, made=_EMPTY)


def installed_commands(settings_file: str) -> dict[str, str]:
    return commands_in(settings_file)
