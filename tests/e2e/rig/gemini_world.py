"""A world in which the real Gemini CLI runs with a scripted model."""

import json
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.gemini_model import GeminiModel
from tests.e2e.rig.model import Model
from tests.e2e.rig.npm_client import program

_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False},
}


class GeminiWorld(ChatWorld):
    agent = "gemini-cli"
    before_call, hint_event = "BeforeTool", "AfterTool"
    shell_tool = "run_shell_command"
    model = GeminiModel

    def command(self, prompt: str, arguments: Sequence[str]) -> list[str]:
        quiet = ("-m", "gemini-2.5-pro", "-o", "stream-json", "--yolo", "--skip-trust")
        return [program(self.agent, ".bin/gemini"), *quiet, *arguments, "-p", prompt]

    def client_environment(self, model: Model) -> dict[str, str]:
        return {
            **self.environment(),
            "GEMINI_API_KEY": "not-a-key-of-anyone",
            "GOOGLE_GEMINI_BASE_URL": model.address,
            "GEMINI_TELEMETRY_ENABLED": "false",
            "NO_COLOR": "1",
        }

    def answer_first_questions(self) -> None:
        super().answer_first_questions()
        self.hook_file.parent.mkdir(parents=True)
        self.hook_file.write_text(json.dumps(_SETTINGS, indent=1), encoding="utf-8")

    def transcripts(self) -> list[Path]:
        return sorted(self.home.glob(".gemini/tmp/*/chats/session-*"))

    @property
    def hook_file(self) -> Path:
        return self.home / ".gemini" / "settings.json"
