"""Whether the hook in the settings files of Claude Code really answers, and whether its plugin is whole."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress

from lessons.agents.base import Trial
from lessons.agents.claude_code import plugin_checks
from lessons.agents.claude_code.install import (
    InstalledCommand,
    asked_server,
    hook_commands,
    install,
    installed_commands,
    parse_command,
)
from lessons.agents.claude_code.places import client_config_path, settings_path
from lessons.agents.claude_code.replay import SESSION, payload_of
from lessons.agents.claude_code.server.check import check as check_server
from lessons.agents.claude_code.settings import REGISTRATIONS
from lessons.agents.posix_shell import posix_shell
from lessons.check import Check
from lessons.errors import LessonsError
from lessons.store import fired
from lessons.store.project_state.read_fields import fields_of, text
from lessons.store.project_state.state_paths import state_paths_of

_INSTALL = "Run `lessons install` again."
_SECONDS = 20
# Events that have nothing to say about a session without a transcript: that they ran shows in the data home.
_SILENT = ("Stop", "SessionEnd", "PostToolUse")


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    """Of one settings file, or else of the person's and the project's."""
    files = [settings] if settings else [settings_path(scope, os.getcwd(), os.environ) for scope in ("user", "project")]
    client_file = client_config or client_config_path(os.environ)
    told = False
    for file in files:
        try:
            commands = installed_commands(file)
            warnings = install(file, home, dry_run=True).warnings if commands else ()
            server = asked_server(file)
        except LessonsError as wrong:
            told = True
            yield Check("settings", False, str(wrong), "Correct the file.")
            continue
        if not commands and not server:
            continue
        told = True
        missing = [event for event in REGISTRATIONS if event not in commands]
        if missing:
            yield Check("settings", False, f"{file} lacks the hook for {', '.join(missing)}.", _INSTALL)
        else:
            yield Check("settings", True, f"{file} has the hook for {', '.join(commands)}.")
        yield from (Check("settings", False, sentence, "Correct the file.") for sentence in warnings)
        found = _commands(commands, home, client_file, server, trial)
        yield from (
            check._replace(fix=check.fix.replace("install`", "install --warm`")) if server else check for check in found
        )
    yield from _acting_twice(files)
    plugin = list(plugin_checks.checks(os.environ))
    yield from plugin
    yield from _beside_plugin(files, plugin)
    if not told and not plugin:
        yield Check("settings", False, f"No hook in {' or '.join(files)}.", "Run `lessons install`.")


def _acting_twice(files: list[str]) -> Iterator[Check]:
    """What is the same in several files the client runs once, and what differs once for each."""
    found = {}
    for file in files:
        with suppress(LessonsError):
            found[file] = installed_commands(file), asked_server(file)
    hooked = [file for file, hook in found.items() if any(hook)]
    if any(found[file] != found[hooked[0]] for file in hooked):
        detail = f"{' and '.join(hooked)} have the hook in different forms, so that every call is answered twice."
        remedy = "Run `lessons uninstall --scope project`, or `lessons install` with the same options for both."
        yield Check("settings", False, detail, remedy)


def _beside_plugin(files: list[str], plugin: list[Check]) -> Iterator[Check]:
    """The plugin's hook stands back for one in the person's own settings alone."""
    own = settings_path("user", os.getcwd(), os.environ)
    hooked = []
    for file in dict.fromkeys([own, *files]):
        with suppress(LessonsError):
            hooked += [file] if installed_commands(file) else []
    if hooked and own not in hooked and any(check.ok for check in plugin):
        detail = f"The plugin and {' and '.join(hooked)} both have the hook, so that every call is answered twice."
        yield Check("settings", False, detail, "Run `lessons uninstall --scope project`.")


def _commands(commands: dict[str, str], home: str, client_config: str, server: str, trial: Trial) -> Iterator[Check]:
    """What each command answers, and the server where the settings ask one."""
    parsed = [each for command in commands.values() if (each := parse_command(command))]
    used = parsed[0].home if parsed else home
    written = hook_commands(used)
    ours = {event: parse_command(command) for event, command in written.items()}
    with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
        trial.lay(folder)
        for event, command in commands.items():
            yield _replay(event, command, ours.get(event), folder, trial)
        if server:
            payload = payload_of("PreToolUse", folder, trial.word)
            yield check_server(client_config, server, written, payload, _environment_in(folder))
    if os.path.realpath(used) != os.path.realpath(home):
        detail = f"The hook works on {used} unless the agent has a LESSONS_HOME of its own, and this is about {home}."
        yield Check("hook home", False, detail, "Run `lessons install` again, or set LESSONS_HOME to the same in both.")


def _replay(event: str, command: str, ours: InstalledCommand | None, folder: str, trial: Trial) -> Check:
    """Runs one installed command as the client would, against a data home that is thrown away."""
    name = f"hook {event}"
    parsed = parse_command(command)
    for python in (parsed.python, parsed.environment_python) if parsed else ():
        if python and not os.access(python, os.X_OK):
            return Check(name, False, f"Its Python is gone: {python}.", _INSTALL)
    if parsed is None or ours is None or _run_by(parsed) != _run_by(ours):
        # A settings file may name any program: whether that one runs is for the agent's own safeguards to decide.
        return Check(name, False, "The command is not what this version writes, so it is not run.", _INSTALL)
    began = time.perf_counter()
    try:
        done = subprocess.run(
            [posix_shell(), "-c", command],
            input=json.dumps(payload_of(event, folder, trial.word)),
            capture_output=True,
            text=True,
            env=_environment_in(folder),
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Check(name, False, f"It did not answer within {_SECONDS} seconds.", _INSTALL)
    took = (time.perf_counter() - began) * 1000
    if done.returncode != 0 or not _is_answer(event, done.stdout.strip(), folder, trial):
        said = (done.stderr or done.stdout).strip()[-300:]
        return Check(name, False, f"It did not answer as it should (exit code {done.returncode}) {said}", _INSTALL)
    if event == "PreCompact" and not _has_handoff(folder, trial.word):
        return Check(name, False, "It answers, but keeps nothing of what the session was doing.", _INSTALL)
    return Check(name, True, f"{'works' if event in _SILENT else 'answers'}, in {took:.0f} ms.")


def _is_answer(event: str, said: str, folder: str, trial: Trial) -> bool:
    if event in _SILENT:
        return not said and fired.last(folder, event) is not None
    if event == "PreCompact":
        return said == trial.before_compaction
    return bool(said) and (trial.word in said or event == "SubagentStart")


def _has_handoff(folder: str, word: str) -> bool:
    """It is written in the background where that takes long."""
    file = state_paths_of(folder, folder).session(SESSION) + "/handoff.json"
    give_up = time.monotonic() + _SECONDS
    while word not in text(fields_of(file), "context"):
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


def _environment_in(folder: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LESSONS_")}
    return {**kept, "LESSONS_HOME": folder, "TMPDIR": folder}


def _run_by(command: InstalledCommand) -> tuple[str, ...]:
    """What of a command decides which programs are started; an interpreter may have several names in its folder."""
    background = command.environment_python
    return command.event, command.python, command.entry, os.path.dirname(background), os.path.realpath(background)
