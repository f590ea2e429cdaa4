"""Puts our hooks into a settings file of Claude Code, and takes them out."""

import difflib
import io
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import lessons
from lessons.agents.base import InstallReport
from lessons.agents.claude_code.hook_command import InstalledCommand, build_command, build_fallback, parse_command
from lessons.agents.claude_code.places import client_config_path, settings_path
from lessons.agents.claude_code.server.registration import (
    handlers,
    our_servers,
    plan_server,
    remove_server,
    server_entry,
)
from lessons.agents.claude_code.settings import REGISTRATIONS, Wanted, our_handlers, plan, read, remove
from lessons.agents.interpreter import resolve_interpreter, usable_interpreter
from lessons.agents.settings_text import find
from lessons.errors import DamagedFile, Refused
from lessons.match.call import is_of_windows
from lessons.store.atomic import write_text

__all__ = [
    "InstallReport",
    "InstalledCommand",
    "asked_server",
    "build_command",
    "client_config_path",
    "entry_file",
    "hook_commands",
    "install",
    "installed_commands",
    "parse_command",
    "plan",
    "register_server",
    "remove",
    "resolve_interpreter",
    "server_of",
    "servers_in",
    "settings_path",
    "uninstall",
    "unregister_server",
]

BACKUP_SUFFIX = ".lessons-backup"
# The event that a resident server can answer.
_SERVED = "PreToolUse"


def entry_file() -> str:
    """The file of the installed package that every hook command starts."""
    return os.path.join(os.path.abspath(lessons.__path__[0]), "hook", "entry.py")


def hook_commands(home: str, executable: str = sys.executable, entry: str | None = None) -> dict[str, str]:
    """The command of every event that is registered."""
    places = (usable_interpreter(executable), entry or entry_file(), os.path.abspath(home), executable)
    python, entry, home, executable = map(_with_slashes, places)
    return {event: build_command(event, python, entry, home, executable) for event in REGISTRATIONS}


def _with_slashes(path: str) -> str:
    """On Windows the client runs commands in the shell of Git, and it writes the path of a program so."""
    return path.replace("\\", "/") if is_of_windows(path) else path


def install(
    settings_file: str,
    home: str,
    dry_run: bool = False,
    executable: str = sys.executable,
    entry: str | None = None,
    server: str = "",
) -> InstallReport:
    """Puts our commands into the file, and where a server is named its call; a second time it changes nothing."""
    before = _read(settings_file)
    commands = hook_commands(home, executable, entry)
    after = plan(before, _behind_server(commands, server) if server else commands, settings_file)
    backup = None if after == before or dry_run else _back_up(settings_file, before)
    _replace(settings_file, before, after, dry_run)
    return _report(settings_file, before, after, backup, _warnings(after, settings_file))


def server_of(commands: Mapping[str, str]) -> dict[str, Any]:
    """The server that belongs to these commands."""
    parsed = parse_command(commands[_SERVED])
    assert parsed is not None
    return server_entry(parsed.python, parsed.entry, parsed.home)


def register_server(client_config: str, name: str, server: Mapping[str, Any], dry_run: bool = False) -> InstallReport:
    """Tells the client of the server; a second time it changes nothing.

    No copy is kept of a file that may hold keys, and that the client rewrites all the time.
    """
    before = _read(client_config)
    after = plan_server(before, name, server, client_config)
    _replace(client_config, before, after, dry_run)
    return _report(client_config, before, after, None, ())


def unregister_server(client_config: str, dry_run: bool = False) -> InstallReport:
    """Takes the server out of the client's file again."""
    before = _read(client_config)
    if before is None:
        return InstallReport(client_config, changed=False, diff="")
    after = remove_server(before, client_config)
    _replace(client_config, before, after, dry_run)
    return _report(client_config, before, after, None, ())


def servers_in(client_config: str) -> dict[str, dict[str, Any]]:
    """Our server as the client knows it, by its name."""
    text = _read(client_config)
    return {} if text is None else our_servers(text, client_config)


def asked_server(settings_file: str) -> str:
    """The name of the server that the hook in the file asks; empty where it asks none."""
    text = _read(settings_file)
    if text is None or not text.strip("\ufeff \t\r\n"):
        return ""
    root = read(text, settings_file)
    asked = (find(root, (*path, "server")) for path in our_handlers(root))
    return next((str(node.value) for node in asked if node is not None), "")


def _behind_server(commands: Mapping[str, str], server: str) -> dict[str, Wanted]:
    parsed = parse_command(commands[_SERVED])
    assert parsed is not None
    fallback = build_fallback(_SERVED, parsed.python, parsed.entry, parsed.home)
    return {**commands, _SERVED: handlers(server, fallback, REGISTRATIONS[_SERVED].timeout)}


def _replace(file: str, before: str | None, after: str, dry_run: bool) -> None:
    if after != before and not dry_run:
        _write(file, after)


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Takes our commands out of the file again, and away the copy that was made before where it is now the same."""
    before = _read(settings_file)
    if before is None:
        return InstallReport(settings_file, changed=False, diff="")
    backup = settings_file + BACKUP_SUFFIX
    original = _original(backup)
    after = remove(before, settings_file, original)
    _replace(settings_file, before, after, dry_run)
    if after == original and not dry_run:
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
        first = find(root, (*path, "args", 0))
        line = find(root, (*path, "args", 1) if first and first.value == "-c" else (*path, "command"))
        if line is not None:
            commands.setdefault(str(path[1]), line.value)
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
    """The file before the first install, if the copy of it is still there and readable."""
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
        if remove(text, file) != text:
            return None  # it has been changed before, and the copy of that time is gone
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
