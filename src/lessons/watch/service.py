"""Installs the watcher as a service of the user, and removes it: a systemd user unit, or a launchd agent on macOS."""

import os
import plistlib
import shutil
import subprocess
import sys
from typing import NamedTuple

from lessons.errors import NotFound, Refused
from lessons.store import files

_SECONDS = 20
_UNIT = """\
[Unit]
Description=lessons: reads the sessions of coding agents while they happen
Documentation=man:systemd.service(5)

[Service]
Type=exec
Environment={home}
ExecStart={command}
Restart=on-failure
RestartSec=30
TimeoutStopSec=5
Nice=10
CPUSchedulingPolicy=batch
IOSchedulingClass=idle
MemoryHigh=150M
NoNewPrivileges=yes

[Install]
WantedBy=default.target
"""


class Installed(NamedTuple):
    """What was written or removed, and a command that the user has to run, if any."""

    file: str
    changed: bool
    text: str
    to_run: str = ""


def install(home: str, dry_run: bool, starts: bool) -> Installed:
    platform = _platform()
    file, text = platform.path(), platform.text(sys.executable, home)
    changed = _read(file) != text
    if dry_run:
        return Installed(file, changed, text)
    if changed:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        files.write_bytes(file, text.encode())
    return Installed(file, changed, text, _run(platform.start()) if starts else "")


def uninstall(dry_run: bool) -> Installed:
    platform = _platform()
    file = platform.path()
    text = _read(file)
    if text is None:
        raise NotFound(f"The watcher is not installed as a service ({file} does not exist).")
    if dry_run:
        return Installed(file, True, text)
    to_run = _run(platform.stop())
    os.unlink(file)
    _run(platform.reload())
    return Installed(file, True, text, to_run)


class Systemd:
    """Where the service is described, how, and the commands for it."""

    name = "lessons-watch.service"

    def path(self) -> str:
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
        return os.path.join(base, "systemd", "user", self.name)

    def text(self, python: str, home: str) -> str:
        # systemd replaces variables only in commands.
        words = (python, "-I", "-m", "lessons", "watch")
        command = " ".join(self._quoted(word).replace("$", "$$") for word in words)
        return _UNIT.format(home=self._quoted(f"LESSONS_HOME={home}"), command=command)

    def start(self) -> list[list[str]]:
        """Now and at every login."""
        return [*self.reload(), ["systemctl", "--user", "enable", "--now", self.name]]

    def stop(self) -> list[list[str]]:
        return [["systemctl", "--user", "disable", "--now", self.name]]

    def reload(self) -> list[list[str]]:
        return [["systemctl", "--user", "daemon-reload"]]

    def _quoted(self, word: str) -> str:
        escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
        return f'"{escaped}"'


class Launchd:
    """The same on macOS."""

    name = "lessons.watch"

    def path(self) -> str:
        return os.path.join(os.path.expanduser("~"), "Library", "LaunchAgents", f"{self.name}.plist")

    def text(self, python: str, home: str) -> str:
        document = {
            "Label": self.name,
            "ProgramArguments": [python, "-I", "-m", "lessons", "watch"],
            "EnvironmentVariables": {"LESSONS_HOME": home},
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ThrottleInterval": 30,
            "ExitTimeOut": 5,
            "Nice": 10,
            "ProcessType": "Background",
            "LowPriorityIO": True,
        }
        return plistlib.dumps(document).decode()

    def start(self) -> list[list[str]]:
        return [["launchctl", "bootstrap", self._user(), self.path()]]

    def stop(self) -> list[list[str]]:
        return [["launchctl", "bootout", f"{self._user()}/{self.name}"]]

    def reload(self) -> list[list[str]]:
        return []

    def _user(self) -> str:
        return f"gui/{os.getuid() if hasattr(os, 'getuid') else 0}"


def _platform() -> Systemd | Launchd:
    if sys.platform == "darwin":
        return Launchd()
    if sys.platform.startswith("linux"):
        return Systemd()
    raise Refused(
        "Services are not supported on this platform: start `lessons watch` at login, or `watch --once` regularly."
    )


def _run(commands: list[list[str]]) -> str:
    """Returns what is left to run by hand."""
    for place, command in enumerate(commands):
        try:
            program = shutil.which(command[0]) or command[0]
            done = subprocess.run([program, *command[1:]], capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            done = None
        if done is None or done.returncode:
            return " && ".join(" ".join(each) for each in commands[place:])
    return ""


def _read(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    except OSError:
        return None
