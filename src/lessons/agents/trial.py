"""Checks of an installed hook for `doctor`: its command is run as the agent would, with a temporary data home."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from lessons.agents.base import Check, Trial
from lessons.agents.hook_command import (
    Places,
    home_of,
    installed_script,
    parse_command,
    places_of,
    posix_shell,
    write_script,
)
from lessons.agents.hook_event import BEFORE_COMPACTION, SUBAGENT_START
from lessons.agents.hook_lines import from_posix_shell, hook_script_file, in_posix_shell, quoted
from lessons.agents.hook_settings import switched_off
from lessons.agents.install import read_text
from lessons.agents.places import SCOPES, settings_file
from lessons.agents.table import AGENTS, DEFAULT_AGENT, installer_of, wire_of
from lessons.errors import LessonsError
from lessons.store import fired

SECONDS = 20


def call_payload(command: str, name: str, cwd: str) -> dict[str, object]:
    """Returns what Claude Code sends before its shell runs a command; `name` is the id of session and call."""
    return {
        "session_id": name,
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": name,
    }


class Heard(NamedTuple):
    """What the model receives from a hook's answer to a call."""

    denied: bool
    text: str


def heard(answer: str) -> Heard:
    """Returns what Claude Code understands from the hook's answer."""
    output: Any = json.loads(answer)["hookSpecificOutput"] if answer.strip() else {}
    reason = output.get("permissionDecisionReason")
    return Heard(reason is not None, str(reason or output.get("additionalContext") or ""))


