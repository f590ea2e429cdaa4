"""Settings files of an agent in, whether the hook in them really answers, and when it last did, out."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator

from lessons.agents.claude_code.install import installed_commands, parse_command
from lessons.agents.claude_code.settings import REGISTRATIONS
from lessons.cli.doctor_data import Check
from lessons.errors import LessonsError
from lessons.promote import library
from lessons.store import fired

_INSTALL = "Run `lessons install` again."
_CANARY = "lessons-doctor-canary"
_SECONDS = 20


def checks(home: str, files: list[str]) -> Iterator[Check]:
    found = False
    for file in files:
        try:
            commands = installed_commands(file)
        except LessonsError as wrong:
            yield Check("settings", False, str(wrong), "Correct the file.")
            continue
        if not commands:
            continue
        found = True
        missing = [event for event in REGISTRATIONS if event not in commands]
        if missing:
            yield Check("settings", False, f"{file} lacks the hook for {', '.join(missing)}.", _INSTALL)
        else:
            yield Check("settings", True, f"{file} has the hook for {', '.join(commands)}.")
        yield from (_replay(event, command) for event, command in commands.items())
    if not found:
        yield Check("settings", False, f"No hook in {' or '.join(files)}.", "Run `lessons install`.")
    yield _last_fired(home)


def _replay(event: str, command: str) -> Check:
    """Runs one installed command as the agent would, against a data home that is thrown away."""
    name = f"hook {event}"
    parsed = parse_command(command)
    if parsed is None:
        return Check(name, False, "The command is not one that this version writes, so it is not run.", _INSTALL)
    if not os.access(parsed.python, os.X_OK):
        return Check(name, False, f"Its Python is gone: {parsed.python}.", _INSTALL)
    with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
        _lay_canary(folder)
        environment = {**os.environ, "LESSONS_HOME": folder, "TMPDIR": folder}
        environment.pop("LESSONS_DISABLE", None)
        began = time.perf_counter()
        try:
            done = subprocess.run(
                ["/bin/sh", "-c", command],
                input=json.dumps(_payload(event, folder)),
                capture_output=True,
                text=True,
                env=environment,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return Check(name, False, f"It did not answer within {_SECONDS} seconds.", _INSTALL)
        took = (time.perf_counter() - began) * 1000
    if done.returncode != 0 or (_CANARY not in done.stdout and event != "SubagentStart") or not done.stdout:
        said = (done.stderr or done.stdout).strip()[-300:]
        return Check(name, False, f"It did not answer as it should (exit code {done.returncode}) {said}", _INSTALL)
    return Check(name, True, f"answers, in {took:.0f} ms.")


def _lay_canary(home: str) -> None:
    library.add(
        home,
        {
            "slug": _CANARY,
            "summary": "A lesson by which doctor sees that the hook answers",
            "problem": f"The command {_CANARY} exists only for this check.",
            "solution": "Nothing has to be done about it, it is never run.",
            "block": True,
            "blockReason": f"{_CANARY} was seen.",
            "triggers": {"commandPatterns": [_CANARY], "errorPatterns": [_CANARY]},
        },
    )
    library.add(
        home,
        {
            "summary": f"The lesson of {_CANARY} for the start of a session",
            "problem": "A session that starts is told this by the check.",
            "solution": "Nothing has to be done about it, it is never seen.",
            "triggers": {"sessionStart": True},
        },
    )


def _payload(event: str, folder: str) -> dict[str, object]:
    return {
        "session_id": "doctor",
        "cwd": folder,
        "hook_event_name": event,
        "source": "clear",  # the source that starts nothing in the background
        "tool_name": "Bash",
        "tool_input": {"command": _CANARY},
        "tool_use_id": "doctor",
        "error": f"Exit code 1\n{_CANARY}",
    }


def _last_fired(home: str) -> Check:
    moments = {event: fired.last(home, event) for event in REGISTRATIONS}
    told = [
        f"{event} {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(moment))}"
        for event, moment in moments.items()
        if moment is not None
    ]
    never = "never yet: start a session of the agent, then look again"
    return Check("last fired", True, ", ".join(told) or never)
