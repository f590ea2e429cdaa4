"""Runs an installed hook command as the agent would, with a temporary data home."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from lessons.agents.base import Trial
from lessons.agents.hook_command import InstalledCommand, parse_command
from lessons.agents.hook_event import SUBAGENT_START
from lessons.agents.posix_shell import posix_shell
from lessons.agents.table import installer_of, places_of, wire_of
from lessons.check import Check
from lessons.errors import LessonsError
from lessons.store import fired
from lessons.store.project_state.read_fields import fields_of, text
from lessons.store.project_state.state_paths import state_paths_of

# The session of every trial.
SESSION = "doctor"
SECONDS = 20
_COMPACTION, _SUBAGENT = "PreCompact", "SubagentStart"


def try_command(
    event: str,
    command: str,
    ours: InstalledCommand | None,
    payload: Mapping[str, object],
    folder: str,
    is_answer: Callable[[str], bool],
    fix: str,
) -> Check:
    """Whether it answers; runs it only if it starts the same programs as `ours`, which this version writes."""
    name = f"hook {event}"
    parsed = parse_command(command)
    for python in (parsed.python, parsed.environment_python) if parsed else ():
        if python and not os.access(python, os.X_OK):
            return Check(name, False, f"Its Python is missing: {python}.", fix)
    if parsed is None or ours is None or _run_by(parsed) != _run_by(ours):
        # A settings file may name any program: only the agent's own safeguards decide whether that one runs.
        return Check(name, False, "The command is not what this version writes, so it is not run.", fix)
    began = time.perf_counter()
    try:
        done = subprocess.run(
            [posix_shell(), "-c", command],
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            env=environment_in(folder),
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Check(name, False, f"It did not answer within {SECONDS} seconds.", fix)
    took = (time.perf_counter() - began) * 1000
    output = done.stdout.strip()
    if done.returncode != 0 or not is_answer(output):
        words = (done.stderr or done.stdout).strip()[-300:]
        return Check(name, False, f"It did not answer as it should (exit code {done.returncode}) {words}", fix)
    return Check(name, True, f"{'answers' if output else 'works'}, in {took:.0f} ms.")


def environment_in(folder: str) -> dict[str, str]:
    """Returns the environment of this process with another data home."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LESSONS_")}
    return {**kept, "LESSONS_HOME": folder, "TMPDIR": folder}


def _run_by(command: InstalledCommand) -> tuple[str, ...]:
    """Returns what decides which programs a command starts; an interpreter may have several names in its folder."""
    background = command.environment_python
    started = (command.event, command.agent, command.python, command.entry)
    return *started, os.path.dirname(background), os.path.realpath(background)


def try_by_name(
    event: str,
    command: str,
    ours: InstalledCommand | None,
    payload: Mapping[str, object],
    folder: str,
    trial: Trial,
    silent: Collection[str],
    fix: str,
) -> Check:
    """Does the same for an agent whose events have the names of Claude Code.

    The events in `silent` have no output for such a session: the data home shows that they ran.
    """
    check = try_command(
        event, command, ours, payload, folder, lambda output: _is_answer(event, output, folder, trial, silent), fix
    )
    if check.ok and event == _COMPACTION and not _has_handoff(folder, trial.word):
        return Check(check.name, False, "It answers, but does not save the state of the session.", fix)
    return check


def _is_answer(event: str, output: str, folder: str, trial: Trial, silent: Collection[str]) -> bool:
    if event in silent:
        return not output and fired.last(folder, event) is not None
    if event == _COMPACTION:
        return output == trial.before_compaction
    return bool(output) and (trial.word in output or event == _SUBAGENT)


def _has_handoff(folder: str, word: str) -> bool:
    """Waits for the handoff, because a slow one is written in the background."""
    file = state_paths_of(folder, folder).session(SESSION) + "/handoff.json"
    give_up = time.monotonic() + SECONDS
    while word not in text(fields_of(file), "context"):
        if time.monotonic() > give_up:
            return False
        time.sleep(0.02)
    return True


def other_home(used: str, home: str, fix: str) -> Iterator[Check]:
    """Fails if the hook uses another data home than the one being checked."""
    if os.path.realpath(used) != os.path.realpath(home):
        detail = f"The hook works on {used} unless the agent has a LESSONS_HOME of its own, and this is about {home}."
        yield Check("hook home", False, detail, f"{fix.removesuffix('.')}, or set LESSONS_HOME to the same in both.")


class Tried(NamedTuple):
    """What `check_files` needs to know about an agent."""

    agent: str
    written: Callable[[str], Mapping[str, str]]  # data home -> the command of every event
    payload: Callable[[str, str, str], Mapping[str, object]]  # event, folder, word -> what the agent sends
    silent: tuple[str, ...]  # events without output: the data home shows that they ran


def check_scopes(tried: Tried, settings: str | None, home: str, trial: Trial) -> Iterator[Check]:
    """Does the same for this settings file, or else for the user's and the project's."""
    place = places_of(tried.agent).settings_path
    files = [settings] if settings else [place(scope, os.getcwd(), os.environ) for scope in ("user", "project")]
    yield from check_files(tried, files, home, trial)


def check_files(tried: Tried, files: list[str], home: str, trial: Trial) -> Iterator[Check]:
    """Checks whether the hook is complete in one of these settings files, and answers."""
    installer = installer_of(tried.agent)
    fix = f"Run `lessons install --agent {tried.agent}` again."
    found = False
    for file in files:
        try:
            commands = installer.installed_commands(file)
            warnings = installer.install(file, home, dry_run=True).warnings if commands else ()
        except LessonsError as wrong:
            found = True
            yield Check("settings", False, str(wrong), "Fix the file.")
            continue
        if not commands:
            continue
        found = True
        missing = [event for event in tried.written(home) if event not in commands]
        if missing:
            yield Check("settings", False, f"{file} lacks the hook for {', '.join(missing)}.", fix)
        else:
            yield Check("settings", True, f"{file} has the hook for {', '.join(commands)}.")
        yield from (Check("settings", False, sentence, "Fix the file.") for sentence in warnings)
        yield from _tried(tried, commands, home, trial, fix)
    if not found:
        yield Check(
            "settings", False, f"No hook in {' or '.join(files)}.", f"Run `lessons install --agent {tried.agent}`."
        )


def _tried(tried: Tried, commands: Mapping[str, str], home: str, trial: Trial, fix: str) -> Iterator[Check]:
    parsed = [each for command in commands.values() if (each := parse_command(command))]
    used = parsed[0].home if parsed else home
    written = {event: parse_command(command) for event, command in tried.written(used).items()}
    with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
        trial.lay(folder)
        for event, command in commands.items():
            payload = tried.payload(event, folder, trial.word)
            yield try_command(
                event, command, written.get(event), payload, folder, _answer_check(tried, event, folder, trial), fix
            )
    yield from other_home(used, home, fix)


def _answer_check(tried: Tried, event: str, folder: str, trial: Trial) -> Callable[[str], bool]:
    kind = wire_of(tried.agent).EVENTS.get(event, event)
    if event in tried.silent:
        return lambda output: not output and fired.last(folder, kind) is not None
    return lambda output: bool(output) and (trial.word in output or kind == SUBAGENT_START)
