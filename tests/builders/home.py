"""Lessons and payloads in, the answers of the installed hook command out, all inside one test folder."""

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lessons.agents.claude_code.install import INSTALLER
from lessons.agents.hook_command import Places, places_of, write_script
from lessons.agents.hook_lines import line_of
from tests.builders.payloads import Payload

if TYPE_CHECKING:
    from lessons.promote.publish.build import BuildReport

Answer = tuple[int, Any]


class DataHome:
    """A data home with nothing in it at first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self.temporary = folder / "tmp"
        self.person = folder / "person"
        for each in (self.folder, self.temporary, self.person):
            each.mkdir(0o700, parents=True, exist_ok=True)
        self.path = str(self.folder)
        # The marks of a scan and of a look for alerts just done: a session that starts here leaves no process behind.
        (self.folder / "fired").mkdir(exist_ok=True)
        for name in ("scan", "alerts"):
            (self.folder / "fired" / name).touch()

    def write(self, *lessons: dict[str, object], **config: object) -> None:
        """lessons.json with these lessons, and config.json where settings are given."""
        (self.folder / "lessons.json").write_text(json.dumps({"lessons": lessons}), encoding="utf-8")
        if config:
            (self.folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    def publish(self, *lessons: dict[str, object], **config: object) -> "BuildReport":
        """The same, and built."""
        from lessons.promote.publish.build import publish

        if lessons or config:
            self.write(*lessons, **config)
        return publish(self.path)

    def manifest(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads((self.folder / "lesson-manifest.json").read_text(encoding="utf-8"))
        return document

    def environment(self, **variables: str) -> dict[str, str]:
        """What the hook is given: nothing of the person who runs the tests but the path."""
        path = os.environ.get("PATH", os.defpath)
        return {"PATH": path, "HOME": str(self.person), "TMPDIR": str(self.temporary), **variables}

    def run(self, payload: Payload, entry: str | None = None, **variables: str) -> Answer:
        """The exit code and the answer of the installed command for the payload's event; None: no answer."""
        data = json.dumps(payload).encode()
        return self.run_raw(str(payload["hook_event_name"]), data, entry, **variables)

    def run_raw(self, event: str, data: bytes, entry: str | None = None, **variables: str) -> Answer:
        ended = subprocess.run(
            ["/bin/sh", "-c", commands_for(self.path, entry)[event]],
            input=data,
            capture_output=True,
            timeout=60,
            env=self.environment(**variables),
        )
        return ended.returncode, json.loads(ended.stdout) if ended.stdout.strip() else None

    def faults(self) -> str:
        file = self.folder / "faults.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def log(self) -> list[dict[str, Any]]:
        """The lines of injections.jsonl."""
        file = self.folder / "injections.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        return [json.loads(line) for line in lines]


def context_of(answer: Answer) -> str:
    """The words that the agent is shown; empty where there is no answer."""
    assert answer[0] == 0
    return str(answer[1]["hookSpecificOutput"]["additionalContext"]) if answer[1] else ""


def reason_of(answer: Answer) -> str:
    """The reason of a denial; empty where the call is not denied."""
    assert answer[0] == 0
    if not answer[1] or "permissionDecision" not in answer[1]["hookSpecificOutput"]:
        return ""
    assert answer[1]["hookSpecificOutput"]["permissionDecision"] == "deny"
    return str(answer[1]["hookSpecificOutput"]["permissionDecisionReason"])


def commands_for(home: str, entry: str | None = None) -> dict[str, str]:
    """The installed command of every event, and the script that they source."""
    write_script(_places(entry)._replace(home=home))
    return INSTALLER.hook_commands(home)


@cache
def _places(entry: str | None) -> Places:
    # Asking which interpreter is the real one starts two processes.
    return places_of("/", entry=entry)


def written_line(
    event: str, python: str, entry: str, home: str, worker: str = "", agent: str = "", is_beside: bool = False
) -> str:
    """The line of an event, with a script of these paths in the data home."""
    write_script(Places(python, entry, home, worker))
    return line_of(event, home, agent, is_beside)
