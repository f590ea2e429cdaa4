"""A folder in, a world out whose client loads the plugin; `pip` needs no network there."""

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import lessons
from tests.e2e.rig import client, wheels
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.script import Turn
from tests.e2e.rig.world import World

REPOSITORY = Path(__file__).resolve().parents[2]
PLUGIN = REPOSITORY / "plugin"
PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
_SECONDS_TO_SET_UP = 180


class PluginWorld(World):
    """The plugin comes from its folder in the repository unless `plugin` says otherwise."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.plugin = PLUGIN
        self.data_of_plugin = self.config / "plugins" / "data" / "lessons-inline"
        programs = folder / "bin"
        programs.mkdir()
        (programs / "claude").symlink_to(client.binary())
        # Asked first by its name: the wheels are for this version alone.
        (programs / "python3.14").symlink_to(PYTHON)
        self.path = f"{programs}{os.pathsep}{os.environ['PATH']}"

    def environment(self) -> dict[str, str]:
        offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels.folder())}
        return {**super().environment(), **offline, "PATH": self.path}

    def session(
        self, *turns: Turn, prompt: str = "Begin.", routes: Mapping[str, Sequence[Turn]] | None = None
    ) -> Conversation:
        return self.run(prompt, turns, routes, arguments=("--plugin-dir", str(self.plugin)))

    def claude(self, *arguments: str) -> str:
        done = subprocess.run(
            [client.binary(), *arguments],
            capture_output=True,
            text=True,
            env=self.environment(),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def installation(self) -> list[str]:
        file = self.data_of_plugin / "installation"
        return file.read_text("utf-8").splitlines() if file.exists() else []

    def wait_for_version(self, version: str) -> None:
        deadline = time.monotonic() + _SECONDS_TO_SET_UP
        while self.installation()[:1] != [version]:
            failed = self.data_of_plugin / "failed"
            assert not failed.exists(), failed.read_text("utf-8") + (self.data_of_plugin / "setup.log").read_text()
            assert time.monotonic() < deadline, "the plugin was not set up in time"
            time.sleep(0.05)

    def be_set_up(self) -> None:
        """As the setup would leave it, but leading to the package of the tests: that saves the time."""
        link_installation(self.data_of_plugin, self.data)


def link_installation(data_of_plugin: Path, data: Path) -> None:
    folder = data_of_plugin / "versions" / "linked"
    own_python = folder / "bin" / "python"
    own_python.parent.mkdir(parents=True)
    own_python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    own_python.chmod(0o755)
    (folder / "lessons").symlink_to(lessons.__path__[0])
    entry = folder / "lessons" / "hook" / "entry.py"
    lines = (lessons.__version__, PYTHON, str(entry), str(own_python), str(data))
    text = "".join(f"{line}\n" for line in lines)
    (data_of_plugin / "installation").write_text(text, encoding="utf-8")
