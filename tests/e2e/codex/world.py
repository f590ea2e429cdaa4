"""A folder in, a test world out: a home, a project, a data home and the real Codex with a scripted model."""

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.e2e.codex.app_server import trust_all
from tests.e2e.rig import client
from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.model import Model
from tests.e2e.rig.responses import ResponsesModel
from tests.e2e.rig.script import Turn, call, custom

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


def thread_of(talk: Conversation) -> str:
    """What this client calls a session."""
    return next(str(event["thread_id"]) for event in talk.events if event.get("type") == "thread.started")


class CodexWorld(ChatWorld):
    """Nothing in it is shared with the person who runs the tests, or with another test."""

    agent = "codex"
    model = ResponsesModel

    def __init__(self, folder: Path) -> None:
        self.codex = folder / "home" / ".codex"
        self.toml = self.codex / "config.toml"
        self.codex.mkdir(parents=True)
        super().__init__(folder)
        # Of the next session: the bundled model that is said to answer, more settings (those with a heading behind
        # all others), and the verb of the client.
        self.bundled_model, self.more, self.servers = DIRECT, "", ""
        self.verb: Sequence[str] = ("exec",)

    @property
    def hook_file(self) -> Path:
        return self.codex / "hooks.json"

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "CODEX_HOME": str(self.codex)}

    def client_environment(self, model: Model) -> dict[str, str]:
        """The address of the model stands in the settings of the client alone."""
        self.configure(model.address)
        return {**self.environment(), "SCRIPTED_KEY": _KEY}

    def command(self, prompt: str, arguments: Sequence[str]) -> list[str]:
        return [client.binary("codex"), *self.verb, "--json", _UNASKED, *arguments, prompt]

    def shell(self, command: str, id: str = "") -> Turn:
        return shell(command, id)

    def accept_hooks(self) -> None:
        """What a person does in /hooks, through the client itself."""
        self.configure("http://127.0.0.1:9")
        trust_all([client.binary("codex"), "app-server"], self.project, self.environment())

    def configure(self, address: str) -> None:
        """The person's configuration; what the client has added to it stays."""
        before = self.toml.read_text("utf-8") if self.toml.exists() else ""
        places = [place for mark in _ADDED if (place := before.find(mark)) >= 0]
        added = before[min(places) :] if places else ""
        written = _CONFIG.format(model=self.bundled_model, address=address, project=self.project, more=self.more)
        self.toml.write_text(written + self.servers + added, encoding="utf-8")

    def talk(
        self,
        prompt: str,
        turns: Sequence[Turn],
        routes: Mapping[str, Sequence[Turn]] | None = None,
        model: str = DIRECT,
        more: str = "",
        servers: str = "",
        command: Sequence[str] = ("exec",),
    ) -> Conversation:
        """A session with another model, more settings or another verb of the client."""
        self.bundled_model, self.more, self.servers, self.verb = model, more, servers, command
        return self.run(prompt, turns, routes)

    def transcripts(self) -> list[Path]:
        return sorted((self.codex / "sessions").rglob("rollout-*.jsonl"))

    def scan(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self.lessons("scan", "--agent", "codex", "--json"))
        return report
