"""A folder in, a small world out: a person's home, a project, a data home and the real Codex with a scripted model."""

import itertools
import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.e2e.codex.app_server import trust_all
from tests.e2e.rig import client
from tests.e2e.rig.model import Model
from tests.e2e.rig.responses import ResponsesModel, ResponsesRequest
from tests.e2e.rig.script import Turn, call, custom
from tests.e2e.rig.world import World, check

_SECONDS = 90
_KEY = "not-a-key-of-anyone"
# Of the bundled models the one that calls tools itself, and one that writes scripts which do ("code mode").
DIRECT, IN_SCRIPTS = "gpt-5.5", "gpt-6-sol"
_CONFIG = """\
model = "{model}"
model_provider = "scripted"
check_for_update_on_startup = false
{more}
[model_providers.scripted]
name = "scripted"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[analytics]
enabled = false
[feedback]
enabled = false
[features]
enable_request_compression = false
[projects."{project}"]
trust_level = "trusted"
"""
_ADDED = ("\n[hooks", "\n[marketplaces", "\n[plugins")
_numbers = itertools.count(1)
_UNASKED = "--dangerously-bypass-approvals-and-sandbox"


def shell(command: str, id: str = "", **more: object) -> Turn:
    return call("exec_command", {"cmd": command, **more}, id or f"call_of_a_shell_{next(_numbers):010d}")


def patch(text: str, id: str = "") -> Turn:
    return custom("apply_patch", f"*** Begin Patch\n{text}\n*** End Patch\n", id)


class Talk:
    """What reached the model, and what the client printed and wrote."""

    def __init__(self, recorded: Sequence[ResponsesRequest], output: str, errors: str) -> None:
        self.requests = [request for request in recorded if request.route == "main"]
        self.recorded = list(recorded)
        self.events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        self.output, self.errors = output, errors

    def results(self) -> dict[str, str]:
        """Call id -> what the model was told, first telling first."""
        told: dict[str, str] = {}
        for request in self.recorded:
            told = {**{name: result.text for name, result in request.results().items()}, **told}
        return told

    def everything(self) -> str:
        return "\n".join(request.raw for request in self.recorded)

    @property
    def thread(self) -> str:
        return next(str(event["thread_id"]) for event in self.events if event.get("type") == "thread.started")


class CodexWorld(World):
    """Nothing in it is shared with the person who runs the tests, or with another test."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.codex = self.home / ".codex"
        self.codex.mkdir()
        self.hooks, self.toml = self.codex / "hooks.json", self.codex / "config.toml"
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.project, check=True)

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "CODEX_HOME": str(self.codex)}

    def client_environment(self, model: Model) -> dict[str, str]:
        return {**self.environment(), "SCRIPTED_KEY": _KEY}

    def install(self, *options: str) -> None:
        self.lessons("install", "--agent", "codex", *options)

    def trust(self) -> None:
        """What a person does in /hooks, through the client itself."""
        self.configure("http://127.0.0.1:9")
        trust_all([client.binary("codex"), "app-server"], self.project, self.environment())

    def configure(self, address: str, model: str = DIRECT, more: str = "") -> None:
        """The person's configuration; what the client has added to it stays."""
        before = self.toml.read_text("utf-8") if self.toml.exists() else ""
        places = [place for mark in _ADDED if (place := before.find(mark)) >= 0]
        added = before[min(places) :] if places else ""
        written = _CONFIG.format(model=model, address=address, project=self.project, more=more)
        self.toml.write_text(written + added, encoding="utf-8")

    def talk(
        self,
        prompt: str,
        turns: Sequence[Turn],
        routes: Mapping[str, Sequence[Turn]] | None = None,
        arguments: Sequence[str] = (),
        model: str = DIRECT,
        more: str = "",
        command: Sequence[str] = ("exec",),
    ) -> Talk:
        """One session without a terminal; it fails the test if the script was not played exactly to its end."""
        with ResponsesModel(turns, routes) as scripted:
            self.configure(scripted.address, model, more)
            line = [client.binary("codex"), *command, "--json", _UNASKED, *arguments, prompt]
            done = subprocess.run(
                line,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                cwd=self.project,
                env=self.client_environment(scripted),
                timeout=_SECONDS,
            )
            check(scripted, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}", done.returncode == 0)
        requests = [request for request in scripted.requests if isinstance(request, ResponsesRequest)]
        return Talk(requests, done.stdout, done.stderr)

    def rollouts(self) -> list[Path]:
        return sorted((self.codex / "sessions").rglob("rollout-*.jsonl"))

    def scan(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.lessons("scan", "--agent", "codex", "--json"))
        return report
