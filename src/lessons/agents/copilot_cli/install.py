"""Our hooks for Copilot CLI: a separate file among the hook files that the client reads."""

from lessons.agents.base import InstallReport
from lessons.agents.hook_command import build_commands
from lessons.agents.hook_settings import Registration
from lessons.agents.settings_file import command_places, commands_in, put_in, take_out

AGENT = "copilot-cli"
# Names in Pascal case get payloads like those of Claude Code. Only a shell's result shows a failure.
REGISTRATIONS = {
    "PreToolUse": Registration(timeout=5, matcher="*"),
    "PostToolUse": Registration(timeout=5, matcher="Bash"),
    "PostToolUseFailure": Registration(timeout=5, matcher="*"),
    "SessionStart": Registration(timeout=10),
    "SubagentStart": Registration(timeout=5),
    "PreCompact": Registration(timeout=10),
    "Stop": Registration(timeout=5),
    "SessionEnd": Registration(timeout=5),
}
_EMPTY = '{\n  "version": 1\n}\n'
_SHARED = "/.github/hooks/"


def hook_commands(home: str) -> dict[str, str]:
    """Returns the command of every event. Each exits with 0: the client denies a call on any other exit code."""
    return build_commands(REGISTRATIONS, command_places(home), AGENT)


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    """Adds our commands to the file; safe to run again."""
    _, done = put_in(settings_file, hook_commands(home), REGISTRATIONS, dry_run, made=_EMPTY)
    return done._replace(warnings=_warnings(settings_file))


def _warnings(file: str) -> tuple[str, ...]:
    if _SHARED not in file.replace("\\", "/"):
        return ()
    return (f"{file} belongs to the repository and names paths of this machine: do not commit it.",)


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Removes our commands from the file, and the file if it has nothing else."""
    return take_out(settings_file, dry_run, made=_EMPTY)


def installed_commands(settings_file: str) -> dict[str, str]:
    """Returns event -> our command in the file, of any version; empty if there is no file."""
    return commands_in(settings_file)
