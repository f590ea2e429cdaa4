"""A folder in, a test world out: a home, a project, a data home and the real client with a scripted model."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.cli.on_terminal import run_on_terminal
from tests.e2e.rig import client
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.model import Model
from tests.e2e.rig.script import Turn, bash

_KEY = "not-a-key-of-anyone"
_SECONDS = 90
_VARIABLES_KEPT = ("PATH", "LANG", "LC_ALL", "TZ")
# All that a script may do without being asked; what is not named here is refused or asked for.
ALLOWED = ("Bash", "Read", "Write", "Edit", "Agent")


class World:
    """Nothing in it is shared with the person who runs the tests, or with another test."""

    agent = "claude-code"
    # The client's names of the events before a call, with words for the model, and at the start of a session.
    before_call = hint_event = "PreToolUse"
    start_event = "SessionStart"

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.data = self.home / ".local" / "share" / "lessons"  # where a plugin works
        self.config, self.temporary = folder / "home" / ".claude", folder / "tmp"
        for place in (self.home, self.project, self.data, self.config, self.temporary):
            place.mkdir(parents=True, exist_ok=True)
        self.settings = self.config / "settings.json"
        self.answer_first_questions()
        # Just done: no session leaves a scan or a look for alerts behind that a test would have to wait for.
        (self.data / "fired").mkdir()
        for name in ("scan", "alerts"):
            (self.data / "fired" / name).touch()

    def environment(self) -> dict[str, str]:
        """What both the person's shell and the client have; the data home is named by the installed hook alone."""
        kept = {name: os.environ[name] for name in _VARIABLES_KEPT if name in os.environ}
        places = {"HOME": self.home, "CLAUDE_CONFIG_DIR": self.config, "TMPDIR": self.temporary}
        return {**kept, "SHELL": "/bin/bash", **{name: str(place) for name, place in places.items()}}

    def client_environment(self, model: Model) -> dict[str, str]:
        return {
            **self.environment(),
            "ANTHROPIC_BASE_URL": model.address,
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def lessons(self, *arguments: str, stdin: str = "", code: int = 0) -> str:
        """What the installed command line prints; any other exit code fails the test with all it said."""
        command = [str(Path(sys.executable).with_name("lessons")), *arguments]
        environment = {**self.environment(), "LESSONS_HOME": str(self.data)}
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, cwd=self.project, env=environment, timeout=_SECONDS
        )
        assert done.returncode == code, f"lessons {' '.join(arguments)}: {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stdout

    def by_person(self, *arguments: str) -> None:
        """A verb that needs a terminal."""
        command = [str(Path(sys.executable).with_name("lessons")), *arguments]
        environment = {**self.environment(), "LESSONS_HOME": str(self.data)}
        done = run_on_terminal(command, self.project, environment, _SECONDS)
        assert done.code == 0, f"lessons {' '.join(arguments)}: {done.code}\n{done.out}{done.error}"

    @property
    def hook_file(self) -> Path:
        """What `install` writes for the person."""
        return self.settings

    def install(self, *options: str) -> None:
        self.lessons("install", "--agent", self.agent, *options)

    def accept_hooks(self) -> None:
        """What a person has to do once a hook has changed; most clients want nothing."""

    def ask_nothing(self) -> None:
        """Switches off the question after a recovery, which takes a turn more if it comes at the end of one."""
        self.lessons("config", "set", "lessonProtocol", "false")

    def shell(self, command: str, id: str = "") -> Turn:
        return bash(command, id)

    def add(self, record: Mapping[str, object]) -> dict[str, Any]:
        """Stores a lesson as a person would, and gives it as it is stored."""
        stored: dict[str, Any] = json.loads(self.lessons("add", "--from", "-", "--json", stdin=json.dumps(record)))
        return stored

    def log(self, *options: str) -> list[dict[str, Any]]:
        """What `lessons log` tells."""
        return list(json.loads(self.lessons("log", "--json", *options))["events"])

    def injections(self) -> list[dict[str, Any]]:
        """What the hook itself has written."""
        file = self.data / "injections.jsonl"
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []

    def faults(self) -> str:
        file = self.data / "faults.log"
        return file.read_text("utf-8") if file.exists() else ""

    def run(
        self,
        prompt: str,
        turns: Sequence[Turn],
        routes: Mapping[str, Sequence[Turn]] | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        allowed: Sequence[str] = ALLOWED,
    ) -> Conversation:
        """One session without a terminal; it fails the test if the script was not played exactly to its end."""
        command = [client.binary(), "-p", prompt, "--output-format", "stream-json", "--verbose", *arguments]
        with Model(turns, routes) as model:
            done = subprocess.run(
                [*command, "--allowedTools", *allowed],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                cwd=self.project,
                env={**self.client_environment(model), **(environment or {})},
                timeout=_SECONDS,
            )
            check(model, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}", done.returncode == 0)
        return Conversation(model.requests, self.config, done.stdout, done.stderr, done.returncode)

    def resume(self, earlier: Conversation, prompt: str, turns: Sequence[Turn], **more: Any) -> Conversation:
        return self.run(prompt, turns, arguments=("--resume", earlier.session, *more.pop("arguments", ())), **more)

    def answer_first_questions(self) -> None:
        """The client asks a newcomer about theme, trust and key; these answers keep it from doing so."""
        project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        answers = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "numStartups": 3,
            "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
            "projects": {str(self.project): project},
        }
        (self.config / ".claude.json").write_text(json.dumps(answers), encoding="utf-8")


def check(model: Model, what: str, done: bool = True) -> None:
    """Fails unless the client was content and asked for every turn of the script and for none more."""
    if model.faults:
        raise model.faults[0]
    assert done, what
    assert not model.left(), f"nobody asked for these turns: {model.left()}\n{what}"
    assert not model.missed, f"the script was too short on {model.missed}\n{what}"
