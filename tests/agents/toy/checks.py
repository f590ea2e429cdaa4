"""Whether the toy agent's hook answers."""

import json
import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.table import installer_of, places_of
from lessons.check import Check


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    file = settings or places_of("toy").settings_path("user", "", os.environ)
    commands = installer_of("toy").installed_commands(file)
    written = shlex.quote(home)
    if not commands:
        yield Check("settings", False, f"No hook in {file}.", "Run `lessons install --agent toy`.")
    for event, command in commands.items():
        with tempfile.TemporaryDirectory() as folder:
            trial.lay(folder)
            answer = _answer(command.replace(written, shlex.quote(folder), 1), event, folder, trial.word)
        yield Check(f"hook {event}", trial.word in answer, answer, "Run `lessons install --agent toy` again.")


def _answer(command: str, event: str, folder: str, word: str) -> str:
    payload: dict[str, object] = {"chat": "doctor", "dir": folder}
    if event != "hello":
        payload["step"] = {"id": "s1", "exec": word}
    if event == "failed":
        payload["output"] = word
    environment = {**os.environ, "TMPDIR": folder}
    return subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(payload), capture_output=True, text=True, env=environment
    ).stdout
