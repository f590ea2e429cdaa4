"""Our hooks for Copilot CLI: a file of their own among the files of hooks that the client reads."""

from lessons.agents.base import InstallReport
from lessons.agents.hook_command import build_command
from lessons.agents.hook_settings import Registration, plan
from lessons.agents.settings_file import change, command_places, commands_in, take_out

AGENT = "copilot-cli"
# Names in Pascal case get payloads like those of Claude Code. Only a shell has a result that tells of a failure.
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
    """The command of every event. Each ends with exit status 0: the client denies a call on any other."""
    places = command_places(home)
    return {event: build_command(event, *places, agent=AGENT) for event in REGISTRATIONS}


def install(settings_file: str, home: str, dry_run: bool = False) -> InstallReport:
    """Puts our commands into the file; a second time it changes nothing."""
    wanted = hook_commands(home)
    _, done = change(settings_file, lambda before: plan(_text(before), wanted, REGISTRATIONS, settings_file), dry_run)
    return done._replace(warnings=_warnings(settings_file))


def _text(before: str | None) -> str:
    return before if before and before.strip("\ufeff \t\r\n") else _EMPTY


def _warnings(file: str) -> tuple[str, ...]:
    if _SHARED not in file.replace("\\", "/"):
        return ()
    return (f"{file} belongs to the repository and names paths of this machine: do not commit it.",)


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Takes our commands out of the file, and the file away where it held nothing else."""
    return take_out(settings_file, dry_run, made=_EMPTY)


def installed_commands(settings_file: str) -> dict[str, str]:
    """Event -> our command in the file, of whatever version; none where there is no file."""
    return commands_in(settings_file)
