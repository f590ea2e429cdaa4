"""Hook lines of every agent in, their exit codes under limits of the system out."""

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from lessons.agents.claude_code.install import INSTALLER
from lessons.agents.hook_command import Places, write_script
from lessons.agents.hook_lines import hook_script_file
from lessons.agents.install import SettingsInstaller
from lessons.agents.table import AGENTS
from tests.plugin.machine import PLUGIN
from tests.shells import program

# The superuser may start as many processes as it likes.
NOBODY = 65534 if os.geteuid() == 0 else None
# errexit and nounset, as an administrator's own `sh` may have them set.
STRICT = ("-e", "-u")
SECONDS = 60
# Its hook is no shell line: it starts Python by itself.
WITHOUT_LINES = ("opencode",)
_AT_ONCE = 150
_ENTRY = "/etc/passwd"  # any file that everybody may read


@dataclass(frozen=True)
class Limit:
    """What keeps a line from doing its work; `python` is the path of one, or what one does."""

    limits: Mapping[int, int] = field(default_factory=dict)
    closed: tuple[int, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    python: str = ""
    entry: str = _ENTRY


@dataclass(frozen=True)
class Line:
    """A command as a client runs it."""

    name: str
    command: str
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def event(self) -> str:
        return self.name.rpartition(", ")[2]


NOTHING = Line("nothing, ", "exit 0")


class Place:
    """A folder that everybody may look into, with a data home, the plugin, and programs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        folder.chmod(0o755)
        self.plugin = folder / "plugin"
        shutil.copytree(PLUGIN, self.plugin, ignore=shutil.ignore_patterns("src", "__pycache__"))
        (self.plugin / "setup" / "setup.sh").write_text("exit 0\n")

    def program(self, name: str, body: str) -> str:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return str(path)

    def lines(self, python: str, entry: str = _ENTRY, every: bool = True) -> list[Line]:
        """The lines of all agents; unless `every`, one of those that differ only in the event."""
        home, gone = self._home(python, entry), self._home(python, entry, "no server")
        found = [Line(name, line) for name, line in _installed(str(home))]
        for name, beside in (("behind a server", gone), ("beside a server", home)):
            [_, handler] = INSTALLER.served("lessons", str(beside))
            assert (handler["command"], handler["args"][0]) == ("/bin/sh", "-c")
            found.append(Line(f"claude-code, {name}", handler["args"][1]))
        plugin = self._plugin(python, entry)
        if not every:
            found = list({line.command.replace(line.event, ""): line for line in reversed(found)}.values())
            own_ways = ("PreToolUse", "SessionStart", "PreCompact", "Stop")
            plugin = [line for line in plugin if line.event in own_ways]
        return [*found, *plugin]

    def _home(self, python: str, entry: str, name: str = "home") -> Path:
        """A data home with the script that starts this Python."""
        home = self.folder / f"{name} of {python.replace('/', '_')} {entry.replace('/', '_')}"
        if not home.exists():
            for place in (home / "fired", home / "warm"):
                place.mkdir(parents=True)
                place.chmod(0o777)
            write_script(Places(python, entry, str(home), "/bin/true"))
            home.chmod(0o755)
            Path(hook_script_file(str(home))).chmod(0o644)
        if name == "home":
            # The file of a server that is gone: the line has to read it, and the state of a process.
            (home / "warm" / str(os.getpid())).write_text("2147483646\n")
        return home

    def _plugin(self, python: str, entry: str) -> list[Line]:
        data = self.folder / f"data of {python.replace('/', '_')}"
        data.mkdir(exist_ok=True)
        data.chmod(0o777)
        (data / "installation").write_text(f"0\n{python}\n{entry}\n/bin/true\n{self.home}\n")
        hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
        surroundings = (("CLAUDE_PLUGIN_ROOT", str(self.plugin)), ("CLAUDE_PLUGIN_DATA", str(data)))
        return [
            Line(f"plugin, {event}", group["hooks"][0]["command"], surroundings) for event, [group] in hooks.items()
        ]

    def as_sh(self, shell: str) -> str:
        """The path of a shell under the name `sh`."""
        place, found = self.folder / "shells" / shell / "sh", program(shell)
        if not place.exists():
            place.parent.mkdir(parents=True)
            place.symlink_to(found)
        return str(place)


@cache
def _installed(home: str) -> list[tuple[str, str]]:
    """What `install` writes: the name of a line, and the line."""
    found = []
    for agent in AGENTS:
        if agent not in WITHOUT_LINES:
            commands = SettingsInstaller(agent).hook_commands(home)
            found += [(f"{agent}, {event}", command) for event, command in commands.items()]
    return found


def start(sh: str, line: Line, limit: Limit, options: tuple[str, ...] = ()) -> "subprocess.Popen[bytes]":
    def confine() -> None:
        for kind, most in limit.limits.items():
            resource.setrlimit(kind, (most, most))
        for number in limit.closed:
            os.close(number)

    pipe = subprocess.PIPE
    return subprocess.Popen(
        ["sh", *options, "-c", line.command],
        executable=sh,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        preexec_fn=confine,
        user=NOBODY,
        cwd="/",
        env={"PATH": "/usr/bin:/bin", "HOME": "/", **dict(line.environment), **limit.environment},
    )


def exit_codes(sh: str, runs: Iterable[tuple[Line, Limit, tuple[str, ...]]]) -> list[int]:
    """The code of each line. Many run at once: bash tries for 14 seconds to fork."""
    codes, left = [], list(runs)
    while left:
        running = [start(sh, *run) for run in left[:_AT_ONCE]]
        del left[:_AT_ONCE]
        for process in running:
            process.communicate(b"{}", timeout=SECONDS)
            codes.append(process.returncode)
    return codes


def on_machine_with(sh: str, line: Line) -> Line:
    """The line where this shell is `/bin/sh`."""
    return replace(line, command=line.command.replace("/bin/sh", sh))


def wrong(
    place: Place,
    shell: str,
    limits: Mapping[str, Limit],
    pythons: Iterable[tuple[str, tuple[str, ...]]],
    every: bool = False,
) -> list[str]:
    """The lines that exit with another code than 0, unless the shell cannot even `exit 0` under that limit.

    `pythons`: what to run as Python, with which options of the shell.
    """
    sh, runs = place.as_sh(shell), []
    for name, limit in limits.items():
        for usual, options in pythons:
            python = limit.python or usual
            python = python if python.startswith("/") else place.program(name.replace(" ", "-"), python)
            lines = place.lines(python, limit.entry, every)
            runs += [(name, on_machine_with(sh, line), limit, options) for line in lines]
    codes = exit_codes(sh, (run[1:] for run in runs))
    out_of_reach = dict(zip(limits, exit_codes(sh, ((NOTHING, limit, ()) for limit in limits.values())), strict=True))
    return [
        f"{name}: {line.name} {options} exits with {code}"
        for (name, line, _, options), code in zip(runs, codes, strict=True)
        if code not in (0, out_of_reach[name])
    ]
