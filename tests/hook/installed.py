"""Lessons in, the installed hook commands run as a client runs them out: real processes, real files, four folders."""

import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from lessons.agents.table import AGENTS
from lessons.config import load
from lessons.hook import bundle
from lessons.model import Lesson, lesson_from_document
from lessons.promote.publish.build import write_lessons
from lessons.promote.publish.entry import entry_of
from tests.builders.home import commands_for
from tests.cli import in_process, on_terminal
from tests.shells import program

EVENTS = tuple(AGENTS["claude-code"].events)
SECONDS = 120


@dataclass(frozen=True)
class Answer:
    """What one process left behind."""

    code: int
    out: bytes
    error: bytes
    seconds: float = 0.0

    @property
    def document(self) -> dict[str, object]:
        """The one JSON object on stdout; empty where nothing was said."""
        value = json.loads(self.out) if self.out else {}
        assert isinstance(value, dict), self.out
        return value

    @property
    def decision(self) -> str:
        """`deny`, `hint` or nothing."""
        said = self.document.get("hookSpecificOutput", {})
        assert isinstance(said, dict)
        return str(said.get("permissionDecision") or ("hint" if said.get("additionalContext") else ""))

    @property
    def words(self) -> str:
        """What the model is told."""
        said = self.document.get("hookSpecificOutput", {})
        assert isinstance(said, dict)
        return str(said.get("permissionDecisionReason") or said.get("additionalContext") or "")


class Machine:
    """A person's HOME, a folder to work in, a data home and a temporary directory, side by side."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.person = root / "person"
        self.work = root / "work"
        self.home = root / "data"
        self.temporary = root / "temporary"
        self.manifest = self.home / "lesson-manifest.json"
        self.index = self.home / "hook-index"
        for folder in (self.person, self.work, self.home, self.temporary):
            folder.mkdir(parents=True)
        bundle.refresh()
        self.commands = commands_for(str(self.home))
        self.with_index = True
        self.sh = "/bin/sh"

    def use_shell(self, shell: str) -> None:
        """From now on this one is `sh`, and behaves as it does under that name."""
        place = self.root / "shell" / "sh"
        place.parent.mkdir()
        place.symlink_to(program(shell))
        self.sh = str(place)

    def publish(self, *lessons: Lesson) -> None:
        """Manifest and index of these lessons, with no pattern probed: nothing but the hook stands in its way."""
        entries = {lesson.id: entry_of(lesson, lambda source, flags: None).entry for lesson in lessons}
        write_lessons(str(self.home), load(str(self.home), {}), entries, "2026-01-01T00:00:00Z")
        if not self.with_index:
            self.index.unlink()
        self.keep_from_scanning()

    def keep_from_scanning(self) -> None:
        """A session that starts leaves no process behind: the last scan and look for alerts were just now."""
        (self.home / "fired").mkdir(exist_ok=True)
        for name in ("scan", "alerts"):
            (self.home / "fired" / name).touch()

    def environment(self, **changes: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LESSONS_")}
        return {**kept, "HOME": str(self.person), "TMPDIR": str(self.temporary), **changes}

    def start(self, event: str) -> subprocess.Popen[bytes]:
        """The installed command, waiting for its payload."""
        pipe = subprocess.PIPE
        line = [self.sh, "-c", self.commands[event]]
        return subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, cwd=self.work, env=self.environment())

    def run(self, event: str, payload: dict[str, object] | bytes, command: str = "", **changes: str) -> Answer:
        """One hook event from the payload to the answer."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        line = [self.sh, "-c", command or self.commands[event]]
        return run(line, data, self.work, self.environment(**changes))

    def lessons(self, *arguments: str, text: str = "") -> Answer:
        """The command line of the product, on this data home."""
        environment = self.environment(LESSONS_HOME=str(self.home))
        return Answer(*in_process.run(list(arguments), text.encode(), self.work, environment))

    def by_person(self, *arguments: str) -> int:
        """The exit code of the same on a terminal."""
        environment = self.environment(LESSONS_HOME=str(self.home))
        return on_terminal.call(list(arguments), self.work, environment).code

    def bash(self, command: str, session: str = "session", **fields: object) -> dict[str, object]:
        """The payload of a shell command that is about to run."""
        return {
            "session_id": session,
            "transcript_path": f"{self.person}/.claude/projects/-work/{session}.jsonl",
            "cwd": str(self.work),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "a step"},
            "tool_use_id": "toolu_01",
            **fields,
        }

    def injections(self) -> list[dict[str, object]]:
        """Every line of the log; a line that is not whole JSON is a failure."""
        file = self.home / "injections.jsonl"
        return [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []

    def faults(self) -> str:
        file = self.home / "faults.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""


def run(line: list[str], data: bytes, folder: Path, environment: dict[str, str]) -> Answer:
    began = time.perf_counter()
    done = subprocess.run(line, input=data, capture_output=True, cwd=folder, env=environment, timeout=SECONDS)
    return Answer(done.returncode, done.stdout, done.stderr, time.perf_counter() - began)


def lesson(slug: str, pattern: str = "", **fields: object) -> Lesson:
    """A lesson that fires on a pattern, found anywhere in the command line."""
    triggers = {"commandPatterns": [pattern] if pattern else [], "matchOn": "command"}
    more = fields.pop("triggers", {})
    assert isinstance(more, dict)
    return lesson_from_document(
        {
            "id": f"01{slug}",
            "slug": slug,
            "summary": f"What the lesson {slug} is about, in a line",
            "problem": f"The problem that the lesson {slug} describes.",
            "solution": f"The solution that the lesson {slug} describes.",
            "triggers": {**triggers, **more},
            **fields,
        }
    )


def block(slug: str, pattern: str, **fields: object) -> Lesson:
    return lesson(slug, pattern, block=True, blockReason=f"{slug} does not allow {{command}}", **fields)


def stop(slug: str, pattern: str, **fields: object) -> Lesson:
    return lesson(slug, pattern, stopOnce=True, **fields)