class SettingsChecks:
    """Whether the hook is in the settings, complete, and answers."""

    def __init__(self, agent: str) -> None:
        self.spec = AGENTS[agent]
        self.install = "lessons install" + ("" if agent == DEFAULT_AGENT else f" --agent {agent}")
        self.again = f"Run `{self.install}` again."

    def checks(self, home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
        """Checks one settings file, or else the user's and the project's."""
        files = [settings] if settings else [settings_file(self.spec.name, scope) for scope in SCOPES]
        hooked = []
        for file in files:
            found = list(self.file_checks(file, home, client_config, trial))
            hooked += [file] if found else []
            yield from found
        yield from self.together(files, hooked)

    def together(self, files: list[str], hooked: list[str]) -> Iterator[Check]:
        """Checks what depends on all files; `hooked` are those with the hook."""
        if not hooked:
            yield Check("settings", False, f"No hook in {' or '.join(files)}.", f"Run `{self.install}`.")
        if len(hooked) > 1 and self.spec.runs_both_scopes:
            detail = f"{' and '.join(hooked)} both have the hook, so every call is answered twice."
            remedy = f"Run `lessons uninstall --agent {self.spec.name} --scope project`."
            yield Check("settings", False, detail, remedy)

    def file_checks(self, file: str, home: str, client_config: str | None, trial: Trial) -> Iterator[Check]:
        """Yields nothing if the hook is not in this file."""
        try:
            commands = installer_of(self.spec.name).installed_commands(file)
        except LessonsError as wrong:
            yield Check("settings", False, str(wrong), "Fix the file.")
            return
        if commands:
            yield from self.registered(file, commands, client_config)
            yield from self.tried(commands, home, trial)

    def registered(self, file: str, commands: Mapping[str, str], client_config: str | None) -> Iterator[Check]:
        missing = [event for event in self.spec.events if event not in commands]
        if missing:
            yield Check("settings", False, f"{file} lacks the hook for {', '.join(missing)}.", self.again)
        else:
            yield Check("settings", True, f"{file} has the hook for {', '.join(commands)}.")
        if self.spec.off_switch:
            disabled = switched_off(read_text(file) or "", file, self.spec.off_switch)
            yield from (Check("settings", False, sentence, "Fix the file.") for sentence in disabled)

    def payload(self, event: str, folder: str, word: str) -> dict[str, object]:
        """Returns what the client sends; the session has no files, so that no event starts background work."""
        example = getattr(wire_of(self.spec.name), "example", None)
        session = f"doctor-{event}"
        return {
            **call_payload(word, session, os.path.join(folder, "none")),
            "hook_event_name": event,
            "transcript_path": os.path.join(folder, "none.jsonl"),
            "error": f"Exit code 1\n{word}",
            "source": "clear",
            "reason": "other",
            "trigger": "manual",
            **(example(word, session) if example else {}),
        }

    def tried(self, commands: Mapping[str, str], home: str, trial: Trial) -> Iterator[Check]:
        """Checks the answer of each command; runs it only if it starts the programs that this version would write."""
        used = next(filter(None, map(home_of, commands.values())), home)
        found, ours = installed_script(used), places_of(used)
        with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
            trial.lay(folder)
            if found:
                write_script(found._replace(home=folder))
            for event, command in commands.items():
                yield self._tried(event, command, found, ours, folder, trial)
        if os.path.realpath(used) != os.path.realpath(home):
            fix = f"{self.again.removesuffix('.')}, or set LESSONS_HOME to {used} here."
            yield Check("hook home", False, f"The hook works on {used}, and this is about {home}.", fix)

    def _tried(self, event: str, command: str, found: Places | None, ours: Places, folder: str, trial: Trial) -> Check:
        name, plain = f"hook {event}", from_posix_shell(command)
        if found:
            for python in (found.python, found.worker):
                if not os.access(python, os.X_OK):
                    return Check(name, False, f"Its Python is missing: {python}.", self.again)
        agent = "" if self.spec.name == DEFAULT_AGENT else self.spec.name
        if parse_command(command) != (event, agent, ours.home):
            # A settings file may name any program: only the agent's own safeguards decide whether that one runs.
            return Check(name, False, "The command is not what this version writes, so it is not run.", self.again)
        script = hook_script_file(ours.home)
        if found is None or _programs(found) != _programs(ours):
            return Check(name, False, f"{script} is missing, or not what this version writes.", self.again)
        line = (plain or command).replace(quoted(script), quoted(hook_script_file(folder)))
        arguments = [posix_shell(), "-c", in_posix_shell(line) if plain else line]
        expected = self._expected(event, folder, trial)
        return run_hook(name, arguments, self.payload(event, folder, trial.word), folder, self.again, expected)

    def _expected(self, event: str, folder: str, trial: Trial) -> Callable[[str], bool]:
        kind = self.spec.kind_of(event) or event
        if self.spec.events[event].is_silent:  # the data home shows that it ran
            return lambda output: not output and fired.last(folder, kind) is not None
        if kind == BEFORE_COMPACTION:
            return lambda output: output == trial.before_compaction
        if kind == SUBAGENT_START:  # says something only with the standing protocol
            return lambda output: True
        return lambda output: trial.word in output


def run_hook(
    name: str,
    command: list[str],
    payload: Mapping[str, object],
    folder: str,
    fix: str,
    is_answer: Callable[[str], bool],
) -> Check:
    """Whether a command answers as it should; `name` is that of the check."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LESSONS_")}
    began = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            input=json.dumps(payload) + "\n",
            capture_output=True,
            text=True,
            env={**kept, "LESSONS_HOME": folder, "TMPDIR": folder},
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return Check(name, False, f"It did not answer within {SECONDS} seconds.", fix)
    except OSError as fault:
        return Check(name, False, f"It cannot be started ({fault.strerror}).", fix)
    took, output = (time.perf_counter() - began) * 1000, done.stdout.strip()
    if done.returncode or not is_answer(output):
        words = (done.stderr or done.stdout).strip()[-300:]
        return Check(name, False, f"It did not answer as it should (exit code {done.returncode}) {words}", fix)
    return Check(name, True, f"{'answers' if output else 'works'}, in {took:.0f} ms.")


def _programs(places: Places) -> tuple[str, ...]:
    """Returns what decides which programs a hook starts; an interpreter may have several names in its folder."""
    return places.python, places.entry, os.path.dirname(places.worker), os.path.realpath(places.worker)
