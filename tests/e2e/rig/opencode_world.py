"""A world in which the real opencode runs with a scripted model."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.model import Model
from tests.e2e.rig.npm_client import folder, program

_BINARY = "opencode-linux-x64/bin/opencode"


class OpencodeWorld(ChatWorld):
    agent = "opencode"
    before_call, hint_event, start_event = "tool.execute.before", "tool.execute.after", "chat.message"
    shell_tool = "bash"
    context = 200_000  # tokens that the model is said to take

    def command(self, prompt: str, arguments: Sequence[str]) -> list[str]:
        quiet = ("--format", "json", "-m", "scripted/scripted", "--auto")
        return [program(self.agent, _BINARY), "run", *quiet, *arguments, prompt]

    def client_environment(self, model: Model) -> dict[str, str]:
        """The address of the model stands in the settings of the client alone."""
        self._write_settings(f"{model.address}/v1")
        off = ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")
        return {**self.environment(), **{f"OPENCODE_DISABLE_{name}": "1" for name in off}, "CI": "1"}

    def _write_settings(self, address: str) -> None:
        limit = {"context": self.context, "output": 8_000}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": address, "apiKey": "not-a-key-of-anyone"},
            "models": {"scripted": {"name": "Scripted", "limit": limit, "tool_call": True}},
        }
        settings = {
            "autoupdate": False,
            "share": "disabled",
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "provider": {"scripted": provider},
        }
        (self.configuration / "opencode.json").write_text(json.dumps(settings), encoding="utf-8")

    def answer_first_questions(self) -> None:
        super().answer_first_questions()
        program("opencode-plugin", "@opencode-ai/plugin/package.json")
        # What opencode would install beside a plugin.
        shutil.copytree(folder("opencode-plugin"), self.configuration, dirs_exist_ok=True)

    @property
    def configuration(self) -> Path:
        return self.home / ".config" / "opencode"

    def transcripts(self) -> list[Path]:
        return sorted(self.home.glob(".local/share/opencode/opencode*.db"))

    @property
    def hook_file(self) -> Path:
        return self.configuration / "plugins" / "lessons.js"
