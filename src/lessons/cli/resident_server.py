"""Where an install goes in, the client's own file with the resident server in it, or without it, out."""

import os
import sys
from typing import Any

from lessons.agents.claude_code import install
from lessons.cli import render
from lessons.errors import LessonsError, Refused


def file_of(client_config: str | None) -> str:
    return os.path.abspath(client_config) if client_config else install.client_config_path(os.environ)


def refuse_unless_possible(platform: str = sys.platform) -> None:
    if platform == "win32":
        raise Refused("--warm does not work on Windows yet: run `lessons install` without it.")


def register(client_config: str | None, home: str, dry_run: bool) -> install.InstallReport:
    return install.register_server(file_of(client_config), install.server_of(install.hook_commands(home)), dry_run)


def unregister(client_config: str | None, settings: str, dry_run: bool) -> install.InstallReport | None:
    """None where there is nothing to take out, or another settings file still asks the server."""
    file = file_of(client_config)
    try:
        if install.server_in(file) is None or _is_used_elsewhere(settings):
            return None
        return install.unregister_server(file, dry_run)
    except LessonsError as fault:
        # The hook does not depend on it: it goes in, or out, all the same.
        render.warn([str(fault)])
        return None


def _is_used_elsewhere(settings: str) -> bool:
    usual = [install.settings_path(scope, os.getcwd(), os.environ) for scope in ("user", "project")]
    others = [file for file in usual if os.path.realpath(file) != os.path.realpath(settings)]
    return any(map(install.is_warm, others))


def document_of(report: install.InstallReport | None, dry_run: bool) -> dict[str, Any] | None:
    if report is None:
        return None
    diff = report.diff if dry_run else None
    return {"file": report.file, "changed": report.changed, "backup": report.backup, "diff": diff}
