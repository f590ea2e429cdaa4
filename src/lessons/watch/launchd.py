"""The launchd agent of the watcher, for macOS."""

import os
import plistlib
import shutil
import subprocess

NAME = "lessons.watch"
_SECONDS = 20


def path() -> str:
    return os.path.join(os.path.expanduser("~"), "Library", "LaunchAgents", f"{NAME}.plist")


def text(python: str, home: str) -> str:
    document = {
        "Label": NAME,
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


def problems(file: str) -> str:
    """Returns what is wrong with the file, by `plutil`, or by Python if that is missing."""
    program = shutil.which("plutil")
    if program:
        done = subprocess.run([program, "-lint", file], capture_output=True, text=True, timeout=_SECONDS, check=False)
        return "" if done.returncode == 0 else (done.stdout or done.stderr).strip()
    try:
        with open(file, "rb") as opened:
            plistlib.load(opened)
    except (OSError, ValueError, plistlib.InvalidFileException) as fault:
        return str(fault)
    return ""


def start() -> str:
    """Starts it now and at every login; returns the command to run by hand if that fails."""
    return _launchctl("bootstrap", f"gui/{_user()}", path())


def stop() -> str:
    return _launchctl("bootout", f"gui/{_user()}/{NAME}")


def reload() -> str:
    return ""


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _launchctl(*words: str) -> str:
    try:
        done = subprocess.run(["launchctl", *words], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return f"launchctl {' '.join(words)}"
    return f"launchctl {' '.join(words)}" if done.returncode else ""
