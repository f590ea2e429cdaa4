"""A settings file of Claude Code and a data home become that file with our hooks, and without them again."""

import difflib
import io
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import lessons
from lessons.agents.claude_code.command import InstalledCommand, build_command, parse_command
from lessons.agents.claude_code.settings import REGISTRATIONS, our_handlers, plan, read, remove
from lessons.agents.interpreter import resolve_interpreter
from lessons.agents.settings_text import find
from lessons.errors import DamagedFile, Refused
from lessons.store.atomic import write_text

__all__ = [
    "InstallReport",
    "InstalledCommand",
    "build_command",
    "entry_file",
    "hook_commands",
    "install",
    "installed_commands",
    "parse_command",
    "plan",
    "remove",
    "resolve_interpreter",
    "settings_path",
    "uninstall",
]

BACKUP_SUFFIX = ".lessons-backup"


@dataclass(frozen=True)
class InstallReport:
    """What was done to a settings file, or, on a dry run, what would be."""

    file: str
    changed: bool
    diff: str
    backup: str | None = None
    warnings: tuple[str, ...] = ()


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """The settings file of a scope; the project's is the one not shared, since it will hold local paths."""
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), ".claude", "settings.local.json")
    if scope != "user":
        raise Refused(f"The scope is {scope!r}: choose user or project.")
    home = environment.get("HOME") or os.path.expanduser("~")
    folder = environment.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    return os.path.join(os.path.abspath(folder), "settings.json")


def entry_file() -> str:
    """The file of the installed package that every hook command starts."""
    return os.path.join(os.path.abspath(lessons.__path__[0]), "hook", "entry.py")


def hook_commands(home: str, executable: str = sys.executable, entry: str | None = None) -> dict[str, str]:
    """The command of every event that is registered."""
    python, entry = resolve_interpreter(executable), entry or entry_file()
    home = os.path.abspath(home)
    return {event: build_command(event, python, entry, home, executable) for event in REGISTRATIONS}


def install(
    settings_file: str,
    home: str,
    dry_run: bool = False,
    executable: str = sys.executable,
    entry: str | None = None,
) -> InstallReport:
    """Puts our commands into the file; a second time it changes nothing."""
    before = _read(settings_file)
    after = plan(before, hook_commands(home, executable, entry), settings_file)
    backup = None
    if after != before and not dry_run:
        backup = _back_up(settings_file, before)
        _write(settings_file, after)
    return _report(settings_file, before, after, backup, _warnings(after, settings_file))


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Takes our commands out of the file again, and the copy that install made where it is now the same."""
    before = _read(settings_file)
    if before is None:
        return InstallReport(settings_file, changed=False, diff="")
    backup = settings_file + BACKUP_SUFFIX
    original = _original(backup)
    after = remove(before, settings_file, original)
    if not dry_run:
        if after != before:
            _write(settings_file, after)
        if after == original:
            with suppress(OSError):  # a copy too many does no harm
                os.unlink(backup)
    kept = backup if os.path.exists(backup) else None
    return _report(settings_file, before, after, kept, ())


def installed_commands(settings_file: str) -> dict[str, str]:
    """Event -> our command in the file, of whatever version; none where there is no file."""
    text = _read(settings_file)
    if text is None or not text.strip("\ufeff \t\r\n"):
        return {}
    root = read(text, settings_file)
    commands: dict[str, str] = {}
    for path in our_handlers(root):
        command = find(root, (*path, "command"))
        if command is not None:
            commands.setdefault(str(path[1]), command.value)
    return commands


def _report(file: str, before: str | None, after: str, backup: str | None, warnings: tuple[str, ...]) -> InstallReport:
    return InstallReport(file, before != after, _diff(file, before or "", after), backup, warnings)


def _warnings(text: str, file: str) -> tuple[str, ...]:
    switch = find(read(text, file), ("disableAllHooks",))
    if switch is None or switch.value is not True:
        return ()
    return (f"{file} has `disableAllHooks: true`, so no hook runs: take it out to let the lessons act.",)


def _diff(file: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(_lines(before), _lines(after), file, file + " (with the change)")
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline="\n"))


def _read(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8", newline="") as opened:
            return opened.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise DamagedFile(
            f"{file} is not UTF-8 text (byte {error.start}): save it as UTF-8; nothing was changed."
        ) from error
    except OSError as error:
        raise _refused("read", file, error) from error


def _original(backup: str) -> str | None:
    """The settings before the first install, if the copy of them is still there and readable."""
    try:
        text = _read(backup)
        if text is not None:
            remove(text, backup)
    except (DamagedFile, Refused):
        return None
    return text


def _back_up(file: str, text: str | None) -> str | None:
    """Keeps the text as it was before our first change; a copy that is there already is that one."""
    backup = file + BACKUP_SUFFIX
    if text is None:
        return None
    if not os.path.lexists(backup):
        _write(backup, text, stat.S_IMODE(os.stat(file).st_mode))
    return backup


def _write(file: str, text: str, mode: int = 0o600) -> None:
    try:
        # Made here, with the usual permissions: the folder is the client's, not one of our private ones.
        os.makedirs(os.path.dirname(os.path.realpath(file)), exist_ok=True)
        write_text(file, text, mode)
    except OSError as error:
        raise _refused("write", file, error) from error


def _refused(verb: str, file: str, error: OSError) -> Refused:
    return Refused(f"Cannot {verb} {file} ({error.strerror}): make it a file you may {verb}, or name another one.")
