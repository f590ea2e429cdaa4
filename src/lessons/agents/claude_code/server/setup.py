"""Adds the resident server to the client's own file, and removes it once no settings file asks it."""

import os
import sys
from typing import Any

from lessons import paths
from lessons.agents.base import InstallReport, Warn
from lessons.agents.claude_code import install
from lessons.agents.claude_code.server import registration, settings_files
from lessons.errors import LessonsError, Refused


def file_of(client_config: str | None) -> str:
    return os.path.abspath(client_config) if client_config else install.client_config_path(os.environ)


def refuse_unless_possible(platform: str = sys.platform) -> None:
    if platform == "win32":
        raise Refused("--warm does not work on Windows yet: run `lessons install` without it.")


def name_for(client_config: str | None) -> str:
    """Returns the name in the client's file, else a new one; settings are not trusted, a project may have its own."""
    known = filter(registration.is_private, install.servers_in(file_of(client_config)))
    return next(known, "") or registration.new_name()


def install_hook(
    settings: str, home: str, client_config: str | None, dry_run: bool, warm: bool, warn: Warn
) -> tuple[InstallReport, InstallReport | None]:
    """Changes the settings and the client's file; all refusals happen before anything is written."""
    if not warm:
        report = install.install(settings, home, dry_run=dry_run)
        return report, unregister(client_config, settings, dry_run, warn)
    name = name_for(client_config)
    planned = install.install(settings, home, dry_run=True, server=name)
    server = register(client_config, name, home, dry_run)
    if dry_run:
        return planned, server
    try:
        report = install.install(settings, home, server=name)
    except LessonsError:
        unregister(client_config, None, dry_run, warn)
        raise
    note(home, settings)
    return report, server


def register(client_config: str | None, name: str, home: str, dry_run: bool) -> InstallReport:
    file = file_of(client_config)
    earlier = _homes(install.servers_in(file))
    report = install.register_server(file, name, install.server_of(install.hook_commands(home)), dry_run)
    if not dry_run:
        settings_files.add(home, (each for other in earlier for each in settings_files.read(other)))
    return report


def note(home: str, settings: str) -> None:
    """Records that the server is needed as long as this file asks it."""
    settings_files.add(home, [os.path.realpath(settings)])


def unregister(client_config: str | None, settings: str | None, dry_run: bool, warn: Warn) -> InstallReport | None:
    """Returns None if there is nothing to remove, or other settings still ask the server."""
    file = file_of(client_config)
    try:
        servers = install.servers_in(file)
        if _is_asked(servers, settings, dry_run) or not servers:
            return None
        return install.unregister_server(file, dry_run)
    except LessonsError:
        # The hook does not depend on it: installing or removing it continues.
        if settings_files.read(paths.data_home()):
            detail = f"Whether {file} still names the server of lessons cannot be told, or not be changed"
            warn([f"{detail}: make it a file that can be read and written, and run this again."])
        return None


def _is_asked(servers: dict[str, dict[str, Any]], settings: str | None, dry_run: bool) -> bool:
    left = os.path.realpath(settings) if settings else None
    asked = {os.path.realpath(install.settings_path(scope, os.getcwd(), os.environ)) for scope in ("user", "project")}
    for home in _homes(servers) | {paths.data_home()}:
        known = settings_files.read(home)
        asked.update(known)
        if not dry_run:
            settings_files.remove(home, [file for file in known if file == left or _asked_by(file) == ""])
    return any(_asked_by(file) in (None, *servers) for file in asked if file != left)


def _asked_by(settings: str) -> str | None:
    """Returns the server that these settings ask, empty for none; None if they are unreadable: it may be any."""
    try:
        return install.asked_server(settings)
    except LessonsError:
        return None


def _homes(servers: dict[str, dict[str, Any]]) -> set[str]:
    """Returns the data homes of the servers."""
    return {home for server in servers.values() if (home := registration.paths_of(server)[2])}
