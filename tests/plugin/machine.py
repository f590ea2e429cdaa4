"""A folder in, a machine with the plugin out: fake Pythons on its PATH, and the plugin's commands to run."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lessons
from lessons.agents.table import AGENTS

REPOSITORY = Path(__file__).resolve().parents[2]
PLUGIN = REPOSITORY / "plugin"
REAL = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
EVENTS = tuple(AGENTS["claude-code"].events)
SECONDS = 60
# What the shell scripts of the plugin may need; a PATH with these alone has no Python on it.
_TOOLS = ("sh", "tr", "mkdir", "mv", "rm", "setsid", "readlink")

# Stands for `python -m venv`: an environment that finds the package where the tests do, and a pip that obeys `order`.
_VENV = """
import os, sys, venv
target = sys.argv[1]
venv.create(target, symlinks=True, with_pip=False)
site = os.path.join(target, "lib", f"python{{sys.version_info[0]}}.{{sys.version_info[1]}}", "site-packages")
os.makedirs(os.path.join(site, "pip"))
open(os.path.join(site, "pip", "__init__.py"), "w").close()
with open(os.path.join(site, "pip", "__main__.py"), "w") as file:
    file.write({pip!r})
"""
_PIP = """
import os, shutil, sys, time
order = {order!r}
source, site = os.path.join(sys.argv[-1], "src", "lessons"), os.path.dirname(os.path.dirname(__file__))
with open(order + ".seen", "a") as seen:
    seen.write(f"{{sys.argv[-1]}} {{os.environ.get('PIP_TARGET')}} {{os.getpid()}}\\n")
while os.path.exists(order + ".wait"):
    time.sleep(0.01)
if os.path.exists(order + ".fail"):
    sys.exit(open(order + ".fail").read())
shutil.copytree(source, os.path.join(site, "lessons"), ignore=shutil.ignore_patterns("__pycache__"))
with open(os.path.join(site, "dependencies.pth"), "w") as file:
    file.write({dependencies!r} + "\\n")
"""


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return dict(json.loads(self.out)) if self.out else {}

    @property
    def message(self) -> str:
        return str(self.document.get("systemMessage", ""))


class Machine:
    def __init__(self, folder: Path, name: str = "machine", has_package: bool = True, is_new: bool = True) -> None:
        self.folder = folder / name
        self.root = self.folder / "plugin"
        self.data = self.folder / "client" / "plugins" / "data" / "lessons-lessons"
        self.home, self.bin = self.folder / "home", self.folder / "bin"
        self.lessons = self.home / ".local" / "share" / "lessons"
        # Where the session is, and the shell that is `/bin/sh`.
        self.work, self.sh = self.folder / "project", "/bin/sh"
        self.order = self.folder / "order"
        if not is_new:
            return
        for place in (self.data, self.home, self.lessons / "fired", self.bin, self.work):
            place.mkdir(parents=True)
        for mark in ("scan", "alerts"):  # just done: no session leaves a process behind
            (self.lessons / "fired" / mark).touch()
        copy_plugin(self.root, has_package)
        for tool in _TOOLS:
            if found := shutil.which(tool):
                (self.bin / tool).symlink_to(found)

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "PATH": str(self.bin),
            "HOME": str(self.home),
            "TMPDIR": str(self.folder),
            "CLAUDE_CONFIG_DIR": str(self.data.parents[2]),
            "CLAUDE_PROJECT_DIR": str(self.work),
            "CLAUDE_PLUGIN_ROOT": str(self.root),
            "CLAUDE_PLUGIN_DATA": str(self.data),
            "LESSONS_LESSON_PROTOCOL": "always",  # so that the start of a session has an answer
            **more,
        }

    def program(self, name: str, body: str, folder: Path | None = None) -> Path:
        path = (folder or self.bin) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def python(self, name: str = "python3", folder: Path | None = None) -> Path:
        """A shim before the real one, which makes environments that need no network."""
        maker = self.folder / "make_environment.py"
        dependencies = sysconfig.get_paths()["purelib"]
        pip = _PIP.format(order=str(self.order), dependencies=dependencies)
        maker.write_text(_VENV.format(pip=pip), encoding="utf-8")
        body = f'case "$*" in *\'-m venv\'*) exec {quoted(REAL)} {quoted(maker)} "$4";; esac\nexec {quoted(REAL)} "$@"'
        return self.program(name, body, folder)

    def hook(self, event: str, payload: dict[str, object] | None = None, **more: str) -> Ended:
        """One event, as the client runs the plugin's command."""
        registered = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
        command = registered[event][0]["hooks"][0]["command"]
        given = json.dumps({"hook_event_name": event, "session_id": "s", "source": "startup", **(payload or {})})
        return run([self.sh, "-c", command], self.environment(**more), given, self.work)

    def setup(self, **more: str) -> Ended:
        """The script that a session starts in the background."""
        return run([self.sh, str(self.root / "setup" / "setup.sh")], self.environment(**more), folder=self.work)

    def install(self, **more: str) -> Ended:
        """Its second half, by a Python that needs no network."""
        return run(self.install_command(), self.environment(**more))

    def install_command(self) -> list[str]:
        return [REAL, "-I", str(self.root / "setup" / "install.py"), str(self.python("base", self.folder / "base"))]

    def command_line(self, *arguments: str, **more: str) -> Ended:
        return run([str(self.root / "bin" / "lessons"), *arguments], self.environment(**more))

    def chosen(self) -> str:
        """The Python that would install the package, on a machine that only searches for it."""
        return self.order.read_text() if self.order.exists() else ""

    def installation(self) -> list[str]:
        file = self.data / "installation"
        return file.read_text("utf-8").splitlines() if file.exists() else []

    def failed(self) -> str:
        file = self.data / "failed"
        return file.read_text("utf-8") if file.exists() else ""

    def versions(self) -> list[str]:
        return sorted(folder.name for folder in (self.data / "versions").glob("*"))

    def raise_version(self, version: str = "99.0.0") -> None:
        manifest = self.root / ".claude-plugin" / "plugin.json"
        manifest.write_text(manifest.read_text("utf-8").replace(lessons.__version__, version), encoding="utf-8")


def copy_plugin(target: Path, has_package: bool = True) -> None:
    """As the client does on installing: links become what they lead to. The package is most of it."""
    left_out = ("__pycache__",) if has_package else ("__pycache__", "src")
    shutil.copytree(PLUGIN, target, ignore=shutil.ignore_patterns(*left_out))


def run(command: list[str], environment: dict[str, str], given: str = "", folder: Path | None = None) -> Ended:
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, env=environment, timeout=SECONDS, cwd=folder
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def quoted(path: object) -> str:
    return "'" + str(path).replace("'", "'\\''") + "'"


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it did not come to that in time"
        time.sleep(0.01)
