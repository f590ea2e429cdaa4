"""Installs the watcher as a user service, and removes it."""

import os
import sys
from types import ModuleType
from typing import NamedTuple

from lessons.errors import NotFound, Refused
from lessons.store import files
from lessons.watch import launchd, systemd


class Installed(NamedTuple):
    """What was written or removed, and a command that the user has to run, if any."""

    file: str
    changed: bool
    text: str
    to_run: str = ""


def install(home: str, dry_run: bool, starts: bool) -> Installed:
    """Writes the service file; removes it again if the platform's own checker rejects it."""
    platform = _platform()
    file, text = platform.path(), platform.text(sys.executable, home)
    changed = _read(file) != text
    if dry_run:
        return Installed(file, changed, text)
    if changed:
        before = _read(file)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        files.write_bytes(file, text.encode())
        if wrong := platform.problems(file):
            os.unlink(file)
            if before is not None:
                files.write_bytes(file, before.encode())
            raise Refused(f"The service manager refused the service: {wrong}")
    return Installed(file, changed, text, platform.start() if starts else "")


def uninstall(dry_run: bool) -> Installed:
    platform = _platform()
    file = platform.path()
    text = _read(file)
    if text is None:
        raise NotFound(f"The watcher is not installed as a service ({file} does not exist).")
    if dry_run:
        return Installed(file, True, text)
    to_run = platform.stop()
    os.unlink(file)
    platform.reload()
    return Installed(file, True, text, to_run)


def _platform() -> ModuleType:
    if sys.platform == "darwin":
        return launchd
    if sys.platform.startswith("linux"):
        return systemd
    raise Refused(
        "Services are not supported on this platform: start `lessons watch` at login, or `watch --once` regularly."
    )


def _read(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except OSError:
        return None
