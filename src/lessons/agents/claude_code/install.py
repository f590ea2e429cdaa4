"""Adds our hooks to a settings file of Claude Code, and removes them."""

import sys
from collections.abc import Mapping
from typing import Any

from lessons.agents.base import InstallReport
from lessons.agents.claude_code.places import client_config_path, settings_path
from lessons.agents.claude_code.server.registration import (
    handlers,
    our_servers,
    plan_server,
    remove_server,
    server_entry,
)
from lessons.agents.claude_code.settings import REGISTRATIONS, Wanted, our_handlers, plan, read, remove
from lessons.agents.hook_command import InstalledCommand, build_command, build_fallback, parse_command
from lessons.agents.hook_settings import switched_off
from lessons.agents.interpreter import resolve_interpreter
from lessons.agents.settings_file import (
    BACKUP_SUFFIX,
    change,
    command_places,
    commands_in,
    entry_file,
    read_text,
    replace,
    report,
    take_out,
)
from lessons.agents.settings_text import find

__all__ = [
    "BACKUP_SUFFIX",
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

# The event that a resident server can answer.
_SERVED = "PreToolUse"


def hook_commands(home: str, executable: str = sys.executable, entry: str | None = None) -> dict[str, str]:
    """Returns the command of every registered event."""
    python, entry, home, executable = command_places(home, executable, entry)
    return {event: build_command(event, python, entry, home, executable) for event in REGISTRATIONS}


def install(
    settings_file: str,
    home: str,
    dry_run: bool = False,
    executable: str = sys.executable,
    entry: str | None = None,
    server: str = "",
) -> InstallReport:
    """Adds our commands to the file, and the call of the server if one is named; safe to run again."""
    commands = hook_commands(home, executable, entry)
    wanted = _behind_server(commands, server) if server else commands
    after, done = change(settings_file, lambda before: plan(before, wanted, settings_file), dry_run)
    return done._replace(warnings=switched_off(after, settings_file))


def server_of(commands: Mapping[str, str]) -> dict[str, Any]:
    """Returns the server that belongs to these commands."""
    parsed = parse_command(commands[_SERVED])
    assert parsed is not None
    return server_entry(parsed.python, parsed.entry, parsed.home)


def register_server(client_config: str, name: str, server: Mapping[str, Any], dry_run: bool = False) -> InstallReport:
    """Registers the server with the client; safe to run again.

    Keeps no backup of a file that may have keys, and that the client rewrites all the time.
    """
    before = read_text(client_config)
    after = plan_server(before, name, server, client_config)
    replace(client_config, before, after, dry_run)
    return report(client_config, before, after)


def unregister_server(client_config: str, dry_run: bool = False) -> InstallReport:
    """Removes the server from the client's file."""
    before = read_text(client_config)
    if before is None:
        return InstallReport(client_config, changed=False, diff="")
    after = remove_server(before, client_config)
    replace(client_config, before, after, dry_run)
    return report(client_config, before, after)


def servers_in(client_config: str) -> dict[str, dict[str, Any]]:
    """Returns our server as registered with the client, by its name."""
    text = read_text(client_config)
    return {} if text is None else our_servers(text, client_config)


def asked_server(settings_file: str) -> str:
    """Returns the name of the server that the hook in the file asks; empty if it asks none."""
    text = read_text(settings_file)
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


def uninstall(settings_file: str, dry_run: bool = False) -> InstallReport:
    """Removes our commands from the file, and the earlier backup if it is now identical."""
    return take_out(settings_file, dry_run)


def installed_commands(settings_file: str) -> dict[str, str]:
    """Returns event -> our command in the file, of any version; empty if there is no file."""
    return commands_in(settings_file)
