"""A payload in, the answer of the command in the agent's settings out: run as Claude Code runs it."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.builders.home import Answer
from tests.builders.payloads import Payload
from tests.cli.command_line import CommandLine


class Agent:
    """Knows nothing but its settings file."""

    def __init__(self, lessons: CommandLine) -> None:
        self.settings = lessons.settings
        self.home = lessons.home
        self.work = lessons.work
        self._environment = lessons.environment()
        # The installed line names the data home itself.
        del self._environment["LESSONS_HOME"]

    def commands(self, event: str) -> list[str]:
        settings = json.loads(self.settings.read_text(encoding="utf-8")) if self.settings.exists() else {}
        groups = settings.get("hooks", {}).get(event, [])
        return [handler["command"] for group in groups for handler in group["hooks"]]

    def run(self, payload: Payload, **variables: str) -> Answer:
        """The exit code and the answer; None: no answer."""
        code, said = self.printed(payload, **variables)
        return code, json.loads(said) if said else None

    def printed(self, payload: Payload, **variables: str) -> tuple[int, str]:
        """The exit code and the very text of the answer."""
        answers = [
            subprocess.run(
                ["/bin/sh", "-c", command],
                input=json.dumps(payload).encode(),
                capture_output=True,
                cwd=self.work,
                env={**self._environment, **variables},
                timeout=60,
            )
            for command in self.commands(str(payload["hook_event_name"]))
        ]
        if not answers:
            return 0, ""
        [ended] = answers
        assert ended.stderr == b""
        return ended.returncode, ended.stdout.decode("utf-8").strip()

    def log(self) -> list[tuple[str, str]]:
        """What was done with which lesson."""
        file = self.home / "injections.jsonl"
        events = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
        return [(event["decision"], event["slug"]) for event in events]

    def scan_mark(self) -> Path:
        return self.home / "fired" / "scan"

    def keep_from_scanning(self) -> None:
        """The mark of a scan just done: a session that starts leaves no process behind."""
        self.scan_mark().parent.mkdir(exist_ok=True)
        self.scan_mark().touch()
        (self.home / "fired" / "alerts").touch()

    def wait_for_rerun(self, slug: str) -> None:
        """As after the pause in which an agent thinks: the stop of this lesson is longer ago than a second."""
        for claim in Path(self._environment["TMPDIR"]).rglob(f"{slug}.stop"):
            os.utime(claim, (1, 1))


def message_of(answer: Answer) -> str:
    """What the person alone is told."""
    document: Any = answer[1] or {}
    return str(document.get("systemMessage", ""))
