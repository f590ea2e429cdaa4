"""Whether our plugin for opencode is complete and its hook answers, and what opencode does not support."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.hook_trial import SECONDS, environment_in
from lessons.agents.opencode.install import installed_places, plugin_text
from lessons.agents.opencode.places import settings_path
from lessons.agents.settings_file import read_text
from lessons.check import Check

_INSTALL = "Run `lessons install --agent opencode` again."
LIMITS = (
    "opencode passes no text to the model before a call: blocks and stops act before it, hints come with its result."
    " If a tool itself fails, its lesson is in the next request only, not in what opencode stores."
)
# Events that answer about the trial's word.
_ANSWERING = ("BeforeTool", "AfterTool", "ToolError", "SessionStart")


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    files = [settings] if settings else [settings_path(scope, os.getcwd(), os.environ) for scope in ("user", "project")]
    found = [file for file in files if read_text(file) is not None]
    if not found:
        yield Check("settings", False, f"No plugin in {' or '.join(files)}.", "Run `lessons install --agent opencode`.")
        return
    for file in found:
        yield from _plugin(file, home, trial)
    if len(found) > 1:
        detail = f"{' and '.join(found)} both have the plugin, so every call is answered twice."
        yield Check("settings", False, detail, "Run `lessons uninstall --agent opencode --scope project`.")


def _plugin(file: str, home: str, trial: Trial) -> Iterator[Check]:
    places = installed_places(file)
    if places is None:
        yield Check("settings", False, f"{file} is not a plugin that this version of lessons knows.", _INSTALL)
        return
    for path in (places["python"], places["worker"], places["entry"]):
        if not os.path.exists(path):
            yield Check("settings", False, f"{file} names {path}, which is missing.", _INSTALL)
            return
    if read_text(file) != plugin_text(places["home"]):
        # A file may name any program: the user decides whether that one runs.
        yield Check("settings", False, f"{file} is not what this version writes, so it is not run.", _INSTALL)
        return
    yield Check("settings", True, f"{file} has the plugin.")
    if os.path.realpath(places["home"]) != os.path.realpath(home):
        detail = f"The plugin works on {places['home']} unless opencode has a LESSONS_HOME, and this is about {home}."
        yield Check("hook home", False, detail, "Run `lessons install --agent opencode` again.")
    with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
        trial.lay(folder)
        for event in _ANSWERING:
            command = [places["python"], "-I", "-S", places["entry"], event, "--agent", "opencode"]
            yield _tried(event, command, folder, trial.word)


def _tried(event: str, command: list[str], folder: str, word: str) -> Check:
    """Runs it as the plugin does, without a shell."""
    name, began = f"hook {event}", time.perf_counter()
    payload, environment = json.dumps(_payload(event, folder, word)), environment_in(folder)
    try:
        done = subprocess.run(command, input=payload, capture_output=True, text=True, env=environment, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return Check(name, False, f"It did not answer within {SECONDS} seconds.", _INSTALL)
    except OSError as fault:
        return Check(name, False, f"It cannot be started ({fault.strerror}).", _INSTALL)
    if done.returncode or word not in done.stdout:
        output = (done.stderr or done.stdout).strip()[-300:]
        return Check(name, False, f"It did not answer as it should (exit code {done.returncode}) {output}", _INSTALL)
    return Check(name, True, f"answers, in {(time.perf_counter() - began) * 1000:.0f} ms.")


def _payload(event: str, folder: str, word: str) -> dict[str, object]:
    """Uses a missing folder: nothing starts that would outlive the check."""
    call = {"tool": "bash", "call": "doctor", "args": {"command": word}, "output": word, "exit": 1}
    return {"session": f"doctor-{event}", "directory": os.path.join(folder, "none"), "source": "clear", **call}
