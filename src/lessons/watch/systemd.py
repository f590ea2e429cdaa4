"""The systemd user unit of the watcher."""

import os
import shutil
import subprocess
import tempfile

NAME = "lessons-watch.service"
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


def path() -> str:
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "systemd", "user", NAME)


def text(python: str, home: str) -> str:
    # systemd replaces variables only in commands.
    command = " ".join(_quoted(word).replace("$", "$$") for word in (python, "-I", "-m", "lessons", "watch"))
    return _UNIT.format(home=_quoted(f"LESSONS_HOME={home}"), command=command)


def problems(file: str) -> str:
    """Returns systemd's complaints about the unit; empty for a good one, or if systemd is not installed."""
    program = shutil.which("systemd-analyze")
    if not program:
        return ""
    with tempfile.TemporaryDirectory(prefix="lessons-") as folder:
        environment = {"XDG_RUNTIME_DIR": folder, **os.environ}
        done = subprocess.run(
            [program, "--user", "--man=no", "verify", file],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
            env=environment,
        )
    return " ".join(line for line in done.stderr.splitlines() if NAME in line)


def start() -> str:
    """Starts it now and at every login; returns the command to run by hand if that fails."""
    return _systemctl(["daemon-reload"], ["enable", "--now", NAME])


def stop() -> str:
    return _systemctl(["disable", "--now", NAME])


def reload() -> str:
    return _systemctl(["daemon-reload"])


def _systemctl(*calls: list[str]) -> str:
    """Returns what is left to run by hand."""
    program = shutil.which("systemctl")
    for place, call in enumerate(calls):
        try:
            command = [program or "systemctl", "--user", *call]
            done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            done = None
        if done is None or done.returncode:
            return " && ".join(f"systemctl --user {' '.join(each)}" for each in calls[place:])
    return ""


def _quoted(word: str) -> str:
    """Quotes for systemd, with `%` doubled."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return f'"{escaped}"'
